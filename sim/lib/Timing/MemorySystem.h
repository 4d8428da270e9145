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

#ifndef REGSHARE_SIM_TIMING_MEMORYSYSTEM_H
#define REGSHARE_SIM_TIMING_MEMORYSYSTEM_H

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

  /// No reply comes earlier than this after its request left the SM; at least
  /// the machine's quantum.
  static Cycle minimumRoundTrip(const MemoryConfig &Config);

  /// Simulates up to and without the cycle \p Until. \p Requests are those
  /// that left the SMs since the last call, by time and then by SM. Appends
  /// the replies whose time of arrival is known.
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

#endif // REGSHARE_SIM_TIMING_MEMORYSYSTEM_H
