//===- FoldUniform.cpp - Values in uniform registers ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A value is in a uniform register if the uniform datapath can compute it, all
/// threads of a warp that go on compute it together, and whoever reads it takes
/// a uniform register there. ptxas keeps to the same three.
///
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "Uniformity.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

namespace {

struct KindAndBits {
  OpKind Kind;
  uint8_t Bits;
};

class UniformFinder {
public:
  UniformFinder(MachineFunction &MF, const HardwareOps &Ops,
                const Uniformity &Is, const DenseSet<Register> &Addresses)
      : Addresses(Addresses), MF(MF), MRI(MF.getRegInfo()),
        TII(*MF.getSubtarget().getInstrInfo()), Ops(Ops), Is(Is),
        KindOf(*MF.getSubtarget().getRegisterInfo()),
        Chosen(MRI.getNumVirtRegs()) {}

  void run();

private:
  bool isCandidate(Register VReg) const;
  bool mayWrite(const MachineInstr &Last) const;
  bool hasAllOperands(const MachineInstr &Last) const;
  bool takes(const MachineOperand &MO) const;
  bool keeps(Register VReg) const;
  void shrink();
  void fitIn();
  unsigned unitsOfValue(Register VReg) const;
  SmallVector<Register, 16> taken() const;
  unsigned unitsTaken() const;
  bool isChosen(const MachineOperand &MO) const {
    return MO.isReg() && MO.getReg().isVirtual() &&
           Chosen[MO.getReg().virtRegIndex()];
  }
  bool isConstant(const MachineOperand &MO) const {
    return MO.isReg() && isConstantOperand(MO);
  }
  void name(Register VReg);
  void loadConstants(MachineInstr &Last);
  Register newUniform(Register Like);

  bool isAddress(const MachineOperand &MO) const;
  bool isPartOfAddress(const MachineOperand &MO) const;
  bool isLoadable(const MachineOperand &MO) const;
  void collectAddressConstants();
  Register loaded(Register Constant);
  void foldAddresses();

  const DenseSet<Register> &Addresses;
  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  const HardwareOps &Ops;
  const Uniformity &Is;
  SmallSetVector<Register, 8> AddressConstants; ///< That accesses add.
  RegKinds KindOf;
  std::vector<bool> Chosen;            // by virtual register
  std::vector<unsigned> ChosenIndices; // the same, in ascending order
  DenseMap<Register, Register> Loaded; // constants, in uniform registers
  /// By number of units, the next uniform register: pairs are below the others.
  unsigned NextPair = 0, NextSingle = 0;
};

} // namespace

static const KindAndBits UniformOps[] = {
#define UNIFORM_OP(Kind, Bits, Instruction) {OpKind::Kind, Bits},
#include "UniformOps.def"
};

static const KindAndBits UniformReaders[] = {
#define UNIFORM_READER(Kind, Bits) {OpKind::Kind, Bits},
#include "UniformOps.def"
};

static bool isOneOf(const HardwareOp &Op, ArrayRef<KindAndBits> List) {
  return any_of(List, [&](const KindAndBits &Each) {
    return Each.Kind == Op.Kind && Each.Bits == Op.Bits;
  });
}

/// The instruction that ends the group of \p MI.
static MachineInstr &lastOf(MachineInstr &MI) {
  MachineInstr *Last = &MI;
  while (isFolded(*Last))
    Last = Last->getNextNode();
  return *Last;
}

unsigned UniformFinder::unitsOfValue(Register VReg) const {
  std::optional<RegKind> Kind = KindOf(*MRI.getRegClass(VReg));
  return Kind == RegKind::B32 ? 1 : Kind == RegKind::B64 ? 2 : 0;
}

//===----------------------------------------------------------------------===//
// Which values
//===----------------------------------------------------------------------===//

/// Whether the uniform datapath has the operations of the group that \p Last
/// ends.
bool UniformFinder::mayWrite(const MachineInstr &Last) const {
  if (!Is.isTogether(*Last.getParent()) || Last.getNumExplicitDefs() != 1 ||
      Last.isInlineAsm())
    return false;
  if (TII.getName(Last.getOpcode()).starts_with("INT_PTX_SREG_CTAID_"))
    return true;
  return all_of(groupOf(Last), [&](const MachineInstr *MI) {
    return isOneOf(Ops.of(*MI), UniformOps) || MI->isCopy();
  });
}

