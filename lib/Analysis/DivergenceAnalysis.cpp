//===- DivergenceAnalysis.cpp - Which branches part a warp ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

class DivergenceSolver {
public:
  DivergenceSolver(const MachineFunction &MF,
                   const RegisterAssignment &Assignment,
                   const RegisterCode &Code, const Reconvergence &Meetings,
                   DivergenceOptions Options, DivergenceAnalysis &Result)
      : MF(MF), Assignment(Assignment), Code(Code), Meetings(Meetings),
        Options(Options), Result(Result), Written(MF.getNumBlockIDs()),
        Forced(MF.getNumBlockIDs()), Out(MF.getNumBlockIDs()),
        Pending(MF.getNumBlockIDs(), true) {}

  void run();

private:
  void sumUpWrites();
  RegSet writesOfDependents(const MachineBasicBlock &MBB) const;
  void visit(const MachineBasicBlock &MBB);
  void apply(uint32_t Instr, RegSet &State) const;
  bool reads(uint32_t Instr, const RegSet &State) const;
  bool reads(const MachineInstr &MI, const RegSet &State) const;
  bool diverges(uint32_t Instr, const RegSet &State) const;
  bool branchDiverges(const MachineBasicBlock &MBB, const RegSet &State) const;
  bool canMeetAnywhere(const MachineBasicBlock &MBB) const;
  void part(const MachineBasicBlock &MBB);
  void force(const MachineBasicBlock &MBB, const RegSet &Divergent);

  const MachineFunction &MF;
  const RegisterAssignment &Assignment;
  const RegisterCode &Code;
  const Reconvergence &Meetings;
  DivergenceOptions Options;
  DivergenceAnalysis &Result;
  // By block number:
  std::vector<RegSet> Written; // from the block to its meeting point
  std::vector<RegSet> Forced;  // divergent on entry because lanes meet there
  std::vector<RegSet> Out;
  std::vector<bool> Pending; // to be visited
};

/// True if \p MI reads any register in \p State.
bool DivergenceSolver::reads(const MachineInstr &MI,
                             const RegSet &State) const {
  bool Reads = false;
  Assignment.forEachOperand(
      MI, [](ArchReg) {}, [&](ArchReg R) { Reads |= State.intersects(R); });
  return Reads;
}

bool DivergenceSolver::reads(uint32_t Instr, const RegSet &State) const {
  return llvm::any_of(Code.operands(Instr), [&](RegisterCode::Operand O) {
    return !O.IsDef && State.intersects(O.Reg);
  });
}

bool DivergenceSolver::diverges(uint32_t Instr, const RegSet &State) const {
  switch (Code.resultDivergence(Instr)) {
  case ResultDivergence::Never:
    return false;
  case ResultDivergence::Always:
    return true;
  case ResultDivergence::AsLanes: {
    ArchReg Lanes = Code.lanes(Instr);
    return Lanes.isValid() && State.intersects(Lanes);
  }
  case ResultDivergence::AsOperands:
    return reads(Instr, State);
  }
  llvm_unreachable("covered switch");
}

void DivergenceSolver::apply(uint32_t Instr, RegSet &State) const {
  bool Diverges = diverges(Instr, State);
  for (RegisterCode::Operand O : Code.operands(Instr))
    if (O.IsDef)
      Diverges ? State.insert(O.Reg) : State.erase(O.Reg);
}

bool DivergenceSolver::branchDiverges(const MachineBasicBlock &MBB,
                                      const RegSet &State) const {
  if (MBB.succ_size() < 2)
    return false;
  if (Options.EveryBranch)
    return true;
  for (const MachineInstr &MI : terminatorsOf(MBB))
    if (MI.isInlineAsm() || reads(MI, State))
      return true;
  return false;
}

RegSet
DivergenceSolver::writesOfDependents(const MachineBasicBlock &MBB) const {
  RegSet Writes;
  for (const MachineBasicBlock *Succ : MBB.successors())
    Meetings.forEachDependent(MBB, *Succ, [&](const MachineBasicBlock &Dep) {
      Writes |= Written[Dep.getNumber()];
    });
  return Writes;
}

