//===- Bundles.cpp - Bundles of EXPARS ------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/EXPARS/Bundles.h"

#include <algorithm>
#include <array>
#include <deque>
#include <tuple>

namespace regshare {

RegSet inScratchpad(const RegSet &Names, const BundleRules &Rules) {
  RegSet Units;
  Names.forEach([&](unsigned Bit) {
    if (Bit >= Rules.Kept && Bit < RegSet::PredBase)
      Units.set(Bit);
  });
  return Units;
}

unsigned leastKept(const RegSet &Names, const OperandCache &Cache) {
  std::vector<bool> Taken(Cache.lines());
  unsigned Kept = 0;
  for (unsigned Unit = MaxArchUnits; Unit-- != 0;) {
    if (!Names.test(Unit))
      continue;
    if (Taken[Cache.lineOf(Unit)]) {
      Kept = Unit + 1;
      break;
    }
    Taken[Cache.lineOf(Unit)] = true;
  }
  return Kept;
}

namespace {

/// The earliest start of a bundle that ends after an instruction, for one
/// instruction after the other. What is shorter than a bundle is one too, so
/// that the starts never go back.
class EarliestStart {
public:
  explicit EarliestStart(const BundleRules &Rules) : Rules(Rules) {
    LastNamed.fill(Never);
    LateFrom.fill(Never);
  }
  unsigned after(const BundleInstr &I);

private:
  static constexpr unsigned Never = ~0u;
  /// Excludes \p Instr from the bundle.
  void startBehind(unsigned Instr) {
    if (Instr != Never)
      Start = std::max(Start, Instr + 1);
  }

  const BundleRules &Rules;
  unsigned Now = 0; ///< Instructions seen.
  unsigned Start = 0;
  unsigned LastEnd = Never;
  std::array<unsigned, RegSet::PredBase> LastNamed; ///< By unit.
  /// By unit or predicate: the last that it comes late from.
  std::array<unsigned, RegSet::PredBase + NumPredicates> LateFrom;
};

} // namespace

unsigned EarliestStart::after(const BundleInstr &I) {
  startBehind(LastEnd);
  I.Names.forEach([&](unsigned Bit) { startBehind(LateFrom[Bit]); });
  RegSet Units = inScratchpad(I.Names, Rules);
  Units.forEach([&](unsigned Unit) {
    // A line's registers are as far apart as the cache has lines.
    unsigned Lines = Rules.Cache.lines();
    for (unsigned Other = Unit % Lines; Other < MaxArchUnits; Other += Lines)
      if (Other != Unit && Other >= Rules.Kept)
        startBehind(LastNamed[Other]);
  });
  Units.forEach([&](unsigned Unit) { LastNamed[Unit] = Now; });
  I.Late.forEach([&](unsigned Bit) { LateFrom[Bit] = Now; });
  if (I.Ends)
    LastEnd = Now;
  ++Now;
  return Start;
}

namespace {

/// The best division of what is before an instruction.
struct Division {
  unsigned Bundles = 0;
  uint64_t LiveAcross = 0;
  unsigned LastStart = 0;

  auto cost() const { return std::tie(Bundles, LiveAcross); }
};

} // namespace

std::vector<unsigned> cutIntoBundles(std::span<const BundleInstr> Block,
                                     const BundleRules &Rules) {
  EarliestStart Earliest(Rules);
  std::vector<Division> Best(Block.size() + 1);
  // Starts that can still be best, each better than all after it but one that
  // ties, so that the first is the best of the window.
  std::deque<unsigned> Starts;
  auto CostOf = [&](unsigned Start) {
    uint64_t Live =
        Start ? inScratchpad(Block[Start].Live, Rules).countUnits() : 0;
    return std::pair(Best[Start].Bundles + 1, Best[Start].LiveAcross + Live);
  };
  for (unsigned I = 0; I != Block.size(); ++I) {
    // Of equally good starts the latest stays: what is before it is longer.
    while (!Starts.empty() && CostOf(Starts.back()) >= CostOf(I))
      Starts.pop_back();
    Starts.push_back(I);
    unsigned First = Earliest.after(Block[I]);
    while (Starts.front() < First)
      Starts.pop_front();
    auto [Bundles, Live] = CostOf(Starts.front());
    Best[I + 1] = {Bundles, Live, Starts.front()};
  }
  std::vector<unsigned> Cuts;
  for (unsigned End = Block.size(); End;) {
    End = Best[End].LastStart;
    Cuts.push_back(End);
  }
  std::reverse(Cuts.begin(), Cuts.end());
  return Cuts;
}

} // namespace regshare