bool UniformFinder::isCandidate(Register VReg) const {
  return MRI.getRegClassOrNull(VReg) && unitsOfValue(VReg) &&
         nativePlace(MRI, VReg) == NativePlace::Register &&
         Is.isUniform(VReg) && !MRI.def_empty(VReg) &&
         !MRI.use_nodbg_empty(VReg) &&
         all_of(MRI.def_instructions(VReg),
                [&](const MachineInstr &MI) { return mayWrite(MI); });
}

/// Whether \p MO is a constant that can be loaded where it is defined.
bool UniformFinder::isLoadable(const MachineOperand &MO) const {
  return isConstant(MO) && unitsOfValue(MO.getReg()) &&
         Is.isTogether(*MRI.getOneDef(MO.getReg())->getParent()->getParent());
}

/// Whether \p MO is where an access goes.
bool UniformFinder::isAddress(const MachineOperand &MO) const {
  auto &MI = const_cast<MachineInstr &>(*MO.getParent());
  return addsInAccesses(MF) && isGlobalAccess(MI, Ops) &&
         &HardwareOps::address(MI) == &MO;
}

/// Whether \p MO is what accesses add to a register of each thread.
bool UniformFinder::isPartOfAddress(const MachineOperand &MO) const {
  const MachineInstr &Add = *MO.getParent();
  if (!definesOneOf(Add, Addresses) || isChosen(Add.getOperand(0)))
    return false;
  const MachineOperand &Other =
      HardwareOps::source(Add, MO.getOperandNo() == 1 ? 1 : 0);
  return !isChosen(Other) && !isConstant(Other);
}

/// Whether what \p Last's group reads can be in uniform registers, but for one
/// immediate where it takes one. Constants are loaded, where they are defined.
bool UniformFinder::hasAllOperands(const MachineInstr &Last) const {
  unsigned Immediates = 0;
  for (const MachineInstr *MI : groupOf(Last)) {
    const HardwareOp &Op = Ops.of(*MI);
    for (const MachineOperand &MO : MI->explicit_uses()) {
      unsigned Source = MO.getOperandNo() - MI->getNumExplicitDefs();
      if (MO.isReg() && MO.getReg().isVirtual()) {
        bool IsFolded = nativePlace(MRI, MO.getReg()) == NativePlace::Folded;
        if (!IsFolded && !isLoadable(MO) && !isChosen(MO))
          return false;
      } else if (!MO.isImm()) {
        return false;
      } else if (isConstantOperand(MO) && Source < Op.Sources) {
        if (!(Op.Constants >> Source & 1) && Op.Kind != OpKind::Move)
          return false;
        Immediates += Op.Kind != OpKind::Shl && Op.Kind != OpKind::Shr;
      }
    }
  }
  return Immediates <= 1;
}

/// Whether the reader of \p MO, which is none of the uniform datapath, has a
/// uniform register there.
bool UniformFinder::takes(const MachineOperand &MO) const {
  auto &MI = const_cast<MachineInstr &>(*MO.getParent());
  const HardwareOp &Op = Ops.of(MI);
  unsigned Source = MO.getOperandNo() - MI.getNumExplicitDefs();
  if (isAddress(MO) || isPartOfAddress(MO))
    return true;
  FoldGroup G = FoldGroup::of(lastOf(MI));
  if (!isOneOf(Op, UniformReaders) || Source >= Op.Sources ||
      !(Op.Constants >> Source & 1))
    return false;
  unsigned Uniform = 0;
  for (MachineInstr *Each : G.all())
    for (const MachineOperand &Other : Each->all_uses())
      Uniform += isChosen(Other);
  // IMAD.WIDE takes the pair, and the factor in a register.
  if (Op.Bits == 64 && Op.Kind == OpKind::Add)
    return Uniform == 1 && G.Folded.size() == 1 &&
           Ops.of(*G.Folded.front()).Kind == OpKind::MulWide;
  return Uniform == 1 && constantsOf(G, Ops).empty();
}

