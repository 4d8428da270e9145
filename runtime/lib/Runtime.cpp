//===- Runtime.cpp - The state behind the CUDA calls -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Graph/Executable.h"
#include "Interruption.h"

#include "regshare/Base/SchemeLoader.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <utility>

namespace regshare::cudart {

void printError(const std::string &Message, ErrorKind Kind) {
  std::fprintf(stderr, "regshare: %s\n", Message.c_str());
  noteError(Message, Kind);
}

void printWarning(const std::string &Message) {
  std::fprintf(stderr, "regshare: warning: %s\n", Message.c_str());
}

std::recursive_mutex &apiLock() {
  // Never destroyed: calls come until the very end of a process.
  static auto *Lock = new std::recursive_mutex;
  return *Lock;
}

static thread_local cudaError_t LastError = cudaSuccess;

cudaError_t recordError(cudaError_t Error) {
  if (Error != cudaSuccess)
    LastError = Error;
  return Error;
}

cudaError_t exchangeLastError(cudaError_t Error) {
  return std::exchange(LastError, Error);
}

static void writeReportAtExit() {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  Report &Log = Runtime::get()->Log;
  forgetInterruptions();
  endIfInterrupted(Log);
  Log.write();
}

void endWithoutLibrary(const Diagnostic &Why) {
  printError(Why.str(), ErrorKind::BadInput);
  // Where there is a device, it writes its own at the end.
  writeReportWithoutDevice();
  std::exit(1);
}

Result<void> Runtime::start() {
  Result<Launcher> Made = Launcher::create(Config, Sampler);
  if (!Made)
    return fail(Made.error());
  Kernels.emplace(std::move(*Made));
  return {};
}

static Runtime *Instance = nullptr;

bool Runtime::isMade() { return Instance != nullptr; }

Runtime *Runtime::get() {
  static bool Tried = false;
  if (Tried)
    return Instance;
  Tried = true;
  if (Result<void> Loaded = loadSchemesOfEnvironment(); !Loaded)
    endWithoutLibrary(Loaded.error());
  Result<Settings> S = readSettings();
  for (const std::string &Doubt :
       doubtsAboutEnvironment(S ? &S->TheScheme : nullptr))
    printWarning(Doubt);
  if (!S) {
    printError(S.error().str(), ErrorKind::BadInput);
    writeReportWithoutDevice();
    return nullptr;
  }
  auto New = std::make_unique<Runtime>(std::move(*S));
  if (Result<void> Started = New->start(); !Started) {
    printError(Started.error().str() +
                   " (REGSHARE_TIMING=0 executes without timing)",
               Started.error().Kind);
    writeReportWithoutDevice();
    return nullptr;
  }
  Instance = New.release();
  std::atexit(writeReportAtExit);
  if (Instance->Log.writesFiles())
    awaitInterruptions(Instance->Log);
  ModuleTable::get().loadManaged(Instance->Config, *Instance->Memory);
  return Instance;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

const std::pair<const uint64_t, Allocation> *
Runtime::findAllocation(const void *Address) const {
  uint64_t Wanted = reinterpret_cast<uint64_t>(Address);
  auto It = Allocations.upper_bound(Wanted);
  if (It == Allocations.begin())
    return nullptr;
  --It;
  return Wanted < It->first + It->second.Size ? &*It : nullptr;
}

/// The device would have room; the program's author looks for the reason there.
static void tellIfHostIsTooSmall(const sim::GlobalMemory &Memory,
                                 uint64_t Size) {
  if (Memory.bytesInUse() + Size <= Memory.capacity())
    printWarning(
        "an allocation of " + std::to_string(Size) +
        " bytes fails, for which the device has room: the host's limit "
        "on address space (ulimit -v) leaves " +
        std::to_string(Memory.reserved() >> 20) + " MB for device memory");
}

cudaError_t Runtime::allocate(void **Ptr, uint64_t Size, cudaMemoryType Type,
                              unsigned Flags) {
  if (!Ptr)
    return cudaErrorInvalidValue;
  *Ptr = nullptr;
  if (!Size)
    return cudaSuccess;
  // What host and device share lies at one address for both. The device's own
  // range serves if the host has it there too; pinned memory is the host's.
  bool OnHost = Type == cudaMemoryTypeHost ||
                (Type == cudaMemoryTypeManaged && !Memory->isIdentityMapped());
  uint64_t Address = 0;
  if (OnHost) {
    void *P = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (P == MAP_FAILED)
      return cudaErrorMemoryAllocation;
    Memory->mapHost(P, Size);
    Address = reinterpret_cast<uint64_t>(P);
  } else {
    Address = Memory->allocate(Size);
    if (!Address) {
      tellIfHostIsTooSmall(*Memory, Size);
      return cudaErrorMemoryAllocation;
    }
  }
  Allocations[Address] = {Type, Size, Flags};
  *Ptr = reinterpret_cast<void *>(Address);
  return cudaSuccess;
}

cudaError_t Runtime::release(void *Ptr, bool Host, bool HostWaits) {
  if (!Ptr)
    return cudaSuccess;
  uint64_t Address = reinterpret_cast<uint64_t>(Ptr);
  auto It = Allocations.find(Address);
  if (It == Allocations.end() || It->second.Registered ||
      (It->second.Type == cudaMemoryTypeHost) != Host)
    return cudaErrorInvalidValue;
  if (It->second.Pool)
    It->second.Pool->remove(It->second.Size);
  if (HostWaits)
    synchronize();
  if (Memory->unmapHost(Ptr))
    munmap(Ptr, It->second.Size);
  else
    Memory->free(Address);
  Allocations.erase(It);
  return cudaSuccess;
}

void Runtime::reset() {
  synchronize();
  ModuleTable::get().unloadAll();
  for (auto &[Address, A] : Allocations) {
    void *Ptr = reinterpret_cast<void *>(Address);
    if (Memory->unmapHost(Ptr) && !A.Registered)
      munmap(Ptr, A.Size);
  }
  Allocations.clear();
  // Captures know graphs, which know their registry.
  Captures = CaptureTable();
  Executables.clear();
  Graphs.clear();
  Pools = MemoryPools();
  Events.clear();
  Textures.clear();
  Surfaces.clear();
  Arrays.clear();
  Limits.clear();
  double Now = Clock.end();
  Clock = Timeline();
  Clock.advanceHost(Now);
  Memory.emplace();
  // The settings made one before.
  if (Result<void> Started = start(); !Started)
    printError(Started.error().str(), Started.error().Kind);
  Fault = cudaSuccess;
  ModuleTable::get().loadManaged(Config, *Memory);
}

} // namespace regshare::cudart

using namespace regshare::cudart;

cudaError_t cudaGetLastError() {
  cudaError_t Error = cudaPeekAtLastError();
  LastError = cudaSuccess;
  return Error;
}

cudaError_t cudaPeekAtLastError() {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  // A fault that a launch left behind shows at once, and stays.
  if (Runtime *R = Runtime::get(); R && R->Fault != cudaSuccess)
    return R->Fault;
  return LastError;
}

const char *cudaGetErrorName(cudaError_t Error) {
  switch (Error) {
#define CUDA_SUCCESS(VALUE, TEXT)                                              \
  case cudaSuccess:                                                            \
    return "cudaSuccess";
#define CUDA_ERROR(NAME, VALUE, TEXT)                                          \
  case cudaError##NAME:                                                        \
    return "cudaError" #NAME;
#include "regshare_cuda/errors.def"
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t Error) {
  switch (Error) {
#define CUDA_SUCCESS(VALUE, TEXT)                                              \
  case cudaSuccess:                                                            \
    return TEXT;
#define CUDA_ERROR(NAME, VALUE, TEXT)                                          \
  case cudaError##NAME:                                                        \
    return TEXT;
#include "regshare_cuda/errors.def"
  }
  return "unrecognized error code";
}
