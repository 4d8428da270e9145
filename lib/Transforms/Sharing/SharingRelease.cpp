//===- SharingRelease.cpp - Where what is shared is given back ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingRelease.h"

#include "Transforms/SplitEdge.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// What is shared, as if it were a register that is read where it is needed and
/// never written: it is live for as long as some lane may need it.
static constexpr ArchReg Shared{RegKind::B32, 0};

static RegisterAssignment
readsOfShared(const MachineFunction &MF,
              function_ref<bool(const MachineInstr &)> Needs) {
  RegisterAssignment Reads;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (Needs(MI))
        Reads.addRead(MI, Shared);
  return Reads;
}

/// True for what is no instruction, or only goes on to another block.
static bool doesNothing(const MachineInstr &MI) {
  return MI.isMetaInstruction() || MI.isTerminator();
}

/// True if lanes that part may meet anywhere: what one of them has yet to need
/// the others can never release then.
static bool mayMeetAnywhere(const MachineFunction &MF, const Analyses &A) {
  if (!A.Divergence.numDivergentBranches())
    return false;
  const InstrFacts &Facts = InstrFacts::get(MF);
  return A.Meetings.isUncertain() ||
         llvm::any_of(MF, [&](const MachineBasicBlock &MBB) {
           return llvm::any_of(MBB, [&](const MachineInstr &MI) {
             return Facts.isLooseBarrier(MI);
           });
         });
}

namespace {

/// Where releases go; found before any is placed.
class ReleaseFinder {
public:
  ReleaseFinder(MachineFunction &MF, const Analyses &A,
                function_ref<bool(const MachineInstr &)> Needs);

  /// Edges into a block.
  struct Edges {
    MachineBasicBlock *To;
    SmallVector<MachineBasicBlock *, 2> From;
    bool All; ///< None is missing.
  };
  std::vector<MachineInstr *> Behind; ///< Instructions.
  std::vector<Edges> On;

private:
  void findEnds();
  void findUsers();
  bool isLiveAtEnd(const MachineBasicBlock &MBB) const;
  bool leadsToMeeting(const MachineBasicBlock &MBB) const;
  Edges entering(MachineBasicBlock &MBB) const;
  bool endsBehind(const MachineInstr &MI) const;
  void visitInstrs(MachineBasicBlock &MBB);
  void visitEdges(MachineBasicBlock &MBB);

  MachineFunction &MF;
  const Analyses &A;
  const RegisterAssignment Reads;
  const RegisterCode Code;
  const ThreadLiveness Thread;
  const WarpLiveness Warp;
  std::vector<bool> OnlyEnds; ///< By block: nothing but ways to a return.
  std::vector<bool> Used;     ///< By block: needed in it or on a way to it.
};

} // namespace

ReleaseFinder::ReleaseFinder(MachineFunction &MF, const Analyses &A,
                             function_ref<bool(const MachineInstr &)> Needs)
    : MF(MF), A(A), Reads(readsOfShared(MF, Needs)), Code(MF, Reads),
      Thread(MF, Reads, Code), Warp(MF, Code, Thread, A.Divergence, A.Meetings),
      OnlyEnds(MF.getNumBlockIDs()), Used(MF.getNumBlockIDs()) {
  if (mayMeetAnywhere(MF, A))
    return;
  findEnds();
  findUsers();
  for (MachineBasicBlock &MBB : MF) {
    visitInstrs(MBB);
    visitEdges(MBB);
  }
}

void ReleaseFinder::findEnds() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock &MBB : MF) {
      if (OnlyEnds[MBB.getNumber()] || !llvm::all_of(MBB, doesNothing) ||
          !llvm::all_of(MBB.successors(), [&](const MachineBasicBlock *Succ) {
            return OnlyEnds[Succ->getNumber()];
          }))
        continue;
      OnlyEnds[MBB.getNumber()] = true;
      Changed = true;
    }
  }
}

void ReleaseFinder::findUsers() {
  std::vector<const MachineBasicBlock *> Worklist;
  auto Note = [&](const MachineBasicBlock &MBB) {
    if (Used[MBB.getNumber()])
      return;
    Used[MBB.getNumber()] = true;
    Worklist.push_back(&MBB);
  };
  for (const MachineBasicBlock &MBB : MF)
    if (RegisterCode::Range R = Code.instrs(MBB); R.Begin != R.End)
      Note(MBB);
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.back();
    Worklist.pop_back();
    for (const MachineBasicBlock *Succ : MBB.successors())
      Note(*Succ);
  }
}

