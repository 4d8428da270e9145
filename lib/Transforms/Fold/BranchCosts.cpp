//===- BranchCosts.cpp - What branches cost -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A short side of a branch is executed under a predicate, without the branch.
/// Where lanes part otherwise, the hardware says before the branch where they
/// meet (BSSY) and waits there (BSYNC). The figures are from sizes of the code
/// that ptxas 13.0 makes of an `if`, of a loop and of nests of both
/// (docs/native-code.md).
///
//===----------------------------------------------------------------------===//

#include "HardwareOps.h"

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Reconvergence.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

/// Most instructions that ptxas executes under a predicate instead of branching
/// around them.
static constexpr unsigned MostPredicated = 8;

/// Instructions beside the branches where lanes part and meet again: one to say
/// where, one to wait, and on sm_70 and sm_75 one more.
static unsigned slotsOfMeeting(const MachineFunction &MF) {
  StringRef CPU = MF.getTarget().getTargetCPU();
  unsigned Number = 0;
  CPU.consume_front("sm_");
  CPU.consumeInteger(10, Number);
  return Number < 80 ? 3 : 2;
}

/// The first instruction of the hardware in \p MBB.
static const MachineInstr *firstOf(const MachineBasicBlock &MBB) {
  for (const MachineInstr &MI : MBB)
    if (!MI.isMetaInstruction() && statementVerb(MI).empty() && !isFolded(MI) &&
        !definesConstant(MI) && !isEmptyInlinePTX(MI))
      return &MI;
  return nullptr;
}

/// Whether nothing but the function's end is in \p MBB.
static bool onlyReturns(const MachineBasicBlock &MBB) {
  const MachineInstr *First = firstOf(MBB);
  return First && First->isReturn();
}

/// What stays a branch: around loads that go beyond the SM, atomics, and where
/// lanes or warps wait.
static bool isPredicable(const MachineInstr &MI, const InstrFacts &Facts) {
  if (MI.isCall() || MI.isReturn() || MI.isInlineAsm() || Facts.mayPark(MI))
    return false;
  return !MI.mayLoad() || (!MI.mayStore() && !Facts.isLongLatency(MI));
}

bool NativeCosts::isPredicated(const MachineBasicBlock &Side) {
  const InstrFacts &Facts = InstrFacts::get(*Side.getParent());
  unsigned Slots = 0;
  for (const MachineInstr &MI : Side) {
    if (MI.isMetaInstruction() || !statementVerb(MI).empty() || isFolded(MI) ||
        definesConstant(MI) || MI.isUnconditionalBranch())
      continue;
    if (MI.isTerminator() || !isPredicable(MI, Facts))
      return false;
    Slots += of(MI).Slots;
  }
  return Slots <= MostPredicated;
}

/// The sides of \p MBB's branch that come to nothing but its meeting point, if
/// those are all: one block each, or none.
static bool findSides(const MachineBasicBlock &MBB,
                      const MachineBasicBlock &Meeting,
                      SmallVectorImpl<const MachineBasicBlock *> &Sides) {
  for (const MachineBasicBlock *Side : MBB.successors()) {
    if (Side == &Meeting)
      continue;
    if (Side->pred_size() != 1 || Side->succ_size() != 1 ||
        *Side->succ_begin() != &Meeting)
      return false;
    Sides.push_back(Side);
  }
  return true;
}

bool NativeCosts::hasPredicatedSides(const MachineBasicBlock &Head,
                                     const MachineBasicBlock &Meeting) {
  SmallVector<const MachineBasicBlock *, 2> Sides;
  return findSides(Head, Meeting, Sides) &&
         all_of(Sides, [&](const MachineBasicBlock *Side) {
           return isPredicated(*Side);
         });
}

/// Whether the branch at the end of \p MBB is none in hardware.
bool NativeCosts::convertBranch(const MachineBasicBlock &MBB,
                                const MachineBasicBlock &Meeting) {
  if (!hasPredicatedSides(MBB, Meeting))
    return false;
  for (const MachineInstr &MI : terminatorsOf(MBB))
    Saved.insert(&MI);
  for (const MachineBasicBlock *Side : MBB.successors())
    if (Side != &Meeting)
      for (const MachineInstr &MI : terminatorsOf(*Side))
        Saved.insert(&MI);
  return true;
}

