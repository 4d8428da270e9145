//===- cuda_runtime.h - What a CUDA program includes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The CUDA runtime's calls with the typed C++ forms that programs use. Under
/// clang -x cuda the device functions are there too, because clang includes
/// this file and its own headers ahead of every CUDA source.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_RUNTIME_H
#define REGSHARE_CUDA_RUNTIME_H
// By which programs tell that CUDA's header is there.
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "library_types.h"
#include "regshare_cuda/types/unsupported_runtime.h"
#include "vector_functions.h"
#include "vector_types.h"

static __inline__ __host__ struct cudaExtent
make_cudaExtent(size_t Width, size_t Height, size_t Depth) {
  struct cudaExtent E = {Width, Height, Depth};
  return E;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t X, size_t Y,
                                                       size_t Z) {
  struct cudaPos P = {X, Y, Z};
  return P;
}

static __inline__ __host__ struct cudaPitchedPtr
make_cudaPitchedPtr(void *Ptr, size_t Pitch, size_t XSize, size_t YSize) {
  struct cudaPitchedPtr P = {Ptr, Pitch, XSize, YSize};
  return P;
}

#if defined(__cplusplus)
#include "regshare_cuda/host_math.h"

/// The texels of arrays and textures of T; there is one for each type that can
/// be a texel.
template <typename T>
static inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define REGSHARE_TEXEL(TYPE, COMPONENTS, KIND)                                 \
  template <>                                                                  \
  inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<TYPE>() { \
    int Bits = int(sizeof(TYPE) / COMPONENTS * 8);                             \
    return ::cudaCreateChannelDesc(                                            \
        Bits, COMPONENTS > 1 ? Bits : 0, COMPONENTS > 2 ? Bits : 0,            \
        COMPONENTS > 2 ? Bits : 0, cudaChannelFormatKind##KIND);               \
  }
#define REGSHARE_TEXELS(NAME, KIND)                                            \
  REGSHARE_TEXEL(NAME##1, 1, KIND)                                             \
  REGSHARE_TEXEL(NAME##2, 2, KIND)                                             \
  REGSHARE_TEXEL(NAME##4, 4, KIND)
REGSHARE_TEXEL(char, 1, Signed)
REGSHARE_TEXEL(signed char, 1, Signed)
REGSHARE_TEXEL(unsigned char, 1, Unsigned)
REGSHARE_TEXEL(short, 1, Signed)
REGSHARE_TEXEL(unsigned short, 1, Unsigned)
REGSHARE_TEXEL(int, 1, Signed)
REGSHARE_TEXEL(unsigned int, 1, Unsigned)
REGSHARE_TEXEL(float, 1, Float)
REGSHARE_TEXELS(char, Signed)
REGSHARE_TEXELS(uchar, Unsigned)
REGSHARE_TEXELS(short, Signed)
REGSHARE_TEXELS(ushort, Unsigned)
REGSHARE_TEXELS(int, Signed)
REGSHARE_TEXELS(uint, Unsigned)
REGSHARE_TEXELS(float, Float)
#undef REGSHARE_TEXELS
#undef REGSHARE_TEXEL

static inline __host__ struct cudaChannelFormatDesc
cudaCreateChannelDescHalf() {
  return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

template <typename T>
static inline __host__ cudaError_t cudaMalloc(T **Ptr, size_t Size) {
  return ::cudaMalloc((void **)Ptr, Size);
}

template <typename T>
static inline __host__ cudaError_t cudaMallocPitch(T **Ptr, size_t *Pitch,
                                                   size_t Width,
                                                   size_t Height) {
  return ::cudaMallocPitch((void **)Ptr, Pitch, Width, Height);
}

template <typename T>
static inline __host__ cudaError_t cudaMallocAsync(T **Ptr, size_t Size,
                                                   cudaStream_t Stream) {
  return ::cudaMallocAsync((void **)Ptr, Size, Stream);
}

template <typename T>
static inline __host__ cudaError_t cudaMallocFromPoolAsync(
    T **Ptr, size_t Size, cudaMemPool_t Pool, cudaStream_t Stream) {
  return ::cudaMallocFromPoolAsync((void **)Ptr, Size, Pool, Stream);
}

static inline __host__ cudaError_t cudaMallocAsync(void **Ptr, size_t Size,
                                                   cudaMemPool_t Pool,
                                                   cudaStream_t Stream) {
  return ::cudaMallocFromPoolAsync(Ptr, Size, Pool, Stream);
}
template <typename T>
static inline __host__ cudaError_t cudaMallocAsync(T **Ptr, size_t Size,
                                                   cudaMemPool_t Pool,
                                                   cudaStream_t Stream) {
  return ::cudaMallocFromPoolAsync((void **)Ptr, Size, Pool, Stream);
}

/// Unlike the C call of that name this one takes cudaHostAlloc's flags.
template <typename T>
static inline __host__ cudaError_t cudaMallocHost(T **Ptr, size_t Size,
                                                  unsigned int Flags = 0) {
  return ::cudaHostAlloc((void **)Ptr, Size, Flags);
}

template <typename T>
static inline __host__ cudaError_t cudaHostAlloc(T **Ptr, size_t Size,
                                                 unsigned int Flags) {
  return ::cudaHostAlloc((void **)Ptr, Size, Flags);
}

template <typename T>
static inline __host__ cudaError_t
cudaHostGetDevicePointer(T **DevicePtr, void *HostPtr, unsigned int Flags) {
  return ::cudaHostGetDevicePointer((void **)DevicePtr, HostPtr, Flags);
}

template <typename T>
static inline __host__ cudaError_t cudaMallocManaged(
    T **Ptr, size_t Size, unsigned int Flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)Ptr, Size, Flags);
}

// The plain names are the second versions' since CUDA 13.
static inline __host__ cudaError_t cudaMemAdvise(const void *Ptr, size_t Size,
                                                 cudaMemoryAdvise Advice,
                                                 cudaMemLocation Location) {
  return cudaMemAdvise_v2(Ptr, Size, Advice, Location);
}
static inline __host__ cudaError_t
cudaMemPrefetchAsync(const void *Ptr, size_t Size, cudaMemLocation Location,
                     unsigned int Flags, cudaStream_t Stream = nullptr) {
  return cudaMemPrefetchAsync_v2(Ptr, Size, Location, Flags, Stream);
}

template <typename T>
static inline __host__ cudaError_t cudaMemcpyToSymbol(
    const T &Symbol, const void *Src, size_t Size, size_t Offset = 0,
    enum cudaMemcpyKind Kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&Symbol, Src, Size, Offset, Kind);
}

template <typename T>
static inline __host__ cudaError_t cudaMemcpyToSymbolAsync(
    const T &Symbol, const void *Src, size_t Size, size_t Offset = 0,
    enum cudaMemcpyKind Kind = cudaMemcpyHostToDevice,
    cudaStream_t Stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&Symbol, Src, Size, Offset,
                                   Kind, Stream);
}

template <typename T>
static inline __host__ cudaError_t
cudaMemcpyFromSymbol(void *Dst, const T &Symbol, size_t Size, size_t Offset = 0,
                     enum cudaMemcpyKind Kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(Dst, (const void *)&Symbol, Size, Offset, Kind);
}

template <typename T>
static inline __host__ cudaError_t cudaMemcpyFromSymbolAsync(
    void *Dst, const T &Symbol, size_t Size, size_t Offset = 0,
    enum cudaMemcpyKind Kind = cudaMemcpyDeviceToHost,
    cudaStream_t Stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(Dst, (const void *)&Symbol, Size, Offset,
                                     Kind, Stream);
}

template <typename T>
static inline __host__ cudaError_t cudaGetSymbolAddress(void **DevicePtr,
                                                        const T &Symbol) {
  return ::cudaGetSymbolAddress(DevicePtr, (const void *)&Symbol);
}

template <typename T>
static inline __host__ cudaError_t cudaGetSymbolSize(size_t *Size,
                                                     const T &Symbol) {
  return ::cudaGetSymbolSize(Size, (const void *)&Symbol);
}

static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *Event,
                                                   unsigned int Flags) {
  return ::cudaEventCreateWithFlags(Event, Flags);
}

