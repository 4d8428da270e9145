//===- AssignRegisters.cpp - Architected registers for values -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/AssignRegisters.h"

#include "Interference.h"
#include "SpillRegisters.h"
#include "VectorGroups.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// Copies want their two sides in one register.
static void addCopyHints(const MachineFunction &MF,
                         const MachineBlockFrequencyInfo &MBFI,
                         const NVPTXOpcodes &Opcodes, const LiveValues &Live,
                         Interference &Graph) {
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (!Opcodes.isCopy(MI) || !MI.getOperand(1).isReg() ||
          !MI.getOperand(1).getReg().isVirtual())
        continue;
      uint32_t Dst = Live.valueOf(MI.getOperand(0).getReg());
      uint32_t Src = Live.valueOf(MI.getOperand(1).getReg());
      if (Dst == ~0u || Src == ~0u || Dst == Src ||
          Live.Values[Dst].Kind != Live.Values[Src].Kind)
        continue;
      ColoringProblem &P =
          Live.Values[Dst].Kind == RegKind::Pred ? Graph.Preds : Graph.Units;
      P.addHint(Graph.NodeOf[Dst], Graph.NodeOf[Src],
                MBFI.getBlockFreqRelativeToEntryBlock(&MBB));
    }
}

static void addGroups(ArrayRef<VectorGroup> Groups, const LiveValues &Live,
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

static RegisterAssignment toAssignment(const LiveValues &Live,
                                       const Interference &Graph,
                                       const Coloring &Units,
                                       const Coloring &Preds) {
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

Error measurePeak(const MachineFunction &MF, LiveIntervals &LIS,
                  AssignStats &Stats) {
  Expected<LiveValues> Live = LiveValues::collect(MF, LIS);
  if (!Live)
    return Live.takeError();
  PeakPressure Peak = peakPressure(*Live);
  Stats.PeakUnits = Peak.Units;
  Stats.PeakPreds = Peak.Preds;
  Stats.AssignedPeak = Peak.Units;
  return Error::success();
}

Expected<RegisterAssignment>
assignRegisters(MachineFunction &MF, LiveIntervals &LIS,
                const MachineBlockFrequencyInfo &MBFI,
                const AssignOptions &Options, AssignStats &Stats) {
  const NVPTXOpcodes &Opcodes =
      NVPTXOpcodes::get(*MF.getSubtarget().getInstrInfo());
  Spiller Spill(MF, LIS, MBFI, Opcodes, Stats);
  unsigned MaxUnits = std::min(Options.MaxUnits, MaxArchUnits);
  unsigned PressureTarget = MaxUnits;
  unsigned PredTarget = NumPredicates;
  for (bool First = true;; First = false) {
    Expected<LiveValues> Live = LiveValues::collect(MF, LIS);
    if (!Live)
      return Live.takeError();
    PeakPressure Peak = peakPressure(*Live);
    if (First) {
      Stats.PeakUnits = Peak.Units;
      Stats.PeakPreds = Peak.Preds;
    }
    if (First && !Options.ReadOnly && Options.LowerPeak &&
        Spill.lowerPeak(*Live, Peak.Units)) {
      Live = LiveValues::collect(MF, LIS);
      if (!Live)
        return Live.takeError();
      Peak = peakPressure(*Live);
    }
    if (Peak.Preds > PredTarget || Peak.Units > PressureTarget) {
      if (Options.ReadOnly)
        return createStringError(
            MF.getName() + ": " + Twine(Peak.Units) + " registers and " +
            Twine(Peak.Preds) + " predicates are live at once; a thread has " +
            Twine(MaxUnits) + " and " + Twine(NumPredicates));
      if (Error E = Spill.limitPreds(PredTarget))
        return std::move(E);
      if (Error E = Spill.limitUnits(PressureTarget))
        return std::move(E);
    }
    unsigned CopiesBefore = Stats.GroupCopies;
    std::vector<VectorGroup> Groups = formVectorGroups(
        MF, LIS, MBFI, Opcodes, !Options.ReadOnly, Stats.GroupCopies);
    if (!First || Stats.GroupCopies != CopiesBefore ||
        Peak.Preds > PredTarget || Peak.Units > PressureTarget) {
      Live = LiveValues::collect(MF, LIS);
      if (!Live)
        return Live.takeError();
      Peak = peakPressure(*Live);
    }
    Interference Graph(*Live);
    addCopyHints(MF, MBFI, Opcodes, *Live, Graph);
    addGroups(Groups, *Live, Graph);
    std::optional<Coloring> Preds =
        color(Graph.Preds, Peak.Preds, NumPredicates);
    std::optional<Coloring> Units = color(Graph.Units, Peak.Units, MaxUnits);
    if (Preds && Units) {
      RegisterAssignment Assignment =
          toAssignment(*Live, Graph, *Units, *Preds);
      Stats.AssignedPeak = Peak.Units;
      Stats.Units = Assignment.numUnits();
      Stats.Preds = Assignment.numPreds();
      return Assignment;
    }
    if (Options.ReadOnly)
      return createStringError(MF.getName() + ": no assignment with " +
                               Twine(MaxUnits) +
                               " registers leaves the code as it is");
    // Alignment, groups and ranges with holes leave gaps: make room for them.
    if ((!Preds && PredTarget-- == 0) || (!Units && PressureTarget-- == 0))
      return createStringError(MF.getName() + ": no assignment with " +
                               Twine(MaxUnits) + " registers");
  }
}

} // namespace regshare
