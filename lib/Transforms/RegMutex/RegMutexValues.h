//===- RegMutexValues.h - The values of architected code --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes architected code apart into values, each with a virtual register of
/// its own, so that they can be given other registers. Private to RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXVALUES_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXVALUES_H

#include "Transforms/Assign/LazyIntervals.h"

#include "regshare/CodeGen/RegisterAssignment.h"

namespace regshare {

/// Makes a virtual register of every unconnected part of one. \p Places has a
/// register for each virtual register of \p MF, and gets one for those that are
/// made.
void separateValues(llvm::MachineFunction &MF, LazyIntervals &LIS,
                    RegisterAssignment &Places);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXVALUES_H
