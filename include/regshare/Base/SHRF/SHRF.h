//===- regshare/Base/SHRF.h - Arithmetic of SHRF ------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the software-managed hierarchical register file's hardware stores.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SHRF_SHRF_H
#define REGSHARE_BASE_SHRF_SHRF_H

#include "regshare/Base/Scheme.h"

#include <cstdint>

namespace regshare {

/// The sizes that SHRF's state on an SM depends on.
struct SHRFShape {
  unsigned Warps = 64; ///< Resident on an SM at most.
  unsigned ActiveWarps = 8;
  unsigned Slots = 16; ///< Registers that an active warp has in the cache.
};

/// Bits that SHRF adds to one SM, the register cache itself apart. The paper
/// (Sadrosadati et al., ASPLOS 2018, §2.3, §6.6) counts none for it: this is
/// what the SM of docs/shrf.md needs. There are no tags, valid or dirty bits,
/// since code says where operands are.
struct SHRFStorage {
  /// For each warp its place in the cache (a warp offset, §4.3).
  uint64_t WarpOffset = 0;
  /// For each slot whether a result is on its way to it,
  uint64_t Results = 0;
  /// and whether a register is that an instruction fetches.
  uint64_t Fetches = 0;
  uint64_t total() const { return WarpOffset + Results + Fetches; }
};
/// What SHRF stores on an SM of that shape.
SHRFStorage shrfStorage(const SHRFShape &Shape);

namespace schemes {
extern const SchemeDescription SHRF;
} // namespace schemes

namespace settings {
/// Registers of a warp in the register cache. Declared once with the other
/// schemes that have such a cache.
extern const Setting IntervalRegisters;
} // namespace settings

} // namespace regshare

#endif // REGSHARE_BASE_SHRF_SHRF_H
