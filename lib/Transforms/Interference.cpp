//===- Interference.cpp - From live intervals to a colouring problem ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interference.h"

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
        Live.add(Start, End, Live.Values.size(), LIS);
        Live.Values.push_back({Register(), T.Kind, &MI});
      }
    }
  return Error::success();
}

Expected<LiveValues> LiveValues::collect(const MachineFunction &MF,
                                         LiveIntervals &LIS) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  LiveValues Live;
  unsigned NumVRegs = MRI.getNumVirtRegs();
  Live.ValueOf.assign(NumVRegs, ~0u);
  for (unsigned I = 0; I != NumVRegs; ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(VReg))
      continue;
    std::optional<RegKind> Kind = kindOf(*MRI.getRegClass(VReg), TRI);
    if (!Kind)
      continue;
    uint32_t Value = Live.Values.size();
    Live.ValueOf[I] = Value;
    Live.Values.push_back({VReg, *Kind});
    for (const LiveRange::Segment &S : LIS.getInterval(VReg))
      Live.add(S.start, S.end, Value, LIS);
  }
  if (Error E = collectTemps(MF, LIS, Live))
    return std::move(E);
  Live.sort();
  return Live;
}

void LiveValues::add(SlotIndex Start, SlotIndex End, uint32_t Value,
                     LiveIntervals &LIS) {
  SlotIndex Zero = LIS.getSlotIndexes()->getZeroIndex();
  Stretches.push_back({uint32_t(Zero.distance(Start)),
                       uint32_t(Zero.distance(End)), Value, Start});
}

void LiveValues::sort() {
  llvm::sort(Stretches, [](const LiveStretch &A, const LiveStretch &B) {
    return std::tie(A.Start, A.Value) < std::tie(B.Start, B.Value);
  });
}

/// Walks the stretches by their start and calls F(stretch, the stretches of
/// the same register file that are live there).
template <typename Fn> static void sweep(const LiveValues &Live, Fn F) {
  std::vector<LiveStretch> Active[2];
  for (const LiveStretch &S : Live.Stretches) {
    auto &A = Active[Live.Values[S.Value].Kind == RegKind::Pred];
    llvm::erase_if(A, [&](const LiveStretch &O) { return O.End <= S.Start; });
    F(S, A);
    A.push_back(S);
  }
}

PeakPressure peakPressure(const LiveValues &Live) {
  PeakPressure Peak;
  sweep(Live, [&](const LiveStretch &S, ArrayRef<LiveStretch> Active) {
    if (Live.Values[S.Value].Kind == RegKind::Pred) {
      Peak.Preds = std::max<unsigned>(Peak.Preds, Active.size() + 1);
      return;
    }
    unsigned Units = unitsOf(Live.Values[S.Value].Kind);
    for (const LiveStretch &O : Active)
      Units += unitsOf(Live.Values[O.Value].Kind);
    Peak.Units = std::max(Peak.Units, Units);
  });
  return Peak;
}

Interference::Interference(const LiveValues &Live) {
  auto ProblemOf = [&](uint32_t Value) -> ColoringProblem & {
    return Live.Values[Value].Kind == RegKind::Pred ? Preds : Units;
  };
  NodeOf.reserve(Live.Values.size());
  for (uint32_t V = 0; V != Live.Values.size(); ++V)
    NodeOf.push_back(
        ProblemOf(V).addNode(std::max(1u, unitsOf(Live.Values[V].Kind))));
  sweep(Live, [&](const LiveStretch &S, ArrayRef<LiveStretch> Active) {
    ColoringProblem &P = ProblemOf(S.Value);
    for (const LiveStretch &O : Active)
      if (O.Value != S.Value)
        P.addInterference(NodeOf[S.Value], NodeOf[O.Value]);
  });
}

} // namespace regshare
