//===- MemoryPool.cpp - Memory that is given out in the order of streams -===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemoryPool.h"

#include "Graph/Capture.h"
#include "Graph/GraphMemory.h"
#include "Runtime.h"

#include <algorithm>

namespace regshare::cudart {

/// Pools take memory from the device in such pieces: the granularity with which
/// GPUs map memory.
static constexpr uint64_t PoolGranule = uint64_t(2) << 20;

static uint64_t inGranules(uint64_t Bytes) {
  return (Bytes + PoolGranule - 1) / PoolGranule * PoolGranule;
}

void PoolUsage::add(uint64_t Bytes) {
  Used += Bytes;
  UsedHigh = std::max(UsedHigh, Used);
  Reserved = std::max(Reserved, inGranules(Used));
  ReservedHigh = std::max(ReservedHigh, Reserved);
}

void PoolUsage::trim(uint64_t Keep) {
  Reserved = std::max(inGranules(Used), std::min(Reserved, Keep));
}

MemoryPools::MemoryPools() {
  cudaMemPoolProps Props = {};
  Props.allocType = cudaMemAllocationTypePinned;
  Props.location = {cudaMemLocationTypeDevice, 0};
  Default = Current = create(Props);
}

CUmemPoolHandle_st *MemoryPools::create(const cudaMemPoolProps &Props) {
  auto New = std::make_unique<CUmemPoolHandle_st>();
  New->Props = Props;
  CUmemPoolHandle_st *Handle = New.get();
  Pools.emplace(Handle, std::move(New));
  return Handle;
}

CUmemPoolHandle_st *MemoryPools::find(CUmemPoolHandle_st *Pool) {
  return Pools.count(Pool) ? Pool : nullptr;
}

void MemoryPools::destroy(CUmemPoolHandle_st *Pool) {
  if (Current == Pool)
    Current = Default;
  Pools.erase(Pool);
}

void MemoryPools::releaseUnused() {
  for (auto &[Handle, Pool] : Pools)
    Pool->Usage->trim(Pool->ReleaseThreshold);
}

uint64_t MemoryPools::heldBack() const {
  uint64_t Bytes = Graphs.Reserved - std::min(Graphs.Reserved, Graphs.Used);
  for (const auto &[Handle, Pool] : Pools)
    Bytes += Pool->Usage->Reserved -
             std::min(Pool->Usage->Reserved, Pool->Usage->Used);
  return Bytes;
}

cudaError_t allocateFromPool(Runtime &R, void **Ptr, size_t Size,
                             CUmemPoolHandle_st &Pool) {
  if (Pool.Props.maxSize && Pool.Usage->Used + Size > Pool.Props.maxSize)
    return cudaErrorMemoryAllocation;
  cudaError_t Error = R.allocate(Ptr, Size, cudaMemoryTypeDevice);
  if (Error != cudaSuccess || !*Ptr)
    return Error;
  Pool.Usage->add(Size);
  R.Allocations.at(reinterpret_cast<uint64_t>(*Ptr)).Pool = Pool.Usage;
  return cudaSuccess;
}

cudaError_t checkPoolProps(const cudaMemPoolProps &Props) {
  auto Lacks = [](const std::string &What) {
    printError("memory pools are " + What +
                   "; the call returns cudaErrorNotSupported",
               ErrorKind::Unsupported);
    return cudaErrorNotSupported;
  };
  if (Props.allocType == cudaMemAllocationTypeInvalid)
    return cudaErrorInvalidValue;
  if (Props.allocType != cudaMemAllocationTypePinned)
    return Lacks("of pinned memory, allocation type " +
                 std::to_string(int(Props.allocType)) + " is asked for");
  if (Props.location.type != cudaMemLocationTypeDevice)
    return Lacks("on the device, location type " +
                 std::to_string(int(Props.location.type)) + " is asked for");
  if (Props.handleTypes != cudaMemHandleTypeNone)
    return Lacks("not shared with other processes, handle type " +
                 std::to_string(int(Props.handleTypes)) + " is asked for");
  return Props.location.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

} // namespace regshare::cudart
