// One kernel that uses much of what clang emits: parameters by value, constants
// and initialised pointers, a switch, recursion, device printf and malloc,
// inline PTX, half precision. The .ptx files beside it were made with:
// clang++-22 -x cuda mixed.cu --cuda-device-only --cuda-gpu-arch=sm_75 -S
// and -O0, -O2 or -O2 -g.
#include <cassert>
#include <cstdio>
#include <cuda_fp16.h>
__constant__ float coef[4] = {1, 2, 3, 4};
__device__ int counter = 5;
__device__ int *ptr = &counter;
struct S {
  float a;
  double b;
  char c[5];
};
__device__ S table[2] = {{1.5f, 2.5, "abcd"}, {3.f, 4., "x"}};
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
extern __shared__ float dyn[];
__global__ void k(float *a, const int *__restrict__ b, S s, int n) {
  __shared__ float t[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  t[threadIdx.x] = a[i] * coef[i & 3] + s.a;
  __syncthreads();
  switch (b[i]) {
  case 0:
    a[i] = t[blockDim.x - 1 - threadIdx.x];
    break;
  case 1:
    a[i] = sqrtf(t[0]);
    break;
  case 2:
    a[i] = 2;
    break;
  case 3:
    a[i] = a[i] * a[i] * a[i];
    break;
  case 4:
    a[i] = fib(i & 7);
    break;
  case 5:
    printf("hello %d %f\n", i, a[i]);
    break;
  case 6:
    assert(n > 4);
    break;
  default:
    a[i] = s.c[n & 3];
  }
  atomicAdd(&counter, 1);
  dyn[threadIdx.x] = __shfl_xor_sync(~0u, a[i], 1);
  unsigned x;
  asm("{ .reg .u32 t1; mul.lo.u32 t1, %1, %1; add.u32 %0,t1,1; }"
      : "=r"(x)
      : "r"(i));
  a[i] += x + table[i & 1].b;
  __half h = __float2half(a[i]);
  h = __hadd(h, h);
  a[i] = __half2float(h);
  int *q = (int *)malloc(8);
  *q = i;
  a[i] += *q;
  free(q);
}
