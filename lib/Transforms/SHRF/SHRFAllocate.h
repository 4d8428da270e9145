//===- SHRFAllocate.h - Which values a register cache has ----- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SHRF_SHRFALLOCATE_H
#define REGSHARE_LIB_TRANSFORMS_SHRF_SHRFALLOCATE_H

#include "regshare/Analysis/SHRF/SHRFStrands.h"

#include <optional>
#include <vector>

namespace regshare {

/// What a 32-bit unit holds from one place of a strand on. Positions number the
/// strand's instructions, piece by piece.
struct CachedValue {
  unsigned Unit = 0;
  bool IsResult = false; ///< Of Begin; otherwise a source that is read there.
  unsigned Begin = 0;
  /// Where it could be read from the cache, ascending; a source's first read is
  /// none of them.
  std::vector<unsigned> Reads;
  bool NeedsMain = false; ///< Something reads it from the main file.
  std::optional<unsigned> Slot;

  unsigned last() const { return Reads.back(); }
};

/// The values of \p S that it could be worth having in the cache.
std::vector<CachedValue> valuesOf(const Strand &S, const StrandCode &Code,
                                  const Analyses &A);

/// Gives each of \p Values a slot of its own from where it begins to its last
/// read, as long as there are some of \p Slots: those first that save most
/// accesses to the main file for each instruction that they take a slot for. A
/// value for which none is free gives up its last reads. \p Frequency is how
/// often the instruction at each position executes.
void allocateSlots(std::vector<CachedValue> &Values, unsigned Slots,
                   const std::vector<double> &Frequency);

/// Accesses to the main file that \p V saves.
double savedBy(const CachedValue &V, const std::vector<double> &Frequency);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SHRF_SHRFALLOCATE_H
