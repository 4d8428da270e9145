//===- RegMutexAssign.h - Registers for a base and an extended set -*- C++ -*-//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Register assignment that knows the split: which values go to the extended
/// set, so that it is held briefly and in cold code, and a colouring that keeps
/// the others in the base set. Private to RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXASSIGN_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXASSIGN_H

#include "RegMutexCompact.h"
#include "Transforms/Assign/VectorGroups.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

namespace regshare {

/// Why there is no assignment, and where.
struct SplitRefusal {
  std::string Why;
  const llvm::MachineInstr *At = nullptr;
};

/// Values that share one fate: the operands of a vector access, or a lone one.
struct SplitItem {
  std::vector<uint32_t> Values;
  unsigned Units = 0;
  /// A lane of the warp needs it where warps wait for each other.
  bool BaseOnly = false;
  bool Extended = false;              ///< As chosen.
  std::vector<IndexRange> WarpInstrs; ///< Of all its values.
};

/// What a chooser knows of compaction.
struct CompactionFacts {
  /// Instructions during which the extended set will be held anyway.
  std::vector<bool> Planned;
  /// Set while values may still be split at the plan's boundary.
  const CrossingCounts *Crossings = nullptr;
  /// Copies between the parts of values that were: idle if both parts are in
  /// the base set.
  llvm::ArrayRef<llvm::MachineInstr *> Copies;
};

/// Chooses what goes to the extended set.
class ExtendedChooser {
public:
  ExtendedChooser(const ValueRanges &Ranges, const WaitPoints &Waits,
                  const Frequencies &Freq, llvm::ArrayRef<VectorGroup> Groups,
                  const CompactionFacts &Compact);

  std::vector<SplitItem> Items;
  /// By value: to be in the extended set inside of the plan only.
  std::vector<bool> Split;

  /// The instruction across which most units of BaseOnly items are live, and
  /// how many.
  std::pair<const llvm::MachineInstr *, unsigned> mostBaseOnly() const;
  /// Sets Extended of enough items for at most \p Target units of the others to
  /// be live at each point, or where there are no more to choose from, \p Base;
  /// false if some point has more even then.
  bool choose(unsigned Target, unsigned Base);

private:
  void addItem(std::vector<uint32_t> Values);
  bool isKeptForGood(uint32_t Value) const;
  void addPressure(std::vector<int> &Pressure, const SplitItem &Item,
                   int Sign) const;
  double cost(const SplitItem &Item) const;
  unsigned relief(uint32_t Value) const;
  void hold(const SplitItem &Item);
  void sumUp(unsigned Target);
  /// A way to have less in the base set: an item, or one value of it inside of
  /// the plan.
  struct Way {
    SplitItem *Item = nullptr;
    uint32_t Value = ~0u;
    double Cost = 0;
  };
  Way best(uint32_t Point);
  void splitOff(uint32_t Value);
  void takeBack(unsigned Target);

  const ValueRanges &Ranges;
  const CompactionFacts &Compact;
  std::vector<double> CopyCost;      // by value
  std::vector<double> Frequency;     // by instruction
  std::vector<uint32_t> WaitsBefore; // by instruction, one more at the end
  std::vector<int> Pressure;         // by point, of what is not extended
  std::vector<bool> Held;            // by instruction
  std::vector<double> NotHeldBefore; // frequencies summed up
  std::vector<uint32_t> OverBefore;  // points summed up
};

/// Registers for the values of \p MF such that what is needed where warps wait
/// for each other is in the base set, and the extended set is needed in few and
/// cold places.
std::optional<RegisterAssignment>
assignForSplit(llvm::MachineFunction &MF, LazyIntervals &LIS,
               const llvm::MachineBlockFrequencyInfo &MBFI,
               const Frequencies &Freq, const ValueRanges &Ranges,
               const WaitPoints &Waits, RegMutexSplit Split,
               const CompactionFacts &Compact, SplitRefusal &Refusal);

/// The values to split at the boundary of a plan, for ExtendedChooser::choose.
std::vector<uint32_t>
chooseSplits(llvm::MachineFunction &MF, LazyIntervals &LIS,
             const llvm::MachineBlockFrequencyInfo &MBFI,
             const Frequencies &Freq, const ValueRanges &Ranges,
             const WaitPoints &Waits, unsigned Target, unsigned Base,
             const CompactionFacts &Compact);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXASSIGN_H