template <typename T>
static inline __host__ cudaError_t cudaLaunchKernel(T *Func, dim3 GridDim,
                                                    dim3 BlockDim, void **Args,
                                                    size_t SharedMem = 0,
                                                    cudaStream_t Stream = 0) {
  return ::cudaLaunchKernel((const void *)Func, GridDim, BlockDim, Args,
                            SharedMem, Stream);
}

template <typename T>
static inline __host__ cudaError_t
cudaLaunchCooperativeKernel(T *Func, dim3 GridDim, dim3 BlockDim, void **Args,
                            size_t SharedMem = 0, cudaStream_t Stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)Func, GridDim, BlockDim,
                                       Args, SharedMem, Stream);
}

/// Converts Args to the kernel's parameters, as a launch by brackets does.
template <typename... Parameters, typename... Arguments>
static inline __host__ cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *Config,
                   void (*Kernel)(Parameters...), Arguments &&...Args) {
  return [&](Parameters... Values) {
    // The last element is there for kernels without parameters.
    void *Pointers[] = {(void *)__builtin_addressof(Values)..., nullptr};
    return ::cudaLaunchKernelExC(Config, (const void *)Kernel, Pointers);
  }(static_cast<Arguments &&>(Args)...);
}

// As CUDA 11 has them. Nothing is written to a log.
static inline __host__ cudaError_t
cudaGraphInstantiate(cudaGraphExec_t *Exec, cudaGraph_t Graph,
                     cudaGraphNode_t *ErrorNode, char *Log, size_t LogSize) {
  if (ErrorNode)
    *ErrorNode = 0;
  if (Log && LogSize)
    *Log = 0;
  return ::cudaGraphInstantiate(Exec, Graph, 0);
}
static inline __host__ cudaError_t cudaGraphExecUpdate(
    cudaGraphExec_t Exec, cudaGraph_t Graph, cudaGraphNode_t *ErrorNode,
    enum cudaGraphExecUpdateResult *Result) {
  cudaGraphExecUpdateResultInfo Info;
  Info.result = cudaGraphExecUpdateError;
  Info.errorNode = 0;
  cudaError_t Error = ::cudaGraphExecUpdate(Exec, Graph, &Info);
  if (ErrorNode)
    *ErrorNode = Info.errorNode;
  if (Result)
    *Result = Info.result;
  return Error;
}
template <typename T>
static inline __host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *Node, cudaGraph_t Graph,
    const cudaGraphNode_t *Dependencies, size_t NumDependencies,
    const T &Symbol, const void *Src, size_t Size, size_t Offset,
    enum cudaMemcpyKind Kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(
      Node, Graph, Dependencies, NumDependencies, (const void *)&Symbol, Src,
      Size, Offset, Kind);
}
template <typename T>
static inline __host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *Node, cudaGraph_t Graph,
    const cudaGraphNode_t *Dependencies, size_t NumDependencies, void *Dst,
    const T &Symbol, size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(
      Node, Graph, Dependencies, NumDependencies, Dst, (const void *)&Symbol,
      Size, Offset, Kind);
}
template <typename T>
static inline __host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(
    cudaGraphNode_t Node, const T &Symbol, const void *Src, size_t Size,
    size_t Offset, enum cudaMemcpyKind Kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(Node, (const void *)&Symbol,
                                                Src, Size, Offset, Kind);
}
template <typename T>
static inline __host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t Node, void *Dst, const T &Symbol, size_t Size,
    size_t Offset, enum cudaMemcpyKind Kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(
      Node, Dst, (const void *)&Symbol, Size, Offset, Kind);
}
template <typename T>
static inline __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, const T &Symbol,
    const void *Src, size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(
      Exec, Node, (const void *)&Symbol, Src, Size, Offset, Kind);
}
template <typename T>
static inline __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, void *Dst, const T &Symbol,
    size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      Exec, Node, Dst, (const void *)&Symbol, Size, Offset, Kind);
}

