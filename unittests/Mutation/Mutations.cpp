//===- Mutations.cpp - Small mistakes in annotated code -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "Transforms/Renumber.h"

#include "regshare/Analysis/ThreadLiveness.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/Base/Sharing/SharingStatements.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace llvm;

namespace regshare::mutation {

const char *changeName(Change C) {
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
  case Change::DropRegister:
    return "drop a register";
  case Change::AddRegister:
    return "add a register";
  case Change::MarkDead:
    return "mark as dead";
  case Change::DropPlace:
    return "drop a place";
  case Change::OtherSlot:
    return "other slot";
  case Change::CacheAlone:
    return "cache alone";
  case Change::BlockBefore:
    return "block before";
  case Change::FewerPrivate:
    return "private registers fewer";
  case Change::MorePrivate:
    return "a private register more";
  case Change::SwapNumbers:
    return "numbers swapped";
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
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  return NVPTXOpcodes::get(TII).isCopy(MI);
}

/// What a well-formed statement says.
static Statement directiveOf(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).split('"').second.rsplit('"').first;
  return *parseStatement({Text.data(), Text.size()});
}

/// The registers that the operands of \p MI are, without those that the
/// statement behind it marks.
static std::vector<ArchReg>
unmarkedOperands(const MachineInstr &MI, const RegisterAssignment &Assignment) {
  std::vector<ArchReg> Operands;
  if (MI.isMetaInstruction() || MI.isTerminator() || !statementVerb(MI).empty())
    return Operands;
  RegSet Marked;
  auto Next = std::next(MI.getIterator());
  if (Next != MI.getParent()->end() && statementVerb(*Next) == "dead") {
    const std::vector<unsigned> Units = *parseDead(directiveOf(*Next));
    for (unsigned Unit : Units)
      Marked.set(Unit);
  }
  Assignment.forEachOperand(
      MI, [](ArchReg) {},
      [&](ArchReg R) {
        if (!R.isPred() && !Marked.contains(R) && !is_contained(Operands, R))
          Operands.push_back(R);
      });
  return Operands;
}

/// The registers of a PREFETCH or PREF; nothing for anything else.
static std::optional<std::vector<unsigned>> vectorOf(const MachineInstr &MI) {
  StringRef Verb = statementVerb(MI);
  if (Verb == "prefetch")
    return parsePrefetch(directiveOf(MI))->Units;
  if (Verb == "pref")
    return *parsePref(directiveOf(MI));
  return std::nullopt;
}

/// Units that a PREFETCH or PREF could have and has not.
static std::vector<unsigned> absent(const std::vector<unsigned> &Vector,
                                    const RegisterAssignment &Assignment) {
  std::vector<unsigned> Units;
  for (unsigned Unit = 0; Unit != Assignment.numUnits(); ++Unit)
    if (!is_contained(Vector, Unit))
      Units.push_back(Unit);
  return Units;
}

/// Subject::What; empty for what is left alone.
static StringRef kindOf(const MachineInstr &MI,
                        const RegisterAssignment &Assignment, bool Operands) {
  StringRef Verb = statementVerb(MI);
  for (StringRef Kind : {"acquire", "release", "free", "prefetch", "interval",
                         "dead", "strand", "operands", "pref", "sharing"})
    if (Verb == Kind)
      return Verb;
  if (Operands)
    return unmarkedOperands(MI, Assignment).empty() ? "" : "operand";
  return isCopy(MI) ? "copy" : "";
}

