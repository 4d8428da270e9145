//===- RegMutexCompact.cpp - Values moved at region boundaries ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A value becomes two virtual registers, one for the inside and one for the
/// outside, with a copy wherever control crosses the boundary while it is live.
/// That is right whatever lanes are active: each lane moves its own. Copies
/// into the extended set all come before what they make room for, and those
/// out of it go to registers that are free there, so that copies one after the
/// other are as good as parallel ones: no cycle can arise between the sets, and
/// interference keeps a copy from overwriting what a later one reads.
///
//===----------------------------------------------------------------------===//

#include "RegMutexCompact.h"

#include "Transforms/SplitEdge.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

//===----------------------------------------------------------------------===//
// What splitting would cost
//===----------------------------------------------------------------------===//

CrossingCounts::CrossingCounts(const MachineFunction &MF,
                               const ValueRanges &Ranges,
                               const Frequencies &Freq, const HoldPlan &Plan)
    : Ranges(Ranges) {
  std::vector<double> Before(Ranges.Instrs.size());
  for (const MachineBasicBlock &MBB : MF) {
    IndexRange Block = Ranges.Blocks[MBB.getNumber()];
    if (Block.First == Block.End)
      continue;
    bool Entry = Plan.EntryInside[MBB.getNumber()];
    double Executions = Freq.OfBlock(MBB);
    for (const MachineBasicBlock *Pred : MBB.predecessors())
      if (Plan.exitInside(Ranges, *Pred) != Entry)
        Before[Block.First] += Freq.OfEdge(*Pred, MBB);
    if (Plan.Inside[Block.First] != Entry)
      Before[Block.First] += Executions;
    for (uint32_t I = Block.First + 1; I != Block.End; ++I)
      if (Plan.Inside[I] != Plan.Inside[I - 1])
        Before[I] += Executions;
  }
  this->Before.push_back(0);
  for (double Crossings : Before)
    this->Before.push_back(this->Before.back() + Crossings);
}

double CrossingCounts::of(uint32_t Value) const {
  double Sum = 0;
  for (IndexRange R : Ranges.ThreadPoints[Value])
    Sum += Before[(R.End + 1) / 2] - Before[(R.First + 1) / 2];
  return Sum;
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

void Compaction::copyBefore(MachineBasicBlock &MBB,
                            MachineBasicBlock::iterator Where, Register To,
                            Register From, RegKind Kind) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  unsigned Opcode = NVPTXOpcodes::get(MF).copyOpcode(Kind);
  Copies.push_back(
      BuildMI(MBB, Where, DebugLoc(), TII.get(Opcode), To).addReg(From));
}

void Compaction::copyOnEdge(MachineBasicBlock &From, MachineBasicBlock &To,
                            Register Dst, Register Src, RegKind Kind) {
  if (From.succ_size() == 1)
    return copyBefore(From, firstTerminator(From), Dst, Src, Kind);
  if (To.pred_size() == 1)
    return copyBefore(To, To.begin(), Dst, Src, Kind);
  MachineBasicBlock *&Edge = EdgeBlocks[{&From, &To}];
  if (!Edge)
    Edge = splitEdge(From, To);
  copyBefore(*Edge, firstTerminator(*Edge), Dst, Src, Kind);
}

void Compaction::splitValue(uint32_t Value, const ValueRanges &Ranges,
                            LiveIntervals &LIS, ArrayRef<Crossing> Crossings,
                            RegisterAssignment &Places) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const LiveValue &V = Ranges.Live.Values[Value];
  Register Old = V.VReg;
  Register New = MRI.createVirtualRegister(MRI.getRegClass(Old));
  Places.assign(New, Places.lookup(Old));
  for (MachineOperand &MO : make_early_inc_range(MRI.reg_operands(Old)))
    if (Inside.contains(MO.getParent()))
      MO.setReg(New);
  const LiveInterval &LI = LIS.getInterval(Old);
  const std::vector<IndexRange> &Points = Ranges.ThreadPoints[Value];
  for (const Crossing &C : Crossings) {
    Register To = C.Inward ? New : Old, From = C.Inward ? Old : New;
    bool Live = C.AtEntry ? LIS.isLiveInToMBB(LI, C.MBB)
                          : isLive(Points, 2 * C.Instr) &&
                                isLive(Points, 2 * C.Instr - 1);
    if (!Live)
      continue;
    if (C.Pred)
      copyOnEdge(*C.Pred, *C.MBB, To, From, V.Kind);
    else
      copyBefore(*C.MBB, C.Before, To, From, V.Kind);
  }
}

/// Where control crosses the boundary of \p Plan.
std::vector<Compaction::Crossing>
Compaction::findCrossings(const ValueRanges &Ranges,
                          const HoldPlan &Plan) const {
  std::vector<Crossing> Crossings;
  auto Place = [&](uint32_t I) {
    return const_cast<MachineInstr *>(Ranges.Instrs[I])->getIterator();
  };
  for (MachineBasicBlock &MBB : MF) {
    IndexRange Block = Ranges.Blocks[MBB.getNumber()];
    bool Entry = Plan.EntryInside[MBB.getNumber()];
    for (MachineBasicBlock *Pred : MBB.predecessors())
      if (Plan.exitInside(Ranges, *Pred) != Entry)
        Crossings.push_back({Entry, &MBB, Pred, true, 0, {}});
    for (uint32_t I = Block.First; I != Block.End; ++I) {
      bool First = I == Block.First;
      if (Plan.Inside[I] != (First ? Entry : Plan.Inside[I - 1]))
        Crossings.push_back(
            {Plan.Inside[I], &MBB, nullptr, First, I, Place(I)});
    }
  }
  return Crossings;
}

void Compaction::split(ArrayRef<uint32_t> Values, const ValueRanges &Ranges,
                       LiveIntervals &LIS, const HoldPlan &Plan,
                       RegisterAssignment &Places) {
  for (uint32_t I = 0; I != Plan.Inside.size(); ++I)
    if (Plan.Inside[I])
      Inside.insert(Ranges.Instrs[I]);
  std::vector<Crossing> Crossings = findCrossings(Ranges, Plan);
  for (uint32_t V : Values)
    splitValue(V, Ranges, LIS, Crossings, Places);
}

/// Takes the block \p Edge off the edge it was put on.
static void removeEdgeBlock(MachineBasicBlock &From, MachineBasicBlock &To,
                            MachineBasicBlock &Edge) {
  for (MachineInstr &MI : terminatorsOf(From))
    for (MachineOperand &MO : MI.operands())
      if (MO.isMBB() && MO.getMBB() == &Edge)
        MO.setMBB(&To);
  Edge.removeSuccessor(&To);
  From.replaceSuccessor(&Edge, &To);
  Edge.eraseFromParent();
}

void Compaction::dropIdleBlocks() {
  for (auto &[Ends, Edge] : EdgeBlocks)
    if (firstTerminator(*Edge) == Edge->begin())
      removeEdgeBlock(*Ends.first, *Ends.second, *Edge);
  EdgeBlocks.clear();
}

} // namespace regshare
