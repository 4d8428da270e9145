// Calls that are wrong return CUDA's codes, which cudaGetLastError keeps and
// clears.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// Launches that cannot be are explained, and nothing else is said.
// CHECK-NOT: {{.}}
// CHECK: regshare: kernel '_Z5storePii' cannot be launched: CTAs of 1025x1x1 threads are too large, the device allows 1024
// CHECK-NEXT: regshare: kernel '_Z5storePii' cannot be launched: its grid or block is empty: 0x1x1 CTAs of 32x1x1 threads
// CHECK-NEXT: cannot be launched: a grid of 1x65536x1 CTAs is too large
// CHECK-NEXT: cannot be launched: CTAs of 1x1x65 threads are too large
// CHECK-NEXT: regshare: kernel '_Z7boundedPi' cannot be launched: 128 threads in a CTA, its launch bounds allow 64
// CHECK-NEXT: regshare: kernel '_Z6sharedPi' cannot be launched: 49153 bytes of shared memory in a CTA, the device allows 49152
// CHECK-NEXT: regshare: kernel '_Z6hungryPf' cannot be launched: not even one CTA fits into an SM of 'gtx480'{{.*}}: {{[0-9]+}} registers a thread, 1024 threads, 0 bytes of shared memory
// CHECK-NEXT: regshare: kernel '_Z5storePii' cannot be launched: 100000 CTAs that have to be resident together, the device has room for 120
// CHECK-NOT: {{.}}

#include "../Inputs/expect.h"

__global__ void store(int *P, int N) { P[threadIdx.x] = N; }
__global__ void __launch_bounds__(64) bounded(int *P) { *P = 1; }
__global__ void shared(int *P) {
  extern __shared__ int S[];
  S[threadIdx.x] = threadIdx.x;
  __syncthreads();
  P[threadIdx.x] = S[threadIdx.x ^ 1];
}
/// Keeps more values than 1024 threads have registers for.
__global__ void hungry(float *P) {
  float V[48];
#pragma unroll
  for (int I = 0; I < 48; ++I)
    V[I] = P[I];
#pragma unroll
  for (int I = 0; I < 48; ++I)
    P[I * 64] = V[47 - I] * V[I];
}
static void notAKernel(int *) {}

static void lastError() {
  EXPECT_OK(cudaGetLastError());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMalloc((void **)nullptr, 4));
  // A call that succeeds does not clear it, looking at it neither.
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaPeekAtLastError());
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_OK(cudaGetLastError());
}

static void memory() {
  int *P, Host[4] = {};
  void *Large;
  size_t Free, Total;
  EXPECT_OK(cudaMemGetInfo(&Free, &Total));
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&Large, Total + 1));
  EXPECT_OK(cudaMalloc(&P, sizeof(Host)));
  size_t Left;
  EXPECT_OK(cudaMemGetInfo(&Left, &Total));
  EXPECT(Free - Left == sizeof(Host));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(P, Host, 17, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(Host, P + 1, 16, cudaMemcpyDeviceToHost));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaMemcpy(P, Host, 4, (cudaMemcpyKind)7));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(Host, P, 4, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemset(P, 0, 20));
  EXPECT_ERROR(cudaErrorInvalidPitchValue,
               cudaMemcpy2D(P, 4, Host, 8, 8, 2, cudaMemcpyHostToDevice));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(Host));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(P + 1));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFreeHost(P));
  EXPECT_OK(cudaFree(P));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(P));
  EXPECT_OK(cudaFree(nullptr));
  EXPECT_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(Host));
  EXPECT_OK(cudaHostRegister(Host, sizeof(Host), 0));
  EXPECT_ERROR(cudaErrorHostMemoryAlreadyRegistered,
               cudaHostRegister(Host, sizeof(Host), 0));
  EXPECT_OK(cudaHostUnregister(Host));
}

static cudaError_t launchError() {
  cudaError_t Error = cudaGetLastError();
  EXPECT_OK(cudaDeviceSynchronize());
  return Error;
}

static void launches() {
  int *P;
  EXPECT_OK(cudaMalloc(&P, 4096));
  store<<<1, 1025>>>(P, 1);
  EXPECT_ERROR(cudaErrorInvalidConfiguration, launchError());
  store<<<0, 32>>>(P, 1);
  EXPECT_ERROR(cudaErrorInvalidConfiguration, launchError());
  store<<<dim3(1, 65536), 32>>>(P, 1);
  EXPECT_ERROR(cudaErrorInvalidConfiguration, launchError());
  store<<<1, dim3(1, 1, 65)>>>(P, 1);
  EXPECT_ERROR(cudaErrorInvalidConfiguration, launchError());
  bounded<<<1, 128>>>(P);
  EXPECT(launchError() != cudaSuccess);
  shared<<<1, 32, 48 * 1024 + 1>>>(P);
  EXPECT_ERROR(cudaErrorInvalidValue, launchError());
  store<<<1, 32, 0, (cudaStream_t)P>>>(P, 1);
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, launchError());
  hungry<<<1, 1024>>>((float *)P);
  EXPECT_ERROR(cudaErrorLaunchOutOfResources, launchError());
  int N = 5;
  void *Arguments[] = {&P, &N};
  EXPECT_ERROR(cudaErrorCooperativeLaunchTooLarge,
               cudaLaunchCooperativeKernel((const void *)store, 100000, 32,
                                           Arguments, 0, nullptr));
  EXPECT_OK(cudaLaunchCooperativeKernel((const void *)store, 2, 32, Arguments,
                                        0, nullptr));
  EXPECT_ERROR(
      cudaErrorInvalidDeviceFunction,
      cudaLaunchKernel((const void *)notAKernel, 1, 1, Arguments, 0, nullptr));
  cudaGetLastError();
  // None of it kept the device from working.
  EXPECT_OK(
      cudaLaunchKernel((const void *)store, 1, 32, Arguments, 0, nullptr));
  EXPECT_OK(cudaMemcpy(&N, P + 31, 4, cudaMemcpyDeviceToHost));
  EXPECT(N == 5);
}

static void handles() {
  int Count, Device, CanAccess, Value;
  EXPECT_OK(cudaGetDeviceCount(&Count));
  EXPECT(Count == 1);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaSetDevice(1));
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaGetDevice(&Device));
  EXPECT(Device == 0);
  EXPECT_OK(cudaDeviceCanAccessPeer(&CanAccess, 0, 0));
  EXPECT(!CanAccess);
  EXPECT_ERROR(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaDeviceGetAttribute(&Value, (cudaDeviceAttr)5000, 0));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaStreamSynchronize((cudaStream_t)&Count));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle,
               cudaEventRecord((cudaEvent_t)&Count));
  static int NotOnTheDevice;
  EXPECT_ERROR(cudaErrorInvalidSymbol,
               cudaMemcpyToSymbol(NotOnTheDevice, &Value, 4));
  EXPECT_ERROR(cudaErrorUnsupportedLimit,
               cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1));
  EXPECT(
      !__builtin_strcmp(cudaGetErrorName(cudaErrorAssert), "cudaErrorAssert"));
  EXPECT(!__builtin_strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  EXPECT(!__builtin_strcmp(cudaGetErrorName((cudaError_t)12345),
                           "unrecognized error code"));
  cudaGetLastError();
}

int main() {
  lastError();
  memory();
  cudaGetLastError();
  launches();
  handles();
  return failures();
}
