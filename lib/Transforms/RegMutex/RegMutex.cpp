//===- RegMutex.cpp - Base and extended registers -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include "RegMutexTransform.h"
#include "Transforms/FreshFacts.h"
#include "Transforms/SplitEdge.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace regshare {

std::string placeOf(const MachineInstr &MI) {
  std::string Place;
  raw_string_ostream OS(Place);
  if (const DILocation *Loc = MI.getDebugLoc().get(); Loc && Loc->getLine())
    OS << Loc->getFilename() << ":" << Loc->getLine() << ": ";
  else
    OS << "bb." << MI.getParent()->getNumber() << ": ";
  std::string Text;
  raw_string_ostream TextOS(Text);
  MI.print(TextOS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  OS << StringRef(Text).split(" :: ").first.trim();
  return Place;
}

/// Splits values as \p How says; false if that is not possible, or of no use.
bool RegMutexTransform::compact(const Approach &How, Compaction &Moves,
                                RegisterAssignment &Places) {
  ValueFacts V(MF, Places, Facts.PDT);
  ValueRanges Ranges = cantFail(std::move(V.Ranges));
  Frequencies Freq = frequenciesOf(MF, Facts, V.A);
  unsigned Target = R.Split->Base - std::min(R.Split->Base, How.Slack);
  std::optional<HoldPlan> Plan = planHolds(MF, V.A, V.Waits, V.Stops, Ranges,
                                           Freq, Target, *How.CrossingCost);
  if (!Plan)
    return false;
  CrossingCounts Crossings(MF, Ranges, Freq, *Plan);
  CompactionFacts Compact{Plan->Inside, &Crossings, {}};
  std::vector<uint32_t> Values =
      chooseSplits(MF, V.LIS, Facts.MBFI, Freq, Ranges, V.Waits, Target,
                   R.Split->Base, Compact);
  Moves.split(Values, Ranges, V.LIS.get(), *Plan, Places);
  return !Values.empty();
}

/// Chooses what is to be computed again, and rewrites it if \p Apply. Returns
/// the units that the goal is left with.
Expected<unsigned> RegMutexTransform::planRecompute(const RecomputeGoal &Goal,
                                                    Recomputation &Again,
                                                    RegisterAssignment &Places,
                                                    bool Apply) {
  ValueFacts V(MF, Places, Facts.PDT);
  if (!V.Ranges)
    return V.Ranges.takeError();
  unsigned Left = Again.choose(*V.Ranges, &V.Waits,
                               frequenciesOf(MF, Facts, V.A).OfBlock, Goal);
  if (Apply)
    Again.apply(*V.Ranges);
  return Left;
}

/// Finds registers for the values of MF and sets \p New. \p Places has the
/// registers they have, also for the parts of those that are split.
Expected<Outcome> RegMutexTransform::assign(const Approach &How,
                                            Recomputation &Again,
                                            Compaction &Moves,
                                            RegisterAssignment &Places,
                                            RegisterAssignment &New) {
  if (How.Recompute) {
    RecomputeGoal Goal = *How.Recompute;
    Goal.Target = R.Split->Base - std::min(R.Split->Base, How.Slack);
    Expected<unsigned> Left =
        planRecompute(Goal, Again, Places, /*Apply=*/true);
    if (!Left)
      return Left.takeError();
    if (Again.added().empty())
      return Outcome();
  }
  if (How.CrossingCost && !compact(How, Moves, Places))
    return Outcome();
  FreshFacts Fresh(MF);
  ValueFacts V(MF, Places, Fresh.PDT);
  if (!V.Ranges)
    return V.Ranges.takeError();
  Frequencies Freq = frequenciesOf(MF, Fresh.get(), V.A);
  CompactionFacts Compact;
  for (const MachineInstr *MI : V.Ranges->Instrs)
    Compact.Planned.push_back(Moves.Inside.contains(MI));
  Compact.Copies = Moves.copies();
  Outcome Result;
  std::optional<RegisterAssignment> Found =
      assignForSplit(MF, V.LIS, Fresh.MBFI, Freq, *V.Ranges, V.Waits, *R.Split,
                     Compact, Result.Refusal);
  if (!Found)
    return Result;
  New = std::move(*Found);
  // Whoever reads a folded value reads its sources, whatever their registers.
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I)
    if (Register VReg = Register::index2VirtReg(I);
        nativePlace(MRI, VReg) == NativePlace::Folded)
      New.fold(VReg);
  Result = judge(New, Moves);
  Result.Cost += MoveCost * Again.addedExecutions(Freq.OfBlock);
  return Result;
}

