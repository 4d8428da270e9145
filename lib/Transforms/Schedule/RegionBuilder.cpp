//===- RegionBuilder.cpp - A region of machine code as a graph ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionBuilder.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/ScheduleDAG.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

LiveAtPoint::LiveAtPoint(const MachineFunction &MF)
    : Values(MF.getRegInfo().getNumVirtRegs()), Is(Values.size()) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const RegKinds KindOf(*MF.getSubtarget().getRegisterInfo());
  for (unsigned I = 0; I != Values.size(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    const TargetRegisterClass *RC = MRI.getRegClassOrNull(VReg);
    if (!RC || nativePlace(MRI, VReg) != NativePlace::Register)
      continue;
    if (std::optional<RegKind> Kind = KindOf(*RC)) {
      Values[I].Units = unitsOf(*Kind);
      Values[I].IsPred = *Kind == RegKind::Pred;
    }
  }
}

void LiveAtPoint::clear() {
  for (unsigned I : Members)
    Is[I] = false;
  Members.clear();
  Units = Preds = 0;
}

void LiveAtPoint::insert(Register VReg) {
  unsigned I = VReg.virtRegIndex();
  if (Is[I])
    return;
  Is[I] = true;
  Members.push_back(I);
  Units += Values[I].Units;
  Preds += Values[I].IsPred;
}

void LiveAtPoint::erase(Register VReg) {
  unsigned I = VReg.virtRegIndex();
  if (!Is[I])
    return;
  Is[I] = false;
  Units -= Values[I].Units;
  Preds -= Values[I].IsPred;
}

void LiveAtPoint::stepBackward(const MachineInstr &MI) {
  if (MI.isDebugInstr())
    return;
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg().isVirtual() && MO.isDef())
      erase(MO.getReg());
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg().isVirtual() && MO.readsReg())
      insert(MO.getReg());
}

namespace {

class RegionBuilder {
public:
  RegionBuilder(std::vector<SUnit> &Units, const LiveAtPoint &After,
                const NVPTXOpcodes &Opcodes, const LatencyClasses &Classes,
                const LatencyTable &Latencies, AAResults *AA)
      : Units(Units), After(After), Opcodes(Opcodes), Classes(Classes),
        Latencies(Latencies), AA(AA) {}
  MachineRegion run();

private:
  void joinGroups();
  void addEdges();
  void addValues();
  void noteOperands(uint32_t Node, const MachineInstr &MI);
  void endValues();
  void noteCopy(const MachineInstr &MI);
  void keepCopiesCoalescable();
  uint32_t valueRead(Register VReg);
  uint32_t newValue(Register VReg);
  void addEdge(uint32_t From, uint32_t To, uint32_t Latency);

  std::vector<SUnit> &Units;
  const LiveAtPoint &After;
  const NVPTXOpcodes &Opcodes;
  const LatencyClasses &Classes;
  const LatencyTable &Latencies;
  AAResults *AA;
  MachineRegion Result;
  std::vector<uint32_t> NodeOf; // by SUnit
  /// The value that a register has at the point that the walk has come to.
  DenseMap<Register, uint32_t> Current;
  static constexpr uint32_t Nobody = ~0u;
  std::vector<uint32_t> WriterOf; // by value: node, or Nobody
  struct Copy {
    uint32_t Overwritten, Source; ///< Values.
  };
  std::vector<Copy> Copies;
};

} // namespace

void RegionBuilder::joinGroups() {
  bool Joins = false;
  for (SUnit &SU : Units) {
    if (!Joins) {
      Result.Members.emplace_back();
      Result.Graph.Nodes.emplace_back();
    }
    NodeOf.push_back(Result.Members.size() - 1);
    Result.Members.back().push_back(&SU);
    Joins = isFolded(*SU.getInstr());
  }
}

void RegionBuilder::addEdge(uint32_t From, uint32_t To, uint32_t Latency) {
  for (RegionNode::Edge &E : Result.Graph.Nodes[From].Succs)
    if (E.To == To) {
      E.Latency = std::max(E.Latency, Latency);
      return;
    }
  Result.Graph.Nodes[From].Succs.push_back({To, Latency});
}

