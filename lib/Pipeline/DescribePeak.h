//===- DescribePeak.h - Find who holds registers ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_PIPELINE_DESCRIBEPEAK_H
#define REGSHARE_LIB_PIPELINE_DESCRIBEPEAK_H

#include "regshare/Pipeline/PeakValues.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace regshare {

struct PressurePoint;
class ThreadLiveness;
class ValueNames;

/// The values that hold registers of a thread at the instruction \p At of
/// \p Points: those of a function with architected registers, in layout order,
/// without RegShare's statements. Who is read last comes first.
std::vector<PeakValue>
describePeak(llvm::ArrayRef<const PressurePoint *> Points, unsigned At,
             const ThreadLiveness &Liveness, const ValueNames &Names);

} // namespace regshare

#endif // REGSHARE_LIB_PIPELINE_DESCRIBEPEAK_H
