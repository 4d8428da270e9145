//===- DriverEntryPoints.cpp - The driver's functions by their names ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Programs that are not linked with the driver ask for its functions. Those
/// that this driver refuses are not found, so that a program that can do
/// without them does. A name stands for the form that cuda.h has under it.
///
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <map>
#include <string_view>

using namespace regshare::cudart;

static void *driverFunction(std::string_view Name) {
  static const std::map<std::string_view, void *> Functions = {
#define REGSHARE_DRIVER(NAME, ...) {#NAME, reinterpret_cast<void *>(&NAME)},
#include "regshare_cuda/driver_calls.def"
#define REGSHARE_DRIVER(NAME, ...) {#NAME, reinterpret_cast<void *>(&NAME)},
#include "regshare_cuda/driver_graph_calls.def"
  };
  auto It = Functions.find(Name);
  return It == Functions.end() ? nullptr : It->second;
}

/// What is not found is told by \p Found, or by a null function alone.
/// Flags tell which default stream a function uses; all here use the same.
template <typename FoundT>
static bool find(const char *Name, void **Function, unsigned long long Flags,
                 FoundT *Found) {
  if (!Name || !Function ||
      Flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return false;
  *Function = driverFunction(Name);
  if (Found)
    *Found = FoundT(*Function ? CU_GET_PROC_ADDRESS_SUCCESS
                              : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  return true;
}

CUresult cuGetProcAddress(const char *Name, void **Function, int,
                          cuuint64_t Flags,
                          CUdriverProcAddressQueryResult *Found) {
  return find(Name, Function, Flags, Found) ? CUDA_SUCCESS
                                            : CUDA_ERROR_INVALID_VALUE;
}

#undef cuGetProcAddress
/// The form of CUDA 11.
extern "C" CUresult cuGetProcAddress(const char *Name, void **Function,
                                     int Version, cuuint64_t Flags) {
  CUresult Error = cuGetProcAddress_v2(Name, Function, Version, Flags, nullptr);
  return Error == CUDA_SUCCESS && !*Function ? CUDA_ERROR_NOT_FOUND : Error;
}

cudaError_t
cudaGetDriverEntryPoint(const char *Name, void **Function,
                        unsigned long long Flags,
                        enum cudaDriverEntryPointQueryResult *Found) {
  return recordError(
      find(Name, Function, Flags, Found) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *Name, void **Function,
                                 unsigned int, unsigned long long Flags,
                                 enum cudaDriverEntryPointQueryResult *Found) {
  return cudaGetDriverEntryPoint(Name, Function, Flags, Found);
}
