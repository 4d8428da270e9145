//===- SHRFAllocate.cpp - Which values a register cache has ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SHRFAllocate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace regshare {

namespace {

/// Finds the values of one strand.
class ValueFinder {
public:
  ValueFinder(const Strand &S, const StrandCode &Code, const Analyses &A)
      : S(S), Code(Code), A(A),
        Facts(InstrFacts::get(*S.Pieces.front().MBB->getParent())) {}
  std::vector<CachedValue> run();

private:
  /// By unit, its value; nothing: it is in the main file alone.
  using State = std::vector<std::optional<unsigned>>;

  void read(const MachineInstr &MI, unsigned Unit, State &Now);
  void write(const MachineInstr &MI, unsigned Unit, State &Now);
  void leave(const StrandPiece &P, const State &Now);
  RegSet neededBehind(const StrandPiece &P) const;

  const Strand &S;
  const StrandCode &Code;
  const Analyses &A;
  const InstrFacts &Facts;
  std::vector<CachedValue> Values;
  unsigned Position = 0;
};

} // namespace

/// Whether operands of \p MI can be in the cache. A block of inline PTX is
/// several instructions, and no statement stands among terminators.
static bool hasPlaces(const MachineInstr &MI) {
  return !MI.isInlineAsm() && !MI.isTerminator() && !MI.isMetaInstruction() &&
         !MI.isCall();
}

void ValueFinder::read(const MachineInstr &MI, unsigned Unit, State &Now) {
  std::optional<unsigned> &Value = Now[Unit];
  if (!hasPlaces(MI)) {
    if (Value)
      Values[*Value].NeedsMain = true;
    return;
  }
  if (Value) {
    Values[*Value].Reads.push_back(Position);
    return;
  }
  Value = Values.size();
  Values.push_back({Unit, /*IsResult=*/false, Position, {}, true, {}});
}

/// What comes late comes when the strand may be over.
void ValueFinder::write(const MachineInstr &MI, unsigned Unit, State &Now) {
  Now[Unit].reset();
  if (!hasPlaces(MI) || Facts.comesLate(MI))
    return;
  Now[Unit] = Values.size();
  Values.push_back({Unit, /*IsResult=*/true, Position, {}, false, {}});
}

/// What threads need that go on where the strand does not.
RegSet ValueFinder::neededBehind(const StrandPiece &P) const {
  if (P.LiveBehind)
    return *P.LiveBehind;
  RegSet Needed;
  for (const MachineBasicBlock *Succ : P.MBB->successors())
    if (!Code.goesOn(*P.MBB, *Succ))
      Needed |= A.Thread.liveIn(*Succ);
  return Needed;
}

void ValueFinder::leave(const StrandPiece &P, const State &Now) {
  neededBehind(P).forEach([&](unsigned Bit) {
    if (Bit < RegSet::PredBase && Now[Bit])
      Values[*Now[Bit]].NeedsMain = true;
  });
}

std::vector<CachedValue> ValueFinder::run() {
  std::vector<State> Ends;
  auto EachUnit = [](const RegSet &Set, auto F) {
    Set.forEach([&](unsigned Bit) {
      if (Bit < RegSet::PredBase)
        F(Bit);
    });
  };
  for (const StrandPiece &P : S.Pieces) {
    State Now = P.Parent ? Ends[*P.Parent] : State(A.Assignment.numUnits());
    for (const MachineInstr *MI : P.Instrs) {
      RegEffects E = A.Assignment.effects(*MI);
      EachUnit(E.Uses, [&](unsigned Unit) { read(*MI, Unit, Now); });
      EachUnit(E.Defs | E.Temps, [&](unsigned Unit) { write(*MI, Unit, Now); });
      ++Position;
    }
    leave(P, Now);
    Ends.push_back(std::move(Now));
  }
  llvm::erase_if(Values, [](const CachedValue &V) { return V.Reads.empty(); });
  return std::move(Values);
}

std::vector<CachedValue> valuesOf(const Strand &S, const StrandCode &Code,
                                  const Analyses &A) {
  return ValueFinder(S, Code, A).run();
}

double savedBy(const CachedValue &V, const std::vector<double> &Frequency) {
  double Saved = V.IsResult && !V.NeedsMain ? Frequency[V.Begin] : 0;
  for (unsigned Read : V.Reads)
    Saved += Frequency[Read];
  return Saved;
}

namespace {

/// When a slot is in use: first and last positions.
class SlotUse {
public:
  bool isFree(unsigned First, unsigned Last) const {
    auto Next = Taken.upper_bound(Last);
    return Next == Taken.begin() || std::prev(Next)->second < First;
  }
  void take(unsigned First, unsigned Last) { Taken[First] = Last; }

private:
  std::map<unsigned, unsigned> Taken;
};

} // namespace

/// The lowest slot that is free for all of \p V, without its last reads if need
/// be.
static void place(CachedValue &V, std::vector<SlotUse> &Slots) {
  while (!V.Reads.empty()) {
    for (unsigned Slot = 0; Slot != Slots.size(); ++Slot)
      if (Slots[Slot].isFree(V.Begin, V.last())) {
        Slots[Slot].take(V.Begin, V.last());
        V.Slot = Slot;
        return;
      }
    V.Reads.pop_back();
    V.NeedsMain = true;
  }
}

void allocateSlots(std::vector<CachedValue> &Values, unsigned Slots,
                   const std::vector<double> &Frequency) {
  std::vector<std::pair<double, CachedValue *>> Order;
  Order.reserve(Values.size());
  for (CachedValue &V : Values)
    Order.emplace_back(savedBy(V, Frequency) / (V.last() - V.Begin), &V);
  llvm::sort(Order, [](const auto &A, const auto &B) {
    return std::tie(B.first, A.second) < std::tie(A.first, B.second);
  });
  std::vector<SlotUse> Uses(Slots);
  for (auto &[Worth, V] : Order)
    place(*V, Uses);
}

} // namespace regshare