void RegionBuilder::addEdges() {
  for (SUnit &SU : Units) {
    uint32_t From = NodeOf[SU.NodeNum];
    uint32_t Latency = Latencies[unsigned(Classes.of(*SU.getInstr()))];
    for (const SDep &D : SU.Succs) {
      if (D.getSUnit()->isBoundaryNode() || D.isWeak())
        continue;
      uint32_t To = NodeOf[D.getSUnit()->NodeNum];
      // LLVM asks its alias analysis only for targets that want it so. Types of
      // the source do not count: programs access one place by several, and
      // ptxas, which sees none, has them work.
      if (AA && D.isNormalMemory() &&
          !SU.getInstr()->mayAlias(AA, *D.getSUnit()->getInstr(),
                                   /*UseTBAA=*/false))
        continue;
      if (To != From)
        addEdge(From, To, D.getKind() == SDep::Data ? Latency : 1);
    }
  }
}

uint32_t RegionBuilder::newValue(Register VReg) {
  Result.Graph.Values.push_back(After.valueOf(VReg));
  WriterOf.push_back(Nobody);
  return Current[VReg] = Result.Graph.Values.size() - 1;
}

uint32_t RegionBuilder::valueRead(Register VReg) {
  if (auto It = Current.find(VReg); It != Current.end())
    return It->second;
  uint32_t V = newValue(VReg);
  Result.Graph.Values[V].LivesIn = true;
  return V;
}

void RegionBuilder::noteOperands(uint32_t Node, const MachineInstr &MI) {
  RegionNode &N = Result.Graph.Nodes[Node];
  auto Takes = [&](const MachineOperand &MO) {
    if (!MO.isReg() || !MO.getReg().isVirtual())
      return false;
    RegionValue V = After.valueOf(MO.getReg());
    return V.Units || V.IsPred;
  };
  for (const MachineOperand &MO : MI.operands())
    if (Takes(MO) && MO.readsReg())
      if (uint32_t V = valueRead(MO.getReg()); !is_contained(N.Reads, V))
        N.Reads.push_back(V);
  if (Opcodes.isCopy(MI))
    noteCopy(MI);
  for (const MachineOperand &MO : MI.operands())
    if (Takes(MO) && MO.isDef()) {
      uint32_t V = newValue(MO.getReg());
      WriterOf[V] = Node;
      N.Writes.push_back(V);
    }
}

void RegionBuilder::endValues() {
  Region &G = Result.Graph;
  G.UnitsThrough = After.units();
  G.PredsThrough = After.preds();
  for (auto [VReg, V] : Current)
    if (After.contains(VReg)) {
      G.Values[V].LivesOut = true;
      G.UnitsThrough -= G.Values[V].Units;
      G.PredsThrough -= G.Values[V].IsPred;
    }
  G.countReaders();
}

void RegionBuilder::noteCopy(const MachineInstr &MI) {
  const MachineOperand &From = MI.getOperand(1);
  if (!From.isReg() || !From.getReg().isVirtual())
    return;
  auto Source = Current.find(From.getReg());
  auto Old = Current.find(MI.getOperand(0).getReg());
  if (Source != Current.end() && Old != Current.end())
    Copies.push_back({Old->second, Source->second});
}

/// A copy at the end of a loop's body costs nothing if its source is written
/// after the last read of what it overwrites. Where the code has it so, it
/// stays so.
void RegionBuilder::keepCopiesCoalescable() {
  DenseMap<uint32_t, uint32_t> WriterOfCopied; // by the value overwritten
  for (auto [Overwritten, Source] : Copies)
    if (WriterOf[Source] != Nobody)
      WriterOfCopied[Overwritten] = WriterOf[Source];
  if (WriterOfCopied.empty())
    return;
  for (uint32_t N = 0; N != Result.Graph.Nodes.size(); ++N)
    for (uint32_t V : Result.Graph.Nodes[N].Reads)
      if (auto It = WriterOfCopied.find(V);
          It != WriterOfCopied.end() && N < It->second)
        addEdge(N, It->second, 1);
}

MachineRegion RegionBuilder::run() {
  joinGroups();
  addEdges();
  for (SUnit &SU : Units)
    noteOperands(NodeOf[SU.NodeNum], *SU.getInstr());
  endValues();
  keepCopiesCoalescable();
  return std::move(Result);
}

MachineRegion buildRegion(std::vector<SUnit> &Units, const LiveAtPoint &After,
                          const NVPTXOpcodes &Opcodes,
                          const LatencyClasses &Classes,
                          const LatencyTable &Latencies, AAResults *AA) {
  return RegionBuilder(Units, After, Opcodes, Classes, Latencies, AA).run();
}

} // namespace regshare
