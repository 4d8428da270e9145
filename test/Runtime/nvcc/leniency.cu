// nvcc ignores `register`, which C++17 does not have, and warns of conversions
// between braces that may lose something, and of a macro right behind a string.
// RUN: %regshare_clang -std=c++17 %s -o %t 2>&1 | FileCheck %s --check-prefix=WARNS
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: not %regshare_clang -Werror=c++11-narrowing -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// WARNS-NOT: register
// WARNS: warning: non-constant-expression cannot be narrowed
// WARNS: warning: invalid suffix on literal
// WARNS-NOT: error
// ERROR: error: non-constant-expression cannot be narrowed
#include <cstdio>

struct Pair {
  unsigned char First, Second;
};

__global__ void k(int *At, int Value) {
  register int Twice = 2 * Value;
  *At = Twice;
}

int main(int Count, char **) {
  register unsigned short Short = Count;
  Pair P = {Short, 2};
  int *Device, Host = 0;
  cudaMalloc(&Device, sizeof(int));
  k<<<1, 1>>>(Device, P.First + P.Second);
  cudaMemcpy(&Host, Device, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK: 6
#define END "\n"
  // clang-format off
  std::printf("%d"END, Host);
  // clang-format on
}
