//===- Mutations.cpp - Small mistakes in annotated code -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "regshare/Analysis/ThreadLiveness.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare::mutation {

const char *Wish::name() const {
  switch (C) {
  case Change::Drop:
    return "drop";
  case Change::Earlier:
    return "earlier";
  case Change::Later:
    return "later";
  case Change::OtherSide:
    return "other side";
  case Change::Twice:
    return "twice";
  case Change::BlockBefore:
    return "block before";
  case Change::Own:
    return Own->Name;
  case Change::Trap:
    return "trap";
  case Change::Spoil:
    return "spoil";
  }
  llvm_unreachable("covered switch");
}

/// A value that programs hardly come to.
static constexpr int64_t Odd = 23209;

static bool isCopy(const MachineInstr &MI) {
  return NVPTXOpcodes::get(*MI.getMF()).isCopy(MI);
}

/// In how many ways each of the scheme's own changes can be made at \p MI.
static std::vector<unsigned>
waysAt(const MachineInstr &MI, const RegisterAssignment &Assignment, Scheme S) {
  std::vector<unsigned> Ways;
  for (const OwnChange &C : trialOf(S).ownChanges())
    Ways.push_back(C.Ways(MI, Assignment));
  return Ways;
}

/// A statement of \p S; null for others, and for other instructions.
static const StatementKind *statementKind(const MachineInstr &MI, Scheme S) {
  StringRef Verb = statementVerb(MI);
  return S->findStatement({Verb.data(), Verb.size()});
}

/// Subject::What; empty for what is left alone.
static StringRef kindOf(const MachineInstr &MI,
                        const RegisterAssignment &Assignment, Scheme S) {
  const StatementKind *Kind = statementKind(MI, S);
  bool HasOwn =
      llvm::any_of(waysAt(MI, Assignment, S), [](unsigned N) { return N; });
  if (Kind && (Kind->Place != StatementKind::Head || HasOwn))
    return Kind->Verb;
  if (HasOwn)
    return "instruction";
  return !trialOf(S).isModelled() && isCopy(MI) ? "copy" : "";
}

std::vector<Subject> subjects(const MachineFunction &MF,
                              const RegisterAssignment &Assignment, Scheme S) {
  std::vector<Subject> Found;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      StringRef What = kindOf(MI, Assignment, S);
      if (What.empty())
        continue;
      std::string Where;
      raw_string_ostream OS(Where);
      OS << "bb." << MBB.getNumber() << ": ";
      MI.print(OS, true, false, true, false);
      const StatementKind *Kind = statementKind(MI, S);
      Found.push_back({unsigned(Found.size()), What.str(), Where,
                       !Kind || Kind->Place != StatementKind::Head,
                       waysAt(MI, Assignment, S)});
    }
  return Found;
}

static MachineInstr *find(MachineFunction &MF,
                          const RegisterAssignment &Assignment,
                          unsigned Subject, Scheme S) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (!kindOf(MI, Assignment, S).empty() && Subject-- == 0)
        return &MI;
  return nullptr;
}

/// What a kernel says once stays first.
static bool staysFirst(const MachineInstr &MI, Scheme S) {
  StringRef Verb = statementVerb(MI);
  const StatementKind *Kind = statementKind(MI, S);
  return Verb == "kernel" || Verb == "map" ||
         (Kind && Kind->Place == StatementKind::Head);
}

/// Whether it matters which of the two comes first.
static Outcome swapped(const MachineInstr &A, const MachineInstr &B,
                       const RegisterAssignment &Assignment) {
  RegEffects EA = Assignment.effects(A), EB = Assignment.effects(B);
  RegSet WritesA = EA.Defs | EA.Temps, WritesB = EB.Defs | EB.Temps;
  bool Independent = (WritesA & (EB.Uses | WritesB)).empty() &&
                     (WritesB & EA.Uses).empty() && !A.isInlineAsm();
  return Independent ? Outcome::NoMatter : Outcome::Made;
}

