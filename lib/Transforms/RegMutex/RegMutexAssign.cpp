//===- RegMutexAssign.cpp - Registers for a base and an extended set ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexAssign.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include "Transforms/Assign/ColoringInput.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

ExtendedChooser::ExtendedChooser(const ValueRanges &Ranges,
                                 const WaitPoints &Waits,
                                 const Frequencies &Freq,
                                 ArrayRef<VectorGroup> Groups,
                                 const CompactionFacts &Compact)
    : Ranges(Ranges), Compact(Compact), CopyCost(Ranges.Live.Values.size()) {
  for (const MachineInstr *Copy : Compact.Copies)
    for (unsigned I : {0, 1})
      CopyCost[Ranges.Live.valueOf(Copy->getOperand(I).getReg())] +=
          MoveCost * Freq.OfBlock(*Copy->getParent());
  WaitsBefore.push_back(0);
  for (const MachineInstr *MI : Ranges.Instrs) {
    Frequency.push_back(Freq.OfBlock(*MI->getParent()));
    WaitsBefore.push_back(WaitsBefore.back() + Waits.isWait(*MI));
  }
  const LiveValues &Live = Ranges.Live;
  std::vector<bool> Grouped(Live.Values.size());
  for (const VectorGroup &G : Groups) {
    std::vector<uint32_t> Values;
    for (const VectorGroup::Member &M : G.Members) {
      Values.push_back(Live.valueOf(M.VReg));
      Grouped[Values.back()] = true;
    }
    addItem(std::move(Values));
  }
  for (uint32_t V = 0; V != Live.Values.size(); ++V)
    if (!Grouped[V] && Live.Values[V].Kind != RegKind::Pred)
      addItem({V});
}

/// True for a register that inline PTX declares outside of any braces.
bool ExtendedChooser::isKeptForGood(uint32_t Value) const {
  const std::vector<IndexRange> &Instrs = Ranges.WarpInstrs[Value];
  return Ranges.Live.Values[Value].Asm &&
         Instrs.back().End - Instrs.front().First > 1;
}

void ExtendedChooser::addItem(std::vector<uint32_t> Values) {
  SplitItem Item;
  for (uint32_t V : Values) {
    Item.Units += unitsOf(Ranges.Live.Values[V].Kind);
    for (IndexRange R : Ranges.WarpInstrs[V]) {
      Item.WarpInstrs.push_back(R);
      Item.BaseOnly |= WaitsBefore[R.First] != WaitsBefore[R.End];
    }
    Item.BaseOnly |= isKeptForGood(V);
  }
  Item.Values = std::move(Values);
  Items.push_back(std::move(Item));
}

void ExtendedChooser::addPressure(std::vector<int> &To, const SplitItem &Item,
                                  int Sign) const {
  for (uint32_t V : Item.Values) {
    int Units = Sign * int(unitsOf(Ranges.Live.Values[V].Kind));
    for (IndexRange R : Ranges.ThreadPoints[V])
      for (uint32_t P = R.First; P != R.End; ++P)
        To[P] += Units;
  }
}

std::pair<const MachineInstr *, unsigned>
ExtendedChooser::mostBaseOnly() const {
  std::vector<int> Most(2 * Ranges.Instrs.size(), int(Ranges.Reserved));
  for (const SplitItem &Item : Items)
    if (Item.BaseOnly)
      addPressure(Most, Item, 1);
  auto Peak = std::ranges::max_element(Most);
  if (Peak == Most.end())
    return {nullptr, 0};
  return {Ranges.Instrs[(Peak - Most.begin()) / 2], unsigned(*Peak)};
}

/// Executions of instructions that would have to hold the extended set for the
/// sake of \p Item alone, and of copies.
double ExtendedChooser::cost(const SplitItem &Item) const {
  double Cost = 0;
  for (uint32_t V : Item.Values)
    Cost += CopyCost[V];
  for (IndexRange R : Item.WarpInstrs)
    Cost += NotHeldBefore[R.End] - NotHeldBefore[R.First];
  return Cost;
}

/// How much of the excess \p Value is part of.
unsigned ExtendedChooser::relief(uint32_t Value) const {
  unsigned Relief = 0;
  for (IndexRange R : Ranges.ThreadPoints[Value])
    Relief += unitsOf(Ranges.Live.Values[Value].Kind) *
              (OverBefore[R.End] - OverBefore[R.First]);
  return Relief;
}

void ExtendedChooser::hold(const SplitItem &Item) {
  for (IndexRange R : Item.WarpInstrs)
    std::fill(Held.begin() + R.First, Held.begin() + R.End, true);
}