namespace {
/// Lays blocks out one after the other, so that jumps between them need no
/// instruction. A jump that the code does without stays so.
class Layout {
public:
  explicit Layout(const MachineFunction &MF)
      : Chain(MF.getNumBlockIDs()), HasNext(Chain.size()),
        HasPrevious(Chain.size()) {
    for (unsigned N = 0; N != Chain.size(); ++N)
      Chain[N] = N;
    HasPrevious[MF.front().getNumber()] = true;
  }

  /// False if \p To cannot follow \p From.
  bool follow(const MachineBasicBlock &From, const MachineBasicBlock &To) {
    unsigned A = From.getNumber(), B = To.getNumber();
    if (HasNext[A] || HasPrevious[B] || find(A) == find(B))
      return false;
    HasNext[A] = HasPrevious[B] = true;
    Chain[find(A)] = find(B);
    return true;
  }

private:
  unsigned find(unsigned N) const {
    while (Chain[N] != N)
      N = Chain[N];
    return N;
  }
  std::vector<unsigned> Chain; // of blocks in one piece: towards its name
  std::vector<bool> HasNext, HasPrevious;
};
} // namespace

/// The target of \p MI, a branch.
static const MachineBasicBlock *targetOf(const MachineInstr &MI) {
  for (const MachineOperand &MO : MI.operands())
    if (MO.isMBB())
      return MO.getMBB();
  return nullptr;
}

void NativeCosts::layOut(const MachineFunction &MF) {
  Layout L(MF);
  for (const MachineBasicBlock &MBB : MF)
    if (const MachineBasicBlock *Next = MBB.getNextNode())
      if (MBB.isSuccessor(Next) &&
          (terminatorsOf(MBB).empty() || !MBB.back().isUnconditionalBranch()))
        L.follow(MBB, *Next);
  for (const MachineBasicBlock &MBB : MF) {
    if (MBB.empty() || !MBB.back().isUnconditionalBranch())
      continue;
    // Of two jumps, either can be the one that is not needed.
    const MachineBasicBlock *Target = targetOf(MBB.back());
    const MachineInstr &First = *firstTerminator(MBB);
    const MachineBasicBlock *Other =
        First.isConditionalBranch() ? targetOf(First) : nullptr;
    if ((Other && Other == MBB.getNextNode() && L.follow(MBB, *Other)) ||
        (Target && L.follow(MBB, *Target)) || (Other && L.follow(MBB, *Other)))
      Saved.insert(&MBB.back());
  }
}

/// Two registers are cleared by one instruction (CS2R): of the clearings that
/// follow each other, every second costs nothing.
void NativeCosts::pairClearings(const MachineBasicBlock &MBB) {
  DenseSet<Register> Cleared;
  bool Odd = false;
  for (const MachineInstr &MI : MBB) {
    if (MI.isMetaInstruction() || !statementVerb(MI).empty() ||
        definesConstant(MI))
      continue;
    const HardwareOp &Op = Ops.of(MI);
    bool Clears = Op.Kind == OpKind::Move && Op.Bits == 32;
    if (Clears) {
      const MachineOperand &From = MI.getOperand(1);
      Clears = From.isReg() ? Cleared.contains(From.getReg())
                            : !isConstantOperand(From);
    }
    for (const MachineOperand &MO : MI.all_defs())
      Cleared.erase(MO.getReg());
    if (!Clears) {
      Odd = false;
      continue;
    }
    Cleared.insert(MI.getOperand(0).getReg());
    if (Odd)
      Saved.insert(&MI);
    Odd = !Odd;
  }
}

void NativeCosts::noteBranches(const MachineFunction &MF,
                               const Reconvergence &Meetings,
                               const DivergenceAnalysis &Divergence) {
  layOut(MF);
  for (const MachineBasicBlock &MBB : MF)
    pairClearings(MBB);
  SmallPtrSet<const MachineBasicBlock *, 8> Met;
  for (const MachineBasicBlock &MBB : MF) {
    const MachineBasicBlock *Meeting = Meetings.meetingPoint(MBB);
    if (MBB.succ_size() != 2 || !Meeting || convertBranch(MBB, *Meeting) ||
        !Divergence.isDivergentBranch(MBB) || onlyReturns(*Meeting) ||
        !Met.insert(Meeting).second)
      continue;
    const MachineInstr *Branch = &*firstTerminator(MBB);
    ++Added[Branch];
    if (const MachineInstr *First = firstOf(*Meeting))
      Added[First] += slotsOfMeeting(MF) - 1;
  }
}

} // namespace regshare