/// Instructions executed for each entry of the kernel.
double RegMutexTransform::executed(const Analyses &A) const {
  Frequencies Freq = frequenciesOf(MF, Facts, A);
  double Sum = 0;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      Sum += MI.isDebugInstr() ? 0 : Freq.OfBlock(MBB);
  return Sum;
}

/// Looks at the code as it would be with registers \p New.
Outcome RegMutexTransform::judge(const RegisterAssignment &New,
                                 const Compaction &Moves) {
  FreshFacts Fresh(MF);
  WarpFacts W(MF, New, Fresh.PDT);
  Frequencies Freq = frequenciesOf(MF, Fresh.get(), W.A);
  HoldRegions Regions = findHoldNeeds(MF, W.A, W.Waits, R.Split->Base);
  Outcome Result;
  if (!Regions.Conflicts.empty()) {
    const HoldConflict &C = Regions.Conflicts.front();
    Result.Refusal = {
        C.Extended.str() + " would be live at a " + waitName(C.Kind), C.MI};
    return Result;
  }
  if (!decideHolds(Regions, MF, W.Stops, Freq)) {
    Result.Refusal = {"lanes of one warp can wait for each other on the two "
                      "sides of a branch, and the extended set is needed there",
                      nullptr};
    return Result;
  }
  Result.Possible = true;
  double Executed = 0, Time = 0, TimeHeld = 0;
  for (const MachineBasicBlock &MBB : MF)
    for (const HoldRun &Run : Regions.Runs[MBB.getNumber()]) {
      Executed += Run.NumInstrs * Freq.OfBlock(MBB);
      Time += Run.Time * Freq.OfBlock(MBB);
      if (!Run.Held)
        continue;
      Result.Cost += Run.NumInstrs * Freq.OfBlock(MBB);
      TimeHeld += Run.Time * Freq.OfBlock(MBB);
    }
  Result.HeldShare =
      Executed ? std::max(Result.Cost / Executed, TimeHeld / Time) : 0;
  Result.Executed = Executed;
  Result.Units = New.numUnits();
  for (const HoldChange &C : placeChanges(MF, Regions, W.A, W.Stops, Freq)) {
    Result.Cost += ChangeCost * C.Frequency;
    Result.Executed += C.Frequency;
  }
  for (const MachineInstr *Copy : Moves.copies())
    if (ArchReg To = New.lookup(Copy->getOperand(0).getReg());
        To != New.lookup(Copy->getOperand(1).getReg()))
      Result.Cost += MoveCost * To.units() * Freq.OfBlock(*Copy->getParent());
    else
      Result.Executed -= Freq.OfBlock(*Copy->getParent());
  return Result;
}

/// Tries \p How. Unless it is possible and to be committed, the code is then as
/// it was.
Expected<Outcome> RegMutexTransform::attempt(const Approach &How, bool Commit) {
  Expected<RegisterAssignment> Places = RegisterAssignment::fromNames(MF);
  if (!Places)
    return Places.takeError();
  Recomputation Again(MF, &*Places);
  Compaction Moves(MF);
  RegisterAssignment New;
  Expected<Outcome> Result = assign(How, Again, Moves, *Places, New);
  Commit &= Result && Result->Possible;
  if (Commit) {
    Again.commit();
    R.Recomputed = Again.added().size();
  } else {
    Again.undo();
  }
  unsigned Copies = Moves.copies().size(), CopiesRemoved = 0;
  // Rewriting writes these statements anew, and drops copies that are idle.
  eraseStatements(MF, {"temps", "scratch"});
  rewriteToArchitected(MF, Commit ? New : *Places, CopiesRemoved);
  Moves.dropIdleBlocks();
  if (Commit)
    R.Copies = Copies - std::min(Copies, CopiesRemoved);
  return Result;
}

