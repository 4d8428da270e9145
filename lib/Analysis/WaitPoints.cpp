//===- WaitPoints.cpp - Where warps wait for warps ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/WaitPoints.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Base/DeviceCalls.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineCycleAnalysis.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regshare {

const char *waitName(WaitKind K) {
  switch (K) {
  case WaitKind::Barrier:
    return "barrier";
  case WaitKind::SpinLoop:
    return "loop that may wait for another warp";
  case WaitKind::Call:
    return "call that may wait for another warp";
  case WaitKind::InlinePTX:
    return "inline PTX that may wait for another warp";
  case WaitKind::Lanes:
    return "place where lanes stop that others of their warp wait for";
  }
  llvm_unreachable("covered switch");
}

static bool containsAny(StringRef Text, ArrayRef<StringRef> Parts) {
  return llvm::any_of(Parts, [&](StringRef P) { return Text.contains(P); });
}

/// True for a call whose callee may wait. The callee is an operand of the call,
/// or in PTX of older versions of an instruction beside it.
static bool callMayWait(const MachineInstr &MI) {
  auto IsHarmless = [](StringRef Name) {
    return deviceCallOf(Name) != DeviceCall::None;
  };
  for (const MachineOperand &MO : MI.operands()) {
    if (MO.isSymbol() && IsHarmless(MO.getSymbolName()))
      return false;
    if (!MO.isGlobal())
      continue;
    const auto *F = dyn_cast<Function>(MO.getGlobal());
    return !F || !(IsHarmless(F->getName()) || F->hasNoSync());
  }
  return true;
}

/// How \p MI waits by itself, whatever is around it.
static std::optional<WaitKind> waitsAlone(const MachineInstr &MI,
                                          const InstrFacts &Facts) {
  if (Facts.isBarrier(MI))
    return WaitKind::Barrier;
  if (MI.isCall() && callMayWait(MI))
    return WaitKind::Call;
  if (!MI.isInlineAsm() || !statementVerb(MI).empty())
    return std::nullopt;
  StringRef Text = inlinePTXText(MI);
  bool Loops =
      Text.contains("bra") && containsAny(Text, {"ld", "atom", "mbar"});
  if (Loops || containsAny(Text, {"try_wait", "barrier.cluster.wait",
                                  "griddepcontrol.wait"}))
    return WaitKind::InlinePTX;
  return std::nullopt;
}

namespace {

/// How an instruction lets a thread see what other warps did.
enum class Sight : uint8_t {
  None,
  Load,   ///< Only beside a fence.
  Always, ///< Atomics, volatile and ordered loads.
};

/// Which registers depend on what other warps did, within one loop. A forward
/// dataflow like DivergenceAnalysis's: control dependence counts too.
class SpinLoopTest {
public:
  SpinLoopTest(const MachineCycle &Cycle, const RegisterAssignment &Assignment,
               const Reconvergence &Meetings, const TargetInstrInfo &TII)
      : Blocks(Cycle.block_begin(), Cycle.block_end()), Assignment(Assignment),
        Meetings(Meetings), TII(TII) {}

  bool run();

private:
  Sight sight(const MachineInstr &MI) const;
  void apply(const MachineInstr &MI, RegSet &State);
  bool branches(const MachineBasicBlock &MBB, const RegSet &State) const;
  bool visit(const MachineBasicBlock &MBB);
  void spreadControl(const MachineBasicBlock &Branch);
  RegSet writes(const MachineBasicBlock &MBB) const;

  SmallSetVector<MachineBasicBlock *, 8> Blocks;
  const RegisterAssignment &Assignment;
  const Reconvergence &Meetings;
  const TargetInstrInfo &TII;
  bool HasFence = false;
  bool Remembered = false; ///< Memory holds what depends on other warps.
  DenseMap<const MachineBasicBlock *, RegSet> In, Forced;
  SmallPtrSet<const MachineBasicBlock *, 8> Branches;   ///< That depend.
  SmallPtrSet<const MachineBasicBlock *, 8> Controlled; ///< By one of those.
};

} // namespace

Sight SpinLoopTest::sight(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return containsAny(inlinePTXText(MI), {"ld.", "atom", "mbar", "red."})
               ? Sight::Always
               : Sight::None;
  if (MI.isCall())
    return Sight::Always;
  if (!MI.getNumExplicitDefs())
    return Sight::None;
  StringRef Name = TII.getName(MI.getOpcode());
  if (Name.starts_with("mbarrier_test") || (MI.mayLoad() && MI.mayStore()))
    return Sight::Always;
  if (!Name.starts_with("LD_i") && !Name.starts_with("LDV_i"))
    return Sight::None;
  // After the results: the ordering, 0 for a weak access.
  const MachineOperand &Ordering = MI.getOperand(MI.getNumExplicitDefs());
  return Ordering.isImm() && Ordering.getImm() == 0 ? Sight::Load
                                                    : Sight::Always;
}

