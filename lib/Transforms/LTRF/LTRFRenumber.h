//===- LTRFRenumber.h - Registers apart in their banks -------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A PREFETCH reads its registers from the banks of the register file, and
/// takes as long as the bank that most of them are in. Register R<n> of a warp
/// is in bank (n + the warp's own offset) mod the number of banks, so that
/// exchanging register numbers spreads a PREFETCH over more of them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_LTRF_LTRFRENUMBER_H
#define REGSHARE_LIB_TRANSFORMS_LTRF_LTRFRENUMBER_H

#include "regshare/Base/ArchReg.h"

#include <vector>

namespace regshare {

/// The registers of a PREFETCH and how often it is executed.
struct WeightedVector {
  RegSet Regs;
  double Weight;
};

/// The sum over \p Vectors of weight times most registers in one bank.
double bankCost(const std::vector<WeightedVector> &Vectors, unsigned Banks);

/// New numbers for units, by unit. \p Granules has for each unit the size of
/// the aligned group that has to stay together, a power of two; a group keeps
/// its order and its alignment. What is below \p Border stays below it, and
/// what is not does not come there. Never costs more than before.
std::vector<unsigned>
spreadOverBanks(const std::vector<WeightedVector> &Vectors,
                const std::vector<unsigned> &Granules, unsigned Banks,
                unsigned Border = 0);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_LTRF_LTRFRENUMBER_H
