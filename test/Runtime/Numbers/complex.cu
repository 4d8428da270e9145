// Complex numbers of cuComplex.h, on the device and on the host, against those
// of the C++ library; and what programs name of cuda.h.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuComplex.h>
#include <cuda.h>

constexpr int Numbers = 8;

__host__ __device__ inline void calculate(cuDoubleComplex A, cuDoubleComplex B,
                                          cuDoubleComplex *Out) {
  cuFloatComplex F = cuComplexDoubleToFloat(A), G = cuComplexDoubleToFloat(B);
  Out[0] = cuCadd(A, B);
  Out[1] = cuCsub(A, cuConj(B));
  Out[2] = cuCmul(A, B);
  Out[3] = cuCdiv(A, B);
  Out[4] = cuCfma(A, B, A);
  Out[5] = make_cuDoubleComplex(cuCabs(A), cuCabsf(F));
  Out[6] = cuComplexFloatToDouble(cuCdivf(F, G));
  Out[7] = cuComplexFloatToDouble(
      make_cuComplex(cuCrealf(cuCmulf(F, G)), cuCimagf(F)));
}

__global__ void onDevice(const cuDoubleComplex *In, cuDoubleComplex *Out) {
  calculate(In[threadIdx.x], In[threadIdx.x + 1], Out + Numbers * threadIdx.x);
}

using Complex = std::complex<double>;

static int compare(const cuDoubleComplex *Got, Complex A, Complex B) {
  Complex Wanted[Numbers] = {
      A + B,     A - std::conj(B),           A * B, A / B,
      A * B + A, {std::abs(A), std::abs(A)}, A / B, {(A * B).real(), A.imag()}};
  int Wrong = 0;
  for (int N = 0; N != Numbers; ++N)
    Wrong += !(std::abs(Complex(Got[N].x, Got[N].y) - Wanted[N]) <=
               (N < 5 ? 1e-14 : 1e-5) * (1 + std::abs(Wanted[N])));
  return Wrong;
}

int main() {
  cuDoubleComplex *In, *Out;
  cudaMallocManaged(&In, 33 * sizeof(*In));
  cudaMallocManaged(&Out, 32 * Numbers * sizeof(*Out));
  for (int N = 0; N != 33; ++N)
    In[N] = make_cuDoubleComplex(std::sin(N) * 5, std::cos(N * 3) * (N % 4));
  onDevice<<<1, 32>>>(In, Out);
  int Wrong = cudaDeviceSynchronize() != (cudaError_t)CUDA_SUCCESS;
  for (int N = 0; N != 32; ++N) {
    Complex A(In[N].x, In[N].y), B(In[N + 1].x, In[N + 1].y);
    cuDoubleComplex Host[Numbers];
    calculate(In[N], In[N + 1], Host);
    Wrong += compare(Out + Numbers * N, A, B) + compare(Host, A, B);
  }
  // CHECK: 0 wrong
  std::printf("%d wrong\n", Wrong);
  // An absolute value beyond what its square would fit in, and special ones.
  // CHECK-NEXT: 5e+200 inf nan 0
  std::printf("%g %g %g %g\n", cuCabs(make_cuDoubleComplex(3e200, -4e200)),
              cuCabs(make_cuDoubleComplex(-INFINITY, 1)),
              std::fabs(cuCabs(make_cuDoubleComplex(1, NAN))),
              cuCabs(make_cuDoubleComplex(0, 0)));
}
