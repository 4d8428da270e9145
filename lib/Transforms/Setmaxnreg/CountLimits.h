//===- CountLimits.h - Registers that a region leaves -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where setmaxnreg changes how many registers a thread has, values that are
/// live in a region have registers below its count. Private to the
/// transformations.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SETMAXNREG_COUNTLIMITS_H
#define REGSHARE_LIB_TRANSFORMS_SETMAXNREG_COUNTLIMITS_H

#include "Transforms/Assign/Interference.h"

#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

namespace regshare {

/// Code in which a thread may have no more than \c Limit registers.
struct LimitedStretch {
  uint32_t Start, End; ///< Half open, in slots: see OperandTable.
  unsigned Limit;
};

/// All of \p MF, whose operands \p Code has, in layout order.
std::vector<LimitedStretch> countLimits(const llvm::MachineFunction &MF,
                                        const OperandTable &Code,
                                        LaunchRegisters Launch);

/// Fails if more units are live in a stretch than its limit leaves beside
/// \p Reserved ones.
llvm::Error checkLimits(const llvm::MachineFunction &MF, const LiveValues &Live,
                        llvm::ArrayRef<LimitedStretch> Limits,
                        unsigned Reserved);

/// Keeps each value below the limits of all stretches in which it is live.
void boundByLimits(const LiveValues &Live,
                   llvm::ArrayRef<LimitedStretch> Limits, Interference &Graph);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SETMAXNREG_COUNTLIMITS_H
