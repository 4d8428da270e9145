//===- cuda_runtime_api.h - Calls of the CUDA runtime -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Declarations of the CUDA runtime calls that ordinary programs make. They
/// behave as CUDA's documentation says; libregshare_cudart defines them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_RUNTIME_API_H
#define REGSHARE_CUDA_RUNTIME_API_H
// By which programs tell that CUDA's header is there.
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#define CUDART_VERSION 12080
#define __CUDART_API_VERSION CUDART_VERSION

#if defined(__cplusplus)
#define REGSHARE_CUDA_DEFAULT(VALUE) = VALUE
extern "C" {
#else
#define REGSHARE_CUDA_DEFAULT(VALUE)
#endif

// CUDA 12 changed the layout of cudaDeviceProp, and with it the symbol.
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2

// Devices.
cudaError_t cudaGetDeviceCount(int *Count);
cudaError_t cudaGetDevice(int *Device);
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaSetDeviceFlags(unsigned int Flags);
cudaError_t cudaGetDeviceFlags(unsigned int *Flags);
cudaError_t cudaInitDevice(int Device, unsigned int DeviceFlags,
                           unsigned int Flags);
cudaError_t cudaSetValidDevices(int *Devices, int Count);
cudaError_t cudaDeviceGetPCIBusId(char *Id, int Size, int Device);
cudaError_t cudaDeviceGetByPCIBusId(int *Device, const char *Id);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *Prop, int Device);
cudaError_t cudaDeviceGetAttribute(int *Value, enum cudaDeviceAttr Attr,
                                   int Device);
cudaError_t cudaChooseDevice(int *Device, const struct cudaDeviceProp *Prop);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit Limit, size_t Value);
cudaError_t cudaDeviceGetLimit(size_t *Value, enum cudaLimit Limit);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache Config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *Config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig Config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *Config);
cudaError_t cudaDeviceCanAccessPeer(int *CanAccess, int Device, int Peer);
cudaError_t cudaDeviceEnablePeerAccess(int Peer, unsigned int Flags);
cudaError_t cudaDeviceDisablePeerAccess(int Peer);
cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest);
cudaError_t cudaDriverGetVersion(int *Version);
cudaError_t cudaGetDriverEntryPoint(
    const char *Name, void **Function, unsigned long long Flags,
    enum cudaDriverEntryPointQueryResult *Found REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *Name, void **Function, unsigned int CudaVersion,
    unsigned long long Flags,
    enum cudaDriverEntryPointQueryResult *Found REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaRuntimeGetVersion(int *Version);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);

// Errors.
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t Error);
const char *cudaGetErrorString(cudaError_t Error);

// Memory. Sizes, pitches, widths and offsets are in bytes, heights in rows.
cudaError_t cudaMalloc(void **Ptr, size_t Size);
cudaError_t cudaMallocPitch(void **Ptr, size_t *Pitch, size_t Width,
                            size_t Height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *Ptr, struct cudaExtent Extent);
cudaError_t cudaMallocAsync(void **Ptr, size_t Size, cudaStream_t Stream);
cudaError_t cudaMallocHost(void **Ptr, size_t Size);
cudaError_t cudaMallocManaged(void **Ptr, size_t Size,
                              unsigned int Flags
                                  REGSHARE_CUDA_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaHostAlloc(void **Ptr, size_t Size, unsigned int Flags);
cudaError_t cudaHostGetDevicePointer(void **DevicePtr, void *HostPtr,
                                     unsigned int Flags);
cudaError_t cudaHostGetFlags(unsigned int *Flags, void *HostPtr);
cudaError_t cudaHostRegister(void *Ptr, size_t Size, unsigned int Flags);
cudaError_t cudaHostUnregister(void *Ptr);
cudaError_t cudaFree(void *Ptr);
cudaError_t cudaFreeAsync(void *Ptr, cudaStream_t Stream);
cudaError_t cudaFreeHost(void *Ptr);
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *Attributes,
                                     const void *Ptr);
