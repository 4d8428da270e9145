//===- StraightSides.cpp - Predicated sides as straight code --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StraightSides.h"

#include "BlockLiveOut.h"
#include "Transforms/PredicatedSides.h"
#include "Transforms/SplitEdge.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

StraightSides::StraightSides(MachineFunction &MF, const LiveValues &Live)
    : MF(MF) {
  BlockLiveOut AtEnds(Live);
  uint32_t Place = 0;
  for (const MachineBasicBlock &MBB : MF) {
    ArrayRef<Register> Lives = AtEnds.at(Place++);
    LiveOut[&MBB].insert(Lives.begin(), Lives.end());
  }
}

static const TargetInstrInfo &instrInfo(const MachineBasicBlock &MBB) {
  return *MBB.getParent()->getSubtarget().getInstrInfo();
}

/// Ends \p From in a jump to \p To, unless it comes there anyway.
static void jump(MachineBasicBlock &From, MachineBasicBlock &To) {
  if (!From.isLayoutSuccessor(&To))
    instrInfo(From).insertBranch(From, &To, nullptr, {}, DebugLoc());
}

/// The instruction of the hardware that \p MI is a part of.
static const MachineInstr &endOfGroup(const MachineInstr &MI) {
  const MachineInstr *Last = &MI;
  while (isFolded(*Last))
    Last = Last->getNextNode();
  return *Last;
}

/// What is computed on uniform registers has no guard: hardware's would be a
/// uniform predicate. It reads what all threads have, and may run for all.
static bool isGuardable(const MachineInstr &MI) {
  return !MI.isDebugInstr() && !definesConstant(MI) &&
         statementVerb(MI).empty() && !definesUniform(endOfGroup(MI));
}

static bool overwritesUniform(const MachineBasicBlock &Side,
                              const DenseSet<Register> &Live) {
  return any_of(Side, [&](const MachineInstr &MI) {
    return definesUniform(MI) && any_of(MI.all_defs(), [&](const auto &Def) {
             return Live.contains(Def.getReg());
           });
  });
}

/// \p Head branches by a register that its sides leave as it is.
static bool hasLastingGuard(const MachineBasicBlock &Head,
                            const MachineBasicBlock &Meeting) {
  const MachineInstr &Branch = *firstTerminator(Head);
  if (!Branch.isConditionalBranch() || groupOf(Branch).size() != 1)
    return false;
  Register Predicate = Branch.getOperand(0).getReg();
  return all_of(Head.successors(), [&](const MachineBasicBlock *Side) {
    return Side == &Meeting || none_of(*Side, [&](const MachineInstr &MI) {
             return MI.modifiesRegister(Predicate, /*TRI=*/nullptr);
           });
  });
}

bool StraightSides::straighten() {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : terminatorsOf(MBB))
      setPredicatedBranch(MI, false);
  NativeCosts Costs(MF);
  bool Any = false;
  for (MachineBasicBlock &Head : MF)
    while (MachineBasicBlock *Meeting = meetingOfSides(Head, Costs)) {
      if (!hasLastingGuard(Head, *Meeting) ||
          any_of(Head.successors(), [&](const MachineBasicBlock *Side) {
            return Side != Meeting && overwritesUniform(*Side, LiveOut[&Head]);
          }))
        break;
      join(Head, *Meeting);
      Any = true;
    }
  return Any;
}

/// Moves what \p Side does to the end of \p Head. Of what it writes, some
/// threads still need the earlier value of what is \p Kept.
void StraightSides::append(MachineBasicBlock &Head, MachineBasicBlock &Side,
                           const Guard &By, const Registers &Kept) {
  Side.erase(firstTerminator(Side), Side.end());
  auto Uses = [&](MachineInstr &MI, Register R) {
    MI.addOperand(MF, MachineOperand::CreateReg(R, /*isDef=*/false,
                                                /*isImp=*/true));
  };
  for (MachineInstr &MI : Side) {
    if (!isGuardable(MI))
      continue;
    Guards.insert({&MI, {By, MI.getNumOperands()}});
    SmallVector<Register, 2> Overwritten;
    for (const MachineOperand &Def : MI.all_defs())
      if (Kept.contains(Def.getReg()))
        Overwritten.push_back(Def.getReg());
    Uses(MI, By.Predicate);
    for (Register R : Overwritten)
      Uses(MI, R);
  }
  Head.splice(Head.end(), &Side, Side.begin(), Side.end());
  LiveOut.erase(&Side);
  Side.eraseFromParent();
}

