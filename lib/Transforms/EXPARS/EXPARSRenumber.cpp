//===- EXPARSRenumber.cpp - Hot registers first ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EXPARSRenumber.h"
#include "Transforms/Renumber.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"

#include <algorithm>
#include <bitset>
#include <functional>
#include <optional>
#include <tuple>

using namespace llvm;

namespace regshare {

//===----------------------------------------------------------------------===//
// What the code names
//===----------------------------------------------------------------------===//

std::vector<double> referenceWeights(const MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const MachineBlockFrequencyInfo *MBFI) {
  std::vector<double> Weights(Assignment.numUnits());
  for (const MachineBasicBlock &MBB : MF) {
    double Weight = MBFI ? MBFI->getBlockFreqRelativeToEntryBlock(&MBB) : 1;
    auto Add = [&](ArchReg R) {
      for (unsigned I = 0; R.isValid() && I != R.units(); ++I)
        Weights[R.Index + I] += Weight;
    };
    for (const MachineInstr &MI : MBB) {
      if (MI.isMetaInstruction())
        continue;
      for (const MachineOperand &MO : MI.operands())
        if (MO.isReg() && MO.getReg().isVirtual())
          Add(Assignment.lookup(MO.getReg()));
      for (ArchReg Temp : Assignment.temps(MI))
        Add(Temp);
    }
  }
  return Weights;
}

std::vector<RegSet> namedTogether(const MachineFunction &MF,
                                  const RegisterAssignment &Assignment) {
  std::vector<RegSet> Together;
  for (const MachineBasicBlock &MBB : MF) {
    RegSet Terminators;
    for (const MachineInstr &MI : MBB) {
      RegSet Named = Assignment.named(MI);
      if (MI.isTerminator())
        Terminators |= Named;
      else if (Named.countUnits())
        Together.push_back(Named);
    }
    Together.push_back(Terminators);
  }
  return Together;
}

//===----------------------------------------------------------------------===//
// By weight
//===----------------------------------------------------------------------===//

std::vector<unsigned> orderByWeight(const std::vector<double> &Weights,
                                    const std::vector<unsigned> &Granules) {
  std::vector<double> Keys(Weights.size());
  std::ranges::transform(Weights, Keys.begin(), std::negate<>());
  return orderGroups(Keys, Granules, std::plus<>());
}

//===----------------------------------------------------------------------===//
// Collisions
//===----------------------------------------------------------------------===//

namespace {

/// How far registers of one instruction that share a line are from needing
/// none.
struct Collisions {
  unsigned Kept;  ///< Registers to keep, at least those of the rules.
  unsigned Pairs; ///< Above those of the rules.
  /// The pair, by places, that needs most registers kept.
  unsigned First = 0, Second = 0;

  auto cost() const { return std::tie(Kept, Pairs); }
};

class CollisionAvoider {
public:
  CollisionAvoider(const std::vector<unsigned> &Numbers,
                   const std::vector<double> &Weights,
                   const std::vector<unsigned> &Granules,
                   const std::vector<RegSet> &Together,
                   const BundleRules &Rules);
  void run();
  std::vector<unsigned> numbers() const;

private:
  struct Exchange {
    unsigned A, B, Size;
  };

  void keepToUsedPlaces();
  Collisions collisions() const;
  bool canMove(unsigned Place, unsigned Size) const;
  void exchange(Exchange E);
  double disorder(Exchange E) const;
  void tryPlace(unsigned Place, std::optional<Exchange> &Best,
                std::tuple<unsigned, unsigned, double> &Least);
  std::optional<Exchange> bestExchange(const Collisions &Now);

