//===- SharingReach.h - How far a warp comes on its own ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many instructions run from a kernel's entry until one needs something
/// that is shared: the fewest, and as many as LLVM's branch probabilities lead
/// to expect.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGREACH_H
#define REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGREACH_H

#include "regshare/Base/ArchReg.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace llvm {
class MachineBranchProbabilityInfo;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

class SharingReach {
public:
  /// \p NeedsOf says what an instruction needs. Statements are no instructions.
  SharingReach(const llvm::MachineFunction &MF,
               const llvm::MachineBranchProbabilityInfo &MBPI,
               llvm::function_ref<RegSet(const llvm::MachineInstr &)> NeedsOf);

  /// Instructions expected to run before the first that needs more than \p Own;
  /// if none does, those of a whole run. In a loop that cannot be left it is
  /// large.
  double expected(const RegSet &Own) const;
  /// The fewest on any path; nothing if no path leads to such a one.
  std::optional<unsigned> least(const RegSet &Own) const;
  /// By bit of a set: the fewest before an instruction that needs it; nothing
  /// if none does.
  const std::vector<std::optional<unsigned>> &earliest() const {
    return Earliest;
  }
  /// What the instructions lack that are the first on some path to need more
  /// than \p Own. Not one of the sets is empty, and no two are the same.
  std::vector<RegSet> lacking(const RegSet &Own) const;

private:
  struct Block {
    std::vector<RegSet> Needs; ///< By instruction.
    llvm::SmallVector<std::pair<unsigned, double>, 2> Succs;
    /// Instructions on the shortest path to its start.
    std::optional<unsigned> Distance;
  };
  /// The first of \p B that needs more than \p Own, or how many it has.
  static unsigned stopOf(const Block &B, const RegSet &Own);
  void measureDistances();

  /// Those that the entry reaches, in reverse post-order: the entry is first.
  std::vector<Block> Blocks;
  std::vector<std::optional<unsigned>> Earliest;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGREACH_H
