//===- ExecContext.h - What a handler sees of the machine -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_EXECCONTEXT_H
#define REGSHARE_SIM_EXEC_EXECCONTEXT_H

#include "regshare/Sim/GlobalMemory.h"
#include "regshare/Sim/Program.h"

#include <string_view>
#include <vector>

namespace regshare::sim {

enum class FaultKind : uint8_t {
  None,
  OutOfBounds,
  Misaligned,
  ReadOnlyWrite,
  NoTexture,     ///< Address is the handle.
  BeyondSurface, ///< Address is the handle.
  Unsupported,
};

/// What went wrong in a handler, for the first lane it went wrong for.
struct Fault {
  FaultKind Kind = FaultKind::None;
  uint8_t Lane = 0;
  Space Where = Space::Generic;
  uint64_t Address = 0;
};

/// Local memory of a warp. A word's 32 lanes lie together, as in hardware, so
/// that lanes at equal offsets are one row.
struct LocalView {
  uint8_t *Data = nullptr;
  uint32_t Bytes = 0; ///< Per lane, of the frames that exist now.
};

/// The allocation that an instruction accessed last. Warps share these: they
/// execute the same code, and a table for each would fill the host's caches.
struct CachedRange {
  GlobalMemory::Range R;
  uint64_t Epoch = 0;
};
inline constexpr unsigned NumCachedRanges = 64;

/// Everything an instruction can touch. Plain data: the same for every build
/// of the handlers.
struct ExecContext {
  /// Registers, constants, special registers, operands of a pending access.
  uint32_t *Bases[4] = {};
  uint32_t *Preds = nullptr;
  uint32_t Mask = 0;  ///< Lanes to execute.
  uint32_t Alive = 0; ///< Lanes of the warp that have not exited.
  /// Lanes that a shuffle cannot hear: it reads zeros there.
  uint32_t Silent = 0;
  uint32_t Carry = 0; ///< CC.CF, one bit a lane.
  uint8_t *Shared = nullptr;
  uint32_t SharedBytes = 0;
  LocalView Local;
  uint32_t FrameBase = 0; ///< Local offset of the current frame.
  const uint8_t *Params = nullptr;
  uint32_t ParamBytes = 0;
  GlobalMemory *Global = nullptr;
  uint64_t Clock = 0; ///< Instructions or cycles, for %clock.
  uint64_t Nanoseconds = 0;
  uint64_t ClockRead = 0; ///< What the last read of either delivered.
  /// Somebody looks at Addresses after an access. After one that faults they
  /// are there in any case.
  bool KeepsAddresses = true;
  /// Addresses of the last memory instruction, within its space's window
  /// removed if the instruction names the space.
  alignas(64) uint64_t Addresses[WarpSize] = {};
  /// Of the last texture fetch: the bytes of its largest texel, and the texels
  /// that Addresses does not have.
  uint8_t TexelBytes = 0;
  std::vector<uint64_t> MoreTexels;
  /// What a bulk copy tells a barrier in shared memory once it is done.
  struct BulkArrival {
    uint32_t Barrier = 0, Bytes = 0;
  };
  std::vector<BulkArrival> Arrivals; ///< Of the last bulk copy.
  /// Bulk copies do not tell their barriers: the SM does when they are done.
  bool TellsLater = false;
  /// Where the last memory instruction went; Generic if lanes differ.
  Space Accessed = Space::Global;
  Fault F;
  CachedRange *Ranges = nullptr; ///< NumCachedRanges, of all warps of an SM.

  /// Of a warp that begins again; what it is bound to stays.
  void restart() {
    Mask = Alive = Silent = Carry = 0;
    Clock = Nanoseconds = ClockRead = 0;
    TexelBytes = 0;
    MoreTexels.clear();
    Arrivals.clear();
    TellsLater = false;
    Accessed = Space::Global;
    F = {};
  }
  const uint32_t *row(RowRef R) const {
    return Bases[R >> 30] + size_t(R & RowIndexMask) * WarpSize;
  }
  uint32_t *dest(RowRef R) const { return Bases[0] + size_t(R) * WarpSize; }
  uint32_t pred(PredRef P) const {
    uint32_t Bits = Preds[P & ~PredNegated];
    return P & PredNegated ? ~Bits : Bits;
  }
  void setPred(PredRef P, uint32_t Bits) const {
    uint32_t &Old = Preds[P];
    Old = (Old & ~Mask) | (Bits & Mask);
  }
  void fault(FaultKind Kind, unsigned Lane, uint64_t Address, Space Where) {
    if (F.Kind == FaultKind::None)
      F = {Kind, uint8_t(Lane), Where, Address};
  }
};

struct HandlerEntry {
  const char *Name;
  Handler Fn;
};

struct HandlerList {
  const HandlerEntry *Entries;
  size_t Count;
};

/// The handler of that name in the best build for this processor; null if
/// there is none.
Handler findHandler(std::string_view Name);

} // namespace regshare::sim

#endif // REGSHARE_SIM_EXEC_EXECCONTEXT_H
