// Native code has exponentials, logarithms, sines and cosines of its own; the
// other form has libclc's. Both are right on large and small arguments.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: rm -rf %t.ptx %t.native
// RUN: env REGSHARE_CODE=ptx REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.ptx %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.native %run %t | FileCheck %s
// CHECK: worst error {{[0-2]}}.{{[0-9]}} units
// RUN: FileCheck %s --check-prefix=NATIVE --input-file=%t.native/module0.ptx
// NATIVE: ex2.approx.f32
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx/module0.ptx
// PTX-NOT: ex2.approx.f32

// The library takes the place of clang's own, which would have said of which
// CUDA the headers are. A toolkit that the user names keeps its library.
// RUN: %regshare_clang --dryrun -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: -fcuda-short-ptr {{.*}}-target-sdk-version=12.8 {{.*}}regshare-native.bc
// RUN: grep 'CUDA_VERSION 12080' %regshare_cuda/include/cuda.h
// RUN: rm -rf %t.cuda && mkdir -p %t.cuda/nvvm/libdevice %t.cuda/bin
// RUN: ln -s %regshare_cuda/include %t.cuda/include
// RUN: cp %regshare_cuda/nvvm/libdevice/libdevice.10.bc %t.cuda/nvvm/libdevice
// RUN: %regshare_clang --cuda-path=%t.cuda --dryrun -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED-NOT: regshare-native.bc

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 256;

__global__ void compute(const float *X, float *Y) {
  int I = threadIdx.x;
  float S, C;
  sincosf(X[I], &S, &C);
  Y[I] = expf(X[I] / 1e5f);
  Y[I + N] = logf(fabsf(X[I]));
  Y[I + 2 * N] = S;
  Y[I + 3 * N] = C;
}

static float ulps(float Actual, double Expected) {
  int Exponent = std::ilogb((float)Expected);
  return std::fabs(Actual - Expected) / std::ldexp(1.0, Exponent - 23);
}

int main() {
  float *X, *Y;
  cudaMallocManaged(&X, N * sizeof(float));
  cudaMallocManaged(&Y, 4 * N * sizeof(float));
  for (int I = 0; I < N; ++I)
    X[I] = std::ldexp(1.0f + I / 256.0f, I % 40 - 20) * (I % 3 ? 1 : -1);
  compute<<<1, N>>>(X, Y);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  float Worst = 0;
  for (int I = 0; I < N; ++I)
    Worst = std::max({Worst, ulps(Y[I], std::exp((double)(X[I] / 1e5f))),
                      ulps(Y[I + N], std::log(std::fabs((double)X[I]))),
                      ulps(Y[I + 2 * N], std::sin((double)X[I])),
                      ulps(Y[I + 3 * N], std::cos((double)X[I]))});
  std::printf("worst error %.1f units in the last place\n", Worst);
}
