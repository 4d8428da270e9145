//===- AccessPattern.h - What most accesses look like --------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_ACCESSPATTERN_H
#define REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_ACCESSPATTERN_H

#include "Timing/Memory/MemoryPort.h"

namespace regshare::sim {

/// Most accesses are of one of two patterns, for which the transactions and
/// passes need no look at each lane.
enum class AccessPattern : uint8_t {
  Other,
  Uniform,    ///< All 32 lanes name one address.
  Sequential, ///< All 32 lanes are active and lie side by side.
};

inline AccessPattern patternOf(const MemoryAccess &A) {
  if (A.Mask != ~uint32_t(0))
    return AccessPattern::Other;
  uint64_t NotUniform = 0, NotSequential = 0, Expected = 0;
  for (uint64_t Address : A.Addresses) {
    uint64_t Distance = Address - A.Addresses[0];
    NotUniform |= Distance;
    NotSequential |= Distance ^ Expected;
    Expected += A.Bytes;
  }
  return !NotUniform      ? AccessPattern::Uniform
         : !NotSequential ? AccessPattern::Sequential
                          : AccessPattern::Other;
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_ACCESSPATTERN_H
