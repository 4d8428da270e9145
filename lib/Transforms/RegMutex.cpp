//===- RegMutex.cpp - Base and extended registers -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RegMutex.h"

#include "RegMutexAssign.h"
#include "RegMutexRegions.h"
#include "SplitEdge.h"

#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/Directives.h"
#include "regshare/CodeGen/SharedMemory.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/RegisterLimit.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <cmath>
#include <map>

using namespace llvm;

namespace regshare {

static Error toError(const Diagnostic &D) { return createStringError(D.str()); }

static KernelResources resourcesOf(const MachineFunction &MF, unsigned Regs,
                                   const CompilerOptions &Options) {
  const Function &F = MF.getFunction();
  SharedMemoryUse Shared = sharedMemory(F);
  KernelResources K;
  K.RegsPerThread = Regs;
  K.ThreadsPerCTA = Options.ThreadsPerCTA;
  if (!K.ThreadsPerCTA)
    K.ThreadsPerCTA = launchBounds(F).MaxThreads;
  if (!K.ThreadsPerCTA)
    K.ThreadsPerCTA = 256;
  K.SharedPerCTA =
      Shared.StaticBytes + (Shared.Dynamic ? Options.DynamicSharedBytes : 0);
  return K;
}

/// "file.cu:12: INSTR" or "bb.3: INSTR".
static std::string placeOf(const MachineInstr &MI) {
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

/// Sets what \p R says about places where warps wait for each other.
static void findMinBase(const MachineFunction &MF, const Analyses &A,
                        const WaitPoints &Waits, RegMutexResult &R) {
  R.Waits = Waits.count();
  for (const MachineBasicBlock &MBB : MF)
    A.Warp.forEachBackward(MBB, [&](const MachineInstr &MI,
                                    const RegSet &Before, const RegSet &After) {
      if (!Waits.isWait(MI))
        return;
      HeldRegisters Held = heldDuring(A.Assignment.effects(MI), Before, After);
      if (Held.Units < R.MinBase ||
          (Held.Units == R.MinBase && !R.MinBaseAt.empty()))
        return;
      R.MinBase = Held.Units;
      R.MinBaseAt = placeOf(MI);
    });
}

static Frequencies frequenciesOf(FlowFacts Facts) {
  auto OfBlock = [Facts](const MachineBasicBlock &MBB) {
    return Facts.MBFI.getBlockFreqRelativeToEntryBlock(&MBB);
  };
  auto OfEdge = [Facts, OfBlock](const MachineBasicBlock &From,
                                 const MachineBasicBlock &To) {
    BranchProbability P = Facts.MBPI.getEdgeProbability(&From, &To);
    return OfBlock(From) * P.getNumerator() / P.getDenominator();
  };
  return {OfBlock, OfEdge};
}

namespace {

/// What LLVM knows of a function, found out anew.
struct FreshFacts {
  MachineDominatorTree MDT;
  MachineLoopInfo Loops;
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MachinePostDominatorTree PDT;

  explicit FreshFacts(MachineFunction &MF) : MDT(MF), Loops(MDT) {
    MBFI.calculate(MF, MBPI, Loops);
    PDT.recalculate(MF);
  }
  FlowFacts get() const { return {PDT, MBFI, MBPI}; }
};

/// A way to give the values of a kernel registers.
struct Approach {
  /// Move values at the boundary of a region that is planned with this cost of
  /// crossing it; nothing: leave every value in one place.
  std::optional<double> CrossingCost;
  /// Registers of the base set to plan without, for what colouring wastes.
  unsigned Slack = 0;
};

/// What a way would come to.
struct Outcome {
  bool Possible = false;
  double Cost = 0;      ///< In instructions executed while holding.
  double HeldShare = 0; ///< Of the instructions expected to execute.
  SplitRefusal Refusal;
};

/// RegMutex on one kernel.
class RegMutexTransform {
public:
  RegMutexTransform(MachineFunction &MF, const FlowFacts &Facts,
                    const CompilerOptions &Options)
      : MF(MF), Facts(Facts), Options(Options) {}

  Error choose();
  Error apply();
  RegMutexResult take() { return std::move(R); }

private:
  RegMutexKind kind() const {
    return Options.Scheme == schemeName(Scheme::RegMutexPaired)
               ? RegMutexKind::Paired
               : RegMutexKind::Pooled;
  }
  Expected<DeviceDescription> device() const;
  Error chooseByPolicy();
  Error chooseAsTold();
  Error search();
  bool letsMoreRun(double HeldShare) const;
  Expected<Outcome> attempt(const Approach &How, bool Commit);
  Expected<Outcome> assign(const Approach &How, Compaction &Moves,
                           RegisterAssignment &Places, RegisterAssignment &New);
  bool compact(const Approach &How, Compaction &Moves,
               RegisterAssignment &Places);
  Outcome judge(const RegisterAssignment &New, const Compaction &Moves);
  void place(RegMutexSplit Split);
  void insert(ArrayRef<HoldChange> Changes);
  void count(const HoldRegions &Regions, ArrayRef<HoldChange> Changes,
             const Frequencies &Freq);

  MachineFunction &MF;
  const FlowFacts &Facts;
  const CompilerOptions &Options;
  RegMutexResult R;
  /// Sizes that the policy chose in vain, and why.
  std::map<unsigned, CandidateRefusal> Failed;
};

} // namespace

Expected<DeviceDescription> RegMutexTransform::device() const {
  Result<DeviceDescription> Device = loadDevice(Options.Device);
  if (!Device)
    return toError(Device.error());
  return *Device;
}

Error RegMutexTransform::chooseAsTold() {
  unsigned Extended = Options.ExtendedSet;
  if (Extended >= R.Regs) {
    R.Untouched = "the kernel has " + std::to_string(R.Regs) +
                  ", which leaves none for the base set";
    return Error::success();
  }
  if (!Options.Device.empty()) {
    Expected<DeviceDescription> Device = device();
    if (!Device)
      return Device.takeError();
    KernelResources K = resourcesOf(MF, R.Regs, Options);
    Result<ExtendedSetCandidate> C =
        evaluateExtendedSet(kind(), *Device, K, R.MinBase, Extended);
    if (!C)
      return toError(C.error());
    R.Choice = {kind(), R.Regs,      R.MinBase, occupancy(*Device, K),
                {*C},   std::nullopt};
    if (!C->Residency.CTAs) {
      R.Untouched = "not one CTA is resident on " + Device->Name +
                    " with a section of the pool";
      return Error::success();
    }
    R.Choice->Candidates[0].Refused = CandidateRefusal::None;
    R.Choice->Chosen = 0;
  }
  R.Split = RegMutexSplit{R.Regs - Extended, Extended};
  return Error::success();
}

Error RegMutexTransform::chooseByPolicy() {
  Expected<DeviceDescription> Device = device();
  if (!Device)
    return Device.takeError();
  Result<ExtendedSetChoice> Choice = chooseExtendedSet(
      kind(), *Device, resourcesOf(MF, R.Regs, Options), R.MinBase);
  if (!Choice)
    return toError(Choice.error());
  R.Choice = std::move(*Choice);
  if (R.Choice->Chosen)
    R.Split = R.Choice->Candidates[*R.Choice->Chosen].Split;
  else
    R.Untouched = "the policy chooses no extended set";
  return Error::success();
}

Error RegMutexTransform::choose() {
  Expected<RegisterAssignment> Given = RegisterAssignment::fromNames(MF);
  if (!Given)
    return Given.takeError();
  R.Regs = Given->numUnits();
  Analyses A(MF, std::move(*Given), Facts.PDT);
  WaitPoints Waits(MF, A.Assignment, A.Meetings);
  StopRules Stops(MF, A, Waits);
  findMinBase(MF, A, Waits, R);
  if (!Options.ExtendedSet && Options.Device.empty())
    return createStringError(
        MF.getName() + ": RegMutex chooses the extended set by the device's "
                       "occupancy: say -regshare-device=<name>, or "
                       "-regshare-es=<n>");
  if (const MachineInstr *Unknown = Stops.unknownMeeting()) {
    R.Untouched = "lanes may meet anywhere after " + placeOf(*Unknown);
    return Error::success();
  }
  if (R.Regs < 2) {
    R.Untouched = "a kernel with less than two registers cannot share any";
    return Error::success();
  }
  return Options.ExtendedSet ? chooseAsTold() : chooseByPolicy();
}

/// Splits values as \p How says; false if that is not possible, or of no use.
bool RegMutexTransform::compact(const Approach &How, Compaction &Moves,
                                RegisterAssignment &Places) {
  Analyses A(MF, Places, Facts.PDT);
  WaitPoints Waits(MF, A.Assignment, A.Meetings);
  StopRules Stops(MF, A, Waits);
  LazyIntervals LIS(MF);
  separateValues(MF, LIS, Places);
  ValueRanges Ranges =
      cantFail(ValueRanges::collect(MF, A.Divergence, A.Meetings));
  Frequencies Freq = frequenciesOf(Facts);
  unsigned Target = R.Split->Base - std::min(R.Split->Base, How.Slack);
  std::optional<HoldPlan> Plan =
      planHolds(MF, A, Waits, Stops, Ranges, Freq, Target, *How.CrossingCost);
  if (!Plan)
    return false;
  CrossingCounts Crossings(MF, Ranges, Freq, *Plan);
  CompactionFacts Compact{Plan->Inside, &Crossings, {}};
  std::vector<uint32_t> Values = chooseSplits(
      MF, LIS, Facts.MBFI, Ranges, Waits, Target, R.Split->Base, Compact);
  Moves.split(Values, Ranges, LIS.get(), *Plan, Places);
  return !Values.empty();
}

/// Finds registers for the values of MF and sets \p New. \p Places has the
/// registers they have, also for the parts of those that are split.
Expected<Outcome> RegMutexTransform::assign(const Approach &How,
                                            Compaction &Moves,
                                            RegisterAssignment &Places,
                                            RegisterAssignment &New) {
  if (How.CrossingCost && !compact(How, Moves, Places))
    return Outcome();
  FreshFacts Fresh(MF);
  Analyses A(MF, Places, Fresh.PDT);
  WaitPoints Waits(MF, A.Assignment, A.Meetings);
  StopRules Stops(MF, A, Waits);
  LazyIntervals LIS(MF);
  separateValues(MF, LIS, Places);
  Expected<ValueRanges> Ranges =
      ValueRanges::collect(MF, A.Divergence, A.Meetings);
  if (!Ranges)
    return Ranges.takeError();
  CompactionFacts Compact;
  for (const MachineInstr *MI : Ranges->Instrs)
    Compact.Planned.push_back(Moves.Inside.contains(MI));
  Compact.Copies = Moves.copies();
  Outcome Result;
  std::optional<RegisterAssignment> Found = assignForSplit(
      MF, LIS, Fresh.MBFI, *Ranges, Waits, *R.Split, Compact, Result.Refusal);
  if (!Found)
    return Result;
  New = std::move(*Found);
  return judge(New, Moves);
}

/// Looks at the code as it would be with registers \p New.
Outcome RegMutexTransform::judge(const RegisterAssignment &New,
                                 const Compaction &Moves) {
  FreshFacts Fresh(MF);
  Frequencies Freq = frequenciesOf(Fresh.get());
  Analyses A(MF, New, Fresh.PDT);
  WaitPoints Waits(MF, A.Assignment, A.Meetings);
  StopRules Stops(MF, A, Waits);
  HoldRegions Regions = findHoldNeeds(MF, A, Waits, R.Split->Base);
  Outcome Result;
  if (!Regions.Conflicts.empty()) {
    const HoldConflict &C = Regions.Conflicts.front();
    Result.Refusal = {
        C.Extended.str() + " would be live at a " + waitName(C.Kind), C.MI};
    return Result;
  }
  if (!decideHolds(Regions, MF, Stops, Freq)) {
    Result.Refusal = {"lanes of one warp can wait for each other on the two "
                      "sides of a branch, and the extended set is needed there",
                      nullptr};
    return Result;
  }
  Result.Possible = true;
  double Executed = 0;
  for (const MachineBasicBlock &MBB : MF)
    for (const HoldRun &Run : Regions.Runs[MBB.getNumber()]) {
      Executed += Run.NumInstrs * Freq.OfBlock(MBB);
      Result.Cost += Run.Held ? Run.NumInstrs * Freq.OfBlock(MBB) : 0;
    }
  Result.HeldShare = Executed ? Result.Cost / Executed : 0;
  for (const HoldChange &C : placeChanges(MF, Regions, A, Stops, Freq))
    Result.Cost += ChangeCost * C.Frequency;
  for (const MachineInstr *Copy : Moves.copies())
    if (ArchReg To = New.lookup(Copy->getOperand(0).getReg());
        To != New.lookup(Copy->getOperand(1).getReg()))
      Result.Cost += MoveCost * To.units() * Freq.OfBlock(*Copy->getParent());
  return Result;
}

/// Tries \p How. Unless it is possible and to be committed, the code is then as
/// it was.
Expected<Outcome> RegMutexTransform::attempt(const Approach &How, bool Commit) {
  Expected<RegisterAssignment> Places = RegisterAssignment::fromNames(MF);
  if (!Places)
    return Places.takeError();
  Compaction Moves(MF);
  RegisterAssignment New;
  Expected<Outcome> Result = assign(How, Moves, *Places, New);
  Commit &= Result && Result->Possible;
  unsigned Copies = Moves.copies().size(), CopiesRemoved = 0;
  // Rewriting writes these statements anew, and drops copies that are idle.
  eraseDirectives(MF, {"temps"});
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
      insertDirective(*C.MBB, C.Before, Text);
      continue;
    }
    MachineBasicBlock *Edge = splitEdge(*C.MBB, *C.EdgeTo);
    insertDirective(*Edge, Edge->begin(), Text);
    ++R.EdgeBlocks;
  }
}

