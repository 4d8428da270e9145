//===- regshare/Transforms/AnnotateFrees.h - Where registers die - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's side of register file virtualisation (RFV): physical
/// registers are allocated where a warp writes an architected one, and freed
/// where no lane of the warp needs it any more. This finds those places, from
/// warp liveness, and writes `regshare.free` statements there.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_RFV_ANNOTATEFREES_H
#define REGSHARE_TRANSFORMS_RFV_ANNOTATEFREES_H

#include "regshare/Analysis/FreePoints.h"

#include <vector>

namespace regshare {

/// Writes a `regshare.free` statement for each of \p Frees into \p MF.
void insertFrees(llvm::MachineFunction &MF,
                 const std::vector<FreePoint> &Frees);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_RFV_ANNOTATEFREES_H
