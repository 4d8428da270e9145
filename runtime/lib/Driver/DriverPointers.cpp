//===- DriverPointers.cpp - What the driver says of an address ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace regshare::cudart;

/// One attribute of an address that is known, for \p Value of its type.
static cudaError_t attribute(Runtime &R, void *Value,
                             CUpointer_attribute Attribute,
                             CUdeviceptr Address) {
  cudaPointerAttributes All = {};
  cudaPointerGetAttributes(&All, toPointer(Address));
  if (All.type == cudaMemoryTypeUnregistered)
    return cudaErrorInvalidValue;
  const auto *Known = R.findAllocation(toPointer(Address));
  auto Set = [Value](auto Is) {
    *static_cast<decltype(Is) *>(Value) = Is;
    return cudaSuccess;
  };
  switch (Attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    // Managed memory counts as the device's.
    return Set(All.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST
                                              : CU_MEMORYTYPE_DEVICE);
  case CU_POINTER_ATTRIBUTE_CONTEXT: {
    CUcontext Current = nullptr;
    cuCtxGetCurrent(&Current);
    return Set(Current);
  }
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return Set(Address);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    return All.hostPointer ? Set(All.hostPointer) : cudaErrorInvalidValue;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return Set(unsigned(All.type == cudaMemoryTypeManaged));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return Set(0);
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return Set(1u);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return Known ? Set(CUdeviceptr(Known->first)) : cudaErrorInvalidValue;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    return Known ? Set(size_t(Known->second.Size)) : cudaErrorInvalidValue;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    return Set(0u);
  default:
    printError("cuPointerGetAttribute: an address has no attribute " +
                   std::to_string(int(Attribute)) +
                   " here; it returns CUDA_ERROR_NOT_SUPPORTED",
               regshare::ErrorKind::Unsupported);
    return cudaErrorNotSupported;
  }
}

CUresult cuPointerGetAttribute(void *Value, CUpointer_attribute Attribute,
                               CUdeviceptr Address) {
  return driverCall([&] {
    return apiCall([&](Runtime &R) {
      return Value ? attribute(R, Value, Attribute, Address)
                   : cudaErrorInvalidValue;
    });
  });
}

/// Of an address that is not known, and of what it does not have, 0.
CUresult cuPointerGetAttributes(unsigned int Count,
                                CUpointer_attribute *Attributes, void **Values,
                                CUdeviceptr Address) {
  if (!Attributes || !Values)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned I = 0; I != Count; ++I) {
    bool IsWide = Attributes[I] == CU_POINTER_ATTRIBUTE_CONTEXT ||
                  Attributes[I] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                  Attributes[I] == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
                  Attributes[I] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR ||
                  Attributes[I] == CU_POINTER_ATTRIBUTE_RANGE_SIZE;
    if (IsWide)
      *static_cast<uint64_t *>(Values[I]) = 0;
    else
      *static_cast<uint32_t *>(Values[I]) = 0;
    CUresult Error = cuPointerGetAttribute(Values[I], Attributes[I], Address);
    if (Error != CUDA_SUCCESS && Error != CUDA_ERROR_INVALID_VALUE)
      return Error;
  }
  return CUDA_SUCCESS;
}
