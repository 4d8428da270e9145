//===- MemorySystem.h - Interconnect, L2 and DRAM ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all SMs share: the interconnect, the L2's slices and the DRAM channels
/// behind them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_MEMORYSYSTEM_H
#define REGSHARE_SIM_TIMING_MEMORY_MEMORYSYSTEM_H

#include "MemoryConfig.h"
#include "MemoryPort.h"

#include <memory>
#include <span>
#include <vector>

namespace regshare::sim {

class MemorySystem {
public:
  MemorySystem(const MemoryConfig &Config, unsigned NumSMs);
  ~MemorySystem();

  /// Every reply arrives at least this long after its request left the SM, and
  /// after the end of the call before the one that appends it: SMs may run
  /// ahead by as much.
  static Cycle minimumRoundTrip(const MemoryConfig &Config);

  /// Simulates up to and without the cycle \p Until. \p Requests are those
  /// that left the SMs since the last call, by time, then by SM, then as the SM
  /// sent them. Appends the replies whose time of arrival is known, those of an
  /// SM in the order of their arrival. The result does not depend on how time
  /// is divided into calls.
  void advance(std::span<const MemoryRequest> Requests, Cycle Until,
               std::vector<MemoryReply> &Replies);
  /// Nothing is on its way; dirty lines may remain in the L2.
  bool isIdle() const;
  const MemoryStats &stats() const;

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_MEMORYSYSTEM_H
