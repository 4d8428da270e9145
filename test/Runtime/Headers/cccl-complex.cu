// CCCL's complex numbers, of which those of half precision read volatile
// halves, with RegShare's own headers.
// The complex numbers are CCCL's, which is taken from the toolkit:
// REQUIRES: cuda-toolkit
// RUN: env CUDA_PATH=%cuda_path %regshare_clang -std=c++17 -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
#include "../Inputs/expect.h"
#include <cuda/std/complex>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void products(float *Out) {
  cuda::std::complex<float> Z(1, float(threadIdx.x)), W(2, -1);
  Z *= W;
  Out[threadIdx.x] = Z.real() + Z.imag();
}

/// The number as it is read from volatile memory.
template <typename T> __global__ void parts(float *Out) {
  cuda::std::complex<T> Z(T(float(threadIdx.x)), T(0.5f));
  volatile cuda::std::complex<T> &Read = Z;
  Out[threadIdx.x] = float(Read.real()) + float(Read.imag());
}

int main() {
  float *Out;
  EXPECT_OK(cudaMallocManaged(&Out, 128));
  products<<<1, 32>>>(Out);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I != 32; ++I)
    EXPECT(Out[I] == 1 + 3 * I);
  parts<__half><<<1, 32>>>(Out);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I != 32; ++I)
    EXPECT(Out[I] == I + 0.5f);
  parts<__nv_bfloat16><<<1, 32>>>(Out);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I != 32; ++I)
    EXPECT(Out[I] == I + 0.5f);
  return failures();
}
