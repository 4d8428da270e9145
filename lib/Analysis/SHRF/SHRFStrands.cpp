//===- SHRFStrands.cpp - Strands of SHRF ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/SHRF/SHRFStrands.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

/// Finds where strands have to end.
class StrandBuilder {
public:
  StrandBuilder(const MachineFunction &MF, const Analyses &A, StrandCode &Code);
  void run();

private:
  bool endsStrands(const MachineInstr &MI) const;
  RegSet startedBy(const MachineInstr &MI) const;
  RegSet across(const MachineBasicBlock &MBB, RegSet Pending) const;
  void findPending();
  bool continues(const MachineBasicBlock &MBB) const;
  StrandPiece &current(const MachineBasicBlock &MBB);
  void begin(const MachineBasicBlock &MBB);
  void enter(const MachineBasicBlock &MBB);
  void cut(const MachineBasicBlock &MBB, const RegSet &Live);
  void divide(const MachineBasicBlock &MBB);

  const MachineFunction &MF;
  const Analyses &A;
  const InstrFacts &Facts;
  StrandCode &Code;
  /// Lanes may go on in any block after any other.
  bool Anywhere;
  RegSet EverPending; ///< What some instruction brings late.
  /// By block number: what may be on its way at its start.
  std::vector<RegSet> PendingIn;
  /// By block number: lanes may come to run there that waited.
  std::vector<bool> Resumes;
  /// By block number: the strand and piece at its end.
  std::vector<std::optional<std::pair<unsigned, unsigned>>> Last;
};

StrandBuilder::StrandBuilder(const MachineFunction &MF, const Analyses &A,
                             StrandCode &Code)
    : MF(MF), A(A), Facts(InstrFacts::get(MF)), Code(Code),
      Anywhere(A.Meetings.isUncertain()), PendingIn(MF.getNumBlockIDs()),
      Resumes(MF.getNumBlockIDs()), Last(MF.getNumBlockIDs()) {
  for (const MachineBasicBlock &MBB : MF) {
    for (const MachineInstr &MI : MBB) {
      EverPending |= startedBy(MI);
      Anywhere |= Facts.isLooseBarrier(MI);
    }
    if (!A.Divergence.isDivergentBranch(MBB))
      continue;
    for (const MachineBasicBlock *Succ : MBB.successors())
      Resumes[Succ->getNumber()] = true;
    if (const MachineBasicBlock *Meet = A.Meetings.meetingPoint(MBB))
      Resumes[Meet->getNumber()] = true;
  }
}

/// The warp may leave the active set there, or other lanes may come to run.
bool StrandBuilder::endsStrands(const MachineInstr &MI) const {
  return statementVerb(MI).empty() && Facts.mayPark(MI);
}

/// What comes late: the warp waits where that is named.
RegSet StrandBuilder::startedBy(const MachineInstr &MI) const {
  if (!statementVerb(MI).empty() || !Facts.comesLate(MI))
    return {};
  RegEffects E = A.Assignment.effects(MI);
  return E.Defs | E.Temps;
}

RegSet StrandBuilder::across(const MachineBasicBlock &MBB,
                             RegSet Pending) const {
  for (const MachineInstr &MI : MBB) {
    if (MI.isMetaInstruction())
      continue;
    // Whatever it names waits for a result on its way.
    Pending -= A.Assignment.named(MI);
    if (endsStrands(MI))
      Pending |= EverPending;
    Pending |= startedBy(MI);
  }
  return Pending;
}

/// Forward over edges. Where lanes go on that waited, others may have left
/// anything on its way.
void StrandBuilder::findPending() {
  std::vector<RegSet> Out(MF.getNumBlockIDs());
  for (const MachineBasicBlock &MBB : MF)
    if (Anywhere || Resumes[MBB.getNumber()])
      PendingIn[MBB.getNumber()] = EverPending;
  RegisterCode Order(MF, A.Assignment);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : llvm::reverse(Order.postOrder())) {
      RegSet &In = PendingIn[MBB->getNumber()];
      for (const MachineBasicBlock *Pred : MBB->predecessors())
        In |= Out[Pred->getNumber()];
      RegSet After = across(*MBB, In);
      Changed |= !(After == Out[MBB->getNumber()]);
      Out[MBB->getNumber()] = After;
    }
  }
}

