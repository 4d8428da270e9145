//===- SharingOrder.cpp - Private registers are needed first --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingOrder.h"

#include "Transforms/Renumber.h"

#include "regshare/Base/Sharing/Sharing.h"

#include <algorithm>
#include <limits>

using namespace llvm;

namespace regshare {

RegSet lowestUnits(unsigned Count) {
  RegSet Units;
  for (unsigned Unit = 0; Unit != Count; ++Unit)
    Units.set(Unit);
  return Units;
}

unsigned registersNamed(const OrderInput &Input,
                        const std::vector<unsigned> &Numbers) {
  unsigned Registers = 0;
  for (unsigned Unit : Input.FirstUse)
    Registers = std::max(Registers, Numbers[Unit] + 1);
  return Registers;
}

RegSet unitsBelow(const std::vector<unsigned> &Numbers, unsigned Count) {
  RegSet Units;
  for (unsigned Unit = 0; Unit != Numbers.size(); ++Unit)
    if (Numbers[Unit] < Count)
      Units.set(Unit);
  return Units;
}

/// Groups by the lowest of the \p Ranks of their units.
static std::vector<unsigned> inRankOrder(std::vector<double> Ranks,
                                         const OrderInput &Input) {
  // What hardware keeps for itself stays where it is.
  for (unsigned Unit = 0; Unit != Input.Reserved; ++Unit)
    Ranks[Unit] = double(Unit) + std::numeric_limits<int64_t>::min();
  return orderGroups(Ranks, Input.Granules,
                     [](double A, double B) { return std::min(A, B); });
}

/// Units that the text does not name come last.
static std::vector<double> firstUseRanks(const OrderInput &Input) {
  std::vector<double> Ranks(Input.Granules.size(), MaxArchUnits + 1);
  for (unsigned Rank = 0; Rank != Input.FirstUse.size(); ++Rank)
    Ranks[Input.FirstUse[Rank]] = Rank;
  return Ranks;
}

/// What no path leads to comes last, then what the text does not name.
static std::vector<double> earliestRanks(const OrderInput &Input) {
  std::vector<double> Ranks = firstUseRanks(Input);
  constexpr double Step = MaxArchUnits + 2;
  for (unsigned Unit = 0; Unit != Ranks.size(); ++Unit)
    Ranks[Unit] += Step * Input.Reach.earliest()[Unit].value_or(~0u);
  return Ranks;
}

namespace {

/// Chooses units one set after the other.
class WeightOrder {
public:
  WeightOrder(const OrderInput &Input, unsigned Private)
      : Input(Input), Private(Private), Ranks(firstUseRanks(Input)) {}
  std::vector<double> ranks();

private:
  RegSet withGroups(const RegSet &Units) const;
  std::optional<RegSet> best() const;

  const OrderInput &Input;
  const unsigned Private;
  std::vector<double> Ranks;
  RegSet Chosen;
};

} // namespace

/// \p Units and what has to stay with them.
RegSet WeightOrder::withGroups(const RegSet &Units) const {
  RegSet All;
  Units.forEach([&](unsigned Unit) {
    unsigned Size = Input.Granules[Unit];
    unsigned First = Unit / Size * Size;
    for (unsigned I = First; I != First + Size; ++I)
      if (I < Input.Granules.size())
        All.set(I);
  });
  return All;
}

/// What makes some first stop pass, and fits, with most instructions gained for
/// each register.
std::optional<RegSet> WeightOrder::best() const {
  std::optional<RegSet> Best;
  double Most = 0;
  const double Now = Input.Reach.expected(Chosen);
  for (const RegSet &Lacks : Input.Reach.lacking(Chosen)) {
    if (Lacks.test(NeverPrivate))
      continue;
    RegSet New = withGroups(Lacks) - Chosen;
    if ((Chosen | New).countUnits() > Private)
      continue;
    double Gain = (Input.Reach.expected(Chosen | New) - Now) / New.countUnits();
    if (!Best || Gain > Most) {
      Best = New;
      Most = Gain;
    }
  }
  return Best;
}

std::vector<double> WeightOrder::ranks() {
  // Each step before all that is not chosen, and after the steps before it.
  constexpr double Step = MaxArchUnits + 2;
  double Offset = -Step * MaxArchUnits;
  while (std::optional<RegSet> New = best()) {
    New->forEach([&](unsigned Unit) { Ranks[Unit] += Offset; });
    Chosen |= *New;
    Offset += Step;
  }
  return Ranks;
}

std::vector<unsigned> numbersInOrder(RegisterOrder Order,
                                     const OrderInput &Input,
                                     unsigned PrivatePerMille) {
  assert(Order != RegisterOrder::Declared && "the numbers stay as they are");
  if (Order == RegisterOrder::Earliest)
    return inRankOrder(earliestRanks(Input), Input);
  std::vector<unsigned> FirstUse = inRankOrder(firstUseRanks(Input), Input);
  if (Order == RegisterOrder::FirstUse)
    return FirstUse;
  auto PrivateOf = [&](const std::vector<unsigned> &Numbers) {
    return privateRegisters(registersNamed(Input, Numbers), PrivatePerMille);
  };
  std::vector<unsigned> ByWeight =
      inRankOrder(WeightOrder(Input, PrivateOf(FirstUse)).ranks(), Input);
  auto Reached = [&](const std::vector<unsigned> &Numbers) {
    return Input.Reach.expected(unitsBelow(Numbers, PrivateOf(Numbers)));
  };
  return Reached(ByWeight) < Reached(FirstUse) ? FirstUse : ByWeight;
}

} // namespace regshare
