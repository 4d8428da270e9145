//===- regshare/Base/Occupancy.h - How many CTAs an SM holds - -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Resident CTAs of a kernel on one SM, with the device's allocation
/// granularities.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_OCCUPANCY_H
#define REGSHARE_BASE_OCCUPANCY_H

#include "regshare/Base/Device.h"

#include <optional>

namespace regshare {

/// What a CTA takes of an SM.
struct KernelResources {
  unsigned RegsPerThread = 0; ///< 32-bit registers.
  unsigned ThreadsPerCTA = 0;
  unsigned SharedPerCTA = 0; ///< Bytes, static and dynamic.
};

/// What can keep another CTA out of an SM.
enum class Limiter { Registers, SharedMemory, Threads, Warps, CTAs };
/// "shared memory".
const char *limiterName(Limiter L);

/// What of a kernel is resident on an SM, and why no more is.
struct Occupancy {
  unsigned CTAs = 0;
  unsigned Warps = 0;
  /// Every limit that allows no more than CTAs; never empty.
  std::vector<Limiter> Limiters;
  unsigned RegsPerCTA = 0;   ///< After rounding.
  unsigned SharedPerCTA = 0; ///< After rounding, bytes.
  unsigned RegsLeft = 0;     ///< Of the SM, with CTAs resident.

  /// Resident warps of those that the SM has room for, 0 to 1.
  double fraction(const DeviceDescription &D) const;
};

/// Warps of a CTA; the last one may have idle lanes.
unsigned warpsPerCTA(const DeviceDescription &D, unsigned ThreadsPerCTA);
/// Registers that a warp takes, after rounding, with \p Regs per thread.
unsigned regsPerWarp(const DeviceDescription &D, unsigned Regs);
/// Rows of one partition of the register file.
unsigned partitionRows(const DeviceDescription &D);
/// Resident warps in partition \p Partition of the register file when \p Warps
/// are on the SM. Warp slot s is in partition s mod RegisterPartitions.
unsigned warpsInPartition(const DeviceDescription &D, unsigned Warps,
                          unsigned Partition);

/// Zero CTAs if even one does not fit.
Occupancy occupancy(const DeviceDescription &D, const KernelResources &K);

/// The most registers per thread with which one more CTA would be resident;
/// nothing if registers alone do not bring one.
std::optional<unsigned> regsForOneMoreCTA(const DeviceDescription &D,
                                          const KernelResources &K);

/// The most registers per thread with which \p CTAs of \p ThreadsPerCTA are
/// resident, as far as registers go; 0 if none.
unsigned regsForCTAs(const DeviceDescription &D, unsigned ThreadsPerCTA,
                     unsigned CTAs);
/// What each number of resident CTAs leaves a thread: element n is the most
/// registers with which n + 1 CTAs fit into an SM. As long as the other limits
/// of \p K allow, whose registers do not count.
std::vector<unsigned> registerSteps(const DeviceDescription &D,
                                    const KernelResources &K);

} // namespace regshare

#endif // REGSHARE_BASE_OCCUPANCY_H