cudaError_t cudaMemAdvise(const void *Ptr, size_t Size,
                          enum cudaMemoryAdvise Advice, int Device);
cudaError_t cudaMemPrefetchAsync(const void *Ptr, size_t Size, int Device,
                                 cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemAdvise_v2(const void *Ptr, size_t Size,
                             enum cudaMemoryAdvise Advice,
                             struct cudaMemLocation Location);
cudaError_t
cudaMemPrefetchAsync_v2(const void *Ptr, size_t Size,
                        struct cudaMemLocation Location, unsigned int Flags,
                        cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));

// Copies and fills.
cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Size,
                       enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Size,
                            enum cudaMemcpyKind Kind,
                            cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *Dst, size_t DstPitch, const void *Src,
                         size_t SrcPitch, size_t Width, size_t Height,
                         enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpy2DAsync(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              enum cudaMemcpyKind Kind,
                              cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *Parms);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *Parms,
                              cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *Dst, int DstDevice, const void *Src,
                           int SrcDevice, size_t Size);
cudaError_t cudaMemcpyPeerAsync(void *Dst, int DstDevice, const void *Src,
                                int SrcDevice, size_t Size,
                                cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemset(void *Ptr, int Value, size_t Size);
cudaError_t cudaMemsetAsync(void *Ptr, int Value, size_t Size,
                            cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemset2D(void *Ptr, size_t Pitch, int Value, size_t Width,
                         size_t Height);
cudaError_t cudaMemset2DAsync(void *Ptr, size_t Pitch, int Value, size_t Width,
                              size_t Height,
                              cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr Ptr, int Value,
                         struct cudaExtent Extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr Ptr, int Value,
                              struct cudaExtent Extent,
                              cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));

// Device variables, named by their host shadow.
cudaError_t cudaMemcpyToSymbol(
    const void *Symbol, const void *Src, size_t Size,
    size_t Offset REGSHARE_CUDA_DEFAULT(0),
    enum cudaMemcpyKind Kind REGSHARE_CUDA_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t
cudaMemcpyToSymbolAsync(const void *Symbol, const void *Src, size_t Size,
                        size_t Offset, enum cudaMemcpyKind Kind,
                        cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(
    void *Dst, const void *Symbol, size_t Size,
    size_t Offset REGSHARE_CUDA_DEFAULT(0),
    enum cudaMemcpyKind Kind REGSHARE_CUDA_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t
cudaMemcpyFromSymbolAsync(void *Dst, const void *Symbol, size_t Size,
                          size_t Offset, enum cudaMemcpyKind Kind,
                          cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **DevicePtr, const void *Symbol);
cudaError_t cudaGetSymbolSize(size_t *Size, const void *Symbol);

// Streams.
cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned int Flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream,
                                         unsigned int Flags, int Priority);
cudaError_t cudaStreamDestroy(cudaStream_t Stream);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaStreamQuery(cudaStream_t Stream);
cudaError_t cudaStreamGetDevice(cudaStream_t Stream, int *Device);
cudaError_t cudaStreamGetFlags(cudaStream_t Stream, unsigned int *Flags);
cudaError_t cudaStreamGetId(cudaStream_t Stream, unsigned long long *Id);
cudaError_t cudaStreamGetPriority(cudaStream_t Stream, int *Priority);
/// Hints, and the priority.
cudaError_t cudaStreamSetAttribute(cudaStream_t Stream,
                                   cudaStreamAttrID Attribute,
                                   const cudaStreamAttrValue *Value);
cudaError_t cudaStreamGetAttribute(cudaStream_t Stream,
                                   cudaStreamAttrID Attribute,
                                   cudaStreamAttrValue *Value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t To, cudaStream_t From);
cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  enum cudaStreamCaptureStatus *Status);
cudaError_t cudaStreamAttachMemAsync(
    cudaStream_t Stream, void *Ptr, size_t Size REGSHARE_CUDA_DEFAULT(0),
    unsigned int Flags REGSHARE_CUDA_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned int Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t Stream,
                                  cudaStreamCallback_t Callback, void *UserData,
                                  unsigned int Flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Function,
                               void *UserData);

// Events. Elapsed times are in milliseconds.
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned int Flags);
cudaError_t cudaEventDestroy(cudaEvent_t Event);
cudaError_t cudaEventRecord(cudaEvent_t Event,
                            cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t
cudaEventRecordWithFlags(cudaEvent_t Event,
                         cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0),
                         unsigned int Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaEventQuery(cudaEvent_t Event);
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End);

// Kernels, named by the host function that launches them.
cudaError_t cudaLaunchKernel(const void *Func, dim3 GridDim, dim3 BlockDim,
                             void **Args, size_t SharedMem,
                             cudaStream_t Stream);
cudaError_t cudaLaunchCooperativeKernel(const void *Func, dim3 GridDim,
                                        dim3 BlockDim, void **Args,
                                        size_t SharedMem, cudaStream_t Stream);
/// Takes the attributes in Config->attrs with the shape.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Func, void **Args);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *Attributes,
                                  const void *Func);
