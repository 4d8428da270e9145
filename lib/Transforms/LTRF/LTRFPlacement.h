//===- LTRFPlacement.h - Where PREFETCHes stand --------------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_LTRF_LTRFPLACEMENT_H
#define REGSHARE_LIB_TRANSFORMS_LTRF_LTRFPLACEMENT_H

#include "regshare/Analysis/LTRF/IntervalCode.h"

namespace regshare {

/// Writes the PREFETCHes of \p P into \p MF and which code belongs to which
/// interval. Register-intervals that lead back to their own head have a block
/// in front of it for the PREFETCH; returns how many were made.
unsigned placePrefetches(llvm::MachineFunction &MF, const IntervalCode &Code,
                         const IntervalPartition &P, unsigned MaxRegisters);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_LTRF_LTRFPLACEMENT_H
