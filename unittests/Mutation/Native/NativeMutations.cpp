//===- NativeMutations.cpp - Wrong folds and wrong orders -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native/NativeMutator.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare::mutation {

const char *nameOf(NativeChange C) {
  static const char *const Names[NumNativeChanges] = {
      "drop a member",
      "source changed between",
      "statement in between",
      "member reads another register",
      "member away from its group",
      "F in a register",
      "F as C",
      "C as F",
      "register as F",
      "register as U",
      "swap",
      "store after a load of the same",
      "store after a store to the same",
      "load before a store to the same",
      "store after the barrier",
      "load before the barrier"};
  return Names[unsigned(C)];
}

/// NVPTX's number of it.
static constexpr int64_t SharedSpace = 3;

/// Statements that stand alone, and terminators, are in none.
std::vector<Unit> Mutator::unitsOf(MachineBasicBlock &MBB) {
  std::vector<Unit> Units;
  Unit Open;
  for (MachineInstr &MI : MBB) {
    if (MI.isTerminator())
      break;
    StringRef Verb = statementVerb(MI);
    if (!Verb.empty() && Verb != "issue" && Verb != "scratch")
      continue;
    Open.All.push_back(&MI);
    if (isFolded(MI))
      Open.Members.push_back(&MI);
    if (!Verb.empty() || isFolded(MI))
      continue;
    Open.Last = &MI;
    Units.push_back(std::exchange(Open, {}));
  }
  return Units;
}