void ExtendedChooser::sumUp(unsigned Target) {
  NotHeldBefore.assign(1, 0);
  for (uint32_t I = 0; I != Held.size(); ++I)
    NotHeldBefore.push_back(NotHeldBefore.back() +
                            (Held[I] ? 0 : Frequency[I]));
  OverBefore.assign(1, 0);
  for (int P : Pressure)
    OverBefore.push_back(OverBefore.back() + (P > int(Target)));
}

/// The cheapest way to have less in the base set at \p Point.
ExtendedChooser::Way ExtendedChooser::best(uint32_t Point) {
  Way Best;
  auto Offer = [&](SplitItem &Item, uint32_t Value, double Cost,
                   unsigned Relief) {
    constexpr double Nothing = 1e-6; // Of two for nothing, what relieves more.
    Cost = (Cost + Nothing) / std::max(Relief, 1u);
    if (!Best.Item || Cost < Best.Cost)
      Best = {&Item, Value, Cost};
  };
  for (SplitItem &Item : Items) {
    if (Item.Extended)
      continue;
    unsigned Relief = 0;
    bool Whole = !Item.BaseOnly, Covers = false;
    for (uint32_t V : Item.Values) {
      Whole &= !Split[V];
      if (Split[V] || !isLive(Ranges.ThreadPoints[V], Point))
        continue;
      Covers = true;
      if (Compact.Crossings && !Ranges.Live.Values[V].Asm)
        Offer(Item, V,
              Compact.Crossings->of(V) * MoveCost *
                  unitsOf(Ranges.Live.Values[V].Kind),
              relief(V));
    }
    for (uint32_t V : Item.Values)
      Relief += relief(V);
    if (Covers && Whole)
      Offer(Item, ~0u, cost(Item), Relief);
  }
  return Best;
}

/// Takes \p Value out of the base set inside of the plan.
void ExtendedChooser::splitOff(uint32_t Value) {
  Split[Value] = true;
  int Units = unitsOf(Ranges.Live.Values[Value].Kind);
  for (IndexRange R : Ranges.ThreadPoints[Value])
    for (uint32_t P = R.First; P != R.End; ++P)
      if (Compact.Planned[P / 2])
        Pressure[P] -= Units;
}

/// What was chosen early may have become superfluous.
void ExtendedChooser::takeBack(unsigned Target) {
  auto Fits = [&](const SplitItem &Item) {
    std::vector<int> &P = Pressure;
    addPressure(P, Item, 1);
    bool Fits = llvm::all_of(Item.Values, [&](uint32_t V) {
      return llvm::all_of(Ranges.ThreadPoints[V], [&](IndexRange R) {
        return std::all_of(P.begin() + R.First, P.begin() + R.End,
                           [&](int Units) { return Units <= int(Target); });
      });
    });
    if (!Fits)
      addPressure(P, Item, -1);
    return Fits;
  };
  for (SplitItem &Item : Items)
    if (Item.Extended && Fits(Item))
      Item.Extended = false;
}

bool ExtendedChooser::choose(unsigned Target, unsigned Base) {
  Pressure.assign(2 * Ranges.Instrs.size(), int(Ranges.Reserved));
  Held = Compact.Planned;
  Held.resize(Ranges.Instrs.size());
  Split.assign(Ranges.Live.Values.size(), false);
  for (SplitItem &Item : Items) {
    Item.Extended = false;
    addPressure(Pressure, Item, 1);
  }
  // Whatever is chosen, something is, where too much is live.
  for (uint32_t P = 0; P != Pressure.size(); ++P)
    if (Pressure[P] > int(Target))
      Held[P / 2] = true;
  sumUp(Target);
  for (uint32_t P = 0; P != Pressure.size(); ++P)
    while (Pressure[P] > int(Target)) {
      Way W = best(P);
      if (!W.Item) {
        if (Pressure[P] > int(Base))
          return false;
        break;
      }
      if (W.Value != ~0u) {
        splitOff(W.Value);
      } else {
        W.Item->Extended = true;
        addPressure(Pressure, *W.Item, -1);
        hold(*W.Item);
      }
      sumUp(Target);
    }
  if (!Compact.Crossings)
    takeBack(Target);
  return true;
}

namespace {
/// Colours with what a chooser chose.
class SplitColorer {
public:
  SplitColorer(MachineFunction &MF, LazyIntervals &LIS,
               const MachineBlockFrequencyInfo &MBFI, const ValueRanges &Ranges,
               RegMutexSplit Split);

  ArrayRef<VectorGroup> groups() const { return Groups; }
  /// What is not Extended is kept in the base set; what is can be anywhere, and
  /// with \p Prefer is in the other where that is free.
  std::optional<RegisterAssignment> color(ArrayRef<SplitItem> Items,
                                          bool Prefer);

private:
  const MachineBlockFrequencyInfo &MBFI;
  const ValueRanges &Ranges;
  RegMutexSplit Split;
  PeakPressure Peak;
  std::vector<MachineInstr *> Copies;
  std::vector<VectorGroup> Groups;
};
} // namespace