void StraightSides::join(MachineBasicBlock &Head, MachineBasicBlock &Meeting) {
  MachineInstr &Branch = *firstTerminator(Head);
  const MachineBasicBlock *Taken = Branch.getOperand(1).getMBB();
  Guard By{Branch.getOperand(0).getReg(), false, Branch.getDebugLoc()};
  Head.erase(firstTerminator(Head), Head.end());
  SmallVector<MachineBasicBlock *, 2> Sides;
  while (!Head.succ_empty()) {
    MachineBasicBlock *Side = *Head.succ_begin();
    Head.removeSuccessor(Head.succ_begin());
    if (Side == &Meeting)
      continue;
    Side->removeSuccessor(&Meeting);
    Sides.push_back(Side);
  }
  Registers Kept = LiveOut[&Head];
  for (MachineBasicBlock *Side : Sides) {
    Registers Written;
    for (const MachineInstr &MI : *Side)
      for (const MachineOperand &Def : MI.all_defs())
        Written.insert(Def.getReg());
    By.IfTrue = Side == Taken;
    append(Head, *Side, By, Kept);
    // Where the sides meet, either's may be read.
    Kept.insert_range(Written);
  }
  MachineBasicBlock *Next =
      fallsThrough(Meeting) ? Meeting.getNextNode() : nullptr;
  Head.splice(Head.end(), &Meeting, Meeting.begin(), Meeting.end());
  Head.transferSuccessors(&Meeting);
  LiveOut[&Head] = std::move(LiveOut[&Meeting]);
  LiveOut.erase(&Meeting);
  Meeting.eraseFromParent();
  if (Next)
    jump(Head, *Next);
}

/// The code of \p MBB as it stands. What is folded, statements and debug
/// instructions belong to the instruction after them; constants need nothing
/// that comes before them, and go before a guard.
std::vector<StraightSides::Stretch>
StraightSides::stretchesOf(MachineBasicBlock &MBB) {
  std::vector<Stretch> All(1);
  std::vector<MachineInstr *> Before;
  for (MachineInstr &MI : MBB) {
    if (definesConstant(MI)) {
      find_if(reverse(All), [](const Stretch &S) {
        return !S.By;
      })->Code.push_back(&MI);
      continue;
    }
    Before.push_back(&MI);
    if (MI.isDebugInstr() || !statementVerb(MI).empty() || isFolded(MI))
      continue;
    auto Found = Guards.find(&MI);
    std::optional<Guard> By;
    if (Found != Guards.end())
      By = Found->second.By;
    if (By != All.back().By)
      All.push_back({By, {}});
    append_range(All.back().Code, Before);
    Before.clear();
  }
  if (All.back().By)
    All.emplace_back();
  append_range(All.back().Code, Before);
  return All;
}

/// \p Code computes registers alone, and the same before \p Earlier, which
/// now comes first.
static bool canPrecede(ArrayRef<MachineInstr *> Code,
                       ArrayRef<MachineInstr *> Earlier) {
  auto IsInTheWay = [](const MachineInstr &Of, const MachineInstr &MI) {
    return any_of(Of.operands(), [&](const MachineOperand &MO) {
      return MO.isReg() && MO.getReg().isVirtual() &&
             (MI.modifiesRegister(MO.getReg(), /*TRI=*/nullptr) ||
              (MO.isDef() && MI.readsRegister(MO.getReg(), /*TRI=*/nullptr)));
    });
  };
  return all_of(Code, [&](const MachineInstr *MI) {
    return !MI->isInlineAsm() && !MI->mayLoadOrStore() && !MI->isTerminator() &&
           !MI->isPosition() && !MI->hasUnmodeledSideEffects() &&
           none_of(Earlier, [&](const MachineInstr *Before) {
             return IsInTheWay(*MI, *Before);
           });
  });
}

/// Where nothing but a computation without a guard stands between two stretches
/// with the same guard, as what fills the time of a latency, it goes before
/// them: one side less.
void StraightSides::joinStretches(MachineBasicBlock &MBB,
                                  std::vector<Stretch> &Code) {
  for (size_t N = 1; N + 2 < Code.size();) {
    Stretch &First = Code[N], &Between = Code[N + 1], &Second = Code[N + 2];
    if (!First.By || Between.By || First.By != Second.By ||
        !canPrecede(Between.Code, First.Code)) {
      ++N;
      continue;
    }
    for (MachineInstr *MI : Between.Code)
      MBB.splice(First.Code.front()->getIterator(), &MBB, MI->getIterator());
    append_range(First.Code, Second.Code);
    Stretch Moved = std::move(Between);
    Code.erase(Code.begin() + N + 1, Code.begin() + N + 3);
    if (Code[N - 1].By)
      Code.insert(Code.begin() + N++, std::move(Moved));
    else
      append_range(Code[N - 1].Code, Moved.Code);
  }
}

/// The registers that \p Code writes and whose earlier values nobody needs for
/// whom it does.
static SmallVector<Register, 4> freshResults(ArrayRef<MachineInstr *> Code) {
  SmallVector<Register, 4> Fresh;
  DenseSet<Register> Seen;
  for (const MachineInstr *MI : Code) {
    for (const MachineOperand &Use : MI->all_uses())
      if (Use.readsReg())
        Seen.insert(Use.getReg());
    for (const MachineOperand &Def : MI->all_defs())
      if (Def.getReg().isVirtual() && Seen.insert(Def.getReg()).second)
        Fresh.push_back(Def.getReg());
  }
  return Fresh;
}