/// Writes the annotations for \p Split, which the registers allow.
void RegMutexTransform::place(RegMutexSplit Split) {
  FreshFacts Fresh(MF);
  Frequencies Freq = frequenciesOf(Fresh.get());
  Analyses A(MF, cantFail(RegisterAssignment::fromNames(MF)), Fresh.PDT);
  WaitPoints Waits(MF, A.Assignment, A.Meetings);
  StopRules Stops(MF, A, Waits);
  HoldRegions Regions = findHoldNeeds(MF, A, Waits, Split.Base);
  assert(Regions.Conflicts.empty() && "judged otherwise before");
  [[maybe_unused]] bool Decided = decideHolds(Regions, MF, Stops, Freq);
  assert(Decided && "judged otherwise before");
  std::vector<HoldChange> Changes = placeChanges(MF, Regions, A, Stops, Freq);
  count(Regions, Changes, Freq);
  insert(Changes);
  insertDirective(MF.front(), MF.front().begin(), printSplitPragma(Split));
}

/// Commits to the best way to have R.Split; resets that if there is none.
/// True if more warps can be under way than under Baseline, which is what the
/// policy is after. A size that was asked for is taken as it is.
bool RegMutexTransform::letsMoreRun(double HeldShare) const {
  if (Options.ExtendedSet)
    return true;
  const ExtendedSetCandidate &C = R.Choice->Candidates[*R.Choice->Chosen];
  return warpsUnderWay(C.Residency, HeldShare) > R.Choice->Baseline.Warps;
}