SplitColorer::SplitColorer(MachineFunction &MF, LazyIntervals &LIS,
                           const MachineBlockFrequencyInfo &MBFI,
                           const ValueRanges &Ranges, RegMutexSplit Split)
    : MBFI(MBFI), Ranges(Ranges), Split(Split),
      Peak(peakPressure(Ranges.Live.Stretches)) {
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(MF);
  std::vector<MachineInstr *> Accesses;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      if (Opcodes.isCopy(MI))
        Copies.push_back(&MI);
      else if (Opcodes.vectorElements(MI))
        Accesses.push_back(&MI);
    }
  // The registers that the code comes with tie all operands without copies.
  unsigned NoCopies = 0;
  Groups = formVectorGroups(MF, Accesses, LIS, MBFI, Opcodes,
                            /*MayCopy=*/false, NoCopies);
}

std::optional<RegisterAssignment> SplitColorer::color(ArrayRef<SplitItem> Items,
                                                      bool Prefer) {
  Interference Graph(Ranges.Live, Peak);
  addCopyHints(Copies, MBFI, Ranges.Live, Graph);
  addGroups(Groups, Ranges.Live, Graph);
  for (const SplitItem &Item : Items)
    for (uint32_t V : Item.Values) {
      if (!Item.Extended)
        Graph.Units.boundNode(Graph.NodeOf[V], Split.Base);
      else if (Prefer)
        Graph.Units.preferFrom(Graph.NodeOf[V], Split.Base);
    }
  unsigned All = Split.Base + Split.Extended;
  Graph.Units.startAt(Ranges.Reserved);
  std::optional<Coloring> Units = regshare::color(Graph.Units, All, All);
  if (!Units)
    return std::nullopt;
  std::optional<Coloring> Preds =
      regshare::color(Graph.Preds, Peak.Preds, NumPredicates);
  if (!Preds)
    return std::nullopt;
  RegisterAssignment Assignment =
      toAssignment(Ranges.Live, Graph, *Units, *Preds);
  Assignment.reserve(Ranges.Reserved);
  return Assignment;
}

std::optional<RegisterAssignment>
assignForSplit(MachineFunction &MF, LazyIntervals &LIS,
               const MachineBlockFrequencyInfo &MBFI, const Frequencies &Freq,
               const ValueRanges &Ranges, const WaitPoints &Waits,
               RegMutexSplit Split, const CompactionFacts &Compact,
               SplitRefusal &Refusal) {
  SplitColorer Colorer(MF, LIS, MBFI, Ranges, Split);
  ExtendedChooser Chooser(Ranges, Waits, Freq, Colorer.groups(), Compact);
  auto [At, Most] = Chooser.mostBaseOnly();
  if (Most > Split.Base) {
    Refusal = {std::to_string(Most) + " registers hold what is needed where "
                                      "warps wait for each other",
               At};
    return std::nullopt;
  }
  // Alignment, groups and ranges with holes leave gaps: leave room for them.
  constexpr unsigned MostSlack = 6;
  for (unsigned Slack = 0; Slack <= std::min(MostSlack, Split.Base); ++Slack)
    if (Chooser.choose(Split.Base - Slack, Split.Base))
      if (std::optional<RegisterAssignment> A =
              Colorer.color(Chooser.Items, /*Prefer=*/true))
        return A;
  // Anything that may be extended can be.
  for (SplitItem &Item : Chooser.Items)
    Item.Extended = !Item.BaseOnly;
  if (std::optional<RegisterAssignment> A =
          Colorer.color(Chooser.Items, /*Prefer=*/false))
    return A;
  Refusal = {"no assignment was found that keeps what is needed where warps "
             "wait for each other in the base set",
             At};
  return std::nullopt;
}

std::vector<uint32_t>
chooseSplits(MachineFunction &MF, LazyIntervals &LIS,
             const MachineBlockFrequencyInfo &MBFI, const Frequencies &Freq,
             const ValueRanges &Ranges, const WaitPoints &Waits,
             unsigned Target, unsigned Base, const CompactionFacts &Compact) {
  SplitColorer Colorer(MF, LIS, MBFI, Ranges, {Base, 0});
  ExtendedChooser Chooser(Ranges, Waits, Freq, Colorer.groups(), Compact);
  std::vector<uint32_t> Values;
  if (Chooser.choose(Target, Base))
    for (uint32_t V = 0; V != Chooser.Split.size(); ++V)
      if (Chooser.Split[V])
        Values.push_back(V);
  return Values;
}

} // namespace regshare
