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

#ifndef REGSHARE_SIM_TIMING_OPERANDLINES_H
#define REGSHARE_SIM_TIMING_OPERANDLINES_H

#include "regshare/Base/EXPARS.h"

#include <cassert>
#include <cstdint>
#include <vector>

namespace regshare::sim {

class OperandLines {
public:
  /// \p RotatesSets as in SchemeOptions.
  explicit OperandLines(const OperandCache &Shape, bool RotatesSets = false)
      : Shape(Shape), RotatesSets(RotatesSets), Lines(Shape.lines()) {}

  unsigned count() const { return unsigned(Lines.size()); }
  unsigned bankOf(unsigned Unit) const { return Shape.bankOf(Unit); }

  /// The line has register \p Unit of the warp in \p Slot.
  bool has(unsigned Slot, unsigned Unit) const {
    return isOf(lineFor(Slot, Unit), Slot, Unit);
  }
  /// The line has it, or may be given to it.
  bool isFreeFor(unsigned Slot, unsigned Unit) const {
    const Line &L = lineFor(Slot, Unit);
    return isOf(L, Slot, Unit) || !isNeeded(L);
  }
  /// Slots of warps that keep the line from \p Unit of \p Slot: none or one.
  uint64_t whoKeeps(unsigned Slot, unsigned Unit) const {
    return isFreeFor(Slot, Unit) ? 0 : uint64_t(1) << lineFor(Slot, Unit).Slot;
  }

  enum class Outcome : uint8_t {
    Hit,      ///< The register was there.
    Miss,     ///< It has to be fetched.
    Displaces ///< That too, and what was there has to be written back.
  };
  /// Gives the line to the register, for the bundle that its warp is in. Only
  /// if isFreeFor().
  Outcome hold(unsigned Slot, unsigned Unit) {
    assert(isFreeFor(Slot, Unit) && "another warp needs the line");
    Line &L = lineFor(Slot, Unit);
    Outcome O = isOf(L, Slot, Unit)      ? Outcome::Hit
                : L.IsValid && L.IsDirty ? Outcome::Displaces
                                         : Outcome::Miss;
    if (O != Outcome::Hit)
      L = {uint8_t(Slot), uint8_t(Unit), true, false, false, 0};
    L.IsHeld = true;
    return O;
  }
  /// The bundle is over. True if nobody needs the line any more.
  bool release(unsigned Slot, unsigned Unit) {
    assert(has(Slot, Unit) && "held lines keep their register");
    Line &L = lineFor(Slot, Unit);
    L.IsHeld = false;
    return !isNeeded(L);
  }

  /// An instruction has yet to read or write the register, which is there.
  void pin(unsigned Slot, unsigned Unit) {
    assert(has(Slot, Unit) && "the bundle has brought it");
    ++lineFor(Slot, Unit).Pins;
  }
  /// As release().
  bool unpin(unsigned Slot, unsigned Unit) {
    Line &L = lineFor(Slot, Unit);
    assert(isOf(L, Slot, Unit) && L.Pins && "pinned lines keep their register");
    --L.Pins;
    return !isNeeded(L);
  }

  /// A result is written, if the register is there.
  bool write(unsigned Slot, unsigned Unit) {
    if (!has(Slot, Unit))
      return false;
    lineFor(Slot, Unit).IsDirty = true;
    return true;
  }

  /// The register was not fetched after all.
  void drop(unsigned Slot, unsigned Unit) {
    assert(has(Slot, Unit) && !isNeeded(lineFor(Slot, Unit)) && "it is needed");
    lineFor(Slot, Unit) = {};
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
  };

  static bool isOf(const Line &L, unsigned Slot, unsigned Unit) {
    return L.IsValid && L.Slot == Slot && L.Unit == Unit;
  }
  static bool isNeeded(const Line &L) { return L.IsHeld || L.Pins; }
  unsigned lineOf(unsigned Slot, unsigned Unit) const {
    unsigned Turn = RotatesSets ? Slot * OperandCache::Banks : 0;
    return Shape.lineOf(Unit + Turn);
  }
  Line &lineFor(unsigned Slot, unsigned Unit) {
    return Lines[lineOf(Slot, Unit)];
  }
  const Line &lineFor(unsigned Slot, unsigned Unit) const {
    return Lines[lineOf(Slot, Unit)];
  }

  OperandCache Shape;
  bool RotatesSets;
  std::vector<Line> Lines;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_OPERANDLINES_H
