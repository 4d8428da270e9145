//===- regshare/Base/LTRF.h - Arithmetic of LTRF ------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What LTRF's hardware stores and how much longer PREFETCHes make the code
/// (LTRF §4.1, §4.3).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_LTRF_LTRF_H
#define REGSHARE_BASE_LTRF_LTRF_H

#include "regshare/Base/Scheme.h"

#include <cstdint>

namespace regshare {

/// Registers of an interval where nobody asks for another number (§4.1).
inline constexpr unsigned DefaultIntervalRegisters = 16;

/// The sizes that the warp control blocks (WCBs) of an SM depend on.
struct LTRFShape {
  unsigned Warps = 64;          ///< Resident on an SM at most.
  unsigned RegsPerThread = 256; ///< That code can name.
  unsigned ActiveWarps = 8;
  unsigned IntervalRegisters = DefaultIntervalRegisters;
};

/// Bits of all WCBs of an SM.
struct LTRFStorage {
  /// For each register of each warp its cache bank and whether it is there.
  uint64_t AddressTable = 0;
  uint64_t WarpOffset = 0; ///< Where in the banks a warp's registers are.
  uint64_t WorkingSet = 0; ///< A bit for each register of each warp.
  uint64_t Liveness = 0;   ///< The same; LTRF+ reads it.
  uint64_t total() const {
    return AddressTable + WarpOffset + WorkingSet + Liveness;
  }
};
/// Paper: 114,880 bits for 64 warps of 256 registers (§4.3).
LTRFStorage ltrfStorage(const LTRFShape &Shape);

/// Whether code of \p S is divided into intervals.
bool usesIntervals(Scheme S);
/// Whether it also says which operands are dead.
bool usesDeadOperands(Scheme S);

namespace settings {
extern const Setting IntervalRegisters, PublishedIntervals, RenumberBanks,
    DirtyBits;
} // namespace settings

namespace schemes {
extern const SchemeDescription LTRF, LTRFPlus, LTRFStrand;
} // namespace schemes

} // namespace regshare

#endif // REGSHARE_BASE_LTRF_LTRF_H
