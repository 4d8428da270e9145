//===- ModernClasses.h - Instructions of a core since Volta -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which unit of a modern core executes a PTX instruction, and how long its
/// result takes.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_MODERNCLASSES_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_MODERNCLASSES_H

#include "Timing/Core/CoreConfig.h"

namespace regshare::sim {

/// Completes what an instruction of \p F is for issue, as far as that differs
/// on a modern core. A fixed latency is that to the last of all readers: then
/// the result is written.
void describeModern(IssueInfo &Info, const Function &F, const Inst &I,
                    const CoreConfig &Config);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_MODERNCLASSES_H
