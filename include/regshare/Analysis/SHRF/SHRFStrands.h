//===- regshare/Analysis/SHRFStrands.h - Strands of SHRF ------ -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code that a warp runs without leaving the active set, and that all lanes
/// which entered it run together: what the register cache is given at one place
/// of a strand is there at the others. See docs/shrf.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_SHRF_SHRFSTRANDS_H
#define REGSHARE_ANALYSIS_SHRF_SHRFSTRANDS_H

#include "regshare/Analysis/Analyses.h"

#include <optional>
#include <vector>

namespace regshare {

/// Instructions of one block that follow each other.
struct StrandPiece {
  const llvm::MachineBasicBlock *MBB = nullptr;
  /// No statements; of what PTX does not have, undefined values alone.
  std::vector<const llvm::MachineInstr *> Instrs;
  /// The piece of the strand that leads here, the only way; nothing: the
  /// strand begins here.
  std::optional<unsigned> Parent;
  /// What a thread needs of registers after the piece, if it ends before its
  /// block does; otherwise the successors tell.
  std::optional<RegSet> LiveBehind;
};

/// A tree of pieces: what leads to each is one way.
struct Strand {
  std::vector<StrandPiece> Pieces; ///< Parents first.
};

/// The strands of a function.
class StrandCode {
public:
  StrandCode(const llvm::MachineFunction &MF, const Analyses &A);

  llvm::ArrayRef<Strand> strands() const { return Strands; }
  /// Whether the end of \p MBB goes on to \p Succ in the same strand.
  bool goesOn(const llvm::MachineBasicBlock &MBB,
              const llvm::MachineBasicBlock &Succ) const {
    return Parent[Succ.getNumber()] == &MBB;
  }

private:
  friend class StrandBuilder;
  std::vector<Strand> Strands;
  /// By block number: the block whose strand it continues.
  std::vector<const llvm::MachineBasicBlock *> Parent;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_SHRF_SHRFSTRANDS_H
