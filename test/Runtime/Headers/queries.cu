// Queries of the device, of pointers, of occupancy, and hints, each of which a
// program compiled with nvcc may make.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_DEVICE=h100 %run %t 2>&1 | FileCheck %s
// CHECK: regshare: a device's file does not say the attribute cudaDevAttrSingleToDoublePrecisionPerfRatio; cudaDeviceGetAttribute returns cudaErrorNotSupported
// CHECK-NEXT: regshare: cuPointerGetAttribute: an address has no attribute 5 here; it returns CUDA_ERROR_NOT_SUPPORTED
// CHECK-NOT: regshare:

#include "../Inputs/expect.h"
#include <cstring>
#include <cuda.h>
#include <cudaProfiler.h>

template <typename T> __global__ void kernel(T *Out) {
  extern __shared__ int Shared[];
  Shared[threadIdx.x] = 1;
  Out[0] = Shared[0];
}

static int attribute(cudaDeviceAttr Which) {
  int Value = -7;
  EXPECT_OK(cudaDeviceGetAttribute(&Value, Which, 0));
  return Value;
}

static void device() {
  cudaDeviceProp P;
  EXPECT_OK(cudaGetDeviceProperties(&P, 0));
  EXPECT(attribute(cudaDevAttrMaxTexture2DWidth) == 131072 &&
         P.maxTexture2D[0] == 131072 && P.maxTexture2D[1] == 65536);
  EXPECT(attribute(cudaDevAttrMaxTexture1DLinearWidth) == 1 << 28 &&
         P.maxTexture1DLinear == 1 << 28);
  EXPECT(P.maxTexture2DLinear[2] ==
         attribute(cudaDevAttrMaxTexture2DLinearPitch));
  EXPECT(P.maxSurface2DLayered[2] ==
         attribute(cudaDevAttrMaxSurface2DLayeredLayers));
  EXPECT(P.maxSurface3D[0] == 16384 && P.maxTextureCubemap == 32768 &&
         P.maxTextureCubemapLayered[1] == 2046);
  EXPECT(attribute(cudaDevAttrSurfaceAlignment) == int(P.surfaceAlignment) &&
         P.surfaceAlignment != 0);
  EXPECT(attribute(cudaDevAttrTccDriver) == 0);
  EXPECT(attribute(cudaDevAttrMaxPersistingL2CacheSize) == 0);
  EXPECT(attribute(cudaDevAttrClusterLaunch) == 0);
  EXPECT(attribute(cudaDevAttrHostNumaId) == -1);
  int Value;
  EXPECT_ERROR(cudaErrorNotSupported,
               cudaDeviceGetAttribute(
                   &Value, cudaDevAttrSingleToDoublePrecisionPerfRatio, 0));
  char Id[32];
  int Device = 7;
  EXPECT_OK(cudaDeviceGetPCIBusId(Id, sizeof(Id), 0));
  EXPECT_OK(cudaDeviceGetByPCIBusId(&Device, Id));
  EXPECT(Device == 0);
  EXPECT_OK(cudaDeviceGetByPCIBusId(&Device, "0000:00:00"));
  EXPECT_OK(cudaDeviceGetByPCIBusId(&Device, "00:00.0"));
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaDeviceGetByPCIBusId(&Device, "0000:01:00.0"));
  EXPECT(cuDeviceGetByPCIBusId(&Device, Id) == CUDA_SUCCESS);
}

static void occupancy() {
  size_t Bytes = 0;
  int Most = 0, Same = 0, Grid = 0, Block = 0, WithFlags = 0;
  EXPECT_OK(
      cudaOccupancyAvailableDynamicSMemPerBlock(&Bytes, kernel<int>, 1, 128));
  EXPECT(Bytes > 1024);
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Most, kernel<int>,
                                                          128, Bytes));
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Same, kernel<int>,
                                                          128, Bytes + 1));
  EXPECT(Most >= 1 && Same == 0);
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&Grid, &Block, kernel<int>));
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSizeWithFlags(
      &Same, &WithFlags, kernel<int>, 0, 0, cudaOccupancyDefault));
  EXPECT(Grid == Same && Block == WithFlags);
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &Same, &WithFlags, kernel<int>, [](int) { return 0; }));
  EXPECT(Grid == Same && Block == WithFlags);
  EXPECT(cudaOccupancyMaxPotentialBlockSizeWithFlags(
             &Same, &WithFlags, kernel<int>, 0, 0, 2) == cudaErrorInvalidValue);
}

