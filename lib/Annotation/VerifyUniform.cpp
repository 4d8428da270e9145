//===- VerifyUniform.cpp - Prove uniform registers sound ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A uniform register is written from uniform registers alone, so that it has
/// one value. What remains is that a thread which reads it has written that
/// value: threads that a branch has parted do not write what the others, or
/// both once they have met, still read. Nothing here asks which values are
/// uniform, or how regshare-fold chose them.
///
//===----------------------------------------------------------------------===//

#include "VerifyUniform.h"

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/RegisterCode.h"
#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

namespace {

/// Uniform registers by unit, of which there are at most MaxUniformUnits.
using UnitMask = uint64_t;

class UniformChecker {
public:
  UniformChecker(const MachineFunction &MF,
                 const RegisterAssignment &Assignment,
                 std::vector<FoldViolation> &Found)
      : MF(MF), MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        Opcodes(NVPTXOpcodes::get(MF)), Assignment(Assignment), Found(Found) {}

  void run();

private:
  bool collect();
  void checkWrite(const MachineInstr &Last);
  void checkReads(const MachineInstr &Last);
  bool isAddress(const MachineOperand &MO) const;
  void checkAddress(const MachineInstr &Last);
  void checkPartings();
  void checkParting(const MachineBasicBlock &MBB,
                    const MachineBasicBlock *Meeting);
  void computeLiveness();
  UnitMask writesUntil(const MachineBasicBlock *From,
                       const MachineBasicBlock *Meeting) const;
  UnitMask liveInto(const MachineBasicBlock *MBB) const {
    return MBB ? LiveIn[MBB->getNumber()] : 0;
  }
  UnitMask unitsOf(const MachineOperand &MO) const {
    return MO.isReg() ? Units.lookup(MO.getReg()) : 0;
  }
  NativePlace placeOf(const MachineOperand &MO) const {
    return nativePlace(MRI, MO.getReg());
  }
  bool isWord(const MachineOperand &MO) const {
    return MRI.getTargetRegisterInfo()->getRegSizeInBits(
               *MRI.getRegClass(MO.getReg())) > 1;
  }
  void report(const MachineInstr &MI, const Twine &What) {
    Found.push_back({&MI, What.str()});
  }

  const MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  const NVPTXOpcodes &Opcodes;
  const RegisterAssignment &Assignment;
  std::vector<FoldViolation> &Found;

  DenseMap<Register, UnitMask> Units;
  std::vector<UnitMask> Writes, LiveIn; // by block number
};

} // namespace

static unsigned architectureOf(const MachineFunction &MF) {
  StringRef CPU = MF.getTarget().getTargetCPU();
  unsigned Number = 0;
  CPU.consume_front("sm_");
  CPU.consumeInteger(10, Number);
  return Number;
}

/// True if there are some. Each has units of its own: those of others are not
/// written where it is alive.
bool UniformChecker::collect() {
  UnitMask All = 0;
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(VReg) ||
        nativePlace(MRI, VReg) != NativePlace::Uniform)
      continue;
    const MachineInstr &Somewhere = *MRI.reg_nodbg_begin(VReg)->getParent();
    std::string Name = MRI.getVRegName(VReg).str();
    std::optional<unsigned> First = uniformUnit(Name);
    std::optional<RegKind> Kind =
        kindOf(*MRI.getRegClass(VReg), *MRI.getTargetRegisterInfo());
    unsigned Count = Kind == RegKind::B32 ? 1 : Kind == RegKind::B64 ? 2 : 0;
    if (!First || !Count || *First % Count ||
        *First + Count > MaxUniformUnits) {
      report(Somewhere, "%" + Name +
                            " is no uniform register: they have 32 "
                            "bits, or 64 and an even number, from U0 "
                            "to U" +
                            Twine(MaxUniformUnits - 1));
      continue;
    }
    UnitMask Its = ((UnitMask(1) << Count) - 1) << *First;
    if (All & Its)
      report(Somewhere, "%" + Name + " is another one as well");
    All |= Its;
    Units[VReg] = Its;
  }
  return All;
}

