//===- Registration.cpp - What clang's and nvcc's start-up code calls -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The entry points of a translation unit's constructor, and of the host
/// functions that launch kernels. Their signatures are those of CUDA's
/// crt/host_runtime.h.
///
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "vector_types.h"

#include <cstring>
#include <vector>

using namespace regshare::cudart;

namespace {
using Lock = std::lock_guard<std::recursive_mutex>;

/// What <<<>>> asks for, until the host function that launches the kernel takes
/// it.
struct CallConfiguration {
  dim3 Grid, Block;
  size_t Shared;
  void *Stream;
};
} // namespace

static thread_local std::vector<CallConfiguration> *Pending = nullptr;

static Module *moduleOf(void **Handle) {
  return reinterpret_cast<Module *>(Handle);
}

extern "C" {

void **__cudaRegisterFatBinary(void *Wrapper) {
  Lock L(apiLock());
  return reinterpret_cast<void **>(
      ModuleTable::get().add(static_cast<const FatBinaryWrapper *>(Wrapper)));
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **Handle) {
  Lock L(apiLock());
  ModuleTable::get().remove(moduleOf(Handle));
}

/// Called before the host's first use of a managed variable.
char __cudaInitModule(void **) {
  Lock L(apiLock());
  // Making the device binds them.
  return Runtime::get() ? 1 : 0;
}

void __cudaRegisterFunction(void **Handle, const char *Host, char *,
                            const char *Name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *) {
  Lock L(apiLock());
  ModuleTable::get().addKernel(moduleOf(Handle), Host, Name);
}

void __cudaRegisterVar(void **Handle, char *Host, char *, const char *Name, int,
                       size_t Size, int Constant, int) {
  Lock L(apiLock());
  ModuleTable::get().addVariable(moduleOf(Handle), Host,
                                 {nullptr, Name, Size, Constant != 0, nullptr});
}

void __cudaRegisterManagedVar(void **Handle, void **Host, char *,
                              const char *Name, int, size_t Size, int Constant,
                              int) {
  Lock L(apiLock());
  ModuleTable::get().addVariable(moduleOf(Handle), Host,
                                 {nullptr, Name, Size, Constant != 0, Host});
}

/// Ours: regshare-clang++ has it called before other constructors, for the
/// host's shadow of each managed variable, with its initial value's first
/// bytes.
void __cudaRegisterManagedShadow(void *Host, size_t Bytes, const void *Value,
                                 size_t Set) {
  Lock L(apiLock());
  memcpy(Host, Value, Set);
  ModuleTable::get().addManagedShadow(Host, Bytes);
}

void __cudaRegisterTexture(void **Handle, const void *Host, const void **,
                           const char *Name, int, int Normalised, int) {
  Lock L(apiLock());
  Reference Ref;
  Ref.Name = Name;
  Ref.ReadsNormalised = Normalised != 0;
  ModuleTable::get().addReference(moduleOf(Handle), Host, std::move(Ref));
}

void __cudaRegisterSurface(void **Handle, const void *Host, const void **,
                           const char *Name, int, int) {
  Lock L(apiLock());
  Reference Ref;
  Ref.Name = Name;
  Ref.IsSurface = true;
  ModuleTable::get().addReference(moduleOf(Handle), Host, std::move(Ref));
}

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     void *Stream) {
  // Never destroyed: kernels may be launched until the thread's very end.
  if (!Pending)
    Pending = new std::vector<CallConfiguration>;
  Pending->push_back({Grid, Block, Shared, Stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       void *Stream) {
  if (!Pending || Pending->empty())
    return recordError(cudaErrorMissingConfiguration);
  CallConfiguration C = Pending->back();
  Pending->pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *static_cast<void **>(Stream) = C.Stream;
  return cudaSuccess;
}

// The way of nvcc 12 and later around the function's address: here the address
// is the handle.

cudaError_t __cudaGetKernel(const void **Kernel, const void *Func) {
  *Kernel = Func;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *Kernel, dim3 Grid, dim3 Block,
                               void **Args, size_t Shared,
                               cudaStream_t Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Args, Shared, Stream);
}

} // extern "C"