cudaError_t cudaFuncSetAttribute(const void *Func, enum cudaFuncAttribute Attr,
                                 int Value);
cudaError_t cudaFuncSetCacheConfig(const void *Func, enum cudaFuncCache Config);
cudaError_t cudaFuncSetSharedMemConfig(const void *Func,
                                       enum cudaSharedMemConfig Config);
cudaError_t cudaFuncGetName(const char **Name, const void *Func);
cudaError_t cudaFuncGetParamInfo(const void *Func, size_t Index, size_t *Offset,
                                 size_t *Bytes);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *Function, const void *Func);
cudaError_t cudaGetKernel(cudaKernel_t *Which, const void *Func);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *NumBlocks,
                                                          const void *Func,
                                                          int BlockSize,
                                                          size_t DynamicSMem);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *NumBlocks, const void *Func, int BlockSize, size_t DynamicSMem,
    unsigned int Flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes,
                                                      const void *Func,
                                                      int NumBlocks,
                                                      int BlockSize);

// Libraries of kernels: what cuModuleLoadData takes.
cudaError_t cudaLibraryLoadData(cudaLibrary_t *Library, const void *Code,
                                enum cudaJitOption *Options, void **Values,
                                unsigned int NumOptions,
                                enum cudaLibraryOption *LibraryOptions,
                                void **LibraryValues,
                                unsigned int NumLibraryOptions);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *Library, const char *File,
                                    enum cudaJitOption *Options, void **Values,
                                    unsigned int NumOptions,
                                    enum cudaLibraryOption *LibraryOptions,
                                    void **LibraryValues,
                                    unsigned int NumLibraryOptions);
cudaError_t cudaLibraryUnload(cudaLibrary_t Library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *Kernel, cudaLibrary_t Library,
                                 const char *Name);
cudaError_t cudaLibraryGetKernelCount(unsigned int *Count,
                                      cudaLibrary_t Library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *Kernels,
                                        unsigned int Count,
                                        cudaLibrary_t Library);
cudaError_t cudaLibraryGetGlobal(void **Address, size_t *Bytes,
                                 cudaLibrary_t Library, const char *Name);

// Arrays. Offsets and widths are in bytes across, and in rows down.
struct cudaChannelFormatDesc
cudaCreateChannelDesc(int X, int Y, int Z, int W,
                      enum cudaChannelFormatKind Kind);
