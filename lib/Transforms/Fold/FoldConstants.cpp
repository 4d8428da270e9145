//===- FoldConstants.cpp - Constant operands ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "Transforms/Assign/UsePlace.h"
#include "Transforms/PredicatedSides.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

//===----------------------------------------------------------------------===//
// Which values are constants
//===----------------------------------------------------------------------===//

/// True for special registers that the driver puts into the constant bank.
static bool isLaunchExtent(StringRef Name) {
  return Name.starts_with("INT_PTX_SREG_NTID_") ||
         Name.starts_with("INT_PTX_SREG_NCTAID_");
}

/// What a call returns, which is in the parameters' address space too.
static bool isReturnValue(const MachineOperand &Base) {
  return Base.isSymbol() &&
         StringRef(Base.getSymbolName()).starts_with("retval");
}

/// A load of whole registers from the kernel's parameters, or from constant
/// memory, whose address is a constant: both are in the constant bank.
static bool isBankLoad(const MachineInstr &MI, const HardwareOps &Ops) {
  const HardwareOp &Op = Ops.of(MI);
  if (Op.Kind != OpKind::Load || MI.getNumExplicitOperands() < 8)
    return false;
  const MachineOperand &Space = MI.getOperand(3);
  const MachineOperand &Bits = MI.getOperand(5);
  const MachineOperand &Base = MI.getOperand(7);
  return Space.isImm() && Bits.isImm() && Bits.getImm() >= 32 &&
         !isReturnValue(Base) &&
         (Space.getImm() == ParamAddressSpace ||
          Space.getImm() == ConstantAddressSpace) &&
         (isConstantOperand(Base) || Base.isGlobal() || Base.isSymbol());
}

/// The thread's frame in local memory, which the stack pointer holds.
static bool isLocalFrame(const MachineOperand &MO) {
  const MachineFunction &MF = *MO.getParent()->getMF();
  return MO.isReg() && MO.getReg().isPhysical() &&
         StringRef(MF.getSubtarget().getRegisterInfo()->getName(MO.getReg())) ==
             "VRFrameLocal64";
}

/// An address in the frame: a load, a store or an addition takes the stack
/// pointer and the offset in its place. That is one of the registers which
/// hardware keeps for itself.
static bool isFrameAddress(const MachineInstr &MI, const HardwareOps &Ops,
                           const TargetInstrInfo &TII) {
  if (TII.getName(MI.getOpcode()).starts_with("LEA_ADDRi"))
    return isLocalFrame(MI.getOperand(1)) && MI.getOperand(2).isImm();
  // An offset to one that is known already, in 64 bits or in the 32 of local
  // memory.
  const OpKind Kind = Ops.of(MI).Kind;
  if (Kind != OpKind::Truncate &&
      (Kind != OpKind::Add || !HardwareOps::source(MI, 1).isImm()))
    return false;
  const MachineOperand &From = HardwareOps::source(MI, 0);
  if (!From.isReg() || !From.getReg().isVirtual() || !isConstantOperand(From))
    return false;
  const MachineOperand *Def = MI.getMF()->getRegInfo().getOneDef(From.getReg());
  return Def && isFrameAddress(*Def->getParent(), Ops, TII);
}

/// True if \p MI computes a constant from what is one, or nothing.
static bool computesConstant(const MachineInstr &MI, const HardwareOps &Ops,
                             const NVPTXOpcodes &Opcodes,
                             const TargetInstrInfo &TII) {
  if (MI.isInlineAsm() || MI.getNumExplicitDefs() != 1)
    return false;
  bool IsKernel =
      MI.getMF()->getFunction().getCallingConv() == CallingConv::PTX_Kernel;
  if (!IsKernel && MI.mayLoad())
    return false;
  return Opcodes.isFreeToRecompute(MI) || Opcodes.isCopy(MI) ||
         isBankLoad(MI, Ops) || isFrameAddress(MI, Ops, TII) ||
         Ops.of(MI).Kind == OpKind::Truncate ||
         isLaunchExtent(TII.getName(MI.getOpcode()));
}