void RegMutexTransform::count(const HoldRegions &Regions,
                              ArrayRef<HoldChange> Changes,
                              const Frequencies &Freq) {
  for (const MachineBasicBlock &MBB : MF)
    for (const HoldRun &Run : Regions.Runs[MBB.getNumber()]) {
      R.Instrs += Run.NumInstrs;
      R.Executed += Run.NumInstrs * Freq.OfBlock(MBB);
      if (!Run.Held)
        continue;
      R.HeldInstrs += Run.NumInstrs;
      R.HeldExecuted += Run.NumInstrs * Freq.OfBlock(MBB);
    }
  for (const HoldChange &C : Changes) {
    ++(C.Acquire ? R.Acquires : R.Releases);
    R.ChangesExecuted += C.Frequency;
  }
}

void RegMutexTransform::insert(ArrayRef<HoldChange> Changes) {
  for (const HoldChange &C : Changes) {
    std::string Text = C.Acquire ? printAcquirePragma() : printReleasePragma();
    if (!C.EdgeTo || C.MBB->succ_size() == 1) {
      insertStatement(*C.MBB, C.Before, Text);
      continue;
    }
    MachineBasicBlock *Edge = splitEdge(*C.MBB, *C.EdgeTo);
    insertStatement(*Edge, Edge->begin(), Text);
    ++R.EdgeBlocks;
  }
}

/// Writes the annotations for \p Split, which the registers allow.
void RegMutexTransform::place(RegMutexSplit Split) {
  FreshFacts Fresh(MF);
  WarpFacts W(MF, cantFail(RegisterAssignment::fromNames(MF)), Fresh.PDT);
  Frequencies Freq = frequenciesOf(MF, Fresh.get(), W.A);
  HoldRegions Regions = findHoldNeeds(MF, W.A, W.Waits, Split.Base);
  assert(Regions.Conflicts.empty() && "judged otherwise before");
  [[maybe_unused]] bool Decided = decideHolds(Regions, MF, W.Stops, Freq);
  assert(Decided && "judged otherwise before");
  std::vector<HoldChange> Changes =
      placeChanges(MF, Regions, W.A, W.Stops, Freq);
  count(Regions, Changes, Freq);
  insert(Changes);
  insertStatement(MF.front(), MF.front().begin(), printSplitPragma(Split));
}

Expected<RegMutexResult> chooseRegMutex(const MachineFunction &MF,
                                        const FlowFacts &Facts,
                                        const CompilerOptions &Options) {
  // Choosing looks and changes nothing.
  RegMutexTransform T(const_cast<MachineFunction &>(MF), Facts, Options);
  if (Error E = T.choose())
    return std::move(E);
  return T.take();
}

Expected<RegMutexResult> applyRegMutex(MachineFunction &MF,
                                       const FlowFacts &Facts,
                                       const CompilerOptions &Options) {
  RegMutexTransform T(MF, Facts, Options);
  if (Error E = T.apply())
    return std::move(E);
  return T.take();
}

void printRegMutex(raw_ostream &OS, const RegMutexResult &R) {
  if (R.Choice)
    OS << printChoice(*R.Choice);
  if (R.Waits)
    OS << "  warps wait for each other at " << R.Waits << " instructions, "
       << R.MinBase << " registers live at " << R.MinBaseAt << "\n";
  if (!R.Split) {
    OS << "  stays as it is: " << R.Untouched << "\n";
    return;
  }
  OS << "  base " << R.Split->Base << ", extended " << R.Split->Extended
     << "\n";
}

} // namespace regshare