void Mutator::add(NativeChange C, unsigned Block, unsigned Unit,
                  unsigned Which) {
  std::string Where;
  raw_string_ostream OS(Where);
  OS << "bb." << Block << ": ";
  Blocks[Block][Unit].Last->print(OS, true, false, true, false);
  if (C == NativeChange::Swap) {
    OS << " and ";
    Blocks[Block][Unit + 1].Last->print(OS, true, false, true, false);
  }
  Found.push_back({C, Block, Unit, Which, Where});
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

/// Registers that \p MI reads, real ones.
SmallVector<MachineOperand *, 4> Mutator::sourcesOf(MachineInstr &MI) const {
  SmallVector<MachineOperand *, 4> Sources;
  for (MachineOperand &MO : MI.explicit_uses())
    if (MO.isReg() && MO.getReg().isVirtual() && !MO.isUndef() &&
        placeOf(MO) == NativePlace::Register)
      Sources.push_back(&MO);
  return Sources;
}

/// Another register of the same class that \p Reader reads.
MachineOperand *Mutator::otherSource(const MachineInstr &Reader,
                                     const MachineOperand &MO) const {
  for (MachineOperand *Other : sourcesOf(const_cast<MachineInstr &>(Reader)))
    if (Other->getReg() != MO.getReg() &&
        MRI.getRegClass(Other->getReg()) == MRI.getRegClass(MO.getReg()))
      return Other;
  return nullptr;
}

/// A source of \p Member for which it could read \p Wrong; null without.
MachineOperand *Mutator::wrongSource(MachineInstr &Member, const Unit &U,
                                     MachineOperand *&Wrong) const {
  for (MachineOperand *Source : sourcesOf(Member))
    for (const MachineInstr *Reader : {&Member, U.Last})
      if ((Wrong = otherSource(*Reader, *Source)))
        return Source;
  return nullptr;
}

void Mutator::addFolds(unsigned Block, unsigned Number) {
  const Unit &U = Blocks[Block][Number];
  for (unsigned M = 0; M != U.Members.size(); ++M) {
    MachineInstr &Member = *U.Members[M];
    add(NativeChange::DropMember, Block, Number, M);
    add(NativeChange::StatementInside, Block, Number, M);
    add(NativeChange::FoldedToConstant, Block, Number, M);
    if (!sourcesOf(Member).empty())
      add(NativeChange::ChangeSource, Block, Number, M);
    if (Number)
      add(NativeChange::MemberAway, Block, Number, M);
    if (otherSource(*U.Last, Member.getOperand(0)))
      add(NativeChange::FoldedToRegister, Block, Number, M);
    if (MachineOperand *Wrong; wrongSource(Member, U, Wrong))
      add(NativeChange::OtherSource, Block, Number, M);
  }
  MachineInstr &Last = *U.Last;
  if (definesConstant(Last))
    return add(NativeChange::ConstantToFolded, Block, Number);
  if (definesUniform(Last) || Last.isInlineAsm() ||
      Last.getNumExplicitDefs() != 1 || Last.mayLoadOrStore() ||
      Last.hasUnmodeledSideEffects())
    return;
  add(NativeChange::RegisterToFolded, Block, Number);
  if (!sourcesOf(Last).empty())
    add(NativeChange::RegisterToUniform, Block, Number);
}

/// Code that may go elsewhere.
bool Mutator::canMove(const Unit &U) const {
  return !U.Last->isInlineAsm() && !U.Last->isCall() &&
         !U.Last->isMetaInstruction() && !definesConstant(*U.Last);
}

/// Of a register, only a part may be read, or only a part be new.
bool Mutator::converts(const Unit &U) const {
  return any_of(U.All, [&](const MachineInstr *MI) {
    return TII.getName(MI->getOpcode()).starts_with("CVT_");
  });
}

/// Of a load or store of one place.
std::optional<Address> Mutator::addressOf(const MachineInstr &MI) const {
  unsigned N = MI.getNumExplicitOperands();
  if (MI.mayLoad() == MI.mayStore() || MI.isInlineAsm() ||
      !MI.hasOneMemOperand() || N < 6)
    return std::nullopt;
  Address A;
  A.Base = &MI.getOperand(N - 2);
  const MachineOperand &Offset = MI.getOperand(N - 1);
  const MachineMemOperand &Access = **MI.memoperands_begin();
  if (!A.Base->isReg() || !Offset.isImm() || !Access.getSize().hasValue())
    return std::nullopt;
  A.Space = Access.getAddrSpace();
  A.From = Offset.getImm();
  A.To = A.From + int64_t(Access.getSize().getValue());
  return A;
}

/// After \p From, the next load, or store, of what it goes to.
std::optional<unsigned> Mutator::nextAccess(const std::vector<Unit> &Units,
                                            unsigned From, bool Stores) const {
  const MachineInstr &MI = *Units[From].Last;
  std::optional<Address> A = addressOf(MI);
  if (!A)
    return std::nullopt;
  for (unsigned N = From; ++N != Units.size();) {
    const MachineInstr &Next = *Units[N].Last;
    if (Next.hasUnmodeledSideEffects() || Facts.isBarrier(Next))
      return std::nullopt;
    std::optional<Address> B = addressOf(Next);
    if (B && Next.mayStore() == Stores && B->Base->isIdenticalTo(*A->Base) &&
        B->Space == A->Space && A->From < B->To && B->From < A->To)
      return N;
    if (any_of(Units[N].All, [&](const MachineInstr *Each) {
          return Each->definesRegister(A->Base->getReg(), nullptr);
        }))
      return std::nullopt;
  }
  return std::nullopt;
}

void Mutator::addOrders(unsigned Block, unsigned Number) {
  const std::vector<Unit> &Units = Blocks[Block];
  const Unit &U = Units[Number];
  if (!canMove(U))
    return;
  // What barriers order has kinds of its own.
  auto MaySwap = [&](const Unit &Each) {
    return canMove(Each) && !converts(Each) && !Facts.isBarrier(*Each.Last);
  };
  if (Number + 1 != Units.size() && MaySwap(U) && MaySwap(Units[Number + 1]) &&
      matters(U, Units[Number + 1]))
    add(NativeChange::Swap, Block, Number);
  if (!U.Last->mayStore())
    return;
  if (std::optional<unsigned> Load = nextAccess(Units, Number, false)) {
    add(NativeChange::StoreLater, Block, Number, *Load);
    add(NativeChange::LoadEarlier, Block, *Load, Number);
  }
  if (std::optional<unsigned> Store = nextAccess(Units, Number, true))
    add(NativeChange::StoreOverStore, Block, Number, *Store);
}

/// The accesses next to a barrier.
void Mutator::addBarrier(unsigned Block, unsigned Number) {
  const std::vector<Unit> &Units = Blocks[Block];
  auto Goes = [&](unsigned N, bool Stores) {
    const MachineInstr &MI = *Units[N].Last;
    return canMove(Units[N]) && !Facts.isBarrier(MI) &&
           (Stores ? MI.mayStore() : MI.mayLoad() && !MI.mayStore()) &&
           addressOf(MI) && addressOf(MI)->Space == SharedSpace;
  };
  for (unsigned N = Number; N-- != 0;)
    if (Goes(N, true)) {
      add(NativeChange::AfterBarrier, Block, N, Number);
      break;
    }
  for (unsigned N = Number; ++N != Units.size();)
    if (Goes(N, false)) {
      add(NativeChange::BeforeBarrier, Block, N, Number);
      break;
    }
}

std::vector<NativeSubject> Mutator::subjects() {
  for (unsigned Block = 0; Block != Blocks.size(); ++Block)
    for (unsigned N = 0; N != Blocks[Block].size(); ++N) {
      addFolds(Block, N);
      addOrders(Block, N);
      if (Facts.isBarrier(*Blocks[Block][N].Last))
        addBarrier(Block, N);
    }
  return std::move(Found);
}

//===----------------------------------------------------------------------===//
// What it is made
//===----------------------------------------------------------------------===//

/// A register of its own of the class of \p Like, called for its place.
Register Mutator::renamed(Register Like, char Place) {
  unsigned Free = 0;
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    StringRef Name = MRI.getVRegName(Register::index2VirtReg(I));
    unsigned Number = 0;
    if (Name.consume_front(StringRef(&Place, 1)) &&
        !Name.getAsInteger(10, Number))
      Free = std::max(Free, Number + 1);
  }
  return MRI.createVirtualRegister(MRI.getRegClass(Like),
                                   Place + std::to_string(Free));
}