std::vector<Subject> subjects(const MachineFunction &MF,
                              const RegisterAssignment &Assignment,
                              bool Operands) {
  std::vector<Subject> Found;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      StringRef Kind = kindOf(MI, Assignment, Operands);
      if (Kind.empty())
        continue;
      std::string Where;
      raw_string_ostream OS(Where);
      OS << "bb." << MBB.getNumber() << ": ";
      MI.print(OS, true, false, true, false);
      Subject S{unsigned(Found.size()), Kind.str(), Where};
      if (Kind == "operand")
        S.Unmarked = unmarkedOperands(MI, Assignment).size();
      if (auto Vector = vectorOf(MI)) {
        S.Dropped = Vector->size();
        S.Added = absent(*Vector, Assignment).size();
      }
      if (Kind == "operands") {
        OperandPlaces P = *parseOperands(directiveOf(MI));
        for (const OperandPlacesField &F : OperandPlacesFields)
          S.Places += (P.*F.Places).size();
        S.InBoth = P.Both.size();
      }
      if (Kind == "sharing")
        S.Private = *parseSharing(directiveOf(MI));
      Found.push_back(std::move(S));
    }
  return Found;
}

static MachineInstr *find(MachineFunction &MF,
                          const RegisterAssignment &Assignment,
                          unsigned Subject, bool Operands) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (!kindOf(MI, Assignment, Operands).empty() && Subject-- == 0)
        return &MI;
  return nullptr;
}