/// Operations that the uniform datapath has: on integers of 32 bits, and what
/// of those on 64 two of its instructions or a wide multiplication do.
static bool isOfDatapath(StringRef Name) {
  static const StringLiteral Names[] = {
      "ADD32",       "SUB32",       "MULT32",      "MAD_LO_S32",
      "MUL_HI_S32",  "ADD64",       "SUB64",       "MUL_HI_U32",
      "MUL_WIDEs32", "MUL_WIDEu32", "AND_b32",     "OR_b32",
      "XOR_b32",     "NOT_b32",     "SHL32",       "AND_b64",
      "OR_b64",      "XOR_b64",     "NOT_b64",     "SHL64",
      "SRL32",       "SRA32",       "CVT_u64_u32", "CVT_s64_s32",
      "MOV_B32",     "MOV_B64",     "COPY",        "INT_PTX_SREG_CTAID_"};
  return any_of(Names, [&](StringRef Each) { return Name.starts_with(Each); });
}

/// \p Last ends a group and has its result in a uniform register.
void UniformChecker::checkWrite(const MachineInstr &Last) {
  for (const MachineInstr *MI : groupOf(Last)) {
    if (!isOfDatapath(TII.getName(MI->getOpcode())))
      report(*MI, "uniform registers are written by integer operations alone");
    for (const MachineOperand &MO : MI->all_uses()) {
      if (!MO.getReg().isVirtual() || placeOf(MO) == NativePlace::Register)
        report(*MI, "a uniform register is computed from such alone");
      else if (placeOf(MO) == NativePlace::Constant && !Opcodes.isCopy(*MI))
        report(*MI, "a constant is loaded into a uniform register first");
    }
  }
}

/// Where a load or store of global memory goes, on sm_75.
bool UniformChecker::isAddress(const MachineOperand &MO) const {
  const MachineInstr &MI = *MO.getParent();
  constexpr unsigned FromEnd = 2; // an offset follows
  unsigned Number = MI.getNumExplicitOperands();
  if (architectureOf(MF) != 75 || MI.mayLoad() == MI.mayStore() ||
      MI.isInlineAsm() || MI.isCall() || Number < MI.getNumExplicitDefs() + 7u)
    return false;
  // Address space, sign or not, and width stand before a load's address; of a
  // store the sign does not.
  const MachineOperand &Space =
      MI.getOperand(Number - FromEnd - (MI.mayStore() ? 2 : 4));
  return &MI.getOperand(Number - FromEnd) == &MO && Space.isImm() &&
         Space.getImm() == GlobalAddressSpace;
}

/// What an access adds is a uniform register and one of each thread.
void UniformChecker::checkAddress(const MachineInstr &Last) {
  if (!Last.mayLoadOrStore())
    return;
  for (const MachineOperand &MO : Last.all_uses()) {
    if (!MO.getReg().isVirtual() || placeOf(MO) != NativePlace::Folded)
      continue;
    const MachineInstr *Add = Last.getPrevNode();
    while (Add && !Add->definesRegister(MO.getReg(), nullptr))
      Add = Add->getPrevNode();
    if (!Add)
      continue; // Read outside of its group, which is reported elsewhere.
    StringRef Name = TII.getName(Add->getOpcode());
    if (Name.starts_with("CVT_"))
      continue; // A part of what is stored.
    unsigned Uniform = 0, Own = 0;
    for (const MachineOperand &Each : Add->all_uses()) {
      Uniform += unitsOf(Each) != 0;
      Own += placeOf(Each) == NativePlace::Register;
    }
    if (Name != "ADD64rr" || !isAddress(MO) || Uniform != 1 || Own != 1)
      report(Last, "what an access adds is a uniform register and a thread's "
                   "own, in global memory and on sm_75");
  }
}

/// \p Last ends a group and writes no uniform register.
void UniformChecker::checkReads(const MachineInstr &Last) {
  unsigned Uniform = 0, Constants = 0;
  for (const MachineInstr *MI : groupOf(Last))
    for (const MachineOperand &MO : MI->all_uses()) {
      if (!MO.getReg().isVirtual())
        continue;
      Constants += placeOf(MO) == NativePlace::Constant && isWord(MO);
      if (!unitsOf(MO))
        continue;
      ++Uniform;
      if (isAddress(MO))
        continue;
      if (MI->mayLoadOrStore() || MI->isCall() || MI->isInlineAsm() ||
          MI->isTerminator())
        report(*MI, "only what computes takes a uniform register");
    }
  checkAddress(Last);
  if (Uniform > 1 || (Uniform && Constants))
    report(Last, "an instruction has one operand that is a constant or a "
                 "uniform register");
}

