//===- WaitingLoops.h - Kernels that may wait for other CTAs ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DECODE_WAITINGLOOPS_H
#define REGSHARE_SIM_DECODE_WAITINGLOOPS_H

#include "regshare/Sim/Program.h"

namespace regshare::sim {

/// Sets Function::WaitsForOthers of the functions of \p P, which are decoded.
void findWaitingLoops(Program &P);

} // namespace regshare::sim

#endif // REGSHARE_SIM_DECODE_WAITINGLOOPS_H