template <typename T>
static inline __host__ cudaError_t
cudaFuncGetAttributes(struct cudaFuncAttributes *Attributes, T *Func) {
  return ::cudaFuncGetAttributes(Attributes, (const void *)Func);
}

template <typename T>
static inline __host__ cudaError_t
cudaFuncSetAttribute(T *Func, enum cudaFuncAttribute Attr, int Value) {
  return ::cudaFuncSetAttribute((const void *)Func, Attr, Value);
}

template <typename T>
static inline __host__ cudaError_t
cudaFuncSetCacheConfig(T *Func, enum cudaFuncCache Config) {
  return ::cudaFuncSetCacheConfig((const void *)Func, Config);
}

template <typename T>
static inline __host__ cudaError_t
cudaFuncSetSharedMemConfig(T *Func, enum cudaSharedMemConfig Config) {
  return ::cudaFuncSetSharedMemConfig((const void *)Func, Config);
}

template <typename T>
static inline __host__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *NumBlocks, T Func,
                                              int BlockSize,
                                              size_t DynamicSMem) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      NumBlocks, (const void *)Func, BlockSize, DynamicSMem);
}

template <typename T>
static inline __host__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *NumBlocks, T Func,
                                                       int BlockSize,
                                                       size_t DynamicSMem,
                                                       unsigned int Flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      NumBlocks, (const void *)Func, BlockSize, DynamicSMem, Flags);
}