/// A scratch statement belongs to the instruction that it stands before:
/// a move goes past both.
static bool isScratch(const MachineInstr &MI) {
  return statementVerb(MI) == "scratch";
}

static Outcome moveEarlier(MachineInstr &MI,
                           const RegisterAssignment &Assignment, Scheme S) {
  MachineBasicBlock &MBB = *MI.getParent();
  if (MI.getIterator() == MBB.begin())
    return Outcome::None;
  auto Before = std::prev(MI.getIterator());
  if (staysFirst(*Before, S))
    return Outcome::None;
  auto Place = Before;
  while (Place != MBB.begin() && isScratch(*std::prev(Place)))
    --Place;
  MBB.splice(Place, &MBB, MI.getIterator());
  return swapped(MI, *Before, Assignment);
}

static Outcome moveLater(MachineInstr &MI,
                         const RegisterAssignment &Assignment) {
  MachineBasicBlock &MBB = *MI.getParent();
  auto Next = std::next(MI.getIterator());
  while (Next != MBB.end() && isScratch(*Next))
    ++Next;
  if (Next == MBB.end() || Next->isTerminator())
    return Outcome::None;
  MBB.splice(std::next(Next), &MBB, MI.getIterator());
  return swapped(MI, *Next, Assignment);
}

static Outcome moveToOtherSide(MachineInstr &MI) {
  MachineBasicBlock &MBB = *MI.getParent();
  for (MachineBasicBlock *Pred : MBB.predecessors())
    for (MachineBasicBlock *Other : Pred->successors())
      if (Other != &MBB) {
        Other->splice(Other->begin(), &MBB, MI.getIterator());
        return Outcome::Made;
      }
  return Outcome::None;
}

static Outcome moveToBlockBefore(MachineInstr &MI) {
  MachineBasicBlock &MBB = *MI.getParent();
  for (MachineBasicBlock *Pred : MBB.predecessors())
    if (Pred != &MBB) {
      Pred->splice(Pred->getFirstTerminator(), &MBB, MI.getIterator());
      return Outcome::Made;
    }
  return Outcome::None;
}

std::optional<unsigned> opcodeNamed(const TargetInstrInfo &TII,
                                    StringRef Name) {
  for (unsigned Op = 0; Op != TII.getNumOpcodes(); ++Op)
    if (TII.getName(Op) == Name)
      return Op;
  return std::nullopt;
}

/// Gives what \p Copy writes another value than the copy does.
static Outcome spoil(MachineInstr &Copy) {
  MachineBasicBlock &MBB = *Copy.getParent();
  const MachineFunction &MF = *MBB.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  StringRef Name = TII.getName(Copy.getOpcode());
  if (!Name.consume_front("MOV_B") || !Name.consume_back("_r"))
    return Outcome::None;
  auto Constant = opcodeNamed(TII, ("MOV_B" + Name + "_i").str());
  if (!Constant)
    return Outcome::None;
  BuildMI(MBB, std::next(Copy.getIterator()), DebugLoc(), TII.get(*Constant),
          Copy.getOperand(0).getReg())
      .addImm(Name == "1" ? 0 : Odd);
  return Outcome::Made;
}

/// How instructions call the registers of a kind: by their bits.
static std::string bitsOf(RegKind Kind) {
  return Kind == RegKind::B16 ? "16" : Kind == RegKind::B32 ? "32" : "64";
}

bool insertProbe(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where,
                 Register R, Register Other, Register Pred) {
  MachineFunction &MF = *MBB.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  std::optional<RegKind> Kind =
      regshare::kindOf(*MF.getRegInfo().getRegClass(R), TRI);
  if (!Kind || *Kind == RegKind::Pred || *Kind == RegKind::B128 || !Pred)
    return false;
  auto Compare = opcodeNamed(TII, "SETP_i" + bitsOf(*Kind) + "rr");
  auto Select = opcodeNamed(TII, "SELP_b" + bitsOf(*Kind) + "ir");
  if (!Compare || !Select)
    return false;
  constexpr int64_t NotEqual = 1;
  BuildMI(MBB, Where, DebugLoc(), TII.get(*Compare), Pred)
      .addReg(R)
      .addReg(Other)
      .addImm(NotEqual);
  BuildMI(MBB, Where, DebugLoc(), TII.get(*Select), R)
      .addImm(Odd)
      .addReg(R)
      .addReg(Pred);
  return true;
}

