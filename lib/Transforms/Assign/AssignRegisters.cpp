//===- AssignRegisters.cpp - Architected registers for values -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/AssignRegisters.h"

#include "ColoringInput.h"
#include "HeldSources.h"
#include "Interference.h"
#include "LazyIntervals.h"
#include "SpillRegisters.h"
#include "Transforms/Setmaxnreg/CountLimits.h"

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regshare {

void addCopyHints(ArrayRef<MachineInstr *> Copies,
                  const MachineBlockFrequencyInfo &MBFI, const LiveValues &Live,
                  Interference &Graph) {
  for (const MachineInstr *MI : Copies) {
    if (!MI->getOperand(1).isReg() || !MI->getOperand(1).getReg().isVirtual())
      continue;
    uint32_t Dst = Live.valueOf(MI->getOperand(0).getReg());
    uint32_t Src = Live.valueOf(MI->getOperand(1).getReg());
    if (Dst == ~0u || Src == ~0u || Dst == Src ||
        Live.Values[Dst].Kind != Live.Values[Src].Kind)
      continue;
    ColoringProblem &P =
        Live.Values[Dst].Kind == RegKind::Pred ? Graph.Preds : Graph.Units;
    P.addHint(Graph.NodeOf[Dst], Graph.NodeOf[Src],
              MBFI.getBlockFreqRelativeToEntryBlock(MI->getParent()));
  }
}

void addGroups(ArrayRef<VectorGroup> Groups, const LiveValues &Live,
               Interference &Graph) {
  for (const VectorGroup &G : Groups) {
    ColorCluster C;
    C.Align = G.Align;
    C.Phase = G.Phase;
    for (const VectorGroup::Member &M : G.Members)
      C.Members.push_back(
          {Graph.NodeOf[Live.valueOf(M.VReg)], uint16_t(M.Offset)});
    Graph.Units.addCluster(std::move(C));
  }
}

RegisterAssignment toAssignment(const LiveValues &Live,
                                const Interference &Graph,
                                const Coloring &Units, const Coloring &Preds) {
  RegisterAssignment Assignment;
  SmallVector<ArchReg, 4> Temps;
  for (uint32_t V = 0; V != Live.Values.size(); ++V) {
    const LiveValue &Value = Live.Values[V];
    const Coloring &C = Value.Kind == RegKind::Pred ? Preds : Units;
    ArchReg R{Value.Kind, C.FirstUnit[Graph.NodeOf[V]]};
    if (!Value.Asm) {
      Assignment.assign(Value.VReg, R);
      continue;
    }
    // The temporaries of one block follow each other.
    Temps.push_back(R);
    if (V + 1 == Live.Values.size() || Live.Values[V + 1].Asm != Value.Asm) {
      Assignment.setTemps(*Value.Asm, Temps);
      Temps.clear();
    }
  }
  return Assignment;
}

Error measurePeak(MachineFunction &MF, AssignStats &Stats) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  PeakPressure Peak = peakPressure(Live->Stretches);
  Stats.PeakUnits = Peak.Units + reservedUnits(MF);
  Stats.PeakPreds = Peak.Preds;
  Stats.AssignedPeak = Stats.PeakUnits;
  return Error::success();
}

/// Registers of a thread come in multiples of this on every architecture that
/// native code is for (CUDA C++ programming guide, compute capabilities:
/// allocation per warp by 256).
static constexpr unsigned RegsPerThreadUnit = 8;

namespace {
/// One assignment: rounds of making room and colouring, until it fits.
class Assigner {
public:
  Assigner(MachineFunction &MF, const MachineBlockFrequencyInfo &MBFI,
           const AssignOptions &Options, AssignStats &Stats)
      : MF(MF), LIS(MF), MBFI(MBFI), Options(Options), Stats(Stats),
        Opcodes(NVPTXOpcodes::get(MF)), Spill(MF, LIS, MBFI, Opcodes, Stats),
        MaxUnits(std::min(Options.MaxUnits, MaxArchUnits)),
        Reserved(std::min(reservedUnits(MF), MaxUnits)),
        UnitTarget(MaxUnits - Reserved) {
    if (Options.SharedRoom.Bytes)
      Spill.useShared(Options.SharedRoom);
  }

