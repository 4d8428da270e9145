// Calls through pointers reach what the module takes the address of: virtual
// functions, tables of functions, and functions that call through pointers
// themselves. Registers are assigned for all of them at once.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=ltrf-plus %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=expars %run %t | FileCheck %s
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
// A pointer to nothing is a fault of the kernel, as it is on a GPU.
// RUN: env REGSHARE_TIMING=0 %run %t null 2>&1 | FileCheck %s --check-prefix=NULL
#include <cstdio>

struct Shape {
  __device__ virtual int area(int Side) const { return 0; }
};
struct Square : Shape {
  __device__ int area(int Side) const override { return Side * Side; }
};
struct Frame : Shape {
  const Shape *Outer, *Inner;
  __device__ Frame(const Shape *O, const Shape *I) : Outer(O), Inner(I) {}
  __device__ int area(int Side) const override { return -Side; }
};

__global__ void areas(int *Out) {
  Shape None;
  Square Whole;
  Frame Both(&Whole, &None);
  const Shape *Of[] = {&None, &Whole, &Both};
  Out[threadIdx.x] = Of[threadIdx.x % 3]->area(threadIdx.x);
}

typedef int (*Operation)(int, int);
__device__ int sum(int A, int B) { return A + B; }
__device__ int product(int A, int B) { return A * B; }
__device__ int larger(int A, int B) { return A > B ? A : B; }
__device__ Operation Table[4] = {sum, product, larger, nullptr};

__device__ __noinline__ int apply(int N, int A, int B) {
  return Table[N](A, B);
}

__global__ void operations(int *Out, int N) {
  Out[threadIdx.x] = apply(threadIdx.x % N, threadIdx.x, 5);
}

int main(int Count, char **) {
  int H[96], *D, Wrong = 0;
  cudaMalloc(&D, sizeof(H));
  if (Count > 1) {
    operations<<<1, 96>>>(D, 4);
    // NULL: regshare: {{.*}}the kernel executed 'trap'
    // NULL: null: a kernel failed
    std::printf("null: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
  }
  areas<<<1, 96>>>(D);
  cudaError_t Error = cudaMemcpy(H, D, sizeof(H), cudaMemcpyDeviceToHost);
  for (int T = 0; T != 96; ++T)
    Wrong += H[T] != (T % 3 == 0 ? 0 : T % 3 == 1 ? T * T : -T);
  // CHECK: areas: no error, 0 wrong
  std::printf("areas: %s, %d wrong\n", cudaGetErrorString(Error), Wrong);
  operations<<<1, 96>>>(D, 3);
  Error = cudaMemcpy(H, D, sizeof(H), cudaMemcpyDeviceToHost);
  Wrong = 0;
  for (int T = 0; T != 96; ++T)
    Wrong += H[T] != (T % 3 == 0 ? T + 5 : T % 3 == 1 ? T * 5 : T > 5 ? T : 5);
  // CHECK: operations: no error, 0 wrong
  std::printf("operations: %s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
