//===- NativeProbes.cpp - Whether a mistake can be seen ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native/NativeMutator.h"

#include "Mutations.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;

namespace regshare::mutation {

/// A value that programs hardly come to.
static constexpr int64_t Odd = 23209;

/// Before \p Before, if that can be said in one instruction.
bool Mutator::overwrite(MachineInstr &Before, Register R) {
  unsigned Units = Assignment.lookup(R).units();
  bool IsPred = Assignment.lookup(R).isPred();
  const char *Name = IsPred       ? "MOV_B1_i"
                     : Units == 2 ? "MOV_B64_i"
                     : Units == 1 ? "MOV_B32_i"
                                  : "";
  for (unsigned Opcode = 0; Opcode != TII.getNumOpcodes(); ++Opcode)
    if (TII.getName(Opcode) == Name) {
      const TargetRegisterClass *Class = TII.getRegClass(TII.get(Opcode), 0);
      if (Class != MRI.getRegClass(R))
        return false;
      BuildMI(*Before.getParent(), Before.getIterator(), DebugLoc(),
              TII.get(Opcode), R)
          .addImm(IsPred ? 0 : Odd);
      return true;
    }
  return false;
}

void Mutator::trapAt(const NativeSubject &S) {
  const Unit &U = Blocks[S.Block][S.Unit];
  insertStatement(*U.Last->getParent(), U.begin(), "trap;");
}

void Mutator::overwriteResults(MachineInstr &MI) {
  SmallVector<Register, 4> Results;
  for (const MachineOperand &MO : MI.all_defs())
    if (MO.getReg().isVirtual() && placeOf(MO) == NativePlace::Register)
      Results.push_back(MO.getReg());
  for (Register R : Results)
    if (MachineInstr *Next = MI.getNextNode())
      overwrite(*Next, R);
  // A store that is left out changes what is stored.
  if (MI.mayStore() && !MI.mayLoad())
    MI.eraseFromParent();
}

void Mutator::spoilAt(const NativeSubject &S) {
  const std::vector<Unit> &Units = Blocks[S.Block];
  MachineInstr *Over = S.C == NativeChange::Swap  ? Units[S.Unit + 1].Last
                       : S.C > NativeChange::Swap ? Units[S.Which].Last
                                                  : nullptr;
  overwriteResults(*Units[S.Unit].Last);
  if (Over && !Facts.isBarrier(*Over))
    overwriteResults(*Over);
}

/// The \p Nth register of the kind of \p Like above all that there are; none of
/// predicates.
Register Mutator::beyondAll(Register Like, unsigned Nth) {
  ArchReg R = Assignment.lookup(Like);
  unsigned Units = R.units(),
           First = alignTo(Assignment.numUnits(), 2) + 2 * Nth;
  bool Is16 = !R.isPred() && !StringRef(MRI.getVRegName(Like)).starts_with("R");
  if (R.isPred() || Units > 2)
    return Register();
  std::string Name = (Is16 ? "H" : "R") + std::to_string(First);
  if (Units == 2)
    Name += "_" + std::to_string(First + 1);
  return MRI.createVirtualRegister(MRI.getRegClass(Like), Name);
}

/// Of a predicate that one of two neighbours writes and \p Reader names, on the
/// other side of \p Writer: what it computes there is computed as well, and
/// where that is something else, the difference is added to its result many
/// times. No predicate has to be free for that.
bool Mutator::exaggeratePredicate(const Unit &Writer, const Unit &Reader,
                                  bool IsReaderFirst) {
  MachineBasicBlock &MBB = *Writer.Last->getParent();
  std::optional<unsigned> Differ = opcodeNamed(TII, "XOR_b32rr");
  std::optional<unsigned> Add = opcodeNamed(TII, "MAD_LO_S32rir");
  if (Reader.Last->getNumExplicitDefs() != 1 || !Reader.Members.empty() ||
      !Differ || !Add)
    return false;
  Register Result = Reader.Last->getOperand(0).getReg();
  const TargetRegisterClass *Word = TII.getRegClass(TII.get(*Differ), 0);
  if (MRI.getRegClass(Result) != Word ||
      Assignment.effects(*Reader.Last)
          .Uses.intersects(Assignment.lookup(Result)))
    return false;
  unsigned Unused = Assignment.numUnits();
  auto Fresh = [&] {
    return MRI.createVirtualRegister(Word, "R" + std::to_string(Unused++));
  };
  MachineInstr *Wrong = MBB.getParent()->CloneMachineInstr(Reader.Last);
  Register Other = Fresh(), Differs = Fresh();
  Wrong->getOperand(0).setReg(Other);
  MBB.insert(IsReaderFirst ? Writer.end() : Writer.begin(), Wrong);
  auto End = IsReaderFirst ? std::next(Wrong->getIterator()) : Reader.end();
  BuildMI(MBB, End, DebugLoc(), TII.get(*Differ), Differs)
      .addReg(Result)
      .addReg(Other);
  BuildMI(MBB, End, DebugLoc(), TII.get(*Add), Result)
      .addReg(Differs)
      .addImm(Odd)
      .addReg(Result);
  return true;
}

/// Of a register that both name, one of them its result, which the other one
/// then reads exaggerated: after it, as the wrong order has them where the
/// reader was the first.
bool Mutator::exaggerateSwap(const Unit &A, const Unit &B, Register Pred) {
  RegEffects EA = Assignment.effects(*A.Last), EB = Assignment.effects(*B.Last);
  MachineBasicBlock &MBB = *A.Last->getParent();
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(*MBB.getParent());
  auto Copy = [&](MachineBasicBlock::iterator Where, Register To,
                  Register From) {
    RegKind Kind =
        *kindOf(*MRI.getRegClass(From), *MRI.getTargetRegisterInfo());
    BuildMI(MBB, Where, DebugLoc(), TII.get(Opcodes.copyOpcode(Kind)), To)
        .addReg(From);
  };
  for (const Unit *Writer : {&A, &B})
    for (const MachineOperand &MO : Writer->Last->all_defs()) {
      ArchReg R = Assignment.lookup(MO.getReg());
      const RegEffects &Other = Writer == &A ? EB : EA;
      if (!R.isValid() ||
          (!Other.Uses.intersects(R) && !Other.Defs.intersects(R)))
        continue;
      if (R.isPred())
        return exaggeratePredicate(*Writer, Writer == &A ? B : A, Writer == &B);
      Register Before = beyondAll(MO.getReg(), 0);
      Register Right = beyondAll(MO.getReg(), 1);
      if (!Before || !Right)
        return false;
      if (Writer == &B)
        move(A, B.end());
      auto Between = Writer->end(), End = (Writer == &A ? B : A).end();
      Copy(Writer->begin(), Before, MO.getReg());
      Copy(Between, Right, MO.getReg());
      bool Said = insertProbe(MBB, Between, MO.getReg(), Before, Pred);
      // Only the other one reads it wrongly.
      if (!Other.Defs.intersects(R))
        Copy(End, MO.getReg(), Right);
      return Said;
    }
  return false;
}

/// Of a load that would read before \p Before does something.
bool Mutator::exaggerateLoad(const Unit &Load, const Unit &Before,
                             Register Pred) {
  MachineBasicBlock &MBB = *Load.Last->getParent();
  Register Old = Load.Last->getOperand(0).getReg(), New = beyondAll(Old, 0);
  if (!New || Load.Last->getNumExplicitDefs() != 1 || !Load.Members.empty())
    return false;
  MachineInstr *Early = MBB.getParent()->CloneMachineInstr(Load.Last);
  MBB.insert(Before.begin(), Early);
  Early->getOperand(0).setReg(New);
  return insertProbe(MBB, Load.end(), Old, New, Pred);
}

bool Mutator::exaggerateAt(const NativeSubject &S) {
  const std::vector<Unit> &Units = Blocks[S.Block];
  const Unit &U = Units[S.Unit];
  MachineBasicBlock &MBB = *U.Last->getParent();
  Register Pred = freePredicate(MBB, Assignment);
  switch (S.C) {
  case NativeChange::OtherSource: {
    MachineOperand *Wrong = nullptr;
    MachineOperand *Source = wrongSource(*U.Members[S.Which], U, Wrong);
    return insertProbe(MBB, U.begin(), Source->getReg(), Wrong->getReg(), Pred);
  }
  case NativeChange::Swap:
    return exaggerateSwap(U, Units[S.Unit + 1], Pred);
  case NativeChange::StoreLater: // The load reads what was there before, too.
    return exaggerateLoad(Units[S.Which], U, Pred);
  case NativeChange::LoadEarlier:
  case NativeChange::BeforeBarrier:
    return exaggerateLoad(U, Units[S.Which], Pred);
  default:
    return false;
  }
}

void trapAt(MachineFunction &MF, const NativeSubject &S) {
  Mutator(MF).trapAt(S);
}

void spoilAt(MachineFunction &MF, const NativeSubject &S) {
  Mutator(MF).spoilAt(S);
}

bool exaggerateAt(MachineFunction &MF, const NativeSubject &S) {
  return Mutator(MF).exaggerateAt(S);
}

} // namespace regshare::mutation
