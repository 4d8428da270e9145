//===- device_launches.h - Launches by kernels -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CUDA dynamic parallelism: what clang calls for a launch in device code, and
/// the calls of the runtime that kernels make beside it. They are there in
/// relocatable device code only, as with nvcc.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_DEVICE_LAUNCHES_H
#define REGSHARE_CUDA_DEVICE_LAUNCHES_H

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#ifdef __CLANG_RDC__
extern "C" {
// clang's own header declares these after this one.
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void *cudaGetParameterBuffer(size_t Alignment, size_t Size);
__device__ cudaError_t cudaLaunchDevice(void *Kernel, void *Parameters,
                                        dim3 Grid, dim3 Block,
                                        unsigned SharedBytes,
                                        cudaStream_t Stream);
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t *Stream,
                                                       unsigned Flags);
__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t Stream);
__device__ cudaError_t __cudaCDP2GetLastError(void);
__device__ cudaError_t __cudaCDP2PeekAtLastError(void);
/// There is none: the link tells who calls it.
__device__ cudaError_t
regshareDeviceSynchronize(void) __asm__("cudaDeviceSynchronize");
}

#define REGSHARE_DEVICE_CALL static inline __attribute__((device, unused))

REGSHARE_DEVICE_CALL cudaError_t cudaGetLastError() {
  return __cudaCDP2GetLastError();
}
REGSHARE_DEVICE_CALL cudaError_t cudaPeekAtLastError() {
  return __cudaCDP2PeekAtLastError();
}
REGSHARE_DEVICE_CALL cudaError_t cudaDeviceSynchronize() {
  return regshareDeviceSynchronize();
}
REGSHARE_DEVICE_CALL cudaError_t cudaGetDeviceCount(int *Count) {
  *Count = 1;
  return cudaSuccess;
}
REGSHARE_DEVICE_CALL cudaError_t cudaGetDevice(int *Device) {
  *Device = 0;
  return cudaSuccess;
}

template <typename T>
REGSHARE_DEVICE_CALL cudaError_t cudaMalloc(T **Ptr, size_t Size) {
  *Ptr = (T *)malloc(Size);
  return *Ptr || !Size ? cudaSuccess : cudaErrorMemoryAllocation;
}
REGSHARE_DEVICE_CALL cudaError_t cudaFree(void *Ptr) {
  free(Ptr);
  return cudaSuccess;
}

REGSHARE_DEVICE_CALL cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream,
                                                           unsigned Flags) {
  return __cudaCDP2StreamCreateWithFlags(Stream, Flags);
}
REGSHARE_DEVICE_CALL cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  return __cudaCDP2StreamDestroy(Stream);
}

#undef REGSHARE_DEVICE_CALL

// Copies and fills are grids, as CUDA's are. What is not called has no kernel,
// because these are templates.
template <typename T>
__global__ void regshare_device_fill(T *To, T Value, size_t Count) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    To[I] = Value;
}
template <typename T>
__global__ void regshare_device_copy(T *To, const T *From, size_t Count) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    To[I] = From[I];
}
template <typename Byte = unsigned char>
static inline __device__ cudaError_t cudaMemsetAsync(void *To, int Value,
                                                     size_t Count,
                                                     cudaStream_t Stream = 0) {
  if (!Count)
    return cudaSuccess;
  regshare_device_fill<Byte><<<unsigned((Count + 255) / 256), 256, 0, Stream>>>(
      (Byte *)To, Byte(Value), Count);
  return cudaPeekAtLastError();
}
template <typename Byte = unsigned char>
static inline __device__ cudaError_t cudaMemcpyAsync(void *To, const void *From,
                                                     size_t Count,
                                                     cudaMemcpyKind,
                                                     cudaStream_t Stream = 0) {
  if (!Count)
    return cudaSuccess;
  regshare_device_copy<Byte><<<unsigned((Count + 255) / 256), 256, 0, Stream>>>(
      (Byte *)To, (const Byte *)From, Count);
  return cudaPeekAtLastError();
}
#endif // __CLANG_RDC__

#endif // REGSHARE_CUDA_DEVICE_LAUNCHES_H
