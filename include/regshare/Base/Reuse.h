//===- regshare/Base/Reuse.h - The register-file cache ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Since Volta a sub-core keeps operands that it has read, if the instruction
/// says so by a reuse bit, for who reads the same register next (Huerta et al.,
/// MICRO 2025, register-file cache). It has one row of 32 lanes for each bank
/// and operand slot. The bits are a statement of annotated PTX:
/// `regshare.reuse`.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_REUSE_H
#define REGSHARE_BASE_REUSE_H

#include <optional>

namespace regshare {

/// Operands of an instruction that can be kept.
inline constexpr unsigned NumOperandSlots = 3;

/// Gives the register sources of an instruction their operand slots: 0 for the
/// first that its text reads, 1 for the next other one. Its own come before
/// those of what is folded into it.
class OperandSlots {
public:
  /// The slot of a source in \p FirstRow and the rows after it; none beyond
  /// the last slot.
  std::optional<unsigned> add(unsigned FirstRow) {
    for (unsigned Slot = 0; Slot != Used; ++Slot)
      if (First[Slot] == FirstRow)
        return Slot;
    if (Used == NumOperandSlots)
      return std::nullopt;
    First[Used] = FirstRow;
    return Used++;
  }
  unsigned numUsed() const { return Used; }

private:
  unsigned First[NumOperandSlots] = {};
  unsigned Used = 0;
};

} // namespace regshare

#endif // REGSHARE_BASE_REUSE_H
