//===- LTRFPlacement.cpp - Where PREFETCHes stand -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LTRFPlacement.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

static bool fallsInto(const MachineBasicBlock &From,
                      const MachineBasicBlock &To) {
  return From.isLayoutSuccessor(&To) &&
         (From.empty() || !From.back().isBarrier());
}

/// Makes \p Outside, which lead to \p Head, lead to a new block in front of it.
static MachineBasicBlock *
makePreheader(MachineBasicBlock &Head,
              const SmallVectorImpl<MachineBasicBlock *> &Outside) {
  MachineFunction &MF = *Head.getParent();
  MachineBasicBlock *Before =
      &Head == &MF.front() ? nullptr : &*std::prev(Head.getIterator());
  // What the block would stand in the way of goes on over its end.
  bool InTheWay =
      Before && fallsInto(*Before, Head) && !is_contained(Outside, Before);
  MachineBasicBlock *New = MF.CreateMachineBasicBlock();
  MF.insert(InTheWay ? MF.end() : Head.getIterator(), New);
  if (InTheWay)
    MF.getSubtarget().getInstrInfo()->insertBranch(*New, &Head, nullptr, {},
                                                   DebugLoc());
  for (MachineBasicBlock *Pred : Outside) {
    for (MachineInstr &MI : terminatorsOf(*Pred))
      for (MachineOperand &MO : MI.operands())
        if (MO.isMBB() && MO.getMBB() == &Head)
          MO.setMBB(New);
    Pred->replaceSuccessor(&Head, New);
  }
  New->addSuccessor(&Head, BranchProbability::getOne());
  return New;
}

namespace {

class PrefetchPlacer {
public:
  PrefetchPlacer(MachineFunction &MF, const IntervalCode &Code,
                 const IntervalPartition &P);

  void makePreheaders();
  void write(unsigned MaxRegisters);
  unsigned numPreheaders() const { return Preheaders.size(); }

private:
  struct Scope {
    std::optional<unsigned> Id; ///< Nothing: no registers.
    friend bool operator==(Scope, Scope) = default;
  };

  bool leadsBack(unsigned Head,
                 SmallVectorImpl<MachineBasicBlock *> &Outside) const;
  MachineBasicBlock &block(unsigned Block) const {
    return *MF.getBlockNumbered(Code.block(Block).getNumber());
  }
  void writePart(MachineBasicBlock &MBB, unsigned Part);
  void prefetch(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where,
                unsigned Interval);

  MachineFunction &MF;
  const IntervalCode &Code;
  const IntervalPartition &P;
  std::vector<std::optional<unsigned>> Ids; ///< By interval.
  unsigned NumIds = 0;
  /// The intervals that are prefetched in a block of their own.
  DenseMap<const MachineBasicBlock *, unsigned> Preheaders;
  std::vector<bool> HasPreheader; ///< By interval.
  /// By block number: its parts, from the first to before the second.
  std::vector<std::pair<unsigned, unsigned>> PartsOf;
  /// By block number: the interval at its end.
  std::vector<unsigned> LastInterval;
  std::optional<Scope> Current; ///< Nothing at the function's start.
};

} // namespace

PrefetchPlacer::PrefetchPlacer(MachineFunction &MF, const IntervalCode &Code,
                               const IntervalPartition &P)
    : MF(MF), Code(Code), P(P), Ids(P.Intervals.size()),
      HasPreheader(P.Intervals.size()), PartsOf(MF.getNumBlockIDs()),
      LastInterval(MF.getNumBlockIDs()) {
  for (unsigned I = 0; I != P.Intervals.size(); ++I)
    if (P.Intervals[I].Regs.countUnits())
      Ids[I] = NumIds++;
  for (unsigned I = 0; I != P.Parts.size(); ++I) {
    unsigned Number = Code.block(P.Parts[I].Block).getNumber();
    if (PartsOf[Number].first == PartsOf[Number].second)
      PartsOf[Number].first = I;
    PartsOf[Number].second = I + 1;
    LastInterval[Number] = P.Parts[I].Interval;
  }
}

