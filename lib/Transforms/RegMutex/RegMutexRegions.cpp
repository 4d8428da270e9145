//===- RegMutexRegions.cpp - Where the extended set is held ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexRegions.h"

#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/MinCut.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <cmath>

using namespace llvm;

namespace regshare {

static RegSet unitsFrom(unsigned Base) {
  RegSet Set;
  for (unsigned U = Base; U != RegSet::PredBase; ++U)
    Set.set(U);
  return Set;
}

static void uniteTerminators(std::vector<InstrNeed> &Instrs) {
  auto First = llvm::find_if(
      Instrs, [](const InstrNeed &I) { return I.MI->isTerminator(); });
  HoldNeed All = HoldNeed::Either;
  for (auto I = First; I != Instrs.end(); ++I)
    if (I->Need == HoldNeed::Held || All == HoldNeed::Either)
      All = I->Need;
  for (auto I = First; I != Instrs.end(); ++I)
    I->Need = All;
}

/// True for a load that may go to DRAM.
static bool isSlowLoad(const MachineInstr &MI) {
  if (!MI.mayLoad() || MI.isCall() || MI.isInlineAsm() ||
      MI.memoperands_empty())
    return false;
  return llvm::any_of(MI.memoperands(), [](const MachineMemOperand *MMO) {
    unsigned Space = MMO->getAddrSpace();
    return Space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
           Space == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
           Space == NVPTXAS::ADDRESS_SPACE_LOCAL;
  });
}

std::vector<double> timesOf(ArrayRef<const MachineInstr *> Instrs) {
  // An instruction that waits for memory takes as long as some tens of others,
  // which wait for each other and for their turn.
  constexpr double Memory = 50;
  SmallSet<Register, 8> Coming;
  std::vector<double> Times;
  for (const MachineInstr *MI : Instrs) {
    bool Waits = llvm::any_of(MI->all_uses(), [&](const MachineOperand &MO) {
      return Coming.contains(MO.getReg());
    });
    if (Waits)
      Coming.clear();
    Times.push_back(Waits ? Memory : 1);
    if (isSlowLoad(*MI))
      for (const MachineOperand &MO : MI->all_defs())
        Coming.insert(MO.getReg());
  }
  if (!Coming.empty() && !Times.empty())
    Times.back() += Memory;
  return Times;
}

std::vector<HoldRun> makeRuns(std::vector<InstrNeed> Instrs) {
  std::vector<const MachineInstr *> Code;
  Code.reserve(Instrs.size());
  for (const InstrNeed &I : Instrs)
    Code.push_back(I.MI);
  std::vector<double> Times = timesOf(Code);
  uniteTerminators(Instrs);
  for (size_t I = Instrs.size(); I-- > 1;)
    if (statementVerb(*Instrs[I - 1].MI) == "temps")
      Instrs[I - 1].Need = Instrs[I].Need;
  std::vector<HoldRun> Runs;
  for (size_t N = 0; N != Instrs.size(); ++N) {
    const InstrNeed &I = Instrs[N];
    if (Runs.empty() || Runs.back().Need != I.Need)
      Runs.push_back({I.Need, 0, I.MI});
    ++Runs.back().NumInstrs;
    Runs.back().Time += Times[N];
  }
  return Runs;
}

namespace {
class NeedFinder {
public:
  NeedFinder(const Analyses &A, const WaitPoints &Waits, HoldRegions &Result)
      : A(A), Waits(Waits), Extended(Result.Extended), Result(Result) {}

  void visit(const MachineBasicBlock &MBB);

private:
  HoldNeed need(const MachineInstr &MI, const RegSet &Before,
                const RegSet &After);

