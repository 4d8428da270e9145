// Loads and stores of halves with cache hints, complex products and rectified
// ones, of our own header; bfloat16.test has the same of bfloat16.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
#include <cstdio>
#include <cuda_fp16.h>

__global__ void k(__half *One, __half2 *Two, float *Out) {
  __stcs(One, __float2half(1.5f));
  __stcg(One + 1, __hadd(__ldcs(One), __ldcg(One)));
  __stwb(One + 2, __hadd(__ldca(One + 1), __ldlu(One + 1)));
  __stwt(One + 3, __hadd(__ldcv(One + 2), __ldcv(One + 2)));
  __stcs(Two, __floats2half2_rn(1, 2));
  __stcg(Two + 1, __hcmadd(__ldcs(Two), __ldcg(Two), __ldca(Two)));
  __stwb(Two + 2, __hfma2_relu(__ldcv(Two), __hneg2(__ldlu(Two)),
                               __floats2half2_rn(3, 2)));
  for (int I = 0; I != 4; ++I)
    Out[I] = __half2float(One[I]);
  for (int I = 0; I != 6; ++I)
    Out[4 + I] = __half2float(I % 2 ? Two[I / 2].y : Two[I / 2].x);
  Out[10] = __half2char_rz(__float2half(-200.0f));
  Out[11] = __half2uchar_rz(__float2half(37.9f));
  Out[12] = __half2float(htanh(__float2half(0.0f)));
}

int main() {
  __half *One;
  __half2 *Two;
  float *Out;
  cudaMalloc(&One, 4 * sizeof(__half));
  cudaMalloc(&Two, 3 * sizeof(__half2));
  cudaMallocManaged(&Out, 13 * sizeof(float));
  k<<<1, 1>>>(One, Two, Out);
  cudaError_t Error = cudaDeviceSynchronize();
  // (1 + 2i)² + (1 + 2i) is -2 + 6i.
  // CHECK: no error: 1.5 3 6 12 1 2 -2 6 2 0 -128 37 0
  std::printf("%s:", cudaGetErrorString(Error));
  for (int I = 0; I != 13; ++I)
    std::printf(" %g", Out[I]);
  std::printf("\n");
}