/// True if the interval of part \p Head has an edge to it. Collects the blocks
/// that it is entered from.
bool PrefetchPlacer::leadsBack(
    unsigned Head, SmallVectorImpl<MachineBasicBlock *> &Outside) const {
  const BlockPart &Part = P.Parts[Head];
  MachineBasicBlock &MBB = block(Part.Block);
  if (PartsOf[MBB.getNumber()].first != Head)
    return false;
  bool Back = false;
  for (MachineBasicBlock *Pred : MBB.predecessors())
    if (LastInterval[Pred->getNumber()] == Part.Interval)
      Back = true;
    else
      Outside.push_back(Pred);
  return Back;
}

void PrefetchPlacer::makePreheaders() {
  // A strand is entered anew by every branch backward.
  if (P.Kind == PartitionKind::Strands)
    return;
  std::vector<std::pair<unsigned, SmallVector<MachineBasicBlock *, 4>>> Loops;
  for (unsigned I = 0; I != P.Intervals.size(); ++I) {
    SmallVector<MachineBasicBlock *, 4> Outside;
    if (Ids[I] && leadsBack(P.Intervals[I].Head, Outside))
      Loops.emplace_back(I, std::move(Outside));
  }
  for (const auto &[I, Outside] : Loops) {
    MachineBasicBlock &Head = block(P.Parts[P.Intervals[I].Head].Block);
    Preheaders[makePreheader(Head, Outside)] = I;
    HasPreheader[I] = true;
  }
}

void PrefetchPlacer::prefetch(MachineBasicBlock &MBB,
                              MachineBasicBlock::iterator Where,
                              unsigned Interval) {
  std::vector<unsigned> Units;
  P.Intervals[Interval].Regs.forEach(
      [&](unsigned Unit) { Units.push_back(Unit); });
  insertStatement(MBB, Where, printPrefetchPragma(*Ids[Interval], Units));
  Current = Scope{Ids[Interval]};
}

void PrefetchPlacer::writePart(MachineBasicBlock &MBB, unsigned Part) {
  const BlockPart &B = P.Parts[Part];
  bool IsHead = P.Intervals[B.Interval].Head == Part;
  bool StartsBlock = PartsOf[MBB.getNumber()].first == Part;
  // Statements belong before a temporaries' statement and before debug values
  // alike: the place at a block's start is the first that takes code.
  MachineBasicBlock::iterator Where =
      StartsBlock ? MBB.SkipPHIsAndLabels(MBB.begin())
                  : Code.instr(B.Begin).getIterator().getNonConst();
  std::optional<unsigned> Id = Ids[B.Interval];
  if (IsHead && Id && !HasPreheader[B.Interval])
    return prefetch(MBB, Where, B.Interval);
  if (Current == Scope{Id} || B.Begin == B.End)
    return;
  insertStatement(MBB, Where, printIntervalPragma(Id));
  Current = Scope{Id};
}

void PrefetchPlacer::write(unsigned MaxRegisters) {
  for (MachineBasicBlock &MBB : MF) {
    if (auto It = Preheaders.find(&MBB); It != Preheaders.end()) {
      prefetch(MBB, MBB.begin(), It->second);
      continue;
    }
    auto [Begin, End] = PartsOf[MBB.getNumber()];
    for (unsigned Part = Begin; Part != End; ++Part)
      writePart(MBB, Part);
  }
  MachineBasicBlock &Entry = MF.front();
  insertStatement(Entry, Entry.SkipPHIsAndLabels(Entry.begin()),
                  printIntervalsPragma({NumIds, MaxRegisters}));
}

unsigned placePrefetches(MachineFunction &MF, const IntervalCode &Code,
                         const IntervalPartition &P, unsigned MaxRegisters) {
  PrefetchPlacer Placer(MF, Code, P);
  Placer.makePreheaders();
  Placer.write(MaxRegisters);
  return Placer.numPreheaders();
}

} // namespace regshare
