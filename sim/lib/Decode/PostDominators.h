//===- PostDominators.h - Immediate post-dominators -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DECODE_POSTDOMINATORS_H
#define REGSHARE_SIM_DECODE_POSTDOMINATORS_H

#include "regshare/Sim/Program.h"

namespace regshare::sim {

/// For each branch of \p F the instruction where its sides meet again, which
/// is the start of its block's immediate post-dominator; NoTarget where that
/// is the function's end. Other instructions have NoTarget.
std::vector<uint32_t> immediatePostDominators(const Function &F);

} // namespace regshare::sim

#endif // REGSHARE_SIM_DECODE_POSTDOMINATORS_H
