//===- RecomputeWithin.h - Values made again for want of room - -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Computes cheap values of native code again where they are used, so that a
/// kernel keeps to a number of registers with fewer spills or without. Private
/// to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTEWITHIN_H
#define REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTEWITHIN_H

#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {

/// Rewrites \p MF, which has virtual registers and no PHIs, such that \p Units
/// 32-bit registers are live at once, or as few more as can be. Returns the
/// instructions added; where that is 0, the code is as it was.
llvm::Expected<unsigned> recomputeWithin(llvm::MachineFunction &MF,
                                         unsigned Units);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTEWITHIN_H