void Mutator::move(const Unit &U, MachineBasicBlock::iterator Where) {
  MachineBasicBlock &MBB = *U.Last->getParent();
  MBB.splice(Where, &MBB, U.begin(), U.end());
}

RegEffects Mutator::effectsOf(const Unit &U) const {
  RegEffects E = Assignment.effects(*U.Last);
  for (const MachineInstr *MI : U.All)
    if (statementVerb(*MI) == "scratch") {
      KernelDescriptor Any;
      Any.Regs = Assignment.numUnits();
      for (unsigned Each : *parseScratch(statementOf(*MI), Any))
        E.Temps.set(Each);
    }
  return E;
}

/// Whether the two go to one place, and one of them stores; nothing where that
/// depends on addresses.
std::optional<bool> Mutator::accessesMatter(const MachineInstr &A,
                                            const MachineInstr &B) const {
  auto Orders = [&](const MachineInstr &MI) {
    return MI.hasUnmodeledSideEffects() || Facts.canStopLanes(MI) ||
           MI.isConvergent();
  };
  bool Touch =
      (A.mayLoadOrStore() || Orders(A)) && (B.mayLoadOrStore() || Orders(B));
  if (!Touch || (!A.mayStore() && !B.mayStore() && !Orders(A) && !Orders(B)))
    return false;
  std::optional<Address> To = addressOf(A), Other = addressOf(B);
  if (!To || !Other || !To->Base->isIdenticalTo(*Other->Base) ||
      To->Space != Other->Space)
    return std::nullopt;
  return To->From < Other->To && Other->From < To->To;
}

/// Whether \p A writes a uniform register that \p B names.
bool Mutator::writesUniformOf(const Unit &A, const Unit &B) const {
  return definesUniform(*A.Last) && any_of(B.All, [&](const MachineInstr *MI) {
           return any_of(MI->operands(), [&](const MachineOperand &MO) {
             return MO.isReg() && MO.getReg() == A.Last->getOperand(0).getReg();
           });
         });
}

