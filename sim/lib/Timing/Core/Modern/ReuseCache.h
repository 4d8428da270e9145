//===- ReuseCache.h - Operands that are kept --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The register-file cache of a sub-core since Volta (Huerta et al., MICRO
/// 2025): for each bank and operand slot it has a row of 32 lanes. An
/// instruction fills it with the operands whose reuse bits it has; who reads
/// the same register of the same warp in the same slot next takes no port. Any
/// read of the bank in that slot ends the entry.
///
/// Hardware does not look whether a register that it has kept has been written
/// since. Code must not read it then, and the cache says so.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_REUSECACHE_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_REUSECACHE_H

#include "regshare/Base/Reuse.h"

#include <cstdint>
#include <vector>

namespace regshare::sim {

class ReuseCache {
public:
  enum Lookup : uint8_t { Miss, Hit, Stale };

  explicit ReuseCache(unsigned Banks) : Entries(size_t(Banks)) {}

  /// A warp reads the row \p Row in \p Slot, and keeps it if \p Keeps. Stale:
  /// the row has been written since it was kept. Wherever a scheme has put the
  /// row, the register's number says which of the entries it takes.
  Lookup read(unsigned Row, unsigned Slot, unsigned Warp, bool Keeps) {
    Entry &E = Entries[Row % Entries.size()].Of[Slot];
    Lookup Found = !E.holds(Warp, Row) ? Miss : E.IsStale ? Stale : Hit;
    Live = Live - E.IsLive + Keeps;
    E = {Keeps, false, uint8_t(Warp), uint16_t(Row)};
    return Found;
  }
  /// A warp writes the row.
  void write(unsigned Warp, unsigned Row) {
    if (!Live)
      return;
    for (BankEntries &B : Entries)
      for (Entry &E : B.Of)
        E.IsStale |= E.holds(Warp, Row);
  }
  /// The warp is over.
  void forget(unsigned Warp) {
    if (!Live)
      return;
    for (BankEntries &B : Entries)
      for (Entry &E : B.Of)
        if (E.IsLive && E.Warp == Warp) {
          E = {};
          --Live;
        }
  }
  /// Ends all entries: the hardware does more than the code says.
  void clear() {
    if (Live)
      Entries.assign(Entries.size(), {});
    Live = 0;
  }

private:
  struct Entry {
    bool IsLive = false, IsStale = false;
    uint8_t Warp = 0;
    uint16_t Row = 0;

    bool holds(unsigned W, unsigned R) const {
      return IsLive && Warp == W && Row == R;
    }
  };
  struct BankEntries {
    Entry Of[NumOperandSlots];
  };
  std::vector<BankEntries> Entries;
  unsigned Live = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_REUSECACHE_H