static void hints() {
  cudaStream_t Stream, Other;
  float *Memory;
  EXPECT_OK(cudaMalloc(&Memory, 4096));
  EXPECT_OK(cudaStreamCreate(&Stream));
  EXPECT_OK(cudaStreamCreate(&Other));
  cudaStreamAttrValue V = {}, Read;
  V.accessPolicyWindow.base_ptr = Memory;
  V.accessPolicyWindow.num_bytes = 4096;
  V.accessPolicyWindow.hitRatio = 0.6f;
  V.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  V.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  EXPECT_OK(cudaStreamSetAttribute(Stream,
                                   cudaStreamAttributeAccessPolicyWindow, &V));
  EXPECT_OK(cudaStreamGetAttribute(
      Stream, cudaStreamAttributeAccessPolicyWindow, &Read));
  EXPECT(Read.accessPolicyWindow.base_ptr == Memory &&
         Read.accessPolicyWindow.hitRatio == 0.6f &&
         Read.accessPolicyWindow.missProp == cudaAccessPropertyStreaming);
  EXPECT_OK(cudaStreamGetAttribute(Other, cudaStreamAttributeAccessPolicyWindow,
                                   &Read));
  EXPECT(Read.accessPolicyWindow.num_bytes == 0);
  EXPECT_OK(cudaStreamCopyAttributes(Other, Stream));
  CUstreamAttrValue OfDriver;
  EXPECT(cuStreamGetAttribute(Other, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                              &OfDriver) == CUDA_SUCCESS);
  EXPECT(OfDriver.accessPolicyWindow.num_bytes == 4096);
  V.accessPolicyWindow.hitRatio = 1.5f;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaStreamSetAttribute(
                   Stream, cudaStreamAttributeAccessPolicyWindow, &V));
  V.priority = -2;
  EXPECT_OK(cudaStreamSetAttribute(Stream, cudaStreamAttributePriority, &V));
  int Priority = 0;
  EXPECT_OK(cudaStreamGetPriority(Stream, &Priority));
  EXPECT(Priority == -2);
  EXPECT_ERROR(
      cudaErrorInvalidValue,
      cudaStreamSetAttribute(Stream, cudaLaunchAttributeCooperative, &V));
  kernel<<<1, 32, 256, Stream>>>(Memory);
  EXPECT_OK(cudaCtxResetPersistingL2Cache());
  EXPECT(cuProfilerStart() == CUDA_SUCCESS && cuProfilerStop() == CUDA_SUCCESS);
  EXPECT_OK(cudaDeviceSynchronize());
}

static void pointers() {
  CUdeviceptr Memory, Managed, Start = 0;
  EXPECT(cuMemAlloc(&Memory, 64) == CUDA_SUCCESS);
  EXPECT(cuMemAllocManaged(&Managed, 64, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  CUmemorytype Type = CU_MEMORYTYPE_ARRAY;
  EXPECT(cuPointerGetAttribute(&Type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               Memory + 8) == CUDA_SUCCESS);
  EXPECT(Type == CU_MEMORYTYPE_DEVICE);
  EXPECT(cuPointerGetAttribute(&Start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                               Memory + 8) == CUDA_SUCCESS);
  EXPECT(Start == Memory);
  unsigned IsManaged = 7;
  EXPECT(cuPointerGetAttribute(&IsManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                               Managed) == CUDA_SUCCESS);
  EXPECT(IsManaged == 1);
  int OnStack;
  EXPECT(cuPointerGetAttribute(&Type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                               CUdeviceptr(&OnStack)) ==
         CUDA_ERROR_INVALID_VALUE);
  size_t Size = 0;
  CUpointer_attribute Which[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *Values[] = {&IsManaged, &Size};
  EXPECT(cuPointerGetAttributes(2, Which, Values, Memory) == CUDA_SUCCESS);
  EXPECT(IsManaged == 0 && Size == 64);
  EXPECT(cuPointerGetAttributes(2, Which, Values, CUdeviceptr(&OnStack)) ==
         CUDA_SUCCESS);
  EXPECT(Size == 0);
  EXPECT(cuPointerGetAttribute(&Size, CU_POINTER_ATTRIBUTE_P2P_TOKENS,
                               Memory) == CUDA_ERROR_NOT_SUPPORTED);
}

int main() {
  device();
  occupancy();
  hints();
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  pointers();
  return failures();
}
