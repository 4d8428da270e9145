//===- Interference.cpp - From live intervals to a colouring problem ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interference.h"

#include "RadixSort.h"

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// Temporaries of inline PTX. They are written while the block's inputs are
/// still to be read and perhaps after its first output was: they overlap both.
static Error collectTemps(const MachineFunction &MF, LiveIntervals &LIS,
                          LiveValues &Live) {
  if (!MF.hasInlineAsm())
    return Error::success();
  SlotIndexes &Indexes = *LIS.getSlotIndexes();
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (!MI.isInlineAsm())
        continue;
      Expected<std::vector<InlinePTXTemp>> Temps =
          parseInlinePTXTemps(inlinePTXText(MI));
      if (!Temps)
        return Temps.takeError();
      SlotIndex At = LIS.getInstructionIndex(MI);
      for (const InlinePTXTemp &T : *Temps) {
        SlotIndex Start = T.FunctionScope ? Indexes.getZeroIndex()
                                          : At.getRegSlot(/*EC=*/true);
        SlotIndex End =
            T.FunctionScope ? Indexes.getLastIndex() : At.getDeadSlot();
        Live.Values.push_back({Register(), T.Kind, &MI});
        Live.add(Start, End, Live.Values.size() - 1, Indexes.getZeroIndex());
      }
    }
  return Error::success();
}

Expected<LiveValues> LiveValues::collect(const MachineFunction &MF,
                                         LiveIntervals &LIS) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const RegKinds KindOf(*MF.getSubtarget().getRegisterInfo());
  SlotIndex Zero = LIS.getSlotIndexes()->getZeroIndex();
  LiveValues Live;
  unsigned NumVRegs = MRI.getNumVirtRegs();
  Live.ValueOf.assign(NumVRegs, ~0u);
  Live.Values.reserve(NumVRegs);
  Live.Stretches.reserve(2 * NumVRegs);
  for (unsigned I = 0; I != NumVRegs; ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(VReg))
      continue;
    std::optional<RegKind> Kind = KindOf(*MRI.getRegClass(VReg));
    if (!Kind)
      continue;
    uint32_t Value = Live.Values.size();
    Live.ValueOf[I] = Value;
    Live.Values.push_back({VReg, *Kind});
    for (const LiveRange::Segment &S : LIS.getInterval(VReg))
      Live.add(S.start, S.end, Value, Zero);
  }
  if (Error E = collectTemps(MF, LIS, Live))
    return std::move(E);
  Live.sort();
  return Live;
}

void LiveValues::add(SlotIndex Start, SlotIndex End, uint32_t Value,
                     SlotIndex Zero) {
  assert(Start < End && "a stretch of nothing");
  Stretches.push_back({uint32_t(Zero.distance(Start)),
                       uint32_t(Zero.distance(End)), Value,
                       Values[Value].Kind});
}

void LiveValues::sort() {
  sortByNumber(Stretches, [](const LiveStretch &S) { return S.Start; });
}

SlotIndex LiveValues::startOf(const LiveStretch &S, LiveIntervals &LIS) const {
  const LiveValue &V = Values[S.Value];
  SlotIndex Zero = LIS.getSlotIndexes()->getZeroIndex();
  if (S.Start == 0)
    return Zero;
  if (V.Asm)
    return LIS.getInstructionIndex(*V.Asm);
  return llvm::find_if(LIS.getInterval(V.VReg),
                       [&](const LiveRange::Segment &Segment) {
                         return uint32_t(Zero.distance(Segment.start)) ==
                                S.Start;
                       })
      ->start;
}

PeakPressure peakPressure(const LiveValues &Live) {
  std::vector<LiveStretch> ByEnd = Live.Stretches;
  sortByNumber(ByEnd, [](const LiveStretch &S) { return S.End; });
  auto Ended = ByEnd.begin();
  unsigned Units = 0, Preds = 0;
  PeakPressure Peak;
  for (const LiveStretch &S : Live.Stretches) {
    for (; Ended->End <= S.Start; ++Ended) {
      Units -= unitsOf(Ended->Kind);
      Preds -= Ended->Kind == RegKind::Pred;
    }
    Units += unitsOf(S.Kind);
    Preds += S.Kind == RegKind::Pred;
    Peak.Units = std::max(Peak.Units, Units);
    Peak.Preds = std::max(Peak.Preds, Preds);
  }
  return Peak;
}

namespace {
/// The nodes of one register file that are live at a place, in the order in
/// which they became so.
class ActiveNodes {
public:
  void dropEnded(uint32_t Now) {
    size_t Kept = 0;
    for (size_t I = 0; I != Ends.size(); ++I) {
      Ends[Kept] = Ends[I];
      Nodes[Kept] = Nodes[I];
      Kept += Ends[Kept] > Now;
    }
    Ends.resize(Kept);
    Nodes.resize(Kept);
  }
  void add(uint32_t Node, uint32_t End) {
    Nodes.push_back(Node);
    Ends.push_back(End);
  }
  ArrayRef<uint32_t> nodes() const { return Nodes; }

private:
  std::vector<uint32_t> Ends, Nodes;
};
} // namespace

Interference::Interference(const LiveValues &Live) {
  auto ProblemOf = [&](uint32_t Value) -> ColoringProblem & {
    return Live.Values[Value].Kind == RegKind::Pred ? Preds : Units;
  };
  NodeOf.reserve(Live.Values.size());
  for (uint32_t V = 0; V != Live.Values.size(); ++V)
    NodeOf.push_back(
        ProblemOf(V).addNode(std::max(1u, unitsOf(Live.Values[V].Kind))));
  ActiveNodes Active[2];
  for (const LiveStretch &S : Live.Stretches) {
    ActiveNodes &A = Active[S.Kind == RegKind::Pred];
    A.dropEnded(S.Start);
    ProblemOf(S.Value).addInterferences(NodeOf[S.Value], A.nodes());
    A.add(NodeOf[S.Value], S.End);
  }
}

} // namespace regshare