/// Whether \p VReg, which is chosen, stays so with the others.
bool UniformFinder::keeps(Register VReg) const {
  for (const MachineInstr &MI : MRI.def_instructions(VReg))
    if (!hasAllOperands(MI))
      return false;
  for (const MachineOperand &MO : MRI.use_nodbg_operands(VReg)) {
    auto &MI = const_cast<MachineInstr &>(*MO.getParent());
    const MachineInstr &Last = lastOf(MI);
    bool IsUniform =
        Last.getNumExplicitDefs() == 1 && isChosen(Last.getOperand(0));
    if (!IsUniform && !takes(MO))
      return false;
  }
  return true;
}

void UniformFinder::shrink() {
  auto IsGone = [&](unsigned I) { return !Chosen[I]; };
  for (bool Changed = true; std::exchange(Changed, false);) {
    for (unsigned I : ChosenIndices)
      if (Chosen[I] && !keeps(Register::index2VirtReg(I))) {
        Chosen[I] = false;
        Changed = true;
      }
    erase_if(ChosenIndices, IsGone);
  }
}

//===----------------------------------------------------------------------===//
// How many
//===----------------------------------------------------------------------===//

/// What is chosen, and the constants that it is computed from.
SmallVector<Register, 16> UniformFinder::taken() const {
  SmallSetVector<Register, 16> Taken(AddressConstants.begin(),
                                     AddressConstants.end());
  for (unsigned I : ChosenIndices) {
    Register VReg = Register::index2VirtReg(I);
    Taken.insert(VReg);
    for (const MachineInstr &Def : MRI.def_instructions(VReg))
      for (const MachineInstr *MI : groupOf(Def))
        for (const MachineOperand &MO : MI->explicit_uses())
          if (isConstant(MO))
            Taken.insert(MO.getReg());
  }
  return Taken.takeVector();
}

unsigned UniformFinder::unitsTaken() const {
  unsigned Units = 0;
  for (Register VReg : taken())
    Units += unitsOfValue(VReg);
  return Units;
}

/// Each value has a register of its own. What one block writes and reads is
/// alive for the shortest, and the last to get one.
void UniformFinder::fitIn() {
  auto IsLocal = [&](Register VReg) {
    const MachineBasicBlock *In =
        MRI.def_instructions(VReg).begin()->getParent();
    return MRI.hasOneDef(VReg) &&
           all_of(MRI.use_nodbg_instructions(VReg),
                  [&](const MachineInstr &MI) { return MI.getParent() == In; });
  };
  unsigned Units = unitsTaken();
  const std::vector<unsigned> All = ChosenIndices;
  for (bool Local : {true, false})
    for (unsigned I : reverse(All)) {
      if (Units <= MaxUniformUnits)
        return;
      if (!Chosen[I] || IsLocal(Register::index2VirtReg(I)) != Local)
        continue;
      Chosen[I] = false;
      shrink();
      Units = unitsTaken();
    }
}

//===----------------------------------------------------------------------===//
// In the code
//===----------------------------------------------------------------------===//

Register UniformFinder::newUniform(Register Like) {
  unsigned &Next = unitsOfValue(Like) == 2 ? NextPair : NextSingle;
  Register New =
      MRI.createVirtualRegister(MRI.getRegClass(Like), "U" + Twine(Next).str());
  Next += unitsOfValue(Like);
  return New;
}

void UniformFinder::name(Register VReg) {
  Register New = newUniform(VReg);
  MRI.replaceRegWith(VReg, New);
  MRI.clearKillFlags(New);
}

/// The uniform register with \p Constant, which is loaded where it is defined.
Register UniformFinder::loaded(Register Constant) {
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(MF);
  Register &In = Loaded[Constant];
  if (In)
    return In;
  In = newUniform(Constant);
  MachineInstr *Def = MRI.getOneDef(Constant)->getParent();
  RegKind Kind = *KindOf(*MRI.getRegClass(Constant));
  BuildMI(*Def->getParent(), std::next(Def->getIterator()), Def->getDebugLoc(),
          TII.get(Opcodes.copyOpcode(Kind)), In)
      .addReg(Constant);
  return In;
}

