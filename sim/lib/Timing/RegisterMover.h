//===- RegisterMover.h - Between main register file and cache ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The banks of the main register file, the narrow crossbar and the ports of
/// the register cache (LTRF §4.2). Who moves a register takes the first cycles
/// in which both its bank and its port are free, in the order of asking; a bank
/// begins an access while the one before is still under way.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_REGISTERMOVER_H
#define REGSHARE_SIM_TIMING_REGISTERMOVER_H

#include "CoreConfig.h"
#include "EventWheel.h"
#include "Scheme.h"

#include <algorithm>

namespace regshare::sim {

class RegisterMover {
public:
  /// The crossbar is a quarter as wide as a row of 32 lanes (§4.2).
  static constexpr unsigned CrossbarCycles = 4;

  explicit RegisterMover(const CoreConfig &C)
      : Parts(C.Organisation == OperandOrganisation::SubCores ? C.Schedulers
                                                              : 1),
        MainBanks(C.MainBanks), Access(C.RegisterCycles),
        BankFree(Parts * C.MainBanks), PortFree(Parts * C.Banks),
        Ports(C.Banks) {}

  /// Reads a row into a bank of the cache; when it is there.
  Cycle fetch(Cycle Now, const WarpRef &W, unsigned Row, unsigned Port) {
    return move(Now, W, Row, Port) + Access;
  }
  /// Takes a row out of the cache: what follows may use its place once the port
  /// is free again.
  void writeBack(Cycle Now, const WarpRef &W, unsigned Row, unsigned Port) {
    move(Now, W, Row, Port);
  }
  /// Writes a result that has no place in the cache.
  void write(Cycle Now, const WarpRef &W, unsigned Row) {
    Cycle &Bank = BankFree[bankOf(W, Row)];
    Bank = std::max(Bank, Now) + 1;
  }

private:
  unsigned partOf(const WarpRef &W) const { return W.Slot % Parts; }
  unsigned bankOf(const WarpRef &W, unsigned Row) const {
    return partOf(W) * MainBanks + (Row + W.Slot) % MainBanks;
  }
  /// When the crossbar has let it through.
  Cycle move(Cycle Now, const WarpRef &W, unsigned Row, unsigned Port) {
    Cycle &Bank = BankFree[bankOf(W, Row)];
    Cycle &Entry = PortFree[partOf(W) * Ports + Port];
    Cycle Begin = std::max({Now + 1, Bank, Entry});
    Bank = Entry = Begin + CrossbarCycles;
    return Bank;
  }

  unsigned Parts; ///< Sub-cores have files of their own.
  unsigned MainBanks, Access;
  std::vector<Cycle> BankFree, PortFree; ///< From when on.
  unsigned Ports;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_REGISTERMOVER_H
