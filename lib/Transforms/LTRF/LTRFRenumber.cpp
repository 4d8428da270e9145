//===- LTRFRenumber.cpp - Registers apart in their banks ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LTRFRenumber.h"

#include <algorithm>
#include <numeric>

namespace regshare {

namespace {

/// A local search that exchanges aligned groups of registers.
class BankSpreader {
public:
  BankSpreader(const std::vector<WeightedVector> &Vectors,
               const std::vector<unsigned> &Granules, unsigned Banks,
               unsigned Border);

  void run();
  std::vector<unsigned> numbers() const;

private:
  bool improve(unsigned Size);
  bool canMove(unsigned Place, unsigned Size) const;
  /// \p A is before \p B.
  bool areOnOneSide(unsigned A, unsigned B, unsigned Size) const {
    return A >= Border || B + Size <= Border;
  }
  void exchange(unsigned A, unsigned B, unsigned Size);
  double tryExchange(unsigned A, unsigned B, unsigned Size);
  unsigned most(size_t Vector) const;

  const std::vector<WeightedVector> &Vectors;
  unsigned Banks, Border;
  std::vector<unsigned> UnitAt;    ///< By place: the unit that is there now.
  std::vector<unsigned> GranuleAt; ///< By place: the size of its group.
  std::vector<unsigned> Counts;    ///< By vector, then bank.
  /// Steps that are left, so that the largest kernels take no longer than this.
  uint64_t Budget = 50'000'000;
};

} // namespace

BankSpreader::BankSpreader(const std::vector<WeightedVector> &Vectors,
                           const std::vector<unsigned> &Granules,
                           unsigned Banks, unsigned Border)
    : Vectors(Vectors), Banks(Banks), Border(Border), UnitAt(Granules.size()),
      GranuleAt(Granules), Counts(Vectors.size() * Banks) {
  std::iota(UnitAt.begin(), UnitAt.end(), 0);
  for (size_t V = 0; V != Vectors.size(); ++V)
    Vectors[V].Regs.forEach(
        [&](unsigned Unit) { ++Counts[V * Banks + Unit % Banks]; });
}

unsigned BankSpreader::most(size_t Vector) const {
  auto Begin = Counts.begin() + Vector * Banks;
  return *std::max_element(Begin, Begin + Banks);
}

/// True if what is in the \p Size places from \p Place on is whole groups.
bool BankSpreader::canMove(unsigned Place, unsigned Size) const {
  for (unsigned I = Place; I != Place + Size; ++I)
    if (GranuleAt[I] > Size)
      return false;
  return true;
}

void BankSpreader::exchange(unsigned A, unsigned B, unsigned Size) {
  for (unsigned I = 0; I != Size; ++I) {
    std::swap(UnitAt[A + I], UnitAt[B + I]);
    std::swap(GranuleAt[A + I], GranuleAt[B + I]);
  }
}

/// What exchanging adds to the cost; undone unless that is less than nothing.
double BankSpreader::tryExchange(unsigned A, unsigned B, unsigned Size) {
  double Added = 0;
  auto Apply = [&](size_t V, int Sign) {
    bool Touched = false;
    for (unsigned I = 0; I != Size; ++I) {
      bool HasA = Vectors[V].Regs.test(UnitAt[A + I]);
      bool HasB = Vectors[V].Regs.test(UnitAt[B + I]);
      if (HasA == HasB)
        continue;
      int Move = (HasA ? 1 : -1) * Sign;
      Counts[V * Banks + (A + I) % Banks] -= Move;
      Counts[V * Banks + (B + I) % Banks] += Move;
      Touched = true;
    }
    return Touched;
  };
  for (size_t V = 0; V != Vectors.size(); ++V) {
    double Before = most(V);
    if (Apply(V, 1))
      Added += Vectors[V].Weight * (most(V) - Before);
  }
  Budget -= std::min<uint64_t>(Budget, Vectors.size() * (2 * Banks + Size));
  if (Added < -1e-9) {
    exchange(A, B, Size);
    return Added;
  }
  for (size_t V = 0; V != Vectors.size(); ++V)
    Apply(V, -1);
  return 0;
}

bool BankSpreader::improve(unsigned Size) {
  bool Any = false;
  for (unsigned A = 0; A + Size <= UnitAt.size() && Budget; A += Size)
    for (unsigned B = A + Size; B + Size <= UnitAt.size() && Budget; B += Size)
      if ((B - A) % Banks && areOnOneSide(A, B, Size) && canMove(A, Size) &&
          canMove(B, Size))
        Any |= tryExchange(A, B, Size) < 0;
  return Any;
}

void BankSpreader::run() {
  for (bool Any = true; Any && Budget;) {
    Any = false;
    for (unsigned Size = 1; Size <= 8; Size *= 2)
      Any |= improve(Size);
  }
}

std::vector<unsigned> BankSpreader::numbers() const {
  std::vector<unsigned> Numbers(UnitAt.size());
  for (unsigned Place = 0; Place != UnitAt.size(); ++Place)
    Numbers[UnitAt[Place]] = Place;
  return Numbers;
}

double bankCost(const std::vector<WeightedVector> &Vectors, unsigned Banks) {
  double Cost = 0;
  for (const WeightedVector &V : Vectors) {
    std::vector<unsigned> Count(Banks);
    V.Regs.forEach([&](unsigned Unit) { ++Count[Unit % Banks]; });
    Cost += V.Weight * *std::max_element(Count.begin(), Count.end());
  }
  return Cost;
}

std::vector<unsigned>
spreadOverBanks(const std::vector<WeightedVector> &Vectors,
                const std::vector<unsigned> &Granules, unsigned Banks,
                unsigned Border) {
  BankSpreader Spreader(Vectors, Granules, Banks, Border);
  Spreader.run();
  return Spreader.numbers();
}

} // namespace regshare