/// Puts uniform registers in the place of \p Last's constants.
void UniformFinder::loadConstants(MachineInstr &Last) {
  if (NVPTXOpcodes::get(MF).isCopy(Last))
    return;
  for (MachineInstr *MI : FoldGroup::of(Last).all())
    for (MachineOperand &MO : MI->explicit_uses()) {
      if (!isConstant(MO))
        continue;
      MO.setReg(loaded(MO.getReg()));
      MO.setIsKill(false);
    }
}

/// Constants that accesses take or add, if they leave room for values.
void UniformFinder::collectAddressConstants() {
  constexpr unsigned Most = MaxUniformUnits / 2;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      for (const MachineOperand &MO : MI.explicit_uses())
        if (isLoadable(MO) && (isAddress(MO) || isPartOfAddress(MO)))
          AddressConstants.insert(MO.getReg());
  unsigned Units = 0;
  for (Register Constant : AddressConstants)
    Units += unitsOfValue(Constant);
  if (Units > Most)
    AddressConstants.clear();
}

/// Accesses take, or add, what is in uniform registers.
void UniformFinder::foldAddresses() {
  unsigned NumFolded = numFolded(MRI);
  auto Load = [&](MachineOperand &MO) {
    if (!MO.isReg() || !AddressConstants.contains(MO.getReg()))
      return;
    MO.setReg(loaded(MO.getReg()));
    MO.setIsKill(false);
  };
  auto IsUniform = [&](const MachineOperand &MO) {
    return nativePlace(MRI, MO.getReg()) == NativePlace::Uniform;
  };
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (isGlobalAccess(MI, Ops))
        Load(HardwareOps::address(MI));
      if (!definesOneOf(MI, Addresses) || definesUniform(MI))
        continue;
      MachineOperand &A = HardwareOps::source(MI, 0),
                     &B = HardwareOps::source(MI, 1);
      Load(isConstant(A) ? A : B);
      if (IsUniform(A) != IsUniform(B) && !isConstant(A) && !isConstant(B))
        foldAddress(MF, MI.getOperand(0).getReg(), NumFolded);
    }
}

void UniformFinder::run() {
  for (unsigned I = 0; I != Chosen.size(); ++I)
    if (isCandidate(Register::index2VirtReg(I))) {
      Chosen[I] = true;
      ChosenIndices.push_back(I);
    }
  shrink();
  if (addsInAccesses(MF))
    collectAddressConstants();
  fitIn();
  SmallVector<Register, 16> Taken = taken();
  NextSingle = 2 * count_if(Taken, [&](Register VReg) {
                 return unitsOfValue(VReg) == 2;
               });
  SmallVector<MachineInstr *, 16> Writers;
  for (Register VReg : Taken) {
    if (!Chosen[VReg.virtRegIndex()])
      continue;
    for (MachineInstr &Def : MRI.def_instructions(VReg))
      Writers.push_back(&Def);
    name(VReg);
  }
  for (MachineInstr *MI : Writers)
    loadConstants(*MI);
  if (addsInAccesses(MF))
    foldAddresses();
}

/// The uniform datapath is there from sm_75 on.
static bool hasUniformRegisters(const MachineFunction &MF) {
  StringRef CPU = MF.getTarget().getTargetCPU();
  unsigned Number = 0;
  return CPU.consume_front("sm_") && !CPU.consumeInteger(10, Number) &&
         Number >= 75;
}

/// Functions that are called do not know who calls them, and may use the
/// registers of who does.
static bool isAlone(const MachineFunction &MF) {
  return MF.getFunction().getCallingConv() == CallingConv::PTX_Kernel &&
         none_of(MF, [](const MachineBasicBlock &MBB) {
           return any_of(MBB,
                         [](const MachineInstr &MI) { return MI.isCall(); });
         });
}

void placeUniform(MachineFunction &MF, const HardwareOps &Ops,
                  const Reconvergence &Meetings,
                  const DenseSet<Register> &Addresses) {
  if (!hasUniformRegisters(MF) || !isAlone(MF))
    return;
  Uniformity Is(MF, Meetings);
  UniformFinder(MF, Ops, Is, Addresses).run();
}

} // namespace regshare
