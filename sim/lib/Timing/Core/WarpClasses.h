//===- WarpClasses.h - What the warps of an SM wait for ------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each resident warp is in one class: what its next instruction waits for, a
/// pipe that it is ready for, or held back by the scheme. A class is a mask of
/// slots, so that schedulers look at all warps at once.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_WARPCLASSES_H
#define REGSHARE_SIM_TIMING_CORE_WARPCLASSES_H

#include "CoreConfig.h"
#include "regshare/Sim/CpiStack.h"

#include <array>
#include <utility>

namespace regshare::sim {

class WarpClasses {
public:
  /// A warp's class: a SlotUse it waits for, or one of these.
  static constexpr uint8_t None = 0; ///< SlotUse::Issued: nothing waits.
  static constexpr uint8_t Ready = NumSlotUses; ///< And a pipe, or Pipe::None.
  /// The scheme refused it; no result wakes it.
  static constexpr uint8_t Held = Ready + NumPipes + 1;

  void move(unsigned Slot, uint8_t From, uint8_t To) {
    uint64_t Bit = uint64_t(1) << Slot;
    Masks[From] &= ~Bit;
    if (!Masks[From])
      Occupied &= ~(1u << From);
    if (To != None) {
      Masks[To] |= Bit;
      Occupied |= 1u << To;
    }
    HasChanged = true;
    Moved |= Bit;
  }

  uint64_t waiting(SlotUse U) const { return Masks[unsigned(U)]; }
  uint64_t ready(unsigned P) const { return Masks[Ready + P]; }
  uint64_t heldBack() const { return Masks[Held]; }
  /// Bit P: some warp is ready for the pipe P, or Pipe::None.
  uint32_t readyPipes() const {
    return Occupied >> Ready & ((1u << (NumPipes + 1)) - 1);
  }
  /// Bit U: some warp waits for the SlotUse U.
  uint32_t waits() const { return Occupied & ((1u << NumSlotUses) - 1); }
  /// The slots whose warps have moved since forgetMoves() was called for them.
  uint64_t moved() const { return Moved; }
  void forgetMoves(uint64_t Slots) { Moved &= ~Slots; }
  /// Whether a warp has moved since the last takeChange().
  bool hasChanged() const { return HasChanged; }
  bool takeChange() { return std::exchange(HasChanged, false); }

private:
  static_assert(Held < 32, "Occupied has a bit for each class");
  std::array<uint64_t, Held + 1> Masks = {};
  uint32_t Occupied = 0; ///< Classes whose masks are not empty.
  uint64_t Moved = 0;
  bool HasChanged = false;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_WARPCLASSES_H
