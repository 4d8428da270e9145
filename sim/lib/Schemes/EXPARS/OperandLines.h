//===- OperandLines.h - The lines of EXPARS' operand cache ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which register of which warp each line of an operand cache has (EXPARS
/// §3.3.4), and who needs it to stay: the bundle that a warp is in holds its
/// lines, and instructions pin those that they have yet to read or write.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_EXPARS_OPERANDLINES_H
#define REGSHARE_SIM_SCHEMES_EXPARS_OPERANDLINES_H

#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Sim/Timing.h"

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace regshare::sim {

class OperandLines {
public:
  OperandLines(const OperandCache &Shape, OperandMapping Mapping)
      : Shape(Shape), Mapping(Mapping), Lines(Shape.lines()) {}

  unsigned count() const { return unsigned(Lines.size()); }
  unsigned bankOf(unsigned Unit) const { return Shape.bankOf(Unit); }

  /// Some line has register \p Unit of the warp in \p Slot.
  bool has(unsigned Slot, unsigned Unit) const { return find(Slot, Unit); }
  /// There is a line for each of \p Units, which are those of a bundle, that
  /// has it or may be given to it.
  bool canHold(unsigned Slot, std::span<const unsigned> Units) const {
    for (unsigned Bank = 0; Bank != OperandCache::Banks; ++Bank)
      if (!canHoldIn(Bank, Slot, Units))
        return false;
    return true;
  }
  /// Slots of warps whose lines may be what \p Units have to wait for.
  uint64_t whoKeeps(unsigned Slot, std::span<const unsigned> Units) const;

  /// A register that has to be fetched.
  struct Miss {
    unsigned Unit = 0;
    bool Displaces = false; ///< What was there has to be written back before.
  };
  /// Gives lines to the registers, for the bundle that their warp is in, and
  /// returns those that were not there until the next call. Only if canHold().
  std::span<const Miss> hold(unsigned Slot, std::span<const unsigned> Units);
  /// The bundle is over. True if nobody needs the line any more.
  bool release(unsigned Slot, unsigned Unit) {
    Line &L = lineWith(Slot, Unit);
    L.IsHeld = false;
    return !isNeeded(L);
  }

  /// An instruction has yet to read or write the register, which is there.
  void pin(unsigned Slot, unsigned Unit) { ++lineWith(Slot, Unit).Pins; }
  /// As release().
  bool unpin(unsigned Slot, unsigned Unit) {
    Line &L = lineWith(Slot, Unit);
    assert(L.Pins && "nobody needs it");
    --L.Pins;
    return !isNeeded(L);
  }

  /// A result is written, if the register is there.
  bool write(unsigned Slot, unsigned Unit) {
    if (!has(Slot, Unit))
      return false;
    lineWith(Slot, Unit).IsDirty = true;
    return true;
  }

  /// The register was not fetched after all.
  void drop(unsigned Slot, unsigned Unit) {
    assert(!isNeeded(lineWith(Slot, Unit)) && "it is needed");
    lineWith(Slot, Unit) = {};
  }

  /// The warp has ended, and needs none of its registers.
  void forget(unsigned Slot) {
    for (Line &L : Lines)
      if (L.IsValid && L.Slot == Slot)
        L = {};
  }

private:
  struct Line {
    uint8_t Slot = 0, Unit = 0;
    bool IsValid = false, IsDirty = false;
    bool IsHeld = false;
    uint16_t Pins = 0;
    uint64_t Since = 0; ///< When it was held last, in bundles.
  };

  static bool isOf(const Line &L, unsigned Slot, unsigned Unit) {
    return L.IsValid && L.Slot == Slot && L.Unit == Unit;
  }
  static bool isNeeded(const Line &L) { return L.IsHeld || L.Pins; }

  /// Whether the register may be in the set, of its bank.
  bool mayBeIn(unsigned Set, unsigned Slot, unsigned Unit) const {
    unsigned Turn = Mapping == OperandMapping::Turned ? Slot : 0;
    return Mapping == OperandMapping::Associative ||
           Set == (Shape.setOf(Unit) + Turn) % Shape.sets();
  }
  unsigned lineAt(unsigned Set, unsigned Unit) const {
    return Set * OperandCache::Banks + bankOf(Unit);
  }
  const Line *find(unsigned Slot, unsigned Unit) const {
    for (unsigned Set = 0; Set != Shape.sets(); ++Set)
      if (const Line &L = Lines[lineAt(Set, Unit)]; isOf(L, Slot, Unit))
        return &L;
    return nullptr;
  }
  Line &lineWith(unsigned Slot, unsigned Unit) {
    const Line *L = find(Slot, Unit);
    assert(L && "lines that are needed keep their register");
    return Lines[size_t(L - Lines.data())];
  }
  bool canHoldIn(unsigned Bank, unsigned Slot,
                 std::span<const unsigned> Units) const;
  Line &victimFor(unsigned Slot, unsigned Unit);

  OperandCache Shape;
  OperandMapping Mapping;
  std::vector<Line> Lines;
  std::vector<Miss> Misses; ///< Of the last hold().
  uint64_t Bundles = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_EXPARS_OPERANDLINES_H