static void addReads(ArrayRef<MachineInstr *> Code, DenseSet<Register> &To) {
  for (const MachineInstr *MI : Code)
    for (const MachineOperand &Use : MI->all_uses())
      if (!MI->isDebugInstr() && Use.readsReg())
        To.insert(Use.getReg());
}

/// Of the code of \p MBB, the values that come from a stretch with a guard and
/// are read after it: by threads for which it was executed. To say so for the
/// others, too, they are given some value before.
std::vector<StraightSides::Registers>
StraightSides::undefinedBefore(const MachineBasicBlock &MBB,
                               ArrayRef<Stretch> Code) {
  std::vector<Registers> All(Code.size());
  Registers ReadLater = LiveOut[&MBB];
  for (size_t N = Code.size(); N--;) {
    if (Code[N].By)
      for (Register R : freshResults(Code[N].Code))
        if (ReadLater.contains(R))
          All[N].insert(R);
    addReads(Code[N].Code, ReadLater);
  }
  return All;
}

static bool writes(ArrayRef<MachineInstr *> Code, Register R) {
  return any_of(Code, [&](const MachineInstr *MI) {
    return MI->modifiesRegister(R, /*TRI=*/nullptr);
  });
}

/// Puts \p S into a block after \p Before, without its guards.
MachineBasicBlock *StraightSides::newBlock(MachineBasicBlock &Before,
                                           const Stretch &S) {
  MachineBasicBlock *New = MF.CreateMachineBasicBlock(Before.getBasicBlock());
  MF.insert(std::next(Before.getIterator()), New);
  for (MachineInstr *MI : S.Code) {
    New->splice(New->end(), MI->getParent(), MI->getIterator());
    auto Found = Guards.find(MI);
    if (Found == Guards.end())
      continue;
    while (MI->getNumOperands() != Found->second.Operands)
      MI->removeOperand(MI->getNumOperands() - 1);
    Guards.erase(Found);
  }
  return New;
}

/// \p Head branches to the sides \p To, around the first unless \p By.
void StraightSides::branch(MachineBasicBlock &Head, const Guard &By,
                           const Sides &To) {
  MachineBasicBlock *First = By.IfTrue ? To.Side : To.Else;
  MachineBasicBlock *Second = By.IfTrue ? To.Else : To.Side;
  if (!First)
    First = To.Meeting;
  if (!Second)
    Second = To.Meeting;
  instrInfo(Head).insertBranch(
      Head, First, Head.isLayoutSuccessor(Second) ? nullptr : Second,
      MachineOperand::CreateReg(By.Predicate, /*isDef=*/false), By.Branch);
  setPredicatedBranch(*firstTerminator(Head), true);
  Head.addSuccessor(First);
  Head.addSuccessor(Second);
  for (MachineBasicBlock *Side : {To.Side, To.Else})
    if (Side) {
      jump(*Side, *To.Meeting);
      Side->addSuccessor(To.Meeting);
    }
}

void StraightSides::split(MachineBasicBlock &MBB, ArrayRef<Stretch> Code) {
  std::vector<Registers> Undefined = undefinedBefore(MBB, Code);
  std::vector<std::tuple<MachineBasicBlock *, Guard, Sides>> Branches;
  MachineBasicBlock *Last = &MBB;
  for (size_t N = 1; N != Code.size(); ++N) {
    const Guard &By = *Code[N].By;
    bool HasElse = Code[N + 1].By && Code[N + 1].By->isOpposite(By);
    auto Define = [&](const Registers &Results, const Stretch *Other) {
      for (Register R : Results)
        if (!Other || !writes(Other->Code, R))
          BuildMI(Last, By.Branch,
                  instrInfo(*Last).get(TargetOpcode::IMPLICIT_DEF), R);
    };
    Define(Undefined[N], HasElse ? &Code[N + 1] : nullptr);
    if (HasElse)
      Define(Undefined[N + 1], &Code[N]);
    Sides To;
    MachineBasicBlock *Head = Last;
    To.Side = Last = newBlock(*Last, Code[N]);
    if (HasElse)
      To.Else = Last = newBlock(*Last, Code[++N]);
    // With a guard again, the block where the sides meet only branches.
    bool GoesOn = !Code[N + 1].By;
    To.Meeting = Last = newBlock(*Last, GoesOn ? Code[++N] : Stretch());
    Branches.emplace_back(Head, By, To);
  }
  Last->transferSuccessors(&MBB);
  for (auto &[Head, By, To] : Branches)
    branch(*Head, By, To);
}

void StraightSides::branchAround() {
  for (MachineBasicBlock &MBB : MF)
    if (std::vector<Stretch> Code = stretchesOf(MBB); Code.size() > 1) {
      joinStretches(MBB, Code);
      split(MBB, Code);
    }
  MF.RenumberBlocks();
}

} // namespace regshare
