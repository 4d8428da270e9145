//===- ValueRanges.cpp - Where values are live ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regshare {

bool isLive(const std::vector<IndexRange> &Ranges, uint32_t At) {
  auto I =
      llvm::partition_point(Ranges, [&](IndexRange R) { return R.End <= At; });
  return I != Ranges.end() && I->First <= At;
}

static void append(std::vector<IndexRange> &Ranges, IndexRange New) {
  if (New.First >= New.End)
    return;
  if (!Ranges.empty() && Ranges.back().End >= New.First)
    Ranges.back().End = std::max(Ranges.back().End, New.End);
  else
    Ranges.push_back(New);
}

/// Numbers the instructions of \p MF; returns where each begins.
static std::vector<uint32_t> numberInstrs(const MachineFunction &MF,
                                          ValueRanges &R) {
  std::vector<uint32_t> Slots;
  const OperandTable &Code = R.Live.Code;
  R.Blocks.resize(MF.getNumBlockIDs());
  uint32_t B = 0; // in layout order, as the table numbers them
  for (const MachineBasicBlock &MBB : MF) {
    R.Blocks[MBB.getNumber()] = {Code.beginOf(B), Code.beginOf(B + 1)};
    for (uint32_t I = Code.beginOf(B); I != Code.beginOf(B + 1); ++I) {
      R.Instrs.push_back(&Code.instr(I));
      Slots.push_back(Code.slotOf(I, B));
    }
    ++B;
  }
  return Slots;
}

static void findThreadPoints(ArrayRef<uint32_t> Slots, ValueRanges &R) {
  // Of an instruction's slots, the second is where it starts to write early,
  // the third where it is done reading.
  auto PointFrom = [&](uint32_t Slot) {
    const auto *I = std::ranges::upper_bound(Slots, Slot);
    if (I == Slots.begin())
      return uint32_t(0);
    uint32_t Instr = I - Slots.begin() - 1;
    uint32_t Within = Slot - *(I - 1);
    return 2 * Instr + (Within <= 1 ? 0 : Within <= 2 ? 1 : 2);
  };
  R.ThreadPoints.resize(R.Live.Values.size());
  for (const LiveStretch &S : R.Live.Stretches)
    append(R.ThreadPoints[S.Value], {PointFrom(S.Start), PointFrom(S.End)});
}

namespace {

/// Finds what a warp needs.
class RangeFinder {
public:
  RangeFinder(const MachineFunction &MF, const DivergenceAnalysis &Divergence,
              const Reconvergence &Meetings, ValueRanges &R)
      : MF(MF), Divergence(Divergence), Meetings(Meetings), R(R) {}

  void run();

private:
  void findLiveIns();
  void findStops();
  void stopIn(const MachineBasicBlock &MBB);
  void park(const MachineBasicBlock &Branch);
  BitVector neededOn(const BitVector &Side) const;
  void addUses(const MachineBasicBlock &Switch, BitVector &To) const;
  void add(const MachineBasicBlock &MBB, const BitVector &Need);
  BitVector neededOnMeeting(const MachineBasicBlock &Branch) const;
  void findParked();
  void findWarpInstrs();

  const MachineFunction &MF;
  const DivergenceAnalysis &Divergence;
  const Reconvergence &Meetings;
  ValueRanges &R;
  /// By block number: values live at the start; needed by parked lanes; and
  /// needed by lanes that stop in the block, or that part from these at its
  /// branch.
  std::vector<BitVector> LiveIn, Parked, AtStops;
  BitVector CanStop, CanStopAtBarrier; ///< By block number.
  BitVector Anywhere; ///< Needed by lanes that stop at a barrier on a side.
  std::vector<const MachineBasicBlock *> Worklist;
};

} // namespace

void RangeFinder::findLiveIns() {
  LiveIn.assign(MF.getNumBlockIDs(), BitVector(R.Live.Values.size()));
  std::vector<std::pair<uint32_t, unsigned>> Starts;
  for (const MachineBasicBlock &MBB : MF)
    Starts.emplace_back(R.Live.Code.startOf(Starts.size()), MBB.getNumber());
  for (const LiveStretch &S : R.Live.Stretches) {
    if (S.Kind == RegKind::Pred)
      continue;
    auto I = std::ranges::lower_bound(Starts, std::pair(S.Start, 0u));
    for (; I != Starts.end() && I->first < S.End; ++I)
      LiveIn[I->second].set(S.Value);
  }
}

void RangeFinder::add(const MachineBasicBlock &MBB, const BitVector &Need) {
  BitVector &Set = Parked[MBB.getNumber()];
  if (!Need.test(Set))
    return;
  Set |= Need;
  Worklist.push_back(&MBB);
}

BitVector RangeFinder::neededOnMeeting(const MachineBasicBlock &Branch) const {
  if (const MachineBasicBlock *Meet = Meetings.meetingPoint(Branch))
    return LiveIn[Meet->getNumber()];
  BitVector Need(R.Live.Values.size());
  if (Meetings.isUncertain())
    for (const MachineBasicBlock &MBB : MF)
      Need |= LiveIn[MBB.getNumber()];
  return Need;
}

void RangeFinder::addUses(const MachineBasicBlock &Switch,
                          BitVector &To) const {
  for (const MachineInstr &MI : terminatorsOf(Switch))
    for (const MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.getReg().isVirtual())
        if (uint32_t V = R.Live.valueOf(MO.getReg()); V != ~0u)
          To.set(V);
}