  const Analyses &A;
  const WaitPoints &Waits;
  const RegSet Extended;
  HoldRegions &Result;
};
} // namespace

HoldNeed NeedFinder::need(const MachineInstr &MI, const RegSet &Before,
                          const RegSet &After) {
  RegEffects E = A.Assignment.effects(MI);
  RegSet Used = (Before | After | E.Uses | E.Defs | E.Temps) & Extended;
  std::optional<WaitKind> Wait = Waits.kindOf(MI);
  if (Wait && !Used.empty())
    Result.Conflicts.push_back({&MI, *Wait, Used});
  if (!Used.empty())
    return HoldNeed::Held;
  return Wait ? HoldNeed::Free : HoldNeed::Either;
}

void NeedFinder::visit(const MachineBasicBlock &MBB) {
  std::vector<InstrNeed> Instrs;
  size_t FirstConflict = Result.Conflicts.size();
  A.Warp.forEachBackward(MBB, [&](const MachineInstr &MI, const RegSet &Before,
                                  const RegSet &After) {
    Instrs.push_back({&MI, need(MI, Before, After)});
  });
  std::reverse(Result.Conflicts.begin() + FirstConflict,
               Result.Conflicts.end());
  std::reverse(Instrs.begin(), Instrs.end());
  std::vector<HoldRun> &Runs = Result.Runs[MBB.getNumber()];
  Runs = makeRuns(std::move(Instrs));
  if (!Runs.empty())
    return;
  bool Held = !(A.Warp.liveIn(MBB) & Extended).empty();
  Runs.push_back({Held ? HoldNeed::Held : HoldNeed::Either});
}

HoldRegions findHoldNeeds(const MachineFunction &MF, const Analyses &A,
                          const WaitPoints &Waits, unsigned Base) {
  HoldRegions Result;
  Result.Runs.resize(MF.getNumBlockIDs());
  Result.Extended = unitsFrom(Base);
  NeedFinder Finder(A, Waits, Result);
  for (const MachineBasicBlock &MBB : MF)
    Finder.visit(MBB);
  return Result;
}

uint64_t scaledCost(double Cost) {
  constexpr double Scale = 1024, Most = double(uint64_t(1) << 44);
  return uint64_t(std::llround(std::min(Cost * Scale, Most)));
}

/// True if lanes may not end holding, on the way that starts at \p MBB.
static bool mustEndFree(const HoldRegions &Regions,
                        const MachineBasicBlock &MBB) {
  const MachineBasicBlock *At = &MBB;
  for (unsigned Steps = 0; Steps != MBB.getParent()->size(); ++Steps) {
    if (llvm::any_of(Regions.Runs[At->getNumber()],
                     [](const HoldRun &R) { return R.Need == HoldNeed::Free; }))
      return true;
    if (At->succ_size() != 1)
      return false;
    At = *At->succ_begin();
  }
  return false;
}

bool decideHolds(HoldRegions &Regions, const MachineFunction &MF,
                 const StopRules &Stops, const Frequencies &Freq) {
  MinCut Cut;
  std::vector<uint32_t> FirstNode(MF.getNumBlockIDs());
  auto LastNode = [&](unsigned N) {
    return FirstNode[N] + uint32_t(Regions.Runs[N].size()) - 1;
  };
  for (const MachineBasicBlock &MBB : MF) {
    double Executions = Freq.OfBlock(MBB);
    bool First = true;
    for (const HoldRun &R : Regions.Runs[MBB.getNumber()]) {
      uint64_t IfHeld = R.Need == HoldNeed::Free
                            ? MinCut::Never
                            : scaledCost(R.NumInstrs * Executions);
      uint64_t IfFree = R.Need == HoldNeed::Held ? MinCut::Never : 0;
      uint32_t Node = Cut.addNode(IfHeld, IfFree);
      if (First)
        FirstNode[MBB.getNumber()] = Node;
      else
        Cut.addEdge(Node - 1, Node, scaledCost(Executions * ChangeCost));
      First = false;
    }
  }
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineBasicBlock *Succ : MBB.successors()) {
      uint32_t From = LastNode(MBB.getNumber());
      uint32_t To = FirstNode[Succ->getNumber()];
      if (!endsThread(*Succ))
        Cut.addEdge(From, To, scaledCost(Freq.OfEdge(MBB, *Succ) * ChangeCost));
      else if (mustEndFree(Regions, *Succ))
        Cut.addEquality(From, To); // Nothing is placed where threads end.
    }
  for (const BitVector &Blocks : Stops.oneState()) {
    uint32_t Representative = FirstNode[Blocks.find_first()];
    for (unsigned N : Blocks.set_bits())
      for (uint32_t Node = FirstNode[N]; Node <= LastNode(N); ++Node)
        Cut.addEquality(Representative, Node);
  }
  std::optional<std::vector<bool>> Labels = Cut.solve();
  if (!Labels)
    return false;
  for (const MachineBasicBlock &MBB : MF) {
    uint32_t Node = FirstNode[MBB.getNumber()];
    for (HoldRun &R : Regions.Runs[MBB.getNumber()])
      R.Held = (*Labels)[Node++];
  }
  return true;
}

} // namespace regshare
