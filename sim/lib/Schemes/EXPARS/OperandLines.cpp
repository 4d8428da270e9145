//===- OperandLines.cpp - The lines of EXPARS' operand cache --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandLines.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace regshare::sim {

/// Registers of a bank that are not there take lines that nobody needs and that
/// no other of the registers is in. With one set for each, no two of a bundle
/// want the same line (EXPARS §3.2).
bool OperandLines::canHoldIn(unsigned Bank, unsigned Slot,
                             std::span<const unsigned> Units) const {
  uint32_t Free = 0;
  for (unsigned Set = 0; Set != Shape.sets(); ++Set)
    if (!isNeeded(Lines[Set * OperandCache::Banks + Bank]))
      Free |= 1u << Set;
  std::vector<unsigned> Missing;
  for (unsigned Unit : Units) {
    if (bankOf(Unit) != Bank)
      continue;
    if (const Line *L = find(Slot, Unit))
      Free &= ~(1u << (unsigned(L - Lines.data()) / OperandCache::Banks));
    else
      Missing.push_back(Unit);
  }
  if (Mapping == OperandMapping::Associative)
    return std::popcount(Free) >= int(Missing.size());
  return std::ranges::all_of(Missing, [&](unsigned Unit) {
    for (unsigned Set = 0; Set != Shape.sets(); ++Set)
      if ((Free >> Set & 1) && mayBeIn(Set, Slot, Unit))
        return true;
    return false;
  });
}

uint64_t OperandLines::whoKeeps(unsigned Slot,
                                std::span<const unsigned> Units) const {
  uint64_t Slots = 0;
  for (unsigned Unit : Units)
    for (unsigned Set = 0; !has(Slot, Unit) && Set != Shape.sets(); ++Set)
      if (const Line &L = Lines[lineAt(Set, Unit)];
          mayBeIn(Set, Slot, Unit) && isNeeded(L))
        Slots |= uint64_t(1) << L.Slot;
  return Slots;
}

/// An empty line, else one whose register need not be written back, else any;
/// of these the one that was held first.
OperandLines::Line &OperandLines::victimFor(unsigned Slot, unsigned Unit) {
  Line *Best = nullptr;
  auto Cost = [](const Line &L) {
    return std::tuple(L.IsValid, L.IsDirty, L.Since);
  };
  for (unsigned Set = 0; Set != Shape.sets(); ++Set) {
    Line &L = Lines[lineAt(Set, Unit)];
    if (mayBeIn(Set, Slot, Unit) && !isNeeded(L) &&
        (!Best || Cost(L) < Cost(*Best)))
      Best = &L;
  }
  assert(Best && "canHold() has seen one");
  return *Best;
}

std::span<const OperandLines::Miss>
OperandLines::hold(unsigned Slot, std::span<const unsigned> Units) {
  assert(canHold(Slot, Units) && "another warp needs a line");
  Misses.clear();
  ++Bundles;
  // What is there stays.
  for (unsigned Unit : Units)
    if (has(Slot, Unit)) {
      Line &L = lineWith(Slot, Unit);
      L.IsHeld = true;
      L.Since = Bundles;
    }
  for (unsigned Unit : Units) {
    if (has(Slot, Unit))
      continue;
    Line &L = victimFor(Slot, Unit);
    Misses.push_back({Unit, L.IsValid && L.IsDirty});
    L = {uint8_t(Slot), uint8_t(Unit), true, false, true, 0, Bundles};
  }
  return Misses;
}

} // namespace regshare::sim