void DivergenceSolver::sumUpWrites() {
  for (const MachineBasicBlock &MBB : MF) {
    auto [Begin, End] = Code.instrs(MBB);
    for (uint32_t I = Begin; I != End; ++I)
      for (RegisterCode::Operand O : Code.operands(I))
        if (O.IsDef)
          Written[MBB.getNumber()].insert(O.Reg);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : Code.postOrder()) {
      RegSet &W = Written[MBB->getNumber()];
      RegSet All = W | writesOfDependents(*MBB);
      Changed |= All != W;
      W = All;
    }
  }
}

void DivergenceSolver::force(const MachineBasicBlock &MBB,
                             const RegSet &Divergent) {
  RegSet &F = Forced[MBB.getNumber()];
  if ((Divergent - F).empty())
    return;
  F |= Divergent;
  Pending[MBB.getNumber()] = true;
}

/// True if the lanes that \p MBB parts can meet at other blocks than its
/// meeting point: those that part at the second of two branches in it, and in a
/// function that can run forever.
bool DivergenceSolver::canMeetAnywhere(const MachineBasicBlock &MBB) const {
  auto ReadsRegisters = [&](const MachineInstr &MI) {
    return !Assignment.effects(MI).Uses.empty();
  };
  return (!Meetings.meetingPoint(MBB) && Meetings.isUncertain()) ||
         llvm::count_if(terminatorsOf(MBB), ReadsRegisters) > 1;
}

/// The branch at the end of \p MBB parts lanes.
void DivergenceSolver::part(const MachineBasicBlock &MBB) {
  RegSet Writes = writesOfDependents(MBB);
  if (const MachineBasicBlock *Meet = Meetings.meetingPoint(MBB))
    force(*Meet, Writes);
  if (canMeetAnywhere(MBB))
    for (const MachineBasicBlock &Other : MF)
      force(Other, Writes);
}

void DivergenceSolver::visit(const MachineBasicBlock &MBB) {
  unsigned N = MBB.getNumber();
  Pending[N] = false;
  RegSet State = Forced[N];
  for (const MachineBasicBlock *Pred : MBB.predecessors())
    State |= Out[Pred->getNumber()];
  Result.In[N] = State;
  auto [Begin, End] = Code.instrs(MBB);
  for (uint32_t I = Begin; I != End; ++I)
    apply(I, State);
  if (State != Out[N])
    for (const MachineBasicBlock *Succ : MBB.successors())
      Pending[Succ->getNumber()] = true;
  Out[N] = State;
  if (!Result.Divergent[N] && branchDiverges(MBB, State)) {
    Result.Divergent[N] = true;
    part(MBB);
  }
}

void DivergenceSolver::run() {
  sumUpWrites();
  for (const MachineBasicBlock &MBB : MF)
    Result.NumBranches += MBB.succ_size() > 1;
  auto IsPending = [&](const MachineBasicBlock *MBB) {
    return Pending[MBB->getNumber()];
  };
  while (llvm::any_of(Code.postOrder(), IsPending))
    for (const MachineBasicBlock *MBB : llvm::reverse(Code.postOrder()))
      if (IsPending(MBB))
        visit(*MBB);
  Result.NumDivergent = llvm::count(Result.Divergent, true);
}

DivergenceAnalysis::DivergenceAnalysis(const MachineFunction &MF,
                                       const RegisterAssignment &Assignment,
                                       const RegisterCode &Code,
                                       const Reconvergence &Meetings,
                                       DivergenceOptions Options)
    : In(MF.getNumBlockIDs()), Divergent(MF.getNumBlockIDs()) {
  DivergenceSolver(MF, Assignment, Code, Meetings, Options, *this).run();
}

DivergenceAnalysis::DivergenceAnalysis(const MachineFunction &MF,
                                       const RegisterAssignment &Assignment,
                                       const Reconvergence &Meetings,
                                       DivergenceOptions Options)
    : DivergenceAnalysis(MF, Assignment, RegisterCode(MF, Assignment), Meetings,
                         Options) {}

} // namespace regshare
