//===- Runtime.h - The state behind the CUDA calls -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One simulated device, its memory, streams and events, and the frame in which
/// every call of the API runs: under one lock, with CUDA's rules for errors.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_RUNTIME_H
#define REGSHARE_RUNTIME_RUNTIME_H

#include "Graph/Capture.h"
#include "Launcher.h"
#include "Modules.h"
#include "Pool/MemoryPool.h"
#include "Report.h"
#include "Settings.h"
#include "Texture/TextureObjects.h"
#include "Timeline.h"

#include "regshare/Sim/GlobalMemory.h"

#include "cuda_runtime_api.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace regshare::cudart {

/// Writes "regshare: …" to standard error, and notes it for the report.
void printError(const std::string &Message, ErrorKind Kind);
/// Writes "regshare: warning: …" to standard error.
void printWarning(const std::string &Message);

/// Ends the process with exit code 1: a library of schemes is refused, without
/// which nothing that runs is what was asked for.
[[noreturn]] void endWithoutLibrary(const Diagnostic &Why);

struct Event {
  unsigned Flags = 0;
  bool Recorded = false;
  double Time = 0;
};

/// A block of memory that a call of the API made or was told of.
struct Allocation {
  cudaMemoryType Type = cudaMemoryTypeDevice;
  uint64_t Size = 0; ///< In bytes.
  unsigned Flags = 0;
  bool Registered = false; ///< The program's own memory.
  /// Where it counts if it is of a pool; null: of none.
  std::shared_ptr<PoolUsage> Pool = nullptr;
};

class Runtime {
public:
  /// The device, made at the first call that needs it; null if the environment
  /// asks for something impossible, which is printed once.
  static Runtime *get();
  /// Whether get() has made it.
  static bool isMade();

  explicit Runtime(Settings S)
      : Config(std::move(S)), Sampler(Config.SamplePercent),
        Log(Config, Sampler) {}
  /// Makes the machine that runs kernels.
  Result<void> start();

  const Settings Config;
  LaunchSampler Sampler; ///< Of all launches, those before a reset as well.
  std::optional<Launcher> Kernels;
  Report Log;
  Timeline Clock;
  std::optional<sim::GlobalMemory> Memory{std::in_place};
  std::map<uint64_t, Allocation> Allocations;
  std::map<const void *, std::unique_ptr<Event>> Events;
  std::map<cudaLimit, size_t> Limits;
  /// Launches by kernels that were refused and warned of.
  std::set<std::string> RefusedToKernels;
  std::map<const cudaArray *, std::unique_ptr<cudaArray>> Arrays;
  std::map<cudaTextureObject_t, TextureObject> Textures;
  std::map<cudaSurfaceObject_t, cudaResourceDesc> Surfaces;
  MemoryPools Pools;
  GraphRegistry Graphs;
  std::map<const CUgraphExec_st *, std::shared_ptr<CUgraphExec_st>> Executables;
  CaptureTable Captures;
  unsigned DeviceFlags = 0;
  cudaFuncCache CacheConfig = cudaFuncCachePreferNone;
  /// A fault of a kernel: what every later call returns.
  cudaError_t Fault = cudaSuccess;

  /// The allocation that \p Address lies in; null if there is none.
  const std::pair<const uint64_t, Allocation> *
  findAllocation(const void *Address) const;
  cudaError_t allocate(void **Ptr, uint64_t Size, cudaMemoryType Type,
                       unsigned Flags = 0);
  /// \p HostWaits for the device, which may still be using the memory.
  cudaError_t release(void *Ptr, bool Host, bool HostWaits = true);

  /// Makes sure that the device code around \p K or \p V is loaded.
  cudaError_t load(Module &M) {
    return ModuleTable::get().load(M, Config, *Memory);
  }
  /// The host waits for all work.
  void synchronize() { waitUntil(Clock.end()); }
  /// The host waits until \p Time.
  void waitUntil(double Time) {
    Clock.advanceHost(Time);
    Pools.releaseUnused();
  }
  /// A device as at the program's start.
  void reset();
};

/// The lock that every call holds.
std::recursive_mutex &apiLock();

/// Remembers \p Error for cudaGetLastError and hands it back.
cudaError_t recordError(cudaError_t Error);
/// What cudaGetLastError returns becomes \p Error; what it was.
cudaError_t exchangeLastError(cudaError_t Error);
/// A device that cannot be made: what calls return then.
inline constexpr cudaError_t SetupError = cudaErrorInitializationError;

/// Runs \p Body(Runtime &), which returns a cudaError_t, as a call of the API.
template <typename Fn> cudaError_t apiCall(Fn &&Body) {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  Runtime *R = Runtime::get();
  if (!R)
    return recordError(SetupError);
  if (R->Fault != cudaSuccess)
    return recordError(R->Fault);
  return recordError(Body(*R));
}

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_RUNTIME_H
