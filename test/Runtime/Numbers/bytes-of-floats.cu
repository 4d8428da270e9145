// Conversions to 8-bit floating point in hardware, as the toolkit's cuda_fp8.h
// has them from sm_89 on, against the same header's on the host.
// REQUIRES: cuda-toolkit
// RUN: %regshare_clang --cuda-path=%cuda_path -O1 --cuda-gpu-arch=sm_90 %s -o %t
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// CHECK: 0 wrong

#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>

constexpr unsigned Threads = 4096;

struct Bytes {
  unsigned char E4, E5, HalfE4, HalfE5;
  float Back4, Back5;
};

__host__ __device__ Bytes convert(float X) {
  Bytes B;
  B.E4 = __nv_cvt_float_to_fp8(X, __NV_SATFINITE, __NV_E4M3);
  B.E5 = __nv_cvt_float_to_fp8(X, __NV_SATFINITE, __NV_E5M2);
  __half_raw H = __half_raw(__float2half_rn(X));
  B.HalfE4 = __nv_cvt_halfraw_to_fp8(H, __NV_SATFINITE, __NV_E4M3);
  B.HalfE5 = __nv_cvt_halfraw_to_fp8(H, __NV_SATFINITE, __NV_E5M2);
  B.Back4 = __half2float(__half(__nv_cvt_fp8_to_halfraw(B.E4, __NV_E4M3)));
  B.Back5 = __half2float(__half(__nv_cvt_fp8_to_halfraw(B.E5, __NV_E5M2)));
  return B;
}

__host__ __device__ float inputOf(unsigned Thread) {
  float Magnitude = ldexpf(1 + Thread % 61 / 61.0f, int(Thread / 61 % 40) - 22);
  return Thread == 7 ? INFINITY : Thread & 1 ? -Magnitude : Magnitude;
}

__global__ void kernel(Bytes *Out) {
  unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x;
  Out[Thread] = convert(inputOf(Thread));
}

int main() {
  Bytes *Out;
  cudaMallocManaged(&Out, Threads * sizeof(Bytes));
  kernel<<<Threads / 128, 128>>>(Out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize())
    return printf("does not run\n");
  int Wrong = 0;
  for (unsigned T = 0; T != Threads; ++T) {
    Bytes Want = convert(inputOf(T));
    if (memcmp(&Out[T], &Want, sizeof(Bytes)) && ++Wrong < 5)
      printf("%g: %x %x\n", inputOf(T), Out[T].E4, Want.E4);
  }
  printf("%d wrong\n", Wrong);
  return Wrong != 0;
}
