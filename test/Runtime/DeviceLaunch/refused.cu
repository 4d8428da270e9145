// A launch by a thread that cannot be is CUDA's error on the device, and is
// warned of once; the others of the warp are made. What cannot be compiled
// says what it lacks.
// RUN: %regshare_clang -O2 -rdc=true %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.errors
// RUN: env REGSHARE_CODE=native REGSHARE_DEVICE=hopper %run %t 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.errors
// CHECK: grid: 9 cudaErrorInvalidConfiguration
// CHECK: block: 9 cudaErrorInvalidConfiguration
// CHECK: shared: 1 cudaErrorInvalidValue
// CHECK: bounds: 1 cudaErrorInvalidValue
// CHECK: limit: 2048, launched 5, others 69 cudaErrorLaunchPendingCountExceeded
// CHECK: mixed: 0 9 0 9, made 2
// CHECK: stream: 1
// CHECK: after: 0
// CHECK: fault: 700 cudaErrorIllegalAddress
// WARNING: warning: kernel '[[P:[^']*refused[^']*]]' cannot launch kernel '[[C:[^']*count[^']*]]': its grid or block is empty: 0x1x1 CTAs of 1x1x1 threads; the call returns cudaErrorInvalidConfiguration
// WARNING-NEXT: warning: kernel '[[P]]' cannot launch kernel '[[C]]': {{[0-9]+}} bytes of {{.*}}; the call returns cudaErrorInvalidValue
// WARNING-NEXT: warning: kernel '[[P]]' cannot launch kernel '{{.*}}bounded{{.*}}': 64 threads in a CTA, its launch bounds allow 32; the call returns cudaErrorInvalidValue
// WARNING-NEXT: warning: kernel '{{.*}}flood{{.*}}' cannot launch kernel '[[C]]': 5 launches are pending, and cudaLimitDevRuntimePendingLaunchCount allows 5; the call returns cudaErrorLaunchPendingCountExceeded
// WARNING-NEXT: warning: kernel '{{.*}}mixed{{.*}}' cannot launch kernel '[[C]]': CTAs of 1025x1x1 threads are too large, the device allows 1024; the call returns cudaErrorInvalidConfiguration
// WARNING-NEXT: regshare: {{.*}}null pointer: write of 4 bytes
// WARNING-NEXT: kernel '{{.*}}write{{.*}}'
// WARNING-NOT: warning
//
// RUN: not %regshare_clang -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=RDC
// RDC: error: kernel launch from __device__ or __global__ function requires relocatable device code
// RDC: regshare-clang++: note: kernels launch kernels in relocatable device code: compile and link with -rdc=true
//
// RUN: not %regshare_clang -O2 -rdc=true -DWAIT %s -o %t 2>&1 | FileCheck %s --check-prefix=WAIT
// WAIT: regshare-clang++: error: 'waits()' calls cudaDeviceSynchronize in device code, which CUDA 12 has removed: no kernel can wait for the grids that it has launched; cudaStreamTailLaunch is for those that come after them
#include <cstdio>

__device__ int Codes[4], Made;

__global__ void count() { atomicAdd(&Made, 1); }
__global__ void __launch_bounds__(32) bounded() { atomicAdd(&Made, 1); }
__global__ void write(int *To) { *To = 1; }

__global__ void refused(int Zero, int Large) {
  count<<<Zero, 1>>>();
  Codes[0] = cudaGetLastError();
  count<<<1, dim3(1, 1, Large)>>>();
  Codes[1] = cudaGetLastError();
  count<<<1, 1, 1 << 20>>>();
  Codes[2] = cudaGetLastError();
  bounded<<<1, 64>>>();
  Codes[3] = cudaGetLastError();
}

__global__ void flood() {
  count<<<1, 1>>>();
  if (cudaError_t Code = cudaGetLastError())
    Codes[0] = Code;
}

/// Every other lane asks for too many threads.
__global__ void mixed() {
  count<<<1, threadIdx.x % 2 ? 1025 : 1>>>();
  Codes[threadIdx.x] = cudaGetLastError();
}

__global__ void makeStream() {
  cudaStream_t S;
  Codes[0] = cudaStreamCreateWithFlags(&S, cudaStreamDefault);
}

__global__ void writeNowhere() {
  write<<<1, 1>>>(nullptr);
  count<<<1, 1>>>();
}

#ifdef WAIT
__global__ void waits() {
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
}
#endif

static int C[4], M;

static void read() {
  int Zero = 0;
  cudaMemcpyFromSymbol(C, Codes, sizeof(C));
  cudaMemcpyFromSymbol(&M, Made, sizeof(M));
  cudaMemcpyToSymbol(Made, &Zero, sizeof(Zero));
}

int main() {
  refused<<<1, 1>>>(0, 65);
  read();
  const char *Names[] = {"grid", "block", "shared", "bounds"};
  for (int I = 0; I != 4; ++I)
    printf("%s: %d %s\n", Names[I], C[I], cudaGetErrorName(cudaError_t(C[I])));

  size_t Limit;
  cudaDeviceGetLimit(&Limit, cudaLimitDevRuntimePendingLaunchCount);
  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 5);
  flood<<<1, 8>>>();
  read();
  printf("limit: %zu, launched %d, others %d %s\n", Limit, M, C[0],
         cudaGetErrorName(cudaError_t(C[0])));

  mixed<<<1, 4>>>();
  read();
  printf("mixed: %d %d %d %d, made %d\n", C[0], C[1], C[2], C[3], M);

  makeStream<<<1, 1>>>();
  read();
  printf("stream: %d\n", C[0]);
  printf("after: %d\n", cudaDeviceSynchronize());

  writeNowhere<<<1, 1>>>();
  cudaError_t Fault = cudaDeviceSynchronize();
  printf("fault: %d %s\n", Fault, cudaGetErrorName(Fault));
}