cudaError_t cudaMallocArray(cudaArray_t *Array,
                            const struct cudaChannelFormatDesc *Desc,
                            size_t Width,
                            size_t Height REGSHARE_CUDA_DEFAULT(0),
                            unsigned int Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *Array,
                              const struct cudaChannelFormatDesc *Desc,
                              struct cudaExtent Extent,
                              unsigned int Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t Array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *Desc,
                             struct cudaExtent *Extent, unsigned int *Flags,
                             cudaArray_t Array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *Desc,
                               cudaArray_const_t Array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t Dst, size_t WOffset, size_t HOffset,
                                const void *Src, size_t SrcPitch, size_t Width,
                                size_t Height, enum cudaMemcpyKind Kind);
cudaError_t
cudaMemcpy2DToArrayAsync(cudaArray_t Dst, size_t WOffset, size_t HOffset,
                         const void *Src, size_t SrcPitch, size_t Width,
                         size_t Height, enum cudaMemcpyKind Kind,
                         cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *Dst, size_t DstPitch,
                                  cudaArray_const_t Src, size_t WOffset,
                                  size_t HOffset, size_t Width, size_t Height,
                                  enum cudaMemcpyKind Kind);
cudaError_t
cudaMemcpy2DFromArrayAsync(void *Dst, size_t DstPitch, cudaArray_const_t Src,
                           size_t WOffset, size_t HOffset, size_t Width,
                           size_t Height, enum cudaMemcpyKind Kind,
                           cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyToArray(cudaArray_t Dst, size_t WOffset, size_t HOffset,
                              const void *Src, size_t Count,
                              enum cudaMemcpyKind Kind);
cudaError_t
cudaMemcpyToArrayAsync(cudaArray_t Dst, size_t WOffset, size_t HOffset,
                       const void *Src, size_t Count, enum cudaMemcpyKind Kind,
                       cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyFromArray(void *Dst, cudaArray_const_t Src,
                                size_t WOffset, size_t HOffset, size_t Count,
                                enum cudaMemcpyKind Kind);
cudaError_t
cudaMemcpyFromArrayAsync(void *Dst, cudaArray_const_t Src, size_t WOffset,
                         size_t HOffset, size_t Count, enum cudaMemcpyKind Kind,
                         cudaStream_t Stream REGSHARE_CUDA_DEFAULT(0));

// Texture objects.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *Object,
                                    const struct cudaResourceDesc *Resource,
                                    const struct cudaTextureDesc *Texture,
                                    const struct cudaResourceViewDesc *View);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t Object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *Resource,
                                             cudaTextureObject_t Object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *Texture,
                                            cudaTextureObject_t Object);

// Surface objects, of arrays that are made for them.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *Object,
                                    const struct cudaResourceDesc *Resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t Object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *Resource,
                                             cudaSurfaceObject_t Object);

// Texture and surface references, which nvcc has until CUDA 11. A reference is
// bound with the modes that it has at that moment.
cudaError_t cudaBindTexture(size_t *Offset,
                            const struct textureReference *Reference,
                            const void *Ptr,
                            const struct cudaChannelFormatDesc *Desc,
                            size_t Size REGSHARE_CUDA_DEFAULT(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t *Offset,
                              const struct textureReference *Reference,
                              const void *Ptr,
                              const struct cudaChannelFormatDesc *Desc,
                              size_t Width, size_t Height, size_t Pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *Reference,
                                   cudaArray_const_t Array,
                                   const struct cudaChannelFormatDesc *Desc);
cudaError_t cudaUnbindTexture(const struct textureReference *Reference);
cudaError_t
cudaGetTextureAlignmentOffset(size_t *Offset,
                              const struct textureReference *Reference);
cudaError_t cudaGetTextureReference(const struct textureReference **Reference,
                                    const void *Symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *Reference,
                                   cudaArray_const_t Array,
                                   const struct cudaChannelFormatDesc *Desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **Reference,
                                    const void *Symbol);

// Profiling windows.
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

#include "regshare_cuda/graph_calls.h"

#if defined(__cplusplus)
} // extern "C"
#endif

#include "regshare_cuda/graph_forms.h"

#undef REGSHARE_CUDA_DEFAULT

#endif // REGSHARE_CUDA_RUNTIME_API_H
