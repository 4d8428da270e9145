// Variables in shared memory whose types have constructors: nvcc leaves them as
// they are and warns. Where clang is told so, all of them run. The library's
// barrier takes most of the time, so one compilation has it.
// REQUIRES: cuda-toolkit
// LABELS: slow
// RUN: %regshare_clang --cuda-path=%cuda_path -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %run %t | FileCheck %s
// RUN: %if !asan %{ env REGSHARE_TIMING=0 %run %t | FileCheck %s %}
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: %if !asan %{ env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s %}
// RUN: %if !asan %{ %regshare_clang --cuda-path=%cuda_path -DPLAIN -O0 %s -o %t.O0 2>/dev/null %}
// RUN: %if !asan %{ env REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s %}
// RUN: regshare-opt --cuda-path=%cuda_path -DPLAIN %s --emit=report 2>&1 | FileCheck %s --check-prefixes=WARN,REPORT
// RUN: not %regshare_clang --cuda-path=%cuda_path -DPLAIN -DBAD -O2 %s -o %t.bad 2>&1 | FileCheck %s --check-prefix=BAD
#include <cstdio>
#ifdef PLAIN
struct Barrier {
  __device__ Barrier() : Count(77) {}
  __device__ void arrive_and_wait() { __syncthreads(); }
  int Count;
};
__device__ void init(Barrier *B, int Count) { B->Count = Count; }
#else
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#endif

struct Counted {
  int Value;
  __device__ Counted() : Value(77) {}
};

// WARN: shared-objects.cu:[[@LINE+3]]:22: warning: a variable in shared memory is not constructed, as nvcc has it
// WARN: shared-objects.cu:[[@LINE+4]]:22: warning:
__global__ void meet(int *Out) {
  __shared__ Barrier Whole;
  __shared__ alignas(16) static Barrier Halves[2];
  __shared__ Counted Sum[64];
  __shared__ float4 Plain[64];
  int T = threadIdx.x, Half = T / 32;
  if (T == 0) {
    init(&Whole, blockDim.x);
    init(&Halves[0], 32);
    init(&Halves[1], 32);
  }
  __syncthreads();
  Sum[T].Value = T;
  Plain[T] = make_float4(T, 0, 0, 0);
  Halves[Half].arrive_and_wait();
  int Other = Sum[32 * Half + (T + 1) % 32].Value;
  Whole.arrive_and_wait();
  Out[T] = Other + Sum[63 - T].Value + int(sizeof(Sum)) + int(Plain[T].x);
}

#ifdef BAD
// BAD: shared-objects.cu:[[@LINE+4]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
// BAD-NOT: unconstructed
// BAD: error{{s?}} generated
__global__ void several(int *Out) {
  __shared__ Counted A, B;
  Out[0] = A.Value + B.Value;
}
#endif

// REPORT: meet

int main() {
  int H[64], *D, Wrong = 0;
  cudaMalloc(&D, sizeof(H));
  meet<<<1, 64>>>(D);
  cudaError_t Error = cudaMemcpy(H, D, sizeof(H), cudaMemcpyDeviceToHost);
  for (int T = 0; T != 64; ++T)
    Wrong += H[T] != T / 32 * 32 + (T + 1) % 32 + 63 - T + 256 + T;
  // CHECK: no error, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