/// LaneWaits's rule, for values.
void RangeFinder::stopIn(const MachineBasicBlock &MBB) {
  const InstrFacts &Facts = InstrFacts::get(MF);
  unsigned N = MBB.getNumber();
  BitVector &Needed = AtStops[N];
  for (uint32_t I = R.Blocks[N].First; I != R.Blocks[N].End; ++I) {
    if (!Facts.canStopLanes(*R.Instrs[I]))
      continue;
    CanStop.set(N);
    if (Facts.isBarrier(*R.Instrs[I]))
      CanStopAtBarrier.set(N);
    for (uint32_t V = 0; V != R.ThreadPoints.size(); ++V)
      if (isLive(R.ThreadPoints[V], 2 * I) ||
          isLive(R.ThreadPoints[V], 2 * I + 1))
        Needed.set(V);
  }
  if (!Divergence.isDivergentBranch(MBB))
    return;
  if (MBB.succ_size() > 2)
    addUses(MBB, Needed);
  for (const MachineBasicBlock *Succ : MBB.successors())
    Needed |= LiveIn[Succ->getNumber()];
  if (const MachineBasicBlock *Meet = Meetings.meetingPoint(MBB))
    Needed |= LiveIn[Meet->getNumber()];
}

void RangeFinder::findStops() {
  unsigned NumBlocks = MF.getNumBlockIDs();
  AtStops.assign(NumBlocks, BitVector(R.Live.Values.size()));
  CanStop.resize(NumBlocks);
  CanStopAtBarrier.resize(NumBlocks);
  Anywhere.resize(R.Live.Values.size());
  for (const MachineBasicBlock &MBB : MF)
    stopIn(MBB);
}

BitVector RangeFinder::neededOn(const BitVector &Side) const {
  BitVector Need(R.Live.Values.size());
  if (Side.anyCommon(CanStop))
    for (unsigned N : Side.set_bits())
      Need |= AtStops[N];
  return Need;
}

/// WarpLiveness's rule, for values.
void RangeFinder::park(const MachineBasicBlock &Branch) {
  BitVector Elsewhere = neededOnMeeting(Branch);
  const bool IsSwitch = Branch.succ_size() > 2;
  if (IsSwitch)
    addUses(Branch, Elsewhere);
  std::vector<BitVector> Stopped;
  for (const MachineBasicBlock *Side : Branch.successors()) {
    BitVector Blocks = blocksOfSide(Branch, *Side, Meetings);
    Stopped.push_back(neededOn(Blocks));
    if (Meetings.meetingPoint(Branch) && Blocks.anyCommon(CanStopAtBarrier))
      Anywhere |= Stopped.back();
  }
  for (const MachineBasicBlock *Side : Branch.successors()) {
    BitVector Need = Elsewhere;
    unsigned I = 0;
    for (const MachineBasicBlock *Other : Branch.successors()) {
      if (Other != Side || IsSwitch)
        (Need |= LiveIn[Other->getNumber()]) |= Stopped[I];
      ++I;
    }
    Meetings.forEachDependent(
        Branch, *Side, [&](const MachineBasicBlock &MBB) { add(MBB, Need); });
  }
}

void RangeFinder::findParked() {
  findStops();
  Parked.assign(MF.getNumBlockIDs(), BitVector(R.Live.Values.size()));
  for (const MachineBasicBlock &MBB : MF)
    if (Divergence.isDivergentBranch(MBB))
      park(MBB);
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.back();
    Worklist.pop_back();
    const BitVector Need = Parked[MBB.getNumber()];
    for (const MachineBasicBlock *Succ : MBB.successors())
      Meetings.forEachDependent(
          MBB, *Succ, [&](const MachineBasicBlock &Dep) { add(Dep, Need); });
  }
  for (BitVector &Set : Parked)
    Set |= Anywhere;
}

void RangeFinder::findWarpInstrs() {
  std::vector<std::vector<IndexRange>> Pieces(R.Live.Values.size());
  for (uint32_t V = 0; V != Pieces.size(); ++V)
    if (R.Live.Values[V].Kind != RegKind::Pred)
      for (IndexRange P : R.ThreadPoints[V])
        Pieces[V].push_back({P.First / 2, (P.End + 1) / 2});
  for (const MachineBasicBlock &MBB : MF)
    for (unsigned V : Parked[MBB.getNumber()].set_bits())
      if (R.Live.Values[V].Kind != RegKind::Pred)
        Pieces[V].push_back(R.Blocks[MBB.getNumber()]);
  R.WarpInstrs.resize(Pieces.size());
  for (uint32_t V = 0; V != Pieces.size(); ++V) {
    llvm::sort(Pieces[V], [](IndexRange A, IndexRange B) {
      return std::tie(A.First, A.End) < std::tie(B.First, B.End);
    });
    for (IndexRange P : Pieces[V])
      append(R.WarpInstrs[V], P);
  }
}

void RangeFinder::run() {
  findLiveIns();
  findParked();
  findWarpInstrs();
}

Expected<ValueRanges> ValueRanges::collectOfThreads(MachineFunction &MF) {
  ValueRanges R;
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  R.Live = std::move(*Live);
  R.Reserved = reservedUnits(MF);
  findThreadPoints(numberInstrs(MF, R), R);
  return R;
}

Expected<ValueRanges> ValueRanges::collect(MachineFunction &MF,
                                           const DivergenceAnalysis &Divergence,
                                           const Reconvergence &Meetings) {
  Expected<ValueRanges> R = collectOfThreads(MF);
  if (R)
    RangeFinder(MF, Divergence, Meetings, *R).run();
  return R;
}

} // namespace regshare
