// The simulated part's properties, with our headers and, where there is a
// toolkit, with its headers, whose cudaDeviceProp differs.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: %run %t | FileCheck %s --check-prefixes=ALL,GTX480
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s --check-prefixes=ALL,H100

// GTX480: name GeForce GTX 480
// GTX480-NEXT: 7.5, 15 SMs, 48 KB of shared memory, 49152 at most, 49152 an SM
// GTX480-NEXT: 32768 registers, 32 lanes, 1536 threads, 8 CTAs an SM
// GTX480-NEXT: L2 786432 bytes, 177 GB/s
// H100: name H100 SXM
// H100-NEXT: 9.0, 132 SMs, 48 KB of shared memory, 232448 at most, 233472 an SM
// H100-NEXT: 65536 registers, 32 lanes, 2048 threads, 32 CTAs an SM
// ALL: attributes agree
// ALL-NEXT: kernel: 40 bytes of shared memory, 12 of constants, 1024 threads

#include "../Inputs/expect.h"

__constant__ int Three[3];
__global__ void kernel(int *P) {
  __shared__ int S[10];
  S[threadIdx.x % 10] = Three[threadIdx.x % 3];
  __syncthreads();
  P[threadIdx.x] = S[9 - threadIdx.x % 10];
}

static int attribute(cudaDeviceAttr Which) {
  int Value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&Value, Which, 0));
  return Value;
}

int main() {
  cudaDeviceProp P;
  EXPECT_OK(cudaGetDeviceProperties(&P, 0));
  printf("name %s\n", P.name);
  printf("%d.%d, %d SMs, %d KB of shared memory, %zu at most, %zu an SM\n",
         P.major, P.minor, P.multiProcessorCount,
         int(P.sharedMemPerBlock / 1024), P.sharedMemPerBlockOptin,
         P.sharedMemPerMultiprocessor);
  printf("%d registers, %d lanes, %d threads, %d CTAs an SM\n", P.regsPerBlock,
         P.warpSize, P.maxThreadsPerMultiProcessor,
         P.maxBlocksPerMultiProcessor);
  double Clock = attribute(cudaDevAttrMemoryClockRate);
  printf("L2 %d bytes, %.0f GB/s\n", P.l2CacheSize,
         2e3 * Clock * P.memoryBusWidth / 8 / 1e9);
  EXPECT(attribute(cudaDevAttrMultiProcessorCount) == P.multiProcessorCount);
  EXPECT(attribute(cudaDevAttrMaxRegistersPerBlock) == P.regsPerBlock);
  EXPECT(attribute(cudaDevAttrComputeCapabilityMajor) == P.major);
  EXPECT(attribute(cudaDevAttrMaxGridDimX) == P.maxGridSize[0]);
  EXPECT(attribute(cudaDevAttrMaxBlockDimZ) == P.maxThreadsDim[2]);
  EXPECT(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) ==
         int(P.sharedMemPerBlockOptin));
  EXPECT(attribute(cudaDevAttrGlobalMemoryBusWidth) == P.memoryBusWidth);
  EXPECT(attribute(cudaDevAttrL2CacheSize) == P.l2CacheSize);
  EXPECT(attribute(cudaDevAttrManagedMemory) == P.managedMemory);
  EXPECT(attribute(cudaDevAttrCooperativeLaunch) == P.cooperativeLaunch);
  // The last ones of the structure, where a wrong layout would show.
  EXPECT(attribute(cudaDevAttrReservedSharedMemoryPerBlock) ==
         int(P.reservedSharedMemPerBlock));
  EXPECT(attribute(cudaDevAttrHostRegisterSupported) ==
         P.hostRegisterSupported);
  EXPECT(P.canUseHostPointerForRegisteredMem == 1 && P.clusterLaunch == 0 &&
         P.totalConstMem == 65536 && P.totalGlobalMem > 1 << 30);
  if (!failures())
    printf("attributes agree\n");
  cudaFuncAttributes A;
  EXPECT_OK(cudaFuncGetAttributes(&A, kernel));
  printf("kernel: %zu bytes of shared memory, %zu of constants, %d threads\n",
         A.sharedSizeBytes, A.constSizeBytes, A.maxThreadsPerBlock);
  EXPECT(A.numRegs > 0 && A.numRegs <= 63 && A.localSizeBytes == 0);
  // The source was compiled for sm_75, whatever the device.
  EXPECT(A.ptxVersion == 75 && A.binaryVersion == 10 * P.major + P.minor);
  return failures();
}