Error RegMutexTransform::search() {
  std::vector<Approach> Ways = {{}};
  for (unsigned Slack : {0, 2})
    for (double Moves : {1, 6, 30})
      Ways.push_back({ChangeCost + Moves * MoveCost, Slack});
  std::optional<Approach> Best;
  double BestCost = 0, BestShare = 0;
  SplitRefusal Refusal;
  for (const Approach &How : Ways) {
    Expected<Outcome> O = attempt(How, /*Commit=*/false);
    if (!O)
      return O.takeError();
    if (Refusal.Why.empty())
      Refusal = O->Refusal;
    if (!O->Possible || (Best && O->Cost >= BestCost))
      continue;
    Best = How;
    BestCost = O->Cost;
    BestShare = O->HeldShare;
  }
  if (Best && letsMoreRun(BestShare))
    return attempt(*Best, /*Commit=*/true).takeError();
  if (Best)
    Refusal = {"the extended set would be held for " +
                   std::to_string(std::lround(100 * BestShare)) +
                   "% of the instructions, too long for its sections",
               nullptr};
  Failed[R.Split->Extended] =
      Best ? CandidateRefusal::HeldTooLong : CandidateRefusal::NoAssignment;
  R.Split.reset();
  R.Untouched = Refusal.Why;
  if (Refusal.At)
    R.Untouched += ", at " + placeOf(*Refusal.At);
  return Error::success();
}

Error RegMutexTransform::apply() {
  eraseDirectives(MF, schemeVerbs());
  if (Error E = choose())
    return E;
  const unsigned MinBase = R.MinBase;
  while (R.Split) {
    unsigned Base = R.Split->Base;
    if (Error E = search())
      return E;
    if (R.Split || Options.ExtendedSet)
      break;
    // The policy's next choice has a larger base set.
    std::string Why = R.Untouched;
    R.MinBase = Base + 1;
    if (Error E = chooseByPolicy())
      return E;
    R.Choice->MinBase = R.MinBase = MinBase;
    for (ExtendedSetCandidate &C : R.Choice->Candidates)
      if (auto It = Failed.find(C.Split.Extended); It != Failed.end())
        C.Refused = It->second;
      else if (C.Split.Base >= MinBase &&
               C.Refused == CandidateRefusal::BaseTooSmall)
        C.Refused = CandidateRefusal::None;
    R.Untouched = R.Split ? "" : Why;
  }
  if (R.Split)
    place(*R.Split);
  return Error::success();
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