void findConstants(MachineFunction &MF, const HardwareOps &Ops) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(MF);
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  unsigned Count = 0;
  auto IsConstant = [&](const MachineOperand &MO) {
    return !MO.isReg() || !MO.isUse() || isLocalFrame(MO) ||
           (MO.getReg().isVirtual() && isConstantOperand(MO));
  };
  // Definitions come before uses, but for the layout of blocks.
  for (bool Changed = true; std::exchange(Changed, false);)
    for (MachineBasicBlock &MBB : MF)
      for (MachineInstr &MI : MBB) {
        if (!computesConstant(MI, Ops, Opcodes, TII) || definesConstant(MI))
          continue;
        Register Old = MI.getOperand(0).getReg();
        if (!Old.isVirtual() || !MRI.hasOneDef(Old) ||
            !all_of(MI.operands(), IsConstant))
          continue;
        // Predicates have no constants but true.
        if (TRI.getRegSizeInBits(*MRI.getRegClass(Old)) == 1)
          continue;
        Register New = MRI.createVirtualRegister(MRI.getRegClass(Old),
                                                 "C" + Twine(Count++).str());
        MRI.replaceRegWith(Old, New);
        MRI.clearKillFlags(New);
        Changed = true;
      }
}

//===----------------------------------------------------------------------===//
// Where constants have to be in registers
//===----------------------------------------------------------------------===//

namespace {

/// Puts constants into registers where operands have to be registers.
class ConstantPlacer {
public:
  ConstantPlacer(MachineFunction &MF, const HardwareOps &Ops)
      : MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()), Ops(Ops),
        Opcodes(NVPTXOpcodes::get(MF)),
        KindOf(*MF.getSubtarget().getRegisterInfo()), Costs(MF),
        Ends(MF.getNumBlockIDs()) {}

  void place(MachineBasicBlock &MBB);

private:
  void place(MachineInstr &Last);
  void placeGroup(MachineInstr &Last);
  SmallVector<MachineOperand *, 2> otherConstants(const FoldGroup &G) const;
  void placeMemory(MachineInstr &MI, const HardwareOp &Op);
  bool isFit(const MachineOperand &MO) const;
  unsigned costOf(const MachineOperand &MO) const;
  bool toRegister(MachineOperand &MO, RegKind Kind);
  Register inRegister(const MachineOperand &MO, RegKind Kind,
                      MachineInstr &Before);

  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  const HardwareOps &Ops;
  const NVPTXOpcodes &Opcodes;
  RegKinds KindOf;
  NativeCosts Costs;
  /// By what they hold, as text: registers that are filled in this block.
  StringMap<Register> Filled;
  /// The same at the ends of blocks before, by their numbers.
  std::vector<StringMap<Register>> Ends;
  /// Of a predicated side, the block before it: that fills its registers, so
  /// that those after it have them too.
  MachineBasicBlock *FilledBefore = nullptr;
};

} // namespace

/// Whether the instruction of \p MO has a constant in that place.
bool ConstantPlacer::isFit(const MachineOperand &MO) const {
  const MachineInstr &MI = *MO.getParent();
  const HardwareOp &Op = Ops.of(MI);
  unsigned Source = MO.getOperandNo() - MI.getNumExplicitDefs();
  return Source < Op.Sources && Op.Constants >> Source & 1;
}

/// How bad it is to have \p MO in a register.
unsigned ConstantPlacer::costOf(const MachineOperand &MO) const {
  if (MO.isReg())
    return 2 * unitsOf(*KindOf(*MRI.getRegClass(MO.getReg()))) + 1;
  return 1;
}

static unsigned immediateOpcode(const TargetInstrInfo &TII, StringRef Name) {
  for (unsigned Opcode = 0; Opcode != TII.getNumOpcodes(); ++Opcode)
    if (TII.getName(Opcode) == Name)
      return Opcode;
  llvm_unreachable("NVPTX has moves of immediates");
}

