//===- WriteBackStage.h - Results on their way to registers --- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Results come in the order in which they were ready, and wait for a port of
/// the register file and for their banks. A younger one goes before an older
/// one whose bank is taken.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_WRITEBACKSTAGE_H
#define REGSHARE_SIM_TIMING_CORE_WRITEBACKSTAGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace regshare::sim {

/// What a result takes.
struct ResultBanks {
  bool NeedsPort = false; ///< It writes something.
  uint64_t Banks = 0;     ///< A mask.
};

class WriteBackStage {
public:
  /// \p Ports: results that are written in a cycle.
  explicit WriteBackStage(unsigned Ports) : Ports(Ports) {}

  /// The instruction's results are ready.
  void add(uint32_t Token) { Waiting.push_back(Token); }
  bool isEmpty() const { return Waiting.empty(); }

  /// A cycle, in which somebody else has taken the banks \p Taken. Asks
  /// \p BanksOf(Token), and calls \p Land(Token) for each that is written,
  /// until that says no.
  template <typename BanksOf, typename Land>
  void tick(uint32_t Taken, BanksOf Banks, Land Lands) {
    TakenBanks = Taken;
    unsigned Free = Ports;
    size_t Kept = 0;
    for (uint32_t Token : Waiting) {
      if (ResultBanks R = Banks(Token); R.NeedsPort) {
        if (!Free || (R.Banks & TakenBanks)) {
          ++Conflicts;
          Waiting[Kept++] = Token;
          continue;
        }
        --Free;
        TakenBanks |= uint32_t(R.Banks);
      }
      if (!Lands(Token))
        return;
    }
    Waiting.resize(Kept);
  }

  /// The same cycle, where no results wait.
  void rest(uint32_t Taken) { TakenBanks = Taken; }

  /// Those that serve no reads in the cycle of the last tick().
  uint32_t takenBanks() const { return TakenBanks; }
  /// How often a result had to wait, each cycle counted.
  uint64_t conflicts() const { return Conflicts; }

private:
  unsigned Ports;
  std::vector<uint32_t> Waiting; ///< Oldest first.
  uint32_t TakenBanks = 0;
  uint64_t Conflicts = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_WRITEBACKSTAGE_H
