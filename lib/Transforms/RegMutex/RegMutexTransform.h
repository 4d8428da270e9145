//===- RegMutexTransform.h - RegMutex on one kernel -----------*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the steps of RegMutex on one kernel come together. RegMutexChoose.cpp
/// has what decides on a size, RegMutex.cpp what is done for one. Private to
/// RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXTRANSFORM_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXTRANSFORM_H

#include "RegMutexAssign.h"
#include "RegMutexStops.h"
#include "Transforms/Assign/LazyIntervals.h"
#include "Transforms/Recompute/Recomputation.h"

#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Transforms/RegMutex/RegMutex.h"

namespace regshare {

/// A way to give the values of a kernel registers.
struct Approach {
  /// Move values at the boundary of a region that is planned with this cost of
  /// crossing it; nothing: leave every value in one place.
  std::optional<double> CrossingCost;
  /// Registers of the base set to plan without, for what colouring wastes.
  unsigned Slack = 0;
  /// Compute values again at their uses first, until all but Slack of the base
  /// set is enough.
  std::optional<RecomputeGoal> Recompute;
};

/// What a way would come to.
struct Outcome {
  bool Possible = false;
  double Cost = 0;      ///< In instructions executed while holding.
  double Executed = 0;  ///< Instructions for each entry of the kernel.
  double HeldShare = 0; ///< Of those.
  unsigned Units = 0;   ///< Registers used.
  SplitRefusal Refusal;
};

/// What the steps have to know of a function with registers \p Places.
struct WarpFacts {
  Analyses A;
  WaitPoints Waits;
  StopRules Stops; ///< Adds to Waits.

  WarpFacts(const llvm::MachineFunction &MF, RegisterAssignment Places,
            const llvm::MachinePostDominatorTree &PDT)
      : A(MF, std::move(Places), PDT), Waits(MF, A.Assignment, A.Meetings),
        Stops(MF, A, Waits) {}
};

/// The same for those that change values, each of which then has a virtual
/// register of its own. Fails where ValueRanges::collect does.
struct ValueFacts : WarpFacts {
  LazyIntervals LIS;
  llvm::Expected<ValueRanges> Ranges;

  ValueFacts(llvm::MachineFunction &MF, RegisterAssignment &Places,
             const llvm::MachinePostDominatorTree &PDT)
      : WarpFacts(MF, Places, PDT), LIS(MF),
        Ranges((separateValues(MF, LIS, Places),
                ValueRanges::collect(MF, A.Divergence, A.Meetings))) {}
};

/// RegMutex on one kernel.
class RegMutexTransform {
public:
  RegMutexTransform(llvm::MachineFunction &MF, const FlowFacts &Facts,
                    const CompilerOptions &Options)
      : MF(MF), Facts(Facts), Options(Options) {}

  llvm::Error choose();
  llvm::Error apply();
  RegMutexResult take() { return std::move(R); }

private:
  RegMutexKind kind() const {
    Result<Scheme> S = parseScheme(Options.Scheme);
    return regMutexKind(S ? *S : schemes::RegMutex);
  }
  /// Registers that the extended set is told to have; 0: not told.
  unsigned extendedAsked() const {
    return Options.Settings.get<unsigned>(settings::ExtendedSet);
  }
  /// The split is given, not the best of several.
  bool isGiven() const {
    return extendedAsked() || Options.Settings[settings::PublishedPolicy];
  }
  llvm::Error loadTheDevice();
  llvm::Error chooseByPolicy(unsigned MinBase);
  llvm::Error chooseAsTold();
  llvm::Error lowerMinBase();
  void addRoundedCandidates();
  llvm::Error applyGiven();
  llvm::Error applyBest();
  /// A way to have a split, with no more extended registers than it uses.
  struct Found {
    Approach How;
    RegMutexSplit Split;
    double HeldShare = 0;
    double Warps = 0; ///< Under way.
    double Score = 0; ///< More is better.
  };
  Found judgeForPolicy(const Approach &How, const Outcome &O,
                       RegMutexSplit Split) const;
  double scoreBefore() const;
  double executed(const Analyses &A) const;
  llvm::Expected<std::optional<Found>> search(RegMutexSplit Split);
  void setUntouched(const SplitRefusal &Why);
  llvm::Error commit(const Approach &How);
  llvm::Expected<Outcome> attempt(const Approach &How, bool Commit);
  llvm::Expected<Outcome> assign(const Approach &How, Recomputation &Again,
                                 Compaction &Moves, RegisterAssignment &Places,
                                 RegisterAssignment &New);
  llvm::Expected<unsigned> planRecompute(const RecomputeGoal &Goal,
                                         Recomputation &Again,
                                         RegisterAssignment &Places,
                                         bool Apply);
  bool compact(const Approach &How, Compaction &Moves,
               RegisterAssignment &Places);
  Outcome judge(const RegisterAssignment &New, const Compaction &Moves);
  void place(RegMutexSplit Split);
  void insert(llvm::ArrayRef<HoldChange> Changes);
  void count(const HoldRegions &Regions, llvm::ArrayRef<HoldChange> Changes,
             const Frequencies &Freq);

  llvm::MachineFunction &MF;
  const FlowFacts &Facts;
  const CompilerOptions &Options;
  RegMutexResult R;
  std::optional<DeviceDescription> Device;
  double ExecutedBefore = 0; ///< Instructions, as the code came.
};

/// Executions by a warp for each time that it enters the function. What
/// \p Facts and \p A refer to has to outlive the result.
Frequencies frequenciesOf(const llvm::MachineFunction &MF, FlowFacts Facts,
                          const Analyses &A);
/// "file.cu:12: INSTR" or "bb.3: INSTR".
std::string placeOf(const llvm::MachineInstr &MI);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXTRANSFORM_H
