//===- ReadPorts.h - Reads of a sub-core's banks ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which reads of a sub-core's register banks are promised for which cycle.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_READPORTS_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_READPORTS_H

#include "Timing/Memory/MemoryPort.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <vector>

namespace regshare::sim {

class ReadPorts {
public:
  static constexpr unsigned MaxBanks = 32;
  /// How many reads of each bank somebody wants.
  using Demand = std::array<uint8_t, MaxBanks>;

  /// \p Ports: reads of a bank in a cycle.
  ReadPorts(unsigned Banks, unsigned Ports)
      : Banks(Banks), Ports(Ports), Taken(size_t(Banks) * Horizon) {}

  unsigned freeAt(unsigned Bank, Cycle When) const {
    const Entry &E = Taken[Bank * Horizon + When % Horizon];
    return E.When == When ? Ports - E.Reads : Ports;
  }
  void take(unsigned Bank, Cycle When) {
    Entry &E = Taken[Bank * Horizon + When % Horizon];
    if (E.When != When)
      E = {When, 0};
    assert(E.Reads < Ports && "the ports are taken");
    ++E.Reads;
  }

  /// Cycles that reads of \p D take at least, and no less than \p Least.
  unsigned cyclesFor(const Demand &D, unsigned Least) const {
    unsigned Most = *std::max_element(D.begin(), D.begin() + Banks);
    return std::max(Least, (Most + Ports - 1) / Ports);
  }

  /// Promises all reads of \p D in the \p Length cycles after the first cycle
  /// from \p From on after which all fit; returns that cycle.
  Cycle reserve(const Demand &D, unsigned Length, Cycle From) {
    while (!fits(D, Length, From))
      ++From;
    for (unsigned B = 0; B != Banks; ++B)
      for (unsigned Left = D[B], K = 1; Left; ++K)
        for (; Left && freeAt(B, From + K); --Left)
          take(B, From + K);
    return From;
  }

private:
  /// Beyond all that is promised: the reads of one instruction, and those of
  /// the one before it.
  static constexpr unsigned Horizon = 64;
  struct Entry {
    Cycle When = Never;
    uint8_t Reads = 0;
  };

  bool fits(const Demand &D, unsigned Length, Cycle After) const {
    for (unsigned B = 0; B != Banks; ++B) {
      unsigned Free = 0;
      for (unsigned K = 1; Free < D[B] && K <= Length; ++K)
        Free += freeAt(B, After + K);
      if (Free < D[B])
        return false;
    }
    return true;
  }

  unsigned Banks, Ports;
  std::vector<Entry> Taken;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_READPORTS_H
