//===- unsupported_driver.h - Calls that fail by name -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls of the driver that programs make where they find them supported, and
/// that libregshare_cudart.so answers with their name and
/// CUDA_ERROR_NOT_SUPPORTED: virtual memory, arrays of three dimensions, memory
/// of other processes, peers.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TYPES_UNSUPPORTED_DRIVER_H
#define REGSHARE_CUDA_TYPES_UNSUPPORTED_DRIVER_H

typedef unsigned long long CUmemGenericAllocationHandle;
typedef struct CUmemAllocationProp_st {
  CUmemAllocationType type;
  CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} CUmemAllocationProp;
typedef enum CUmemAllocationGranularity_flags_enum {
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;

/// Sizes in elements; a depth of 0 is an array of two dimensions.
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

#define CU_IPC_HANDLE_SIZE 64
typedef struct CUipcMemHandle_st {
  char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;
typedef struct CUipcEventHandle_st {
  char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;
typedef enum CUipcMem_flags_enum {
  CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1
} CUipcMem_flags;

#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2

#ifdef __cplusplus
extern "C" {
#endif

// Virtual memory.
CUresult cuMemAddressReserve(CUdeviceptr *Address, size_t Bytes,
                             size_t Alignment, CUdeviceptr Wish,
                             unsigned long long Flags);
CUresult cuMemAddressFree(CUdeviceptr Address, size_t Bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle *Handle, size_t Bytes,
                     const CUmemAllocationProp *Properties,
                     unsigned long long Flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle Handle);
CUresult cuMemMap(CUdeviceptr Address, size_t Bytes, size_t Offset,
                  CUmemGenericAllocationHandle Handle,
                  unsigned long long Flags);
CUresult cuMemUnmap(CUdeviceptr Address, size_t Bytes);
CUresult cuMemSetAccess(CUdeviceptr Address, size_t Bytes,
                        const CUmemAccessDesc *Access, size_t Count);
CUresult cuMemGetAccess(unsigned long long *Flags,
                        const CUmemLocation *Location, CUdeviceptr Address);
CUresult cuMemGetAllocationGranularity(size_t *Granularity,
                                       const CUmemAllocationProp *Properties,
                                       CUmemAllocationGranularity_flags Which);
CUresult cuMemExportToShareableHandle(void *Shareable,
                                      CUmemGenericAllocationHandle Handle,
                                      CUmemAllocationHandleType Type,
                                      unsigned long long Flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *Handle,
                                        void *Shareable,
                                        CUmemAllocationHandleType Type);

// Arrays and copies of three dimensions.
CUresult cuArray3DCreate(CUarray *Array,
                         const CUDA_ARRAY3D_DESCRIPTOR *Description);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *Description,
                                CUarray Array);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *Copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *Copy, CUstream Stream);

// Other processes.
CUresult cuIpcGetMemHandle(CUipcMemHandle *Handle, CUdeviceptr Address);
CUresult cuIpcOpenMemHandle(CUdeviceptr *Address, CUipcMemHandle Handle,
                            unsigned int Flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr Address);
CUresult cuIpcGetEventHandle(CUipcEventHandle *Handle, CUevent Event);
CUresult cuIpcOpenEventHandle(CUevent *Event, CUipcEventHandle Handle);

// Peers.
CUresult cuCtxEnablePeerAccess(CUcontext Peer, unsigned int Flags);
CUresult cuCtxDisablePeerAccess(CUcontext Peer);
CUresult cuMemcpyPeer(CUdeviceptr To, CUcontext ToContext, CUdeviceptr From,
                      CUcontext FromContext, size_t Bytes);

#ifdef __cplusplus
}
#endif

#endif // REGSHARE_CUDA_TYPES_UNSUPPORTED_DRIVER_H