Register ConstantPlacer::inRegister(const MachineOperand &MO, RegKind Kind,
                                    MachineInstr &Before) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << unsigned(Kind) << ' ';
  MO.print(OS);
  if (Register Known = Filled.lookup(Text))
    return Known;
  static const unsigned Immediate16 = immediateOpcode(TII, "MOV_B16_i"),
                        Immediate32 = immediateOpcode(TII, "MOV_B32_i"),
                        Immediate64 = immediateOpcode(TII, "MOV_B64_i"),
                        Float32 = immediateOpcode(TII, "MOV_F32_i"),
                        Float64 = immediateOpcode(TII, "MOV_F64_i"),
                        Symbol64 = immediateOpcode(TII, "MOV_B64_sym"),
                        Symbol32 = immediateOpcode(TII, "MOV_B32_sym");
  bool Wide = Kind == RegKind::B64;
  unsigned Opcode = MO.isReg()     ? Opcodes.copyOpcode(Kind)
                    : MO.isImm()   ? (Wide                   ? Immediate64
                                      : Kind == RegKind::B16 ? Immediate16
                                                             : Immediate32)
                    : MO.isFPImm() ? (Wide ? Float64 : Float32)
                    : Wide         ? Symbol64
                                   : Symbol32;
  const TargetRegisterClass *Class = nullptr;
  const TargetRegisterInfo &TRI = *MRI.getTargetRegisterInfo();
  for (const TargetRegisterClass *RC : TRI.regclasses())
    if (KindOf(*RC) == Kind)
      Class = RC;
  Register New = MRI.createVirtualRegister(Class);
  MachineOperand Value = MO;
  if (Value.isReg())
    Value.setIsKill(false);
  MachineBasicBlock &MBB = FilledBefore ? *FilledBefore : *Before.getParent();
  BuildMI(MBB, placeFor(FilledBefore ? *firstTerminator(MBB) : Before),
          Before.getDebugLoc(), TII.get(Opcode), New)
      .add(Value);
  Filled[Text] = New;
  if (FilledBefore)
    Ends[MBB.getNumber()][Text] = New;
  return New;
}

/// False if no opcode has a register there.
bool ConstantPlacer::toRegister(MachineOperand &MO, RegKind Kind) {
  MachineInstr &MI = *MO.getParent();
  if (MO.isReg()) {
    MO.setReg(inRegister(MO, *KindOf(*MRI.getRegClass(MO.getReg())), MI));
    return true;
  }
  if (Ops.of(MI).Kind != OpKind::Store) {
    unsigned Opcode =
        Ops.withRegister(MI, MO.getOperandNo() - MI.getNumExplicitDefs());
    if (!Opcode)
      return false;
    // Operations of 16 bits take registers of 16.
    if (const TargetRegisterClass *Class =
            TII.getRegClass(TII.get(Opcode), MO.getOperandNo()))
      Kind = *KindOf(*Class);
    Register New = inRegister(MO, Kind, MI);
    MI.setDesc(TII.get(Opcode));
    MO.ChangeToRegister(New, /*isDef=*/false);
    return true;
  }
  MO.ChangeToRegister(inRegister(MO, Kind, MI), /*isDef=*/false);
  return true;
}

/// The width of the immediate \p MO, a source of an instruction of \p Op.
static RegKind immediateKind(const MachineOperand &MO, const HardwareOp &Op) {
  bool Narrow = Op.Kind == OpKind::MulWide || Op.Kind == OpKind::Shl ||
                Op.Kind == OpKind::Shr || Op.Bits != 64;
  return Narrow ? RegKind::B32 : RegKind::B64;
}

/// Constants that the table of operations does not count among the sources,
/// such as the place and the length of a bit field.
SmallVector<MachineOperand *, 2>
ConstantPlacer::otherConstants(const FoldGroup &G) const {
  SmallVector<MachineOperand *, 2> Found;
  for (MachineInstr *MI : G.all()) {
    const HardwareOp &Op = Ops.of(*MI);
    if (Op.Kind == OpKind::Load || Op.Kind == OpKind::Store)
      continue;
    for (MachineOperand &MO : drop_begin(MI->explicit_uses(), Op.Sources))
      if (MO.isReg() && isConstantOperand(MO) &&
          KindOf(*MRI.getRegClass(MO.getReg())) != RegKind::Pred)
        Found.push_back(&MO);
  }
  return Found;
}