  Expected<RegisterAssignment> run();

private:
  Error look();
  Error makeRoom();
  std::optional<RegisterAssignment> tryColor();
  std::optional<RegisterAssignment> colorWith(const PeakPressure &Pressure);
  Error lowerTargets();
  Error findLimits();

  MachineFunction &MF;
  LazyIntervals LIS;
  const MachineBlockFrequencyInfo &MBFI;
  const AssignOptions &Options;
  AssignStats &Stats;
  const NVPTXOpcodes &Opcodes;
  Spiller Spill;
  unsigned MaxUnits;
  /// Of these, those that hold no value.
  unsigned Reserved;
  /// Most to be live at once; less than there is where colouring found gaps.
  unsigned UnitTarget;
  unsigned PredTarget = NumPredicates;
  LiveValues Live;
  PeakPressure Peak;
  /// The instructions that matter here, in layout order.
  std::vector<MachineInstr *> Copies, VectorAccesses, Constants;
  std::vector<VectorGroup> Groups;
  std::vector<LimitedStretch> Limits; ///< Of code that changes its counts.
  bool UnitsFit = false, PredsFit = false;
};
} // namespace

/// Walks the code, once for all who want some of it.
Error Assigner::look() {
  Copies.clear();
  VectorAccesses.clear();
  Constants.clear();
  auto Sort = [&](MachineInstr &MI) {
    if (Opcodes.isCopy(MI))
      Copies.push_back(&MI);
    else if (Opcodes.vectorElements(MI))
      VectorAccesses.push_back(&MI);
    else if (Opcodes.isFreeToRecompute(MI))
      Constants.push_back(&MI);
  };
  Expected<LiveValues> Now = LiveValues::collect(MF, Sort);
  if (!Now)
    return Now.takeError();
  Live = std::move(*Now);
  if (Live.MayComeApart && !LIS.areComputed()) {
    LIS.get();
    return look();
  }
  Peak = peakPressure(Live.Stretches);
  return Error::success();
}

/// Spills down to the targets and ties vector operands. Leaves Live as the
/// code then is.
Error Assigner::makeRoom() {
  if (Peak.Preds > PredTarget || Peak.Units > UnitTarget) {
    if (Options.ReadOnly)
      return createStringError(
          MF.getName() + ": " + Twine(Peak.Units + Reserved) +
          " registers and " + Twine(Peak.Preds) +
          " predicates are live at once; a thread has " + Twine(MaxUnits) +
          " and " + Twine(NumPredicates));
    if (Error E = Spill.limitPreds(PredTarget))
      return E;
    if (Error E = Spill.limitUnits(UnitTarget))
      return E;
    if (Error E = look())
      return E;
  }
  unsigned CopiesBefore = Stats.GroupCopies;
  Groups = formVectorGroups(MF, VectorAccesses, LIS, MBFI, Opcodes,
                            !Options.ReadOnly, Stats.GroupCopies);
  return Stats.GroupCopies != CopiesBefore ? look() : Error::success();
}

std::optional<RegisterAssignment> Assigner::tryColor() {
  std::optional<RegisterAssignment> Least = colorWith(Peak);
  if (!Least || !Options.FreeUnits)
    return Least;
  AssignStats LeastStats = Stats;
  // Registers come by eight: up to the next multiple they cost nothing either.
  unsigned Free = std::min<unsigned>(
      MaxUnits,
      std::max<unsigned>(Options.FreeUnits,
                         alignTo(Least->numUnits(), RegsPerThreadUnit)));
  const std::vector<LiveStretch> Exact = Live.Stretches;
  for (unsigned Eighths : {8, 6, 4, 2, 0}) {
    holdSources(Live, Eighths);
    PeakPressure Held = peakPressure(Live.Stretches);
    std::optional<RegisterAssignment> Assignment;
    if (Held.Units + Reserved <= Free)
      Assignment = colorWith(Held);
    Live.Stretches = Exact;
    if (Assignment && Assignment->numUnits() <= Free)
      return Assignment;
  }
  Stats = LeastStats;
  return Least;
}