/// Whether it is still needed when a warp leaves \p MBB: what terminators need
/// is released after them.
bool ReleaseFinder::isLiveAtEnd(const MachineBasicBlock &MBB) const {
  return Warp.liveOut(MBB).intersects(Shared) ||
         llvm::any_of(terminatorsOf(MBB), [&](const MachineInstr &MI) {
           return Reads.effects(MI).Uses.intersects(Shared);
         });
}

bool ReleaseFinder::endsBehind(const MachineInstr &MI) const {
  const MachineBasicBlock &MBB = *MI.getParent();
  const auto Next = std::next(MachineBasicBlock::const_iterator(MI));
  return std::all_of(Next, MBB.end(), doesNothing) &&
         llvm::all_of(MBB.successors(), [&](const MachineBasicBlock *Succ) {
           return OnlyEnds[Succ->getNumber()];
         });
}

void ReleaseFinder::visitInstrs(MachineBasicBlock &MBB) {
  Warp.forEachBackward(MBB, [&](const MachineInstr &MI, const RegSet &Before,
                                const RegSet &After) {
    if (Before.intersects(Shared) && !After.intersects(Shared) &&
        !MI.isTerminator() && !endsBehind(MI))
      Behind.push_back(const_cast<MachineInstr *>(&MI));
  });
}

/// True if lanes come along an edge from \p MBB to where they wait for others
/// that may still need it. A block on the edge would be a part of their side.
bool ReleaseFinder::leadsToMeeting(const MachineBasicBlock &MBB) const {
  return Warp.parked(MBB).intersects(Shared) ||
         A.Divergence.isDivergentBranch(MBB);
}

/// The edges into \p MBB, but for those that lead back to it from a loop that
/// is entered nowhere else.
ReleaseFinder::Edges ReleaseFinder::entering(MachineBasicBlock &MBB) const {
  // By block: the entry reaches it without MBB.
  std::vector<bool> Outside(MF.getNumBlockIDs());
  std::vector<const MachineBasicBlock *> Worklist;
  auto Reach = [&](const MachineBasicBlock &Next) {
    if (&Next == &MBB || Outside[Next.getNumber()])
      return;
    Outside[Next.getNumber()] = true;
    Worklist.push_back(&Next);
  };
  Reach(MF.front());
  while (!Worklist.empty()) {
    const MachineBasicBlock &Next = *Worklist.back();
    Worklist.pop_back();
    for (const MachineBasicBlock *Succ : Next.successors())
      Reach(*Succ);
  }
  Edges E{&MBB, {}, true};
  for (MachineBasicBlock *Pred : MBB.predecessors())
    if (Outside[Pred->getNumber()])
      E.From.push_back(Pred);
    else
      E.All = false;
  return E;
}

void ReleaseFinder::visitEdges(MachineBasicBlock &MBB) {
  if (Warp.liveIn(MBB).intersects(Shared) || OnlyEnds[MBB.getNumber()])
    return;
  Edges E{&MBB, {}, true};
  bool AnyUsed = false, AnyMeeting = false;
  for (MachineBasicBlock *Pred : MBB.predecessors()) {
    if (!isLiveAtEnd(*Pred)) {
      E.All = false;
      continue;
    }
    E.From.push_back(Pred);
    AnyUsed |= Used[Pred->getNumber()];
    AnyMeeting |= leadsToMeeting(*Pred);
  }
  if (AnyUsed)
    On.push_back(AnyMeeting ? entering(MBB) : std::move(E));
}

ReleaseCounts placeReleases(MachineFunction &MF, const Analyses &A,
                            function_ref<bool(const MachineInstr &)> Needs,
                            const std::string &Pragma) {
  ReleaseFinder Found(MF, A, Needs);
  ReleaseCounts Counts;
  for (MachineInstr *MI : Found.Behind)
    insertStatement(*MI->getParent(), std::next(MI->getIterator()), Pragma);
  for (const ReleaseFinder::Edges &E : Found.On) {
    // Lanes that met at the block meet at the new one then.
    MachineBasicBlock *MBB = E.All ? E.To : splitEdges(E.From, *E.To);
    Counts.EdgeBlocks += !E.All;
    insertStatement(*MBB, MBB->SkipPHIsAndLabels(MBB->begin()), Pragma);
  }
  Counts.Releases = Found.Behind.size() + Found.On.size();
  return Counts;
}

} // namespace regshare
