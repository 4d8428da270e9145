//===- MemoryPool.h - Memory that is given out in the order of streams -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pool counts what it has given out, and what it holds back for the next
/// allocations: it keeps it until the host waits for the device, and then down
/// to its release threshold. The bytes themselves are freed at once, so that a
/// late use of them is found; what a pool holds is a figure, which the device
/// has less to give.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_POOL_MEMORYPOOL_H
#define REGSHARE_RUNTIME_POOL_MEMORYPOOL_H

#include "cuda_runtime_api.h"

#include <cstdint>
#include <map>
#include <memory>

namespace regshare::cudart {

/// In bytes.
struct PoolUsage {
  uint64_t Used = 0, UsedHigh = 0;
  uint64_t Reserved = 0, ReservedHigh = 0;

  void add(uint64_t Bytes);
  void remove(uint64_t Bytes) { Used -= Bytes; }
  /// Holds no more than \p Keep bytes, or what is used.
  void trim(uint64_t Keep);
};

} // namespace regshare::cudart

struct CUmemPoolHandle_st {
  cudaMemPoolProps Props = {};
  /// Shared with the allocations, which may outlive the pool.
  std::shared_ptr<regshare::cudart::PoolUsage> Usage =
      std::make_shared<regshare::cudart::PoolUsage>();
  uint64_t ReleaseThreshold = 0;
  /// cudaMemPoolReuse…: memory is reused in no order, so they change nothing.
  int Reuse[3] = {1, 1, 1};
};

namespace regshare::cudart {

class Runtime;

class MemoryPools {
public:
  MemoryPools();
  CUmemPoolHandle_st &defaultPool() { return *Default; }
  CUmemPoolHandle_st &current() { return *Current; }
  void setCurrent(CUmemPoolHandle_st &Pool) { Current = &Pool; }
  CUmemPoolHandle_st *create(const cudaMemPoolProps &Props);
  /// Null if there is no such pool.
  CUmemPoolHandle_st *find(CUmemPoolHandle_st *Pool);
  void destroy(CUmemPoolHandle_st *Pool);

  /// The host has waited for the device.
  void releaseUnused();
  /// What pools and graphs hold beyond what is used, in bytes.
  uint64_t heldBack() const;

  PoolUsage Graphs; ///< Of the nodes that allocate.

private:
  std::map<const CUmemPoolHandle_st *, std::unique_ptr<CUmemPoolHandle_st>>
      Pools;
  CUmemPoolHandle_st *Default, *Current;
};

/// Memory of \p Pool, which has to be left the room for it.
cudaError_t allocateFromPool(Runtime &R, void **Ptr, size_t Size,
                             CUmemPoolHandle_st &Pool);
/// cudaErrorNotSupported, with a message, for what no pool here can be.
cudaError_t checkPoolProps(const cudaMemPoolProps &Props);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_POOL_MEMORYPOOL_H
