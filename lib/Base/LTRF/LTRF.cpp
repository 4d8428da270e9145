//===- LTRF.cpp - Arithmetic of LTRF --------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/LTRF/LTRF.h"

#include "regshare/Base/IndexBits.h"

namespace regshare {

LTRFStorage ltrfStorage(const LTRFShape &Shape) {
  uint64_t Registers = uint64_t(Shape.Warps) * Shape.RegsPerThread;
  LTRFStorage S;
  S.AddressTable = Registers * (indexBits(Shape.IntervalRegisters) + 1);
  S.WarpOffset = uint64_t(Shape.Warps) * indexBits(Shape.ActiveWarps);
  S.WorkingSet = Registers;
  S.Liveness = Registers;
  return S;
}

bool usesIntervals(Scheme S) {
  return S.includes(schemes::LTRF) || S.includes(schemes::LTRFPlus) ||
         S.includes(schemes::LTRFStrand);
}

bool usesDeadOperands(Scheme S) { return S.includes(schemes::LTRFPlus); }

} // namespace regshare
