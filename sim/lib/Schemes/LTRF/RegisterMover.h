//===- RegisterMover.h - Between main register file and cache ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The banks of the main register file and the narrow crossbar between them and
/// the banks of the register cache (LTRF §4.2). A crossbar's lines carry data
/// one way, as those of a register file without a cache do (operands out,
/// results in): each bank on either side has a line for what comes and one for
/// what goes. A row keeps its two lines for CrossbarCycles; who asks first is
/// served first. A bank of the main file begins an access each cycle, while the
/// ones before are still under way. One of the cache takes or gives a row in
/// one cycle, in which it serves no instruction.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_LTRF_REGISTERMOVER_H
#define REGSHARE_SIM_SCHEMES_LTRF_REGISTERMOVER_H

#include "Schemes/BankCalendar.h"
#include "Schemes/Scheme.h"

#include <algorithm>

namespace regshare::sim {

class RegisterMover {
public:
  /// The crossbar is a quarter as wide as a row of 32 lanes (§4.2).
  static constexpr unsigned CrossbarCycles = 4;

  explicit RegisterMover(const CoreConfig &C)
      : Parts(C.Organisation == OperandOrganisation::Collectors ? 1
                                                                : C.Schedulers),
        MainBanks(C.MainBanks), CacheBanks(C.Banks), Access(C.RegisterCycles),
        Main(Parts * C.MainBanks), Cache(Parts * C.Banks), MainAccesses(C),
        CacheAccesses(C) {}

  /// The rows of the main file are where \p Rows has them, which lives as
  /// long; else they are where Baseline has them.
  void backedBy(const SchemeHooks &Rows) { File = &Rows; }

  /// Banks of the cache that serve no instruction in this cycle.
  uint32_t takenAt(Cycle When) const { return CacheAccesses.takenAt(When); }

  /// Reads a row into a bank of the cache, from the cycle after \p From on;
  /// returns when it is there.
  Cycle fetch(Cycle Now, Cycle From, const WarpRef &W, unsigned Row,
              unsigned CacheBank) {
    Cycle &Out = Main[mainBank(W, Row)].Out;
    Cycle &In = Cache[cacheBank(W, CacheBank)].In;
    Cycle Begin =
        MainAccesses.take(Now, std::max({From + 1, Out, In}), mainBank(W, Row));
    Out = In = Begin + CrossbarCycles;
    return CacheAccesses.take(Now, Out + Access - 1, CacheBank) + 1;
  }

  struct Departure {
    Cycle Gone;    ///< The row's place in the cache is free.
    Cycle Written; ///< The main file has it.
  };
  /// Moves a row out of a bank of the cache, from the cycle after \p Now on.
  Departure writeBack(Cycle Now, const WarpRef &W, unsigned Row,
                      unsigned CacheBank) {
    Cycle &In = Main[mainBank(W, Row)].In;
    Cycle &Out = Cache[cacheBank(W, CacheBank)].Out;
    Cycle Begin =
        CacheAccesses.take(Now, std::max({Now + 1, In, Out}), CacheBank);
    In = Out = Begin + CrossbarCycles;
    return {Begin + 1, MainAccesses.take(Now, In, mainBank(W, Row)) + 1};
  }

  /// Writes a result that has no place in the cache; when it is there. It comes
  /// from the pipes and not through the crossbar.
  Cycle write(Cycle Now, const WarpRef &W, unsigned Row) {
    return MainAccesses.take(Now, Now, mainBank(W, Row)) + 1;
  }

private:
  /// A bank's two lines: from when on each is free.
  struct Lines {
    Cycle In = 0, Out = 0;
  };

  unsigned partOf(const WarpRef &W) const { return W.Slot % Parts; }
  unsigned mainBank(const WarpRef &W, unsigned Row) const {
    unsigned Bank = File ? File->read(W, Row).Bank : (Row + W.Slot) % MainBanks;
    return partOf(W) * MainBanks + Bank;
  }
  unsigned cacheBank(const WarpRef &W, unsigned Bank) const {
    return partOf(W) * CacheBanks + Bank;
  }

  const SchemeHooks *File = nullptr;
  unsigned Parts; ///< Sub-cores have files of their own.
  unsigned MainBanks, CacheBanks, Access;
  std::vector<Lines> Main, Cache;
  BankCalendar MainAccesses, CacheAccesses;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_LTRF_REGISTERMOVER_H