/// The split, and the pragmas before it, stay first.
static bool staysFirst(const MachineInstr &MI) {
  StringRef Verb = statementVerb(MI);
  return Verb == "regmutex" || Verb == "intervals" || Verb == "kernel" ||
         Verb == "map" || Verb == "cache" || Verb == "bundles" ||
         Verb == "sharing";
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

static Outcome moveEarlier(MachineInstr &MI,
                           const RegisterAssignment &Assignment) {
  MachineBasicBlock &MBB = *MI.getParent();
  if (MI.getIterator() == MBB.begin())
    return Outcome::None;
  auto Before = std::prev(MI.getIterator());
  if (staysFirst(*Before))
    return Outcome::None;
  MBB.splice(Before, &MBB, MI.getIterator());
  return swapped(MI, *Before, Assignment);
}

static Outcome moveLater(MachineInstr &MI,
                         const RegisterAssignment &Assignment) {
  MachineBasicBlock &MBB = *MI.getParent();
  auto Next = std::next(MI.getIterator());
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

static std::optional<unsigned> opcodeNamed(const TargetInstrInfo &TII,
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

/// Before \p Where: what \p Copy writes gets a value of its own unless it has
/// the one that the copy reads. False if that cannot be said in code: of
/// predicates, and without a free one.
static bool insertProbe(MachineBasicBlock &MBB,
                        MachineBasicBlock::iterator Where,
                        const MachineInstr &Copy, Register Pred) {
  const TargetInstrInfo &TII = *MBB.getParent()->getSubtarget().getInstrInfo();
  StringRef Name = TII.getName(Copy.getOpcode());
  if (!Name.consume_front("MOV_B") || !Name.consume_back("_r") || !Pred)
    return false;
  auto Compare = opcodeNamed(TII, ("SETP_i" + Name + "rr").str());
  auto Select = opcodeNamed(TII, ("SELP_b" + Name + "ir").str());
  if (!Compare || !Select)
    return false;
  constexpr int64_t NotEqual = 1;
  Register Def = Copy.getOperand(0).getReg();
  BuildMI(MBB, Where, DebugLoc(), TII.get(*Compare), Pred)
      .addReg(Def)
      .addReg(Copy.getOperand(1).getReg())
      .addImm(NotEqual);
  BuildMI(MBB, Where, DebugLoc(), TII.get(*Select), Def)
      .addImm(Odd)
      .addReg(Def)
      .addReg(Pred);
  return true;
}

/// A predicate that nothing in \p MBB names and no value lives in; none if
/// there is none.
static Register freePredicate(const MachineBasicBlock &MBB,
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

static Outcome replaceVector(MachineInstr &MI,
                             const std::vector<unsigned> &Units) {
  bool IsPref = statementVerb(MI) == "pref";
  if (Units.empty() && !IsPref)
    return Outcome::None; // Which cannot be said.
  std::string Statement =
      IsPref ? printPrefPragma(Units)
             : printPrefetchPragma(parsePrefetch(directiveOf(MI))->Interval,
                                   Units);
  insertStatement(*MI.getParent(), MI.getIterator(), Statement);
  MI.eraseFromParent();
  return Outcome::Made;
}

static Outcome dropRegister(MachineInstr &MI, unsigned Which) {
  std::vector<unsigned> Units = *vectorOf(MI);
  Units.erase(Units.begin() + Which);
  return replaceVector(MI, Units);
}

static Outcome addRegister(MachineInstr &MI,
                           const RegisterAssignment &Assignment,
                           unsigned Which) {
  std::vector<unsigned> Units = *vectorOf(MI);
  Units.push_back(absent(Units, Assignment)[Which]);
  llvm::sort(Units);
  return replaceVector(MI, Units);
}

static Outcome markDead(MachineInstr &MI, const RegisterAssignment &Assignment,
                        unsigned Which) {
  ArchReg R = unmarkedOperands(MI, Assignment)[Which];
  std::vector<unsigned> Units;
  for (unsigned Unit = R.Index; Unit != R.Index + R.units(); ++Unit)
    Units.push_back(Unit);
  insertStatement(*MI.getParent(), std::next(MI.getIterator()),
                  printDeadPragma(Units));
  return Outcome::Made;
}

static Outcome replacePlaces(MachineInstr &MI, const OperandPlaces &P) {
  if (!P.isEmpty())
    insertStatement(*MI.getParent(), MI.getIterator(), printOperandsPragma(P));
  MI.eraseFromParent();
  return Outcome::Made;
}

/// The number of slots of the function that \p MI is in.
static unsigned numSlots(const MachineInstr &MI) {
  for (const MachineInstr &Each : MI.getMF()->front())
    if (statementVerb(Each) == "cache")
      return *parseCache(directiveOf(Each));
  return 0;
}

/// Drops a place, or names the next slot that no other place has.
static Outcome changePlace(MachineInstr &MI, bool IsDropped, unsigned Which) {
  OperandPlaces P = *parseOperands(directiveOf(MI));
  std::vector<bool> Taken(numSlots(MI));
  std::vector<CachePlace> *List = nullptr;
  size_t Index = 0;
  for (const OperandPlacesField &F : OperandPlacesFields)
    for (CachePlace &C : P.*F.Places) {
      Taken[C.Slot] = true;
      if (Which-- == 0) {
        List = &(P.*F.Places);
        Index = &C - List->data();
      }
    }
  if (IsDropped) {
    List->erase(List->begin() + Index);
    return replacePlaces(MI, P);
  }
  unsigned &Slot = (*List)[Index].Slot;
  for (unsigned Next = 1; Next != Taken.size(); ++Next)
    if (unsigned Other = (Slot + Next) % Taken.size(); !Taken[Other]) {
      Slot = Other;
      return replacePlaces(MI, P);
    }
  return Outcome::None;
}

static Outcome keepFromMain(MachineInstr &MI, unsigned Which) {
  OperandPlaces P = *parseOperands(directiveOf(MI));
  P.Cache.push_back(P.Both[Which]);
  P.Both.erase(P.Both.begin() + Which);
  llvm::sort(P.Cache, [](const CachePlace &A, const CachePlace &B) {
    return A.Unit < B.Unit;
  });
  return replacePlaces(MI, P);
}

static Outcome changePrivate(MachineInstr &MI,
                             const RegisterAssignment &Assignment, int By) {
  int Private = int(*parseSharing(directiveOf(MI))) + By;
  if (Private < 0 || Private > int(Assignment.numUnits()))
    return Outcome::None;
  insertStatement(*MI.getParent(), MI.getIterator(),
                  printSharingPragma(Private));
  MI.eraseFromParent();
  return Outcome::Made;
}

/// A private register and the first shared one, if both belong to no group.
static Outcome swapNumbers(MachineInstr &MI,
                           const RegisterAssignment &Assignment, unsigned Own) {
  MachineFunction &MF = *MI.getMF();
  std::vector<unsigned> Granules = registerGranules(MF, Assignment);
  unsigned Private = *parseSharing(directiveOf(MI));
  std::vector<unsigned> Numbers(Granules.size());
  std::iota(Numbers.begin(), Numbers.end(), 0);
  unsigned Shared = Private;
  while (Shared < Granules.size() && Granules[Shared] != 1)
    ++Shared;
  if (Granules[Own] != 1 || Shared >= Granules.size())
    return Outcome::None;
  std::swap(Numbers[Own], Numbers[Shared]);
  renumberRegisters(MF, Assignment, Numbers);
  return Outcome::Made;
}

static Outcome apply(MachineInstr &MI, const RegisterAssignment &Assignment,
                     Change C, unsigned Which) {
  MachineBasicBlock &MBB = *MI.getParent();
  MachineFunction &MF = *MBB.getParent();
  switch (C) {
  case Change::Drop:
    MI.eraseFromParent();
    return Outcome::Made;
  case Change::Earlier:
    return moveEarlier(MI, Assignment);
  case Change::Later:
    return moveLater(MI, Assignment);
  case Change::OtherSide:
    return moveToOtherSide(MI);
  case Change::BlockBefore:
    return moveToBlockBefore(MI);
  case Change::Twice:
    MBB.insertAfter(MI.getIterator(), MF.CloneMachineInstr(&MI));
    return Outcome::Made;
  case Change::DropRegister:
    return dropRegister(MI, Which);
  case Change::AddRegister:
    return addRegister(MI, Assignment, Which);
  case Change::MarkDead:
    return markDead(MI, Assignment, Which);
  case Change::DropPlace:
  case Change::OtherSlot:
    return changePlace(MI, C == Change::DropPlace, Which);
  case Change::CacheAlone:
    return keepFromMain(MI, Which);
  case Change::FewerPrivate:
    return changePrivate(MI, Assignment, -(1 << Which));
  case Change::MorePrivate:
    return changePrivate(MI, Assignment, 1);
  case Change::SwapNumbers:
    return swapNumbers(MI, Assignment, Which);
  case Change::Trap:
    insertStatement(MBB, MI.getIterator(), "trap;");
    return Outcome::Made;
  case Change::Spoil:
    return spoil(MI);
  }
  llvm_unreachable("covered switch");
}

Outcome change(MachineFunction &MF, const RegisterAssignment &Assignment,
               const Wish &What, bool Operands) {
  MachineInstr *MI = find(MF, Assignment, What.Subject, Operands);
  assert(MI && "no such subject");
  Change C = What.C;
  if (!What.Probe)
    return apply(*MI, Assignment, C, What.Which);
  MachineBasicBlock &MBB = *MI->getParent();
  Register Pred = freePredicate(MBB, Assignment);
  auto Next = std::next(MI->getIterator());
  MachineInstr *Moved = C == Change::Drop ? MF.CloneMachineInstr(MI) : MI;
  if (apply(*MI, Assignment, C, 0) == Outcome::None ||
      !insertProbe(MBB, Next, *Moved, Pred))
    return Outcome::None;
  // What it moved before may read what it writes; what it moved behind may
  // read either.
  bool PassedReads =
      C == Change::Earlier &&
      Assignment.effects(*std::next(Moved->getIterator()))
          .Uses.intersects(Assignment.lookup(Moved->getOperand(0).getReg()));
  if (PassedReads || C == Change::Later)
    insertProbe(MBB, Moved->getIterator(), *Moved, Pred);
  if (C == Change::Drop)
    MF.deleteMachineInstr(Moved);
  return Outcome::Made;
}

} // namespace regshare::mutation