std::optional<bool> Mutator::matters(const Unit &A, const Unit &B) const {
  if (writesUniformOf(A, B) || writesUniformOf(B, A))
    return true;
  RegEffects EA = effectsOf(A), EB = effectsOf(B);
  // Scratch registers may be the same in both.
  auto Spoils = [](const RegEffects &X, const RegEffects &Y) {
    return !((X.Defs | X.Temps) & Y.Uses).empty() ||
           !(X.Defs & (Y.Defs | Y.Temps)).empty();
  };
  if (Spoils(EA, EB) || Spoils(EB, EA))
    return true;
  return accessesMatter(*A.Last, *B.Last);
}

Outcome Mutator::changeGroup(const NativeSubject &S, const Unit &U) {
  MachineBasicBlock &MBB = *U.Last->getParent();
  MachineInstr *Member =
      S.Which < U.Members.size() ? U.Members[S.Which] : nullptr;
  switch (S.C) {
  case NativeChange::DropMember:
    Member->eraseFromParent();
    return Outcome::Made;
  case NativeChange::ChangeSource:
    return overwrite(*Member->getNextNode(), sourcesOf(*Member)[0]->getReg())
               ? Outcome::Made
               : Outcome::None;
  case NativeChange::StatementInside: {
    MachineInstr *Inside =
        insertStatement(MBB, Member->getIterator(), printIssuePragma(1));
    MBB.splice(std::next(Member->getIterator()), &MBB, Inside->getIterator());
    return Outcome::Made;
  }
  case NativeChange::OtherSource: {
    MachineOperand *Wrong = nullptr;
    wrongSource(*Member, U, Wrong)->setReg(Wrong->getReg());
    return Outcome::Made;
  }
  case NativeChange::MemberAway:
    MBB.splice(Blocks[S.Block][S.Unit - 1].begin(), &MBB,
               Member->getIterator());
    return Outcome::Made;
  case NativeChange::FoldedToRegister: {
    Register Old = Member->getOperand(0).getReg();
    MRI.replaceRegWith(Old,
                       otherSource(*U.Last, Member->getOperand(0))->getReg());
    return Outcome::Made;
  }
  case NativeChange::FoldedToConstant: {
    Register Old = Member->getOperand(0).getReg();
    MRI.replaceRegWith(Old, renamed(Old, 'C'));
    return Outcome::Made;
  }
  default: {
    // C as F everywhere; a register as F or U from here to where it is written
    // again.
    Register Old = U.Last->getOperand(0).getReg();
    char Place = S.C == NativeChange::RegisterToUniform ? 'U' : 'F';
    Register New = renamed(Old, Place);
    if (S.C == NativeChange::ConstantToFolded) {
      MRI.replaceRegWith(Old, New);
      return Outcome::Made;
    }
    U.Last->getOperand(0).setReg(New);
    for (MachineInstr *At = U.Last->getNextNode(); At; At = At->getNextNode()) {
      bool Again = At->definesRegister(Old, nullptr);
      for (MachineOperand &MO : At->explicit_uses())
        if (MO.isReg() && MO.getReg() == Old)
          MO.setReg(New);
      if (Again)
        break;
    }
    return Outcome::Made;
  }
  }
}

Outcome Mutator::changeOrder(const NativeSubject &S, const Unit &U) {
  const std::vector<Unit> &Units = Blocks[S.Block];
  switch (S.C) {
  case NativeChange::Swap: {
    const Unit &Next = Units[S.Unit + 1];
    bool Matters = *matters(U, Next);
    move(U, Next.end());
    return Matters ? Outcome::Made : Outcome::NoMatter;
  }
  case NativeChange::LoadEarlier:
  case NativeChange::BeforeBarrier:
    move(U, Units[S.Which].begin());
    return Outcome::Made;
  default:
    move(U, Units[S.Which].end());
    return Outcome::Made;
  }
}

Outcome Mutator::change(const NativeSubject &S) {
  const Unit &U = Blocks[S.Block][S.Unit];
  return S.C < NativeChange::Swap ? changeGroup(S, U) : changeOrder(S, U);
}

std::vector<NativeSubject> nativeSubjects(MachineFunction &MF) {
  return Mutator(MF).subjects();
}

Outcome change(MachineFunction &MF, const NativeSubject &S) {
  return Mutator(MF).change(S);
}

} // namespace regshare::mutation