void ConstantPlacer::placeGroup(MachineInstr &Last) {
  FoldGroup G = FoldGroup::of(Last);
  SmallVector<MachineOperand *, 4> Constants = constantsOf(G, Ops);
  erase_if(Constants, [&](MachineOperand *MO) {
    // Predicates that are constant are written as such.
    return MO->isReg() &&
           KindOf(*MRI.getRegClass(MO->getReg())) == RegKind::Pred;
  });
  // A uniform register takes the place of a constant.
  bool HasUniform =
      !definesUniform(Last) && any_of(G.all(), [&](const MachineInstr *MI) {
        return any_of(MI->all_uses(), [&](const MachineOperand &MO) {
          return MO.getReg().isVirtual() &&
                 nativePlace(MRI, MO.getReg()) == NativePlace::Uniform;
        });
      });
  MachineOperand *Kept = nullptr;
  for (MachineOperand *MO : Constants)
    if (!HasUniform && isFit(*MO) && (!Kept || costOf(*MO) > costOf(*Kept)))
      Kept = MO;
  for (MachineOperand *MO : Constants)
    if (MO != Kept)
      toRegister(*MO, immediateKind(*MO, Ops.of(*MO->getParent())));
  SmallVector<MachineOperand *, 2> Others = otherConstants(G);
  if (Others.size() + (Kept && Kept->isReg()) > 1)
    for (MachineOperand *MO : Others)
      toRegister(*MO, RegKind::B32);
}

/// What is stored is in a register, and so is an address in global memory.
void ConstantPlacer::placeMemory(MachineInstr &MI, const HardwareOp &Op) {
  StringRef Name = TII.getName(MI.getOpcode());
  for (unsigned S = 0; S != Op.Sources; ++S)
    if (MachineOperand &MO = HardwareOps::source(MI, S); isConstantOperand(MO))
      toRegister(MO, Name.contains("i64") ? RegKind::B64 : RegKind::B32);
  if (MI.getNumExplicitOperands() < MI.getNumExplicitDefs() + 4u)
    return;
  MachineOperand &Base = HardwareOps::address(MI);
  if (!HardwareOps::needsAddressRegister(MI, Op) || !isConstantOperand(Base))
    return;
  if (Base.isReg())
    toRegister(Base, RegKind::B64);
  else
    Base.ChangeToRegister(inRegister(Base, RegKind::B64, MI), false);
}

void ConstantPlacer::place(MachineInstr &Last) {
  const HardwareOp &Op = Ops.of(Last);
  if (Op.Kind == OpKind::Load || Op.Kind == OpKind::Store)
    placeMemory(Last, Op);
  if (Op.Sources && Op.Kind != OpKind::Store)
    return placeGroup(Last);
  if (Op.Kind != OpKind::Other)
    return;
  for (MachineOperand &MO : Last.uses())
    if (MO.isReg() && isConstantOperand(MO) &&
        KindOf(*MRI.getRegClass(MO.getReg())) != RegKind::Pred)
      toRegister(MO, RegKind::B32);
}

void ConstantPlacer::place(MachineBasicBlock &MBB) {
  bool IsSide = false;
  MachineBasicBlock *Head = predicatedHead(MBB, Costs, IsSide);
  Filled.clear();
  if (Head)
    Filled = Ends[Head->getNumber()];
  FilledBefore = IsSide ? Head : nullptr;
  for (MachineInstr &MI : MBB)
    if (!MI.isDebugInstr() && !isFolded(MI) && !definesConstant(MI))
      place(MI);
  Ends[MBB.getNumber()] = std::move(Filled);
}

void placeConstants(MachineFunction &MF, const HardwareOps &Ops) {
  ConstantPlacer Placer(MF, Ops);
  for (MachineBasicBlock &MBB : MF)
    Placer.place(MBB);
}

} // namespace regshare