  const std::vector<double> &Weights;
  const BundleRules &Rules;
  std::vector<unsigned> UnitAt; ///< By place.
  /// By place, as far as places are used: the size of its group.
  std::vector<unsigned> GranuleAt;
  std::vector<std::bitset<MaxArchUnits>> Together; ///< By unit.
  /// Exchanges that are left to try, so that the largest kernels take no longer
  /// than this.
  unsigned Budget = 100'000;
};

} // namespace

CollisionAvoider::CollisionAvoider(const std::vector<unsigned> &Numbers,
                                   const std::vector<double> &Weights,
                                   const std::vector<unsigned> &Granules,
                                   const std::vector<RegSet> &Sets,
                                   const BundleRules &Rules)
    : Weights(Weights), Rules(Rules), UnitAt(Numbers.size()),
      GranuleAt(Numbers.size()), Together(Numbers.size()) {
  for (unsigned Unit = 0; Unit != Numbers.size(); ++Unit) {
    UnitAt[Numbers[Unit]] = Unit;
    GranuleAt[Numbers[Unit]] = Granules[Unit];
  }
  for (const RegSet &Set : Sets) {
    std::bitset<MaxArchUnits> Units;
    Set.forEach([&](unsigned Bit) {
      if (Bit < RegSet::PredBase)
        Units.set(Bit);
    });
    Set.forEach([&](unsigned Bit) {
      if (Bit < RegSet::PredBase)
        Together[Bit] |= Units;
    });
  }
  keepToUsedPlaces();
}

/// Places after the last unit that is named would make the thread larger.
void CollisionAvoider::keepToUsedPlaces() {
  unsigned Used = UnitAt.size();
  while (Used && Together[UnitAt[Used - 1]].none())
    --Used;
  GranuleAt.resize(Used);
}

Collisions CollisionAvoider::collisions() const {
  Collisions C{Rules.Kept, 0};
  unsigned Lines = Rules.Cache.lines();
  for (unsigned P = Rules.Kept; P < GranuleAt.size(); ++P)
    for (unsigned Q = P + Lines; Q < GranuleAt.size(); Q += Lines)
      if (Together[UnitAt[P]][UnitAt[Q]]) {
        C.Kept = P + 1;
        C.First = P;
        C.Second = Q;
        ++C.Pairs;
      }
  return C;
}

/// True if what is in the \p Size places from \p Place on is whole groups.
bool CollisionAvoider::canMove(unsigned Place, unsigned Size) const {
  return Place + Size <= GranuleAt.size() &&
         std::all_of(GranuleAt.begin() + Place,
                     GranuleAt.begin() + Place + Size,
                     [&](unsigned Granule) { return Granule <= Size; });
}

void CollisionAvoider::exchange(Exchange E) {
  for (unsigned I = 0; I != E.Size; ++I) {
    std::swap(UnitAt[E.A + I], UnitAt[E.B + I]);
    std::swap(GranuleAt[E.A + I], GranuleAt[E.B + I]);
  }
}

/// What \p E adds to the sum of weight times number.
double CollisionAvoider::disorder(Exchange E) const {
  double Added = 0;
  for (unsigned I = 0; I != E.Size; ++I)
    Added += (Weights[UnitAt[E.A + I]] - Weights[UnitAt[E.B + I]]) *
             (double(E.B) - double(E.A));
  return Added;
}

/// Tries to move what is at \p Place.
void CollisionAvoider::tryPlace(unsigned Place, std::optional<Exchange> &Best,
                                std::tuple<unsigned, unsigned, double> &Least) {
  constexpr unsigned LargestGroup = 8;
  for (unsigned Size = GranuleAt[Place]; Size <= LargestGroup; Size *= 2) {
    unsigned A = Place / Size * Size;
    if (!canMove(A, Size))
      continue;
    for (unsigned B = 0; B + Size <= GranuleAt.size() && Budget; B += Size) {
      if (B == A || !canMove(B, Size))
        continue;
      --Budget;
      Exchange E{A, B, Size};
      double Added = disorder(E);
      exchange(E);
      Collisions C = collisions();
      exchange(E);
      std::tuple Cost(C.Kept, C.Pairs, Added);
      if (Cost < Least) {
        Least = Cost;
        Best = E;
      }
    }
  }
}

std::optional<CollisionAvoider::Exchange>
CollisionAvoider::bestExchange(const Collisions &Now) {
  std::optional<Exchange> Best;
  // Only what is better than nothing, whatever it does to the order.
  std::tuple Least(Now.Kept, Now.Pairs, std::numeric_limits<double>::lowest());
  tryPlace(Now.First, Best, Least);
  tryPlace(Now.Second, Best, Least);
  return Best;
}

void CollisionAvoider::run() {
  for (Collisions Now = collisions(); Now.Pairs && Budget; Now = collisions()) {
    std::optional<Exchange> Best = bestExchange(Now);
    if (!Best)
      return;
    exchange(*Best);
  }
}

std::vector<unsigned> CollisionAvoider::numbers() const {
  std::vector<unsigned> Numbers(UnitAt.size());
  for (unsigned Place = 0; Place != UnitAt.size(); ++Place)
    Numbers[UnitAt[Place]] = Place;
  return Numbers;
}

void avoidCollisions(std::vector<unsigned> &Numbers,
                     const std::vector<double> &Weights,
                     const std::vector<unsigned> &Granules,
                     const std::vector<RegSet> &Together,
                     const BundleRules &Rules) {
  CollisionAvoider Avoider(Numbers, Weights, Granules, Together, Rules);
  Avoider.run();
  Numbers = Avoider.numbers();
}

} // namespace regshare