void SpinLoopTest::apply(const MachineInstr &MI, RegSet &State) {
  RegSet Defs;
  bool Depends = false;
  Assignment.forEachOperand(
      MI, [&](ArchReg R) { Defs.insert(R); },
      [&](ArchReg R) { Depends |= State.intersects(R); });
  Remembered |= Depends && MI.mayStore();
  Sight S = sight(MI);
  Depends |=
      S == Sight::Always || (S == Sight::Load && (HasFence || Remembered));
  if (Depends)
    State |= Defs;
  else
    State -= Defs;
}

bool SpinLoopTest::branches(const MachineBasicBlock &MBB,
                            const RegSet &State) const {
  bool Depends = false;
  if (MBB.succ_size() < 2)
    return false;
  for (const MachineInstr &MI : terminatorsOf(MBB))
    Assignment.forEachOperand(
        MI, [](ArchReg) {}, [&](ArchReg R) { Depends |= State.intersects(R); });
  return Depends;
}

RegSet SpinLoopTest::writes(const MachineBasicBlock &MBB) const {
  RegSet Writes;
  for (const MachineInstr &MI : MBB)
    Assignment.forEachOperand(
        MI, [&](ArchReg R) { Writes.insert(R); }, [](ArchReg) {});
  return Writes;
}

/// What the sides of \p Branch write depends on it where they meet.
void SpinLoopTest::spreadControl(const MachineBasicBlock &Branch) {
  SmallVector<const MachineBasicBlock *, 8> Worklist;
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  auto Reach = [&](const MachineBasicBlock &From) {
    for (const MachineBasicBlock *Succ : From.successors())
      Meetings.forEachDependent(From, *Succ, [&](const MachineBasicBlock &D) {
        if (Blocks.contains(const_cast<MachineBasicBlock *>(&D)) &&
            Seen.insert(&D).second)
          Worklist.push_back(&D);
      });
  };
  Reach(Branch);
  RegSet Written;
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.pop_back_val();
    Controlled.insert(&MBB);
    Written |= writes(MBB);
    Reach(MBB);
  }
  if (const MachineBasicBlock *Meet = Meetings.meetingPoint(Branch)) {
    Forced[Meet] |= Written;
    return;
  }
  for (const MachineBasicBlock *MBB : Blocks)
    Forced[MBB] |= Written;
}

/// True if anything changed.
bool SpinLoopTest::visit(const MachineBasicBlock &MBB) {
  bool RememberedBefore = Remembered;
  RegSet State = In[&MBB];
  State |= Forced[&MBB];
  for (const MachineInstr &MI : MBB)
    apply(MI, State);
  // That a store is executed at all says what the branch above it saw.
  Remembered |=
      Controlled.contains(&MBB) &&
      llvm::any_of(MBB, [](const MachineInstr &MI) { return MI.mayStore(); });
  bool Changed = Remembered != RememberedBefore;
  for (const MachineBasicBlock *Succ : MBB.successors()) {
    if (!Blocks.contains(const_cast<MachineBasicBlock *>(Succ)))
      continue;
    RegSet &Into = In[Succ];
    Changed |= !(State - Into).empty();
    Into |= State;
  }
  if (branches(MBB, State) && Branches.insert(&MBB).second) {
    Controlled.insert(&MBB);
    spreadControl(MBB);
    Changed = true;
  }
  return Changed;
}

bool SpinLoopTest::run() {
  bool Sees = false;
  for (const MachineBasicBlock *MBB : Blocks)
    for (const MachineInstr &MI : *MBB) {
      // Who sleeps in a loop waits for somebody.
      HasFence |= InstrFacts::get(*MI.getMF()).isFence(MI);
      Sees |= sight(MI) != Sight::None;
    }
  if (!Sees)
    return false;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : Blocks)
      Changed |= visit(*MBB);
  }
  return llvm::any_of(Blocks, [&](const MachineBasicBlock *MBB) {
    return Controlled.contains(MBB) &&
           llvm::any_of(MBB->successors(), [&](MachineBasicBlock *Succ) {
             return !Blocks.contains(Succ);
           });
  });
}

/// Calls \p F for \p Cycle and every cycle in it.
template <typename Fn>
static void forEachCycle(const MachineCycle &Cycle, Fn F) {
  F(Cycle);
  for (const MachineCycle *Inner : Cycle.children())
    forEachCycle(*Inner, F);
}

WaitPoints::WaitPoints(const MachineFunction &MF,
                       const RegisterAssignment &Assignment,
                       const Reconvergence &Meetings) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  const InstrFacts &Facts = InstrFacts::get(MF);
  MachineCycleInfo Cycles;
  // The analysis looks and changes nothing; its interface says otherwise.
  Cycles.compute(const_cast<MachineFunction &>(MF));
  for (const MachineCycle *Top : Cycles.toplevel_cycles())
    forEachCycle(*Top, [&](const MachineCycle &Cycle) {
      if (!SpinLoopTest(Cycle, Assignment, Meetings, TII).run())
        return;
      for (const MachineBasicBlock *MBB : Cycle.blocks())
        for (const MachineInstr &MI : *MBB)
          if (!MI.isDebugInstr())
            Waits.try_emplace(&MI, WaitKind::SpinLoop);
    });
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (std::optional<WaitKind> Kind = waitsAlone(MI, Facts))
        Waits[&MI] = *Kind;
}

} // namespace regshare