/// Whether \p MBB goes on with the strand of its predecessor.
bool StrandBuilder::continues(const MachineBasicBlock &MBB) const {
  if (Anywhere || Resumes[MBB.getNumber()] || MBB.pred_size() != 1 ||
      &MBB == &MF.front())
    return false;
  const MachineBasicBlock &Pred = **MBB.pred_begin();
  return &Pred != &MBB && Last[Pred.getNumber()];
}

StrandPiece &StrandBuilder::current(const MachineBasicBlock &MBB) {
  auto [Number, Piece] = *Last[MBB.getNumber()];
  return Code.Strands[Number].Pieces[Piece];
}

void StrandBuilder::begin(const MachineBasicBlock &MBB) {
  Last[MBB.getNumber()] = {unsigned(Code.Strands.size()), 0};
  Code.Strands.emplace_back().Pieces.emplace_back().MBB = &MBB;
}

/// The first piece of \p MBB.
void StrandBuilder::enter(const MachineBasicBlock &MBB) {
  if (!continues(MBB))
    return begin(MBB);
  const MachineBasicBlock &Pred = **MBB.pred_begin();
  auto [Number, Parent] = *Last[Pred.getNumber()];
  std::vector<StrandPiece> &Pieces = Code.Strands[Number].Pieces;
  Last[MBB.getNumber()] = {Number, unsigned(Pieces.size())};
  StrandPiece &P = Pieces.emplace_back();
  P.MBB = &MBB;
  P.Parent = Parent;
  Code.Parent[MBB.getNumber()] = &Pred;
}

/// Ends the strand, unless it has only begun.
void StrandBuilder::cut(const MachineBasicBlock &MBB, const RegSet &Live) {
  StrandPiece &P = current(MBB);
  if (P.Instrs.empty() && !P.Parent)
    return;
  P.LiveBehind = Live;
  begin(MBB);
}

void StrandBuilder::divide(const MachineBasicBlock &MBB) {
  std::vector<RegSet> LiveBefore; // The last instruction's first.
  A.Thread.forEachBackward(
      MBB, [&](const MachineInstr &, const RegSet &Before, const RegSet &) {
        LiveBefore.push_back(Before);
      });
  enter(MBB);
  RegSet Pending = PendingIn[MBB.getNumber()];
  bool MustCut = false;
  for (const MachineInstr &MI : MBB) {
    if (MI.isDebugInstr())
      continue;
    RegSet Live = LiveBefore.back();
    LiveBefore.pop_back();
    if (!statementVerb(MI).empty() ||
        (MI.isMetaInstruction() && !MI.isImplicitDef()))
      continue;
    RegSet Waits = A.Assignment.named(MI);
    bool MayLeave = endsStrands(MI) || !(Waits & Pending).empty();
    // No statement can stand among terminators.
    if (!MI.isTerminator() && (MustCut || MayLeave))
      cut(MBB, Live);
    Pending -= Waits;
    if (endsStrands(MI))
      Pending |= EverPending;
    Pending |= startedBy(MI);
    current(MBB).Instrs.push_back(&MI);
    MustCut = endsStrands(MI) || (MI.isTerminator() && (MustCut || MayLeave));
  }
  if (MustCut)
    Last[MBB.getNumber()].reset();
}

void StrandBuilder::run() {
  findPending();
  Code.Parent.resize(MF.getNumBlockIDs());
  RegisterCode Order(MF, A.Assignment);
  for (const MachineBasicBlock *MBB : llvm::reverse(Order.postOrder()))
    divide(*MBB);
}

StrandCode::StrandCode(const MachineFunction &MF, const Analyses &A) {
  StrandBuilder(MF, A, *this).run();
}

} // namespace regshare