template <typename T>
static inline __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    size_t *Bytes, T *Func, int NumBlocks, int BlockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(Bytes, (const void *)Func,
                                                     NumBlocks, BlockSize);
}

/// Finds the CTA size, in threads, that keeps the most threads of \p Func on an
/// SM, and the fewest CTAs that fill the device. \p SMemOfSize gives the bytes
/// of dynamic shared memory for a CTA size; a \p SizeLimit of 0 is no limit.
template <typename F, typename T>
static inline __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *MinGridSize, int *BlockSize,
                                               T Func, F SMemOfSize,
                                               int SizeLimit = 0) {
  int Device = 0, NumSMs = 0, WarpSize = 0;
  struct cudaFuncAttributes Attributes;
  cudaError_t Error = ::cudaGetDevice(&Device);
  if (Error == cudaSuccess)
    Error = ::cudaDeviceGetAttribute(&NumSMs, cudaDevAttrMultiProcessorCount,
                                     Device);
  if (Error == cudaSuccess)
    Error = ::cudaDeviceGetAttribute(&WarpSize, cudaDevAttrWarpSize, Device);
  if (Error == cudaSuccess)
    Error = ::cudaFuncGetAttributes(&Attributes, (const void *)Func);
  if (Error != cudaSuccess)
    return Error;
  int Largest = Attributes.maxThreadsPerBlock;
  if (SizeLimit > 0 && SizeLimit < Largest)
    Largest = SizeLimit;
  int BestThreads = 0;
  for (int Size = Largest; Size > 0; Size = (Size - 1) / WarpSize * WarpSize) {
    int CTAs = 0;
    Error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &CTAs, (const void *)Func, Size, SMemOfSize(Size));
    if (Error != cudaSuccess)
      return Error;
    if (CTAs * Size <= BestThreads)
      continue;
    BestThreads = CTAs * Size;
    *BlockSize = Size;
    *MinGridSize = CTAs * NumSMs;
  }
  return cudaSuccess;
}

template <typename T>
static inline __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *MinGridSize, int *BlockSize, T Func,
                                   size_t DynamicSMem = 0, int SizeLimit = 0) {
  struct ConstantSMem {
    size_t Bytes;
    size_t operator()(int) const { return Bytes; }
  };
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      MinGridSize, BlockSize, Func, ConstantSMem{DynamicSMem}, SizeLimit);
}

// The flag is about caches of old processors.
template <typename F, typename T>
static inline __host__ cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *MinGridSize, int *BlockSize, T Func, F SMemOfSize, int SizeLimit = 0,
    unsigned int Flags = cudaOccupancyDefault) {
  if (Flags & ~unsigned(cudaOccupancyDisableCachingOverride))
    return cudaErrorInvalidValue;
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      MinGridSize, BlockSize, Func, SMemOfSize, SizeLimit);
}

template <typename T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *MinGridSize, int *BlockSize, T Func, size_t DynamicSMem = 0,
    int SizeLimit = 0, unsigned int Flags = cudaOccupancyDefault) {
  if (Flags & ~unsigned(cudaOccupancyDisableCachingOverride))
    return cudaErrorInvalidValue;
  return cudaOccupancyMaxPotentialBlockSize(MinGridSize, BlockSize, Func,
                                            DynamicSMem, SizeLimit);
}

#if defined(__CUDA__)
#include "regshare_cuda/dependent_launch.h"
#include "regshare_cuda/device_errors.h"
#include "regshare_cuda/device_launches.h"
#include "regshare_cuda/dpx.h"
#include "regshare_cuda/references.h"
#endif
#endif // __cplusplus

#endif // REGSHARE_CUDA_RUNTIME_H
