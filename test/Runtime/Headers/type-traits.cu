// The type traits of CUDA's library, in device code and beside the host's.
// RUN: %regshare_clang -std=c++17 -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %regshare_clang -std=c++11 -fsyntax-only %s
// RUN: %regshare_clang -std=c++20 -Wall -Werror -fsyntax-only %s
#include <cstdio>
#include <cuda/barrier>
#include <cuda/std/type_traits>
#include <type_traits>

template <typename T>
__device__
    typename cuda::std::enable_if<cuda::std::is_integral<T>::value, int>::type
    kind(T) {
  return 1;
}
template <typename T>
__device__
    typename cuda::std::enable_if<!cuda::std::is_integral<T>::value, int>::type
    kind(T) {
  return 2;
}

static_assert(cuda::std::is_same<cuda::std::decay<const int[3]>::type,
                                 std::decay<const int[3]>::type>::value,
              "they are the host's");

__global__ void ask(int *Out) {
  Out[0] = kind(3) * 10 + kind(3.0f);
#if __cplusplus >= 201703L
  if constexpr (cuda::std::is_same_v<cuda::std::remove_cv_t<const int>, int>)
    Out[0] += 100;
#endif
}

int main() {
  int *D, Got = 0;
  cudaMalloc(&D, sizeof(int));
  ask<<<1, 1>>>(D);
  cudaMemcpy(&Got, D, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK: 112
  std::printf("%d\n", Got);
}