//===----------------------------------------------------------------------===//
// Which threads write
//===----------------------------------------------------------------------===//

/// LiveIn and Writes, by the equations of live variables.
void UniformChecker::computeLiveness() {
  Writes.assign(MF.getNumBlockIDs(), 0);
  LiveIn.assign(MF.getNumBlockIDs(), 0);
  std::vector<UnitMask> Reads(MF.getNumBlockIDs());
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (MI.isDebugInstr())
        continue;
      UnitMask &Written = Writes[MBB.getNumber()];
      for (const MachineOperand &MO : MI.all_uses())
        Reads[MBB.getNumber()] |= unitsOf(MO) & ~Written;
      for (const MachineOperand &MO : MI.all_defs())
        Written |= unitsOf(MO);
    }
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const MachineBasicBlock &MBB : MF) {
      UnitMask Live = 0;
      for (const MachineBasicBlock *Next : MBB.successors())
        Live |= LiveIn[Next->getNumber()];
      Live = (Live & ~Writes[MBB.getNumber()]) | Reads[MBB.getNumber()];
      Changed |= Live != LiveIn[MBB.getNumber()];
      LiveIn[MBB.getNumber()] = Live;
    }
}

/// What threads that go to \p From may write before \p Meeting.
UnitMask UniformChecker::writesUntil(const MachineBasicBlock *From,
                                     const MachineBasicBlock *Meeting) const {
  UnitMask Mask = 0;
  std::vector<bool> Seen(MF.getNumBlockIDs());
  SmallVector<const MachineBasicBlock *, 8> Work = {From};
  while (!Work.empty()) {
    const MachineBasicBlock *MBB = Work.pop_back_val();
    if (MBB == Meeting || Seen[MBB->getNumber()])
      continue;
    Seen[MBB->getNumber()] = true;
    Mask |= Writes[MBB->getNumber()];
    append_range(Work, MBB->successors());
  }
  return Mask;
}

/// The branch at the end of \p MBB parts threads, which meet at \p Meeting.
void UniformChecker::checkParting(const MachineBasicBlock &MBB,
                                  const MachineBasicBlock *Meeting) {
  for (const MachineBasicBlock *Side : MBB.successors()) {
    UnitMask Written = writesUntil(Side, Meeting);
    UnitMask Needed = liveInto(Meeting);
    for (const MachineBasicBlock *Other : MBB.successors())
      if (Other != Side)
        Needed |= liveInto(Other) | writesUntil(Other, Meeting);
    if (UnitMask Lost = Written & Needed)
      report(*firstTerminator(MBB), "threads that part here write U" +
                                        Twine(countr_zero(Lost)) +
                                        ", which others have or need");
  }
}

void UniformChecker::checkPartings() {
  computeLiveness();
  MachinePostDominatorTree PDT(const_cast<MachineFunction &>(MF));
  Reconvergence Meetings(MF, PDT);
  // A loop's counter may be in memory between two of its branches.
  const RegisterCode Code(MF, Assignment,
                          RegisterCode::SpillSlots::AreRegisters);
  DivergenceAnalysis Divergence(MF, Assignment, Code, Meetings);
  for (const MachineBasicBlock &MBB : MF) {
    if (!Divergence.isDivergentBranch(MBB))
      continue;
    if (Meetings.isUncertain())
      return report(*firstTerminator(MBB),
                    "uniform registers, where it is not known where the "
                    "threads that part here meet");
    checkParting(MBB, Meetings.meetingPoint(MBB));
  }
}

void UniformChecker::run() {
  if (!collect())
    return;
  if (architectureOf(MF) < 75)
    return report(MF.front().front(), "there are uniform registers from sm_75 "
                                      "on");
  if (MF.getFunction().getCallingConv() != CallingConv::PTX_Kernel)
    return report(MF.front().front(), "only kernels have uniform registers");
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (MI.isDebugInstr() || !statementVerb(MI).empty() || isFolded(MI) ||
          definesConstant(MI))
        continue;
      if (MI.isCall())
        report(MI, "what is called may use the uniform registers");
      definesUniform(MI) ? checkWrite(MI) : checkReads(MI);
    }
  checkPartings();
}

void verifyUniform(const MachineFunction &MF,
                   const RegisterAssignment &Assignment,
                   std::vector<FoldViolation> &Found) {
  UniformChecker(MF, Assignment, Found).run();
}

} // namespace regshare
