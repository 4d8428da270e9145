// OpenMP on the host, as makefiles for nvcc ask for it: with LLVM's library
// where that is installed, else with gcc's, on one thread.
// RUN: %regshare_clang -O2 -Xcompiler -fopenmp %s -lgomp -o %t 2>%t.err
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %python -c "import sys; sys.exit(open(sys.argv[1]).read() not in ('', sys.argv[2] + '\n'))" %t.err "regshare-clang++: warning: LLVM's libomp is not installed; parallel regions of OpenMP have one thread"
#include <cstdio>
#include <omp.h>

__global__ void square(int *Values) {
  Values[threadIdx.x] *= Values[threadIdx.x];
}

int main() {
  int Host[64], *Device, Sum = 0;
#pragma omp parallel for
  for (int I = 0; I < 64; ++I)
    Host[I] = I;
  cudaMalloc(&Device, sizeof(Host));
  cudaMemcpy(Device, Host, sizeof(Host), cudaMemcpyHostToDevice);
  square<<<1, 64>>>(Device);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < 64; ++I)
    Sum += Host[I];
  // CHECK: 85344 1
  std::printf("%d %d\n", Sum, omp_get_thread_num() < omp_get_max_threads());
}
