//===- FoldJoins.cpp - Instructions that hardware joins -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

namespace {

/// Folds what the readers of one function take.
class Joiner {
public:
  Joiner(MachineFunction &MF, const HardwareOps &Ops)
      : MF(MF), MRI(MF.getRegInfo()), Ops(Ops),
        KindOf(*MF.getSubtarget().getRegisterInfo()), Count(numFolded(MRI)) {}

  void visit(MachineInstr &Reader);

private:
  bool tryFold(MachineInstr &Reader, unsigned Source, bool ToOne);
  MachineInstr *producer(const MachineOperand &MO) const;
  bool mayTake(const MachineInstr &Reader, unsigned Source,
               const MachineInstr &Folded, const FoldRule &Rule) const;
  bool joinsOther(const FoldGroup &Own, const FoldRule &Rule) const;
  bool fits(const FoldGroup &Own, const FoldGroup &Taken, unsigned Source,
            const FoldRule &Rule) const;
  void fold(MachineInstr &Reader, MachineOperand &MO, const FoldGroup &Taken,
            bool Moves);
  Register newFolded(Register Like);

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const HardwareOps &Ops;
  RegKinds KindOf;
  unsigned Count;
};

} // namespace

/// The instruction that alone defines \p MO, a virtual register without a
/// place; null if there is none.
MachineInstr *Joiner::producer(const MachineOperand &MO) const {
  if (!MO.isReg() || !MO.isUse() || MO.isUndef() || !MO.getReg().isVirtual() ||
      nativePlace(MRI, MO.getReg()) != NativePlace::Register)
    return nullptr;
  MachineInstr *Def = MRI.hasOneDef(MO.getReg())
                          ? MRI.getOneDef(MO.getReg())->getParent()
                          : nullptr;
  bool Plain = Def && !Def->isInlineAsm() && Def->getNumExplicitDefs() == 1 &&
               !Def->mayLoadOrStore() && !Def->hasUnmodeledSideEffects();
  return Plain ? Def : nullptr;
}

/// Conditions of single rules.
bool Joiner::mayTake(const MachineInstr &Reader, unsigned Source,
                     const MachineInstr &Folded, const FoldRule &Rule) const {
  auto Imm = [](const MachineOperand &MO) {
    return MO.isImm() ? std::optional(MO.getImm()) : std::nullopt;
  };
  switch (Rule.Folded) {
  case OpKind::Logic:
    // A comparison of the result with zero, for equality.
    return Rule.Reader != OpKind::Compare ||
           (Imm(HardwareOps::source(Reader, 1)) == 0 &&
            Imm(HardwareOps::source(Reader, 2)) <= 1);
  case OpKind::Shl: {
    // LEA shifts by a constant number of bits.
    std::optional<int64_t> Bits = Imm(HardwareOps::source(Folded, 1));
    return Bits && *Bits < 32;
  }
  case OpKind::ZeroExtend:
  case OpKind::SignExtend: {
    if (Rule.Reader != OpKind::Shl)
      return true;
    std::optional<int64_t> Bits = Imm(HardwareOps::source(Reader, 1));
    return Source == 0 && Bits && *Bits < 31;
  }
  case OpKind::Truncate:
    // What a vector store takes is in neighbouring registers.
    return Rule.Reader != OpKind::Store || Ops.of(Reader).Sources == 1;
  default:
    return true;
  }
}

unsigned numFolded(const MachineRegisterInfo &MRI) {
  unsigned Count = 0;
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I)
    Count +=
        nativePlace(MRI, Register::index2VirtReg(I)) == NativePlace::Folded;
  return Count;
}

bool isUnchanged(const FoldGroup &G, const MachineInstr &Reader) {
  const MachineRegisterInfo &MRI = Reader.getMF()->getRegInfo();
  const MachineBasicBlock *MBB = G.Last->getParent();
  for (MachineInstr *MI : G.all())
    for (const MachineOperand &MO : MI->uses()) {
      // A register with one definition has, wherever that of G is known to have
      // been executed, the value that it had there.
      if (!MO.isReg() || !MO.getReg().isVirtual() || MRI.hasOneDef(MO.getReg()))
        continue;
      if (MBB != Reader.getParent())
        return false;
      for (const MachineInstr *At = G.Last->getNextNode(); At != &Reader;
           At = At->getNextNode())
        if (!At || At->definesRegister(MO.getReg(), nullptr))
          return false;
    }
  return true;
}

/// Whether \p Own has joined something that does not go with \p Rule: an
/// instruction multiplies, shifts or extends one operand. Those of LOP3 are
/// alike, and so are registers with zero as their upper half.
bool Joiner::joinsOther(const FoldGroup &Own, const FoldRule &Rule) const {
  const HardwareOp &Op = Ops.of(*Own.Last);
  for (unsigned S = 0; S != Op.Sources; ++S) {
    MachineInstr *Def = Own.definition(HardwareOps::source(*Own.Last, S));
    const FoldRule *Other = Def ? Ops.rule(*Own.Last, S, *Def) : nullptr;
    bool Alike =
        Other && Other->Folded == Rule.Folded &&
        (Rule.Folded == OpKind::Logic || Rule.Folded == OpKind::ZeroExtend);
    if (Other && Other->Slots && !Alike)
      return true;
  }
  return false;
}

