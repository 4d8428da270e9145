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
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

/// Most instructions that ptxas 13.0 executes under a predicate instead of
/// branching around them: of a side, of both together, and of both where a load
/// is under way meanwhile (docs/native-code.md, branches).
static constexpr unsigned MostOfSide = 8, MostOfBoth = 15, MostUnderLoads = 18;
/// From so many loads on, they hide each other's latency.
static constexpr unsigned ManyLoads = 4;
/// What a sequence has more under a predicate, if it has predicates of its own:
/// `rsqrt.approx.f32` scales denormal numbers, and is six instead of four.
static constexpr unsigned SlotsOfInnerPredicates = 2;

/// Instructions beside the branches where lanes part and meet again: one to say
/// where, one to wait, and on sm_70 and sm_75 one more.
static unsigned slotsOfMeeting(const MachineFunction &MF) {
  StringRef CPU = MF.getTarget().getTargetCPU();
  unsigned Number = 0;
  CPU.consume_front("sm_");
  CPU.consumeInteger(10, Number);
  return Number < 80 ? 3 : 2;
}

/// Whether \p MI declares what a call passes, in text without an instruction.
static bool declaresCall(const MachineInstr &MI) {
  StringRef Name =
      MI.getMF()->getSubtarget().getInstrInfo()->getName(MI.getOpcode());
  return Name.starts_with("Callseq_") || Name.starts_with("DECLARE_PARAM_");
}

/// The first instruction of the hardware in \p MBB.
static const MachineInstr *firstOf(const MachineBasicBlock &MBB) {
  for (const MachineInstr &MI : MBB)
    if (!MI.isMetaInstruction() && statementVerb(MI).empty() && !isFolded(MI) &&
        !definesConstant(MI) && !isEmptyInlinePTX(MI) && !declaresCall(MI))
      return &MI;
  return nullptr;
}

/// Whether nothing but the function's end is in \p MBB.
static bool onlyReturns(const MachineBasicBlock &MBB) {
  const MachineInstr *First = firstOf(MBB);
  return First && First->isReturn();
}

/// What stays a branch: around atomics, slow paths, and where lanes or warps
/// wait.
bool NativeCosts::isPredicable(const MachineInstr &MI) {
  if (MI.isCall() || MI.isTerminator() || MI.isInlineAsm() ||
      (MI.mayLoad() && MI.mayStore()))
    return false;
  return !InstrFacts::get(*MI.getMF()).mayPark(MI) && !mayCall(MI);
}

/// A load that goes beyond the SM.
static bool isLongLoad(const MachineInstr &MI) {
  return MI.mayLoad() && InstrFacts::get(*MI.getMF()).isLongLatency(MI);
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

/// What of \p Side counts for whether it is executed under a predicate; nothing
/// if it cannot be.
std::optional<NativeCosts::SideSize>
NativeCosts::sizeOf(const MachineBasicBlock &Side) {
  SideSize Size;
  for (const MachineInstr &MI : Side) {
    if (MI.isMetaInstruction() || !statementVerb(MI).empty() || isFolded(MI) ||
        definesConstant(MI) || MI.isUnconditionalBranch())
      continue;
    if (!isPredicable(MI))
      return std::nullopt;
    unsigned Slots = of(MI).Slots;
    Size.Slots += Slots;
    if (Ops.of(MI).Kind == OpKind::Function && Slots > 2)
      Size.Slots += SlotsOfInnerPredicates;
    if (isLongLoad(MI)) {
      ++Size.Loads;
      Size.OfMemory |= !MI.isDereferenceableInvariantLoad();
    }
  }
  return Size;
}

/// Whether control comes from \p MBB to \p MBB again.
bool NativeCosts::isInLoop(const MachineBasicBlock &MBB) {
  if (!InLoops) {
    InLoops.emplace();
    for (auto I = scc_begin(MBB.getParent()); !I.isAtEnd(); ++I)
      if (I.hasCycle())
        InLoops->insert(I->begin(), I->end());
  }
  return InLoops->contains(&MBB);
}

/// Whether a load may be on its way while the sides of \p Head's branch are
/// executed: one before them, or one of sides before or after these.
static bool hasLoadsNearby(const MachineBasicBlock &Head,
                           const MachineBasicBlock &Meeting) {
  auto HasLoad = [](const MachineBasicBlock *MBB) {
    return any_of(*MBB, isLongLoad);
  };
  return HasLoad(&Head) || any_of(Head.predecessors(), HasLoad) ||
         HasLoad(&Meeting) || any_of(Meeting.successors(), HasLoad);
}

/// Whether some load of \p Head's is not waited for by its branch.
static bool leavesLoadsUnderWay(const MachineBasicBlock &Head) {
  SmallPtrSet<const MachineInstr *, 8> Awaited;
  SmallVector<const MachineInstr *, 8> ToSee;
  for (const MachineInstr &MI : terminatorsOf(Head))
    ToSee.push_back(&MI);
  const MachineRegisterInfo &MRI = Head.getParent()->getRegInfo();
  while (!ToSee.empty())
    for (const MachineOperand &Use : ToSee.pop_back_val()->all_uses())
      if (Use.getReg().isVirtual())
        for (const MachineInstr &Def : MRI.def_instructions(Use.getReg()))
          if (Def.getParent() == &Head && Awaited.insert(&Def).second)
            ToSee.push_back(&Def);
  return any_of(Head, [&](const MachineInstr &MI) {
    return isLongLoad(MI) && !Awaited.contains(&MI);
  });
}

bool isPredicatedBranch(const MachineInstr &Branch) {
  return Branch.getFlag(MachineInstr::Unpredictable);
}

void setPredicatedBranch(MachineInstr &Branch, bool Is) {
  if (Is)
    Branch.setFlag(MachineInstr::Unpredictable);
  else
    Branch.clearFlag(MachineInstr::Unpredictable);
}

bool NativeCosts::hasPredicatedSides(const MachineBasicBlock &Head,
                                     const MachineBasicBlock &Meeting) {
  SmallVector<const MachineBasicBlock *, 2> Sides;
  if (!findSides(Head, Meeting, Sides))
    return false;
  auto Branch = firstTerminator(Head);
  if (Branch != Head.end() && isPredicatedBranch(*Branch))
    return true;
  SideSize All;
  bool AreSmall = true;
  for (const MachineBasicBlock *Side : Sides) {
    std::optional<SideSize> Size = sizeOf(*Side);
    if (!Size)
      return false;
    AreSmall &= Size->Slots <= MostOfSide;
    All.Slots += Size->Slots;
    All.Loads += Size->Loads;
    All.OfMemory |= Size->OfMemory;
  }
  AreSmall &= All.Slots <= MostOfBoth;
  if (!AreSmall && (All.Slots > MostUnderLoads ||
                    (!All.Loads && !leavesLoadsUnderWay(Head))))
    return false;
  return !All.OfMemory || All.Loads >= ManyLoads ||
         hasLoadsNearby(Head, Meeting) || isInLoop(Head);
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
