//===- LTRF.cpp - PREFETCHes of intervals ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"

#include "LTRFPlacement.h"
#include "LTRFRenumber.h"
#include "Transforms/Renumber.h"

#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

static IntervalOptions publishedOptions(const IntervalCode &Code, Scheme S,
                                        const CompilerOptions &Options) {
  IntervalOptions Published;
  Published.Kind = S == schemes::LTRFStrand ? PartitionKind::Strands
                                            : PartitionKind::Intervals;
  Published.MaxRegisters =
      std::max(Options.Settings.get<unsigned>(settings::IntervalRegisters),
               Code.graph().widestInstr());
  return Published;
}

/// Strands are there to compare with: as they were published.
static bool usesPublished(Scheme S, const CompilerOptions &Options) {
  return S == schemes::LTRFStrand ||
         Options.Settings.get<bool>(settings::PublishedIntervals);
}

IntervalPartition divideIntoIntervals(const IntervalCode &Code, Scheme S,
                                      const CompilerOptions &Options) {
  IntervalOptions Published = publishedOptions(Code, S, Options);
  return usesPublished(S, Options) ? partitionRegisters(Code.graph(), Published)
                                   : cheapestPartition(Code.graph(), Published);
}

std::vector<FreePoint> deadOperands(const std::vector<FreePoint> &Frees,
                                    const RegisterAssignment &Assignment) {
  std::vector<FreePoint> Dead;
  for (const FreePoint &P : Frees) {
    if (!P.After)
      continue;
    RegSet Freed, Marked;
    for (unsigned Unit : P.Units)
      Freed.set(Unit);
    Assignment.forEachOperand(
        *P.After, [](ArchReg) {},
        [&](ArchReg R) {
          if (!R.isPred() && Freed.contains(R))
            Marked.insert(R);
        });
    FreePoint Point{P.MBB, P.After, {}};
    Marked.forEach([&](unsigned Unit) { Point.Units.push_back(Unit); });
    if (!Point.Units.empty())
      Dead.push_back(std::move(Point));
  }
  return Dead;
}

/// Operands that have a bit set: a pair is one.
static unsigned countOperands(const std::vector<FreePoint> &Dead,
                              const RegisterAssignment &Assignment) {
  unsigned Count = 0;
  for (const FreePoint &P : Dead) {
    RegSet Units;
    for (unsigned Unit : P.Units)
      Units.set(Unit);
    Assignment.forEachOperand(
        *P.After, [](ArchReg) {},
        [&](ArchReg R) { Count += !R.isPred() && Units.contains(R); });
  }
  return Count;
}

static void insertDeadOperands(MachineFunction &MF,
                               const std::vector<FreePoint> &Dead) {
  for (const FreePoint &P : Dead) {
    MachineBasicBlock &MBB = *MF.getBlockNumbered(P.MBB->getNumber());
    insertStatement(MBB, std::next(P.After->getIterator()).getNonConst(),
                    printDeadPragma(P.Units));
  }
}

static std::vector<WeightedVector> vectorsOf(const IntervalCode &Code,
                                             const IntervalPartition &P) {
  std::vector<double> Executed =
      timesPrefetched(Code.graph(), P, placeOf(P.Kind));
  std::vector<WeightedVector> Vectors;
  for (unsigned I = 0; I != P.Intervals.size(); ++I)
    if (!P.Intervals[I].Regs.empty())
      Vectors.push_back({P.Intervals[I].Regs, Executed[I]});
  return Vectors;
}

/// Where another scheme of the code has registers of another kind begin.
static unsigned borderOf(const MachineFunction &MF, unsigned Regs,
                         const CompilerOptions &Options) {
  Result<Scheme> S = parseScheme(Options.Scheme);
  if (!S)
    return 0;
  return S->border(headFacts(MF, *S, Regs));
}

/// Gives registers new numbers before anything else: how the code is divided
/// does not depend on them.
static Expected<LTRFResult::Banks>
renumberForBanks(MachineFunction &MF, const FlowFacts &Facts, Scheme S,
                 const CompilerOptions &Options) {
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  std::vector<unsigned> Granules = registerGranules(MF, *Assignment);
  // What hardware keeps for itself stays where it is.
  for (unsigned Unit = 0; Unit != Assignment->reserved(); ++Unit)
    Granules[Unit] = MaxArchUnits;
  Analyses A(MF, std::move(*Assignment), Facts.PDT);
  IntervalCode Code(MF, A.Assignment, A.Warp, Facts.MBFI, Facts.MBPI);
  std::vector<WeightedVector> Vectors =
      vectorsOf(Code, divideIntoIntervals(Code, S, Options));
  LTRFResult::Banks Banks;
  Banks.Count = Options.Settings.get<unsigned>(settings::RenumberBanks);
  Banks.Before = bankCost(Vectors, Banks.Count);
  std::vector<unsigned> Numbers =
      spreadOverBanks(Vectors, Granules, Banks.Count,
                      borderOf(MF, A.Assignment.numUnits(), Options));
  renumberRegisters(MF, A.Assignment, Numbers);
  for (WeightedVector &V : Vectors) {
    RegSet Moved;
    V.Regs.forEach([&](unsigned Unit) { Moved.set(Numbers[Unit]); });
    V.Regs = Moved;
  }
  Banks.After = bankCost(Vectors, Banks.Count);
  return Banks;
}

Expected<LTRFResult> applyLTRF(MachineFunction &MF, const FlowFacts &Facts,
                               Scheme S, const CompilerOptions &Options) {
  LTRFResult R;
  eraseOldStatements(MF, Options.Scheme, S);
  if (Options.Settings[settings::RenumberBanks]) {
    Expected<LTRFResult::Banks> Banks = renumberForBanks(MF, Facts, S, Options);
    if (!Banks)
      return Banks.takeError();
    R.Renumbered = *Banks;
  }
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  Analyses A(MF, std::move(*Assignment), Facts.PDT);
  IntervalCode Code(MF, A.Assignment, A.Warp, Facts.MBFI, Facts.MBPI);
  IntervalPartition P = divideIntoIntervals(Code, S, Options);
  R.Kind = P.Kind;
  R.AskedRegisters =
      Options.Settings.get<unsigned>(settings::IntervalRegisters);
  IntervalOptions Published = publishedOptions(Code, S, Options);
  R.MaxRegisters = Published.MaxRegisters;
  R.Intervals = P.Intervals.size();
  R.Cost = prefetchCost(Code.graph(), P);
  R.ExecutedAtHeads =
      prefetchCost(Code.graph(), P, PrefetchPlace::Heads).Executed;
  if (!usesPublished(S, Options))
    R.Published =
        prefetchCost(Code.graph(), partitionRegisters(Code.graph(), Published));
  static_cast<CodeGrowth &>(R) = codeGrowth(MF, Facts.MBFI, R.Cost.Prefetches);
  std::vector<FreePoint> Dead;
  if (usesDeadOperands(S))
    Dead = deadOperands(findFrees(MF, A), A.Assignment);
  R.DeadOperands = countOperands(Dead, A.Assignment);
  // A statement goes after its instruction, in front of the next interval's.
  R.Preheaders = placePrefetches(MF, Code, P, R.MaxRegisters);
  insertDeadOperands(MF, Dead);
  return R;
}

} // namespace regshare
