//===- StraightRuns.h - Instructions that run without questions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What can be known of an instruction before it is executed. A read needs no
/// check where every way to it writes the register, in all threads that come
/// there: the check could not fail. A register all of whose reads are like that
/// is not tracked at all. What follows from that, from guards and from branches
/// is how many instructions a warp can execute one after the other, with
/// nothing to decide between them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DECODE_STRAIGHTRUNS_H
#define REGSHARE_SIM_DECODE_STRAIGHTRUNS_H

#include "regshare/Sim/Program.h"

namespace regshare::sim {

/// Sets Function::WrittenAtStart, Inst::IsTracked and Inst::Run of all
/// functions of \p P, which are decoded.
void findStraightRuns(Program &P);

} // namespace regshare::sim

#endif // REGSHARE_SIM_DECODE_STRAIGHTRUNS_H