std::optional<RegisterAssignment>
Assigner::colorWith(const PeakPressure &Pressure) {
  Interference Graph(Live, Pressure);
  addCopyHints(Copies, MBFI, Live, Graph);
  addGroups(Groups, Live, Graph);
  std::optional<Coloring> Preds =
      color(Graph.Preds, Pressure.Preds, NumPredicates);
  Graph.Units.startAt(Reserved);
  boundByLimits(Live, Limits, Graph);
  if (isNative(MF))
    Graph.Units.followHintsAgain();
  std::optional<Coloring> Units =
      color(Graph.Units, Pressure.Units + Reserved, MaxUnits);
  UnitsFit = Units.has_value();
  PredsFit = Preds.has_value();
  if (!UnitsFit || !PredsFit)
    return std::nullopt;
  RegisterAssignment Assignment = toAssignment(Live, Graph, *Units, *Preds);
  Assignment.reserve(Reserved);
  Stats.AssignedPeak = Peak.Units + Reserved;
  Stats.Units = Assignment.numUnits();
  Stats.Preds = Assignment.numPreds();
  return Assignment;
}

/// Alignment, groups and ranges with holes leave gaps: asks for room for them.
Error Assigner::lowerTargets() {
  if (Options.ReadOnly)
    return createStringError(MF.getName() + ": no assignment with " +
                             Twine(MaxUnits) +
                             " registers leaves the code as it is");
  if ((!PredsFit && PredTarget-- == 0) || (!UnitsFit && UnitTarget-- == 0))
    return createStringError(MF.getName() + ": no assignment with " +
                             Twine(MaxUnits) + " registers");
  return look();
}

/// How many registers a thread has where, of the code as it is.
Error Assigner::findLimits() {
  if (!Options.LaunchUnits)
    return Error::success();
  Limits = countLimits(MF, Live.Code, {Options.LaunchUnits});
  return checkLimits(MF, Live, Limits, Reserved);
}

Expected<RegisterAssignment> Assigner::run() {
  if (Error E = look())
    return std::move(E);
  Stats.PeakUnits = Peak.Units + Reserved;
  Stats.PeakPreds = Peak.Preds;
  if (!Options.ReadOnly && Options.LowerPeak &&
      Spill.lowerPeak(Live, Peak.Units, Constants))
    if (Error E = look())
      return std::move(E);
  while (true) {
    if (Error E = makeRoom())
      return std::move(E);
    if (Error E = findLimits())
      return std::move(E);
    if (std::optional<RegisterAssignment> Assignment = tryColor())
      return std::move(*Assignment);
    if (Error E = lowerTargets())
      return std::move(E);
  }
}

/// In PTX every operand of inline PTX is a register of its own. So a result of
/// a text with several instructions must not share one with an input that a
/// later instruction reads, though the constraints do not say so. Where LLVM
/// has made both one register, as it does of what goes around a loop, they
/// stay one, here as in its own PTX.
static void keepResultsApart(MachineFunction &MF) {
  if (!MF.hasInlineAsm())
    return;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      if (!MI.isInlineAsm() ||
          inlinePTXInstructions(inlinePTXText(MI)).size() < 2)
        continue;
      for (MachineOperand &MO : MI.all_defs())
        if (MO.getReg().isVirtual() && !MO.isTied() &&
            !MI.readsVirtualRegister(MO.getReg()))
          MO.setIsEarlyClobber();
    }
}

Expected<RegisterAssignment>
assignRegisters(MachineFunction &MF, const MachineBlockFrequencyInfo &MBFI,
                const AssignOptions &Options, AssignStats &Stats) {
  keepResultsApart(MF);
  return Assigner(MF, MBFI, Options, Stats).run();
}

} // namespace regshare