Register freePredicate(const MachineBasicBlock &MBB,
                       const RegisterAssignment &Assignment) {
  MachineFunction &MF = const_cast<MachineFunction &>(*MBB.getParent());
  MachineRegisterInfo &MRI = MF.getRegInfo();
  ThreadLiveness Liveness(MF, Assignment);
  RegSet Taken = Liveness.liveIn(MBB) | Liveness.liveOut(MBB);
  for (const MachineInstr &MI : MBB) {
    RegEffects E = Assignment.effects(MI);
    Taken |= E.Uses | E.Defs | E.Temps;
  }
  const TargetRegisterClass *Class = nullptr;
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    Register R = Register::index2VirtReg(I);
    ArchReg Reg = Assignment.lookup(R);
    if (!Reg.isValid() || !Reg.isPred())
      continue;
    if (!Taken.intersects(Reg))
      return R;
    Class = MRI.getRegClass(R);
  }
  if (!Class || Assignment.numPreds() == NumPredicates)
    return Register();
  return MRI.createVirtualRegister(Class,
                                   "P" + std::to_string(Assignment.numPreds()));
}

static Outcome apply(MachineInstr &MI, const RegisterAssignment &Assignment,
                     const Wish &What, Scheme S) {
  MachineBasicBlock &MBB = *MI.getParent();
  MachineFunction &MF = *MBB.getParent();
  switch (What.C) {
  case Change::Drop:
    MI.eraseFromParent();
    return Outcome::Made;
  case Change::Earlier:
    return moveEarlier(MI, Assignment, S);
  case Change::Later:
    return moveLater(MI, Assignment);
  case Change::OtherSide:
    return moveToOtherSide(MI);
  case Change::BlockBefore:
    return moveToBlockBefore(MI);
  case Change::Twice:
    MBB.insertAfter(MI.getIterator(), MF.CloneMachineInstr(&MI));
    return Outcome::Made;
  case Change::Own:
    return What.Own->Make(MI, Assignment, What.Which);
  case Change::Trap:
    insertStatement(MBB, MI.getIterator(), "trap;");
    return Outcome::Made;
  case Change::Spoil:
    return spoil(MI);
  }
  llvm_unreachable("covered switch");
}

Outcome change(MachineFunction &MF, const RegisterAssignment &Assignment,
               const Wish &What, Scheme S) {
  MachineInstr *MI = find(MF, Assignment, What.Subject, S);
  assert(MI && "no such subject");
  Change C = What.C;
  if (!What.Probe)
    return apply(*MI, Assignment, What, S);
  MachineBasicBlock &MBB = *MI->getParent();
  Register Pred = freePredicate(MBB, Assignment);
  auto Next = std::next(MI->getIterator());
  MachineInstr *Moved = C == Change::Drop ? MF.CloneMachineInstr(MI) : MI;
  if (apply(*MI, Assignment, What, S) == Outcome::None ||
      !insertProbe(MBB, Next, Moved->getOperand(0).getReg(),
                   Moved->getOperand(1).getReg(), Pred))
    return Outcome::None;
  // What it moved before may read what it writes; what it moved after may
  // read either.
  bool PassedReads =
      C == Change::Earlier &&
      Assignment.effects(*std::next(Moved->getIterator()))
          .Uses.intersects(Assignment.lookup(Moved->getOperand(0).getReg()));
  if (PassedReads || C == Change::Later)
    insertProbe(MBB, Moved->getIterator(), Moved->getOperand(0).getReg(),
                Moved->getOperand(1).getReg(), Pred);
  if (C == Change::Drop)
    MF.deleteMachineInstr(Moved);
  return Outcome::Made;
}

} // namespace regshare::mutation
