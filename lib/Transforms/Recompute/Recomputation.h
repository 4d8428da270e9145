//===- Recomputation.h - Values computed again at their uses ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Computes cheap values again where they are used, so that fewer are live in
/// between: parameters, constants, thread and CTA indices, and integer
/// arithmetic on such and on what is live at the use anyway. Private to the
/// library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTATION_H
#define REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTATION_H

#include "ValueRanges.h"

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineDominators.h"

#include <optional>

namespace regshare {

class WaitPoints;

/// Expected executions of a block for each time that the function is entered.
using BlockFrequency =
    llvm::function_ref<double(const llvm::MachineBasicBlock &)>;

/// How much is to be computed again.
struct RecomputeGoal {
  /// Count only values that a lane needs where warps wait for each other; else
  /// all values.
  bool AtWaits = true;
  /// Units that may be live at each point, of those values.
  unsigned Target = 0;
  /// Most executions of added instructions for each unit that a value lowers
  /// the excess by at its worst point.
  double MostCost = 0;
  /// Values at most. Looking for the next takes time that grows with the code.
  unsigned MostValues = ~0u;
};

class Recomputation {
public:
  /// \p Places has the registers of the code as it is, and gets those of the
  /// added instructions: with it the code does what it did before. Null: values
  /// have no registers.
  Recomputation(llvm::MachineFunction &MF, RegisterAssignment *Places)
      : MF(MF), Places(Places), FirstFree(Places ? Places->numUnits() : 0) {}

  /// Chooses values of \p Ranges for \p Goal; returns the units that will be
  /// live at the worst point, of those that the goal counts. A goal at waits
  /// needs \p Waits.
  unsigned choose(const ValueRanges &Ranges, const WaitPoints *Waits,
                  BlockFrequency Freq, const RecomputeGoal &Goal);
  /// Rewrites what was chosen. The ranges and all that is known about the
  /// function are invalid then, but it has the same blocks.
  void apply(const ValueRanges &Ranges);
  /// The function as it was.
  void undo();
  /// It stays as it is now.
  void commit();

  /// Of those, some may be read by nobody until the code is to stay.
  llvm::ArrayRef<llvm::MachineInstr *> added() const { return Added; }
  /// Executions of instructions added, those removed taken off.
  double addedExecutions(BlockFrequency Freq) const;

private:
  using Chain = llvm::SmallSetVector<llvm::MachineInstr *, 4>;
  /// An instruction that reads a value.
  struct Site {
    llvm::MachineInstr *User;
    uint32_t Anchor; ///< Of Ranges: before it a value is to be had.
    unsigned Within; ///< Tells those with one anchor apart.
  };
  struct Gone {
    llvm::MachineInstr *MI;
    llvm::MachineBasicBlock *MBB;
    llvm::MachineInstr *Next; ///< Null: it was the last of its block.
  };

  void look(const ValueRanges &Ranges, const WaitPoints *Waits);
  llvm::MachineInstr *soleDef(llvm::Register VReg) const;
  const char *paramOf(const llvm::MachineInstr &Load) const;
  RegKind kindOfValue(const llvm::MachineInstr &MI) const;
  bool isCheap(const llvm::MachineInstr &MI) const;
  bool dominates(const llvm::MachineInstr &Def, uint32_t At) const;
  bool isAvailable(llvm::Register VReg, uint32_t Reader, uint32_t At,
                   const ValueRanges &Ranges) const;
  bool chainFor(llvm::Register VReg, uint32_t Reader, uint32_t At,
                const ValueRanges &Ranges, Chain &Defs) const;
  bool isNear(uint32_t From, uint32_t To) const;
  std::vector<Site> sitesOf(llvm::Register VReg) const;
  bool forEachChain(
      llvm::Register VReg, const ValueRanges &Ranges,
      llvm::function_ref<void(const Chain &, llvm::ArrayRef<Site>)> Fn) const;
  std::optional<double> cost(uint32_t Value, const ValueRanges &Ranges,
                             BlockFrequency Freq) const;
  std::vector<int> pressure(const ValueRanges &Ranges,
                            const RecomputeGoal &Goal);
  void change(std::vector<int> &Pressure, uint32_t Value,
              const ValueRanges &Ranges, int Sign) const;
  uint32_t best(uint32_t Point, llvm::ArrayRef<int> Pressure,
                llvm::ArrayRef<std::optional<double>> Costs,
                const ValueRanges &Ranges, const RecomputeGoal &Goal) const;
  void number();
  bool hasPlaces(const Chain &Defs) const;
  void recompute(llvm::Register VReg, const ValueRanges &Ranges);
  llvm::Register insertChain(const Chain &Defs, const Site &Of);
  void remove(llvm::MachineInstr &MI);

  llvm::MachineFunction &MF;
  RegisterAssignment *Places;
  unsigned FirstFree; ///< Units from here on are nobody's.
  std::optional<llvm::MachineDominatorTree> MDT;
  llvm::SmallSetVector<uint32_t, 8> Chosen; ///< Values of the ranges.
  std::vector<bool> Counts;                 ///< By value: the goal counts it.
  /// By instruction: its place in the ranges, or that of what added code stands
  /// before.
  llvm::DenseMap<const llvm::MachineInstr *, uint32_t> IndexOf;
  llvm::DenseMap<const llvm::MachineInstr *, unsigned> OrderOf;
  std::vector<const llvm::MachineBasicBlock *> Blocks; // by instruction
  std::vector<uint32_t> WaitsBefore; // by instruction, one more at the end
  std::vector<llvm::MachineInstr *> Added;
  std::vector<Gone> Removed;
  /// What reads an added value, and what it read before.
  std::vector<std::pair<llvm::MachineOperand *, llvm::Register>> Replaced;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_RECOMPUTE_RECOMPUTATION_H
