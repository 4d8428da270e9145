//===- RecomputeToFit.h - Fewer registers for more warps ------ -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Computes cheap values of native code again where they are used, if a kernel
/// that just misses a step of occupancy reaches it by that. Private to the
/// library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTETOFIT_H
#define REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTETOFIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {

struct OccupancyStep {
  unsigned Units = 0; ///< Most 32-bit registers a thread.
  double Warps = 1;   ///< Resident on an SM, over those that are without it.
};

/// What was reached.
struct RecomputedFit {
  OccupancyStep Step;
  unsigned Added = 0; ///< Instructions.
};

/// Rewrites \p MF, which has virtual registers and no PHIs, for the first of
/// \p Steps that can be reached and whose warps are worth what is executed for
/// it. Where there is none, Added is 0 and the code as it was.
llvm::Expected<RecomputedFit>
recomputeToFit(llvm::MachineFunction &MF, llvm::ArrayRef<OccupancyStep> Steps);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTETOFIT_H
