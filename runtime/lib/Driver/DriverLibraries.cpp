//===- DriverLibraries.cpp - Libraries of kernels -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All contexts share their modules, so that a library is a module, and a
/// kernel is the module's function, by another type of handle.
///
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace regshare::cudart;

static CUmodule moduleOf(CUlibrary L) { return reinterpret_cast<CUmodule>(L); }
static CUfunction functionOf(CUkernel K) {
  return reinterpret_cast<CUfunction>(K);
}

/// A library is loaded without a context, too: this makes the device.
static void makeDevice() {
  if (requireContext() == CUDA_ERROR_INVALID_CONTEXT)
    apiCall([](Runtime &) { return cudaSuccess; });
}

/// The options of libraries save memory and change nothing.
CUresult cuLibraryLoadData(CUlibrary *Library, const void *Image,
                           CUjit_option *Options, void **Values,
                           unsigned int NumOptions, CUlibraryOption *, void **,
                           unsigned int) {
  makeDevice();
  return cuModuleLoadDataEx(reinterpret_cast<CUmodule *>(Library), Image,
                            NumOptions, Options, Values);
}

CUresult cuLibraryLoadFromFile(CUlibrary *Library, const char *File,
                               CUjit_option *, void **, unsigned int,
                               CUlibraryOption *, void **, unsigned int) {
  makeDevice();
  return cuModuleLoad(reinterpret_cast<CUmodule *>(Library), File);
}

CUresult cuLibraryUnload(CUlibrary Library) {
  return cuModuleUnload(moduleOf(Library));
}

CUresult cuLibraryGetKernel(CUkernel *Kernel, CUlibrary Library,
                            const char *Name) {
  return cuModuleGetFunction(reinterpret_cast<CUfunction *>(Kernel),
                             moduleOf(Library), Name);
}

CUresult cuLibraryGetKernelCount(unsigned int *Count, CUlibrary Library) {
  return cuModuleGetFunctionCount(Count, moduleOf(Library));
}

CUresult cuLibraryEnumerateKernels(CUkernel *Kernels, unsigned int Count,
                                   CUlibrary Library) {
  return cuModuleEnumerateFunctions(reinterpret_cast<CUfunction *>(Kernels),
                                    Count, moduleOf(Library));
}

CUresult cuLibraryGetModule(CUmodule *Module, CUlibrary Library) {
  unsigned Count;
  // Says whether there is such a library.
  CUresult Error = cuLibraryGetKernelCount(&Count, Library);
  if (Error == CUDA_SUCCESS && Module)
    *Module = moduleOf(Library);
  return Module ? Error : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *Address, size_t *Bytes,
                            CUlibrary Library, const char *Name) {
  return cuModuleGetGlobal(Address, Bytes, moduleOf(Library), Name);
}

CUresult cuKernelGetLibrary(CUlibrary *Library, CUkernel Kernel) {
  return cuFuncGetModule(reinterpret_cast<CUmodule *>(Library),
                         functionOf(Kernel));
}

CUresult cuKernelGetFunction(CUfunction *Function, CUkernel Kernel) {
  CUlibrary Owner;
  if (!Function)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult Error = cuKernelGetLibrary(&Owner, Kernel);
  if (Error == CUDA_SUCCESS)
    *Function = functionOf(Kernel);
  return Error;
}

CUresult cuKernelGetName(const char **Name, CUkernel Kernel) {
  return cuFuncGetName(Name, functionOf(Kernel));
}

CUresult cuKernelGetParamInfo(CUkernel Kernel, size_t Index, size_t *Offset,
                              size_t *Bytes) {
  return cuFuncGetParamInfo(functionOf(Kernel), Index, Offset, Bytes);
}

CUresult cuKernelGetAttribute(int *Value, CUfunction_attribute Attribute,
                              CUkernel Kernel, CUdevice Device) {
  return Device ? CUDA_ERROR_INVALID_DEVICE
                : cuFuncGetAttribute(Value, Attribute, functionOf(Kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute Attribute, int Value,
                              CUkernel Kernel, CUdevice Device) {
  return Device ? CUDA_ERROR_INVALID_DEVICE
                : cuFuncSetAttribute(functionOf(Kernel), Attribute, Value);
}

CUresult cuKernelSetCacheConfig(CUkernel Kernel, CUfunc_cache Config,
                                CUdevice Device) {
  return Device ? CUDA_ERROR_INVALID_DEVICE
                : cuFuncSetCacheConfig(functionOf(Kernel), Config);
}

//===----------------------------------------------------------------------===//
// The runtime's
//===----------------------------------------------------------------------===//

/// Runs \p Body(), which returns a CUresult, once there is a device. The codes
/// of both interfaces have the same numbers.
template <typename Fn> static cudaError_t libraryCall(Fn &&Body) {
  return apiCall([&](Runtime &) { return cudaError_t(Body()); });
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *Library, const void *Code,
                                enum cudaJitOption *Options, void **Values,
                                unsigned int NumOptions,
                                enum cudaLibraryOption *, void **,
                                unsigned int) {
  return libraryCall([&] {
    return cuLibraryLoadData(Library, Code,
                             reinterpret_cast<CUjit_option *>(Options), Values,
                             NumOptions, nullptr, nullptr, 0);
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *Library, const char *File,
                                    enum cudaJitOption *, void **, unsigned int,
                                    enum cudaLibraryOption *, void **,
                                    unsigned int) {
  return libraryCall([&] {
    return cuLibraryLoadFromFile(Library, File, nullptr, nullptr, 0, nullptr,
                                 nullptr, 0);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t Library) {
  return libraryCall([&] { return cuLibraryUnload(Library); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *Kernel, cudaLibrary_t Library,
                                 const char *Name) {
  return libraryCall([&] { return cuLibraryGetKernel(Kernel, Library, Name); });
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *Count,
                                      cudaLibrary_t Library) {
  return libraryCall([&] { return cuLibraryGetKernelCount(Count, Library); });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *Kernels,
                                        unsigned int Count,
                                        cudaLibrary_t Library) {
  return libraryCall(
      [&] { return cuLibraryEnumerateKernels(Kernels, Count, Library); });
}

cudaError_t cudaLibraryGetGlobal(void **Address, size_t *Bytes,
                                 cudaLibrary_t Library, const char *Name) {
  return libraryCall([&] {
    return cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr *>(Address), Bytes,
                              Library, Name);
  });
}
