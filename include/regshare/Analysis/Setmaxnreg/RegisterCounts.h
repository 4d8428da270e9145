//===- RegisterCounts.h - What threads have -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many registers a thread may have at each point of a kernel, by a forward
/// dataflow over its setmaxnreg instructions.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_SETMAXNREG_REGISTERCOUNTS_H
#define REGSHARE_ANALYSIS_SETMAXNREG_REGISTERCOUNTS_H

#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

/// The change that \p MI, a setmaxnreg in inline PTX, makes; nothing for any
/// other instruction. A count that cannot be read is 0.
std::optional<CountChange> countChangeOf(const llvm::MachineInstr &MI);
/// Whether some instruction of \p MF changes the count.
bool changesCounts(const llvm::MachineFunction &MF);
/// The most registers that a thread of \p MF, which starts with \p Launch, ever
/// has.
unsigned mostRegisters(const llvm::MachineFunction &MF, LaunchRegisters Launch);

/// The counts with which a thread may come to a place.
class CountSet {
public:
  void insert(unsigned Count) { Bits.set(std::min(Count, Most)); }
  bool isEmpty() const { return Bits.none(); }
  unsigned least() const; ///< Of a set that is not empty.
  /// Calls \p F for each, ascending.
  template <typename Fn> void forEach(Fn F) const {
    for (unsigned Count = 0; Count <= Most; ++Count)
      if (Bits.test(Count))
        F(Count);
  }
  /// True if the set grows.
  bool merge(const CountSet &Other) {
    std::bitset<Most + 1> Before = Bits;
    Bits |= Other.Bits;
    return Bits != Before;
  }

private:
  static constexpr unsigned Most = register_count::Most;
  std::bitset<Most + 1> Bits;
};

/// The counts at every point of a function.
class RegisterCounts {
public:
  RegisterCounts(const llvm::MachineFunction &MF, LaunchRegisters Launch);

  /// Those with which threads come to the block; empty: none does.
  const CountSet &atEntry(const llvm::MachineBasicBlock &MBB) const {
    return Entry[unsigned(numberOf(MBB))];
  }
  /// What \p MI leaves of those before it.
  static CountSet after(const llvm::MachineInstr &MI, const CountSet &Before);

private:
  static int numberOf(const llvm::MachineBasicBlock &MBB);

  std::vector<CountSet> Entry; ///< By the block's number.
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_SETMAXNREG_REGISTERCOUNTS_H
