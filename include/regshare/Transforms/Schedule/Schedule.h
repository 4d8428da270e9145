//===- regshare/Transforms/Schedule/Schedule.h - Hide latency ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `regshare-schedule`: puts the instructions of native code in an order in
/// which results have time to come, without more registers than the occupancy
/// aimed for leaves a thread. Runs before registers are assigned.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SCHEDULE_SCHEDULE_H
#define REGSHARE_TRANSFORMS_SCHEDULE_SCHEDULE_H

#include "llvm/Support/Error.h"

#include <cstdint>

namespace llvm {
class AAResults;
class MachineFunction;
class MachineLoopInfo;
class PassRegistry;
void initializeSchedulePassPass(PassRegistry &);
} // namespace llvm

namespace regshare {

struct CompilerOptions;

/// What the scheduler did to a kernel.
struct ScheduleStats {
  unsigned Regions = 0;   ///< Of two instructions and more.
  unsigned Reordered = 0; ///< Of them, in another order now.
  unsigned Budget = 0;    ///< 32-bit units that it had.
  /// Instructions added to compute values again, where no order kept to the
  /// registers that the kernel may have.
  unsigned Recomputed = 0;
  /// Sums over the regions, of a warp that is alone: before and after.
  uint64_t CyclesBefore = 0, CyclesAfter = 0;
};

/// 32-bit units of a thread that the scheduler may use for a kernel that needs
/// \p Peak of them in the order it has: as many as leave the SM full of CTAs,
/// and otherwise no more than the kernel needs anyway, as ptxas does; never
/// more than launch bounds and options allow. With Options.ScheduleCTAs, which
/// needs a device, as many as leave room for so many CTAs. Fails if the device
/// cannot be loaded or never has that room.
llvm::Expected<unsigned> scheduleBudget(const llvm::MachineFunction &MF,
                                        const CompilerOptions &Options,
                                        unsigned Peak);

/// Orders every region of \p MF, which has virtual registers and no PHIs. The
/// result depends on nothing but the code and the options. Fails for an
/// architecture without latencies.
llvm::Expected<ScheduleStats> schedule(llvm::MachineFunction &MF,
                                       const llvm::MachineLoopInfo &MLI,
                                       llvm::AAResults *AA,
                                       const CompilerOptions &Options);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_SCHEDULE_SCHEDULE_H
