//===- AssignReuse.cpp - Reuse bits ---------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An operand is kept if the next instruction of the block that reads its bank
/// in its slot reads the same value there. So no entry of the cache outlives
/// its block, whatever other warps read in between, and however many banks
/// there are: only that instruction looks for the register in this slot.
///
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Control/Reuse.h"

#include "regshare/Base/Reuse.h"

#include <algorithm>
#include <array>

namespace regshare {

/// Banks of a sub-core of all parts since Volta (Jia et al., Dissecting the
/// NVIDIA Volta GPU Architecture via Microbenchmarking, 2018).
static constexpr unsigned NumBanks = 2;
/// No register that could be found.
static constexpr Access Nothing = ~Access(0);

namespace {
/// A walk over a block from its end.
class ReuseWalk {
public:
  ReuseWalk() { forget(); }
  void visit(ControlUnit &U);

private:
  void forget() {
    for (auto &Bank : NextRead)
      Bank.fill(Nothing);
  }
  bool findsAll(const ControlUnit &U, unsigned Slot) const;

  /// By bank and slot: the register that the next unit to read there finds, if
  /// it has been kept.
  std::array<std::array<Access, NumOperandSlots>, NumBanks> NextRead;
};
} // namespace

/// Whether all that \p U reads in \p Slot is read there next.
bool ReuseWalk::findsAll(const ControlUnit &U, unsigned Slot) const {
  bool Any = false;
  for (const OperandRead &R : U.Operands) {
    if (R.Slot != Slot)
      continue;
    Any = true;
    if (NextRead[R.Row % NumBanks][Slot] != R.Row)
      return false;
  }
  return Any;
}

void ReuseWalk::visit(ControlUnit &U) {
  U.Reuse = 0;
  if (U.endsReuse())
    return forget();
  // What it overwrites is another value to those before it, and itself.
  for (auto &Bank : NextRead)
    for (Access &Row : Bank)
      if (std::ranges::find(U.Writes, Row) != U.Writes.end())
        Row = Nothing;
  if (!U.Slots)
    return; // Hardware has no such instruction.
  if (U.looksForOperands())
    for (unsigned Slot = 0; Slot != NumOperandSlots; ++Slot)
      U.Reuse |= unsigned(findsAll(U, Slot)) << Slot;
  for (const OperandRead &R : U.Operands)
    NextRead[R.Row % NumBanks][R.Slot] = U.looksForOperands() ? R.Row : Nothing;
}

void assignReuse(ControlCode &Code) {
  for (ControlBlock &B : Code) {
    ReuseWalk Walk;
    for (size_t N = B.Units.size(); N--;)
      Walk.visit(B.Units[N]);
  }
}

} // namespace regshare