/// Whether \p Own and \p Taken can be one instruction.
bool Joiner::fits(const FoldGroup &Own, const FoldGroup &Taken, unsigned Source,
                  const FoldRule &Rule) const {
  unsigned Compares = 0;
  for (const FoldGroup *G : {&Own, &Taken})
    for (MachineInstr *MI : G->all())
      Compares += Ops.of(*MI).Kind == OpKind::Compare ||
                  Ops.of(*MI).Kind == OpKind::FCompare;
  // A comparison takes one predicate, and PLOP3 none.
  if (Rule.Reader == OpKind::PredLogic && Compares)
    return Rule.Folded != OpKind::PredLogic && Compares == 1 &&
           leavesOf(Own, Ops) == 2 && Taken.Folded.size() <= 1;
  if (!Rule.Leaves)
    return true;
  if (joinsOther(Own, Rule))
    return false;
  // A second constant would cost the instruction that joining saves.
  if (!Rule.Copies &&
      constantsOf(Own, Ops).size() + constantsOf(Taken, Ops).size() > 1)
    return false;
  return leavesOf(Own, Ops) + leavesOf(Taken, Ops) - 1 <= Rule.Leaves;
}

Register Joiner::newFolded(Register Like) {
  return MRI.createVirtualRegister(MRI.getRegClass(Like),
                                   "F" + Twine(Count++).str());
}

/// Puts copies of \p Taken before \p Reader, which reads them in \p MO; with
/// \p Moves, nobody else reads it.
void Joiner::fold(MachineInstr &Reader, MachineOperand &MO,
                  const FoldGroup &Taken, bool Moves) {
  DenseMap<Register, Register> Renamed;
  Register Value = Taken.Last->getOperand(0).getReg();
  for (MachineInstr *MI : Taken.all()) {
    MachineInstr *Copy = MF.CloneMachineInstr(MI);
    Reader.getParent()->insert(Reader.getIterator(), Copy);
    for (MachineOperand &Operand : Copy->operands()) {
      if (!Operand.isReg() || !Operand.getReg().isVirtual())
        continue;
      if (Operand.isUse())
        Operand.setIsKill(false);
      Register Old = Operand.getReg();
      if (Operand.isDef())
        Renamed[Old] = newFolded(Old);
      if (Register New = Renamed.lookup(Old))
        Operand.setReg(New);
      else
        MRI.clearKillFlags(Old);
    }
  }
  MO.setReg(Renamed.lookup(Value));
  MO.setIsKill(false);
  if (!Moves)
    return;
  for (MachineOperand &Debug : make_early_inc_range(MRI.reg_operands(Value)))
    if (Debug.getParent()->isDebugInstr())
      Debug.setReg(Register());
  for (MachineInstr *MI : Taken.all())
    MI->eraseFromParent();
}

bool Joiner::tryFold(MachineInstr &Reader, unsigned Source, bool ToOne) {
  MachineOperand &MO = HardwareOps::source(Reader, Source);
  MachineInstr *Def = producer(MO);
  if (!Def)
    return false;
  const FoldRule *Rule = Ops.rule(Reader, Source, *Def);
  if (!Rule || (Rule->Slots == 1) != ToOne ||
      !mayTake(Reader, Source, *Def, *Rule))
    return false;
  FoldGroup Taken = FoldGroup::of(*Def), Own = FoldGroup::of(Reader);
  bool Moves = MRI.hasOneNonDBGUse(MO.getReg());
  bool Local = Def->getParent() == Reader.getParent();
  if ((!Moves && !Rule->Copies) || (!Local && !Rule->Copies) ||
      !fits(Own, Taken, Source, *Rule) || !isUnchanged(Taken, Reader))
    return false;
  fold(Reader, MO, Taken, Moves);
  return true;
}

void Joiner::visit(MachineInstr &Reader) {
  const HardwareOp &Op = Ops.of(Reader);
  // What leaves one instruction goes before what leaves two.
  for (bool ToOne : {true, false})
    for (unsigned S = 0; S != Op.Sources; ++S)
      tryFold(Reader, S, ToOne);
}

void joinInstructions(MachineFunction &MF, const HardwareOps &Ops,
                      const DenseSet<Register> &Addresses) {
  Joiner J(MF, Ops);
  for (MachineBasicBlock &MBB : MF)
    for (auto I = MBB.begin(); I != MBB.end(); ++I)
      if (!I->isDebugInstr() && !definesConstant(*I) && !isFolded(*I) &&
          !definesOneOf(*I, Addresses))
        J.visit(*I);
}

} // namespace regshare
