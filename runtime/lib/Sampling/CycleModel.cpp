//===- CycleModel.cpp - Cycles of launches that were not timed ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling/CycleModel.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace regshare::cudart {

/// Launches by which growth is told differ in size by this much, as a
/// logarithm, if there are such.
static constexpr double LeastLever = 0.2;
/// Of cycles, as a power of the size: a CTA of more instructions can have more
/// accesses to the DRAM of each as well.
static constexpr double SteepestGrowth = 3;

/// Launches with fewer have no order, and the least ratio that noise has.
static constexpr size_t LeastForOrder = 4;
static constexpr double NoiseRatio = 0.5;

/// Of launches without instructions there is no ratio.
static double sizeOf(const TimedLaunch &L) {
  return double(std::max<uint64_t>(L.WarpInstructions, 1));
}

static double cyclesOf(const TimedLaunch &L) {
  return double(std::max<uint64_t>(L.Cycles, 1));
}

bool areAlike(double A, double B) {
  return A <= AlikeRatio * B && B <= AlikeRatio * A;
}

/// The value at \p X of the line through two points; \p AtA where they are one.
static double onLine(double X, double A, double AtA, double B, double AtB) {
  return A == B ? AtA : AtA + (AtB - AtA) * (X - A) / (B - A);
}

static double cyclesPerWork(const TimedLaunch &L) {
  return cyclesOf(L) / sizeOf(L);
}

/// Whether launches that follow each other differ about as much as any two do:
/// their order tells nothing (von Neumann's ratio, which is 1 for noise).
static bool isNoise(const std::vector<TimedLaunch> &Launches) {
  if (Launches.size() < LeastForOrder)
    return false;
  double Mean = 0, OfAll = 0, OfNeighbours = 0, Count = double(Launches.size());
  for (const TimedLaunch &L : Launches)
    Mean += cyclesPerWork(L) / Count;
  for (size_t N = 0; N != Launches.size(); ++N) {
    double Work = cyclesPerWork(Launches[N]);
    OfAll += std::pow(Work - Mean, 2) / (Count - 1);
    if (N)
      OfNeighbours += std::pow(Work - cyclesPerWork(Launches[N - 1]), 2) /
                      (2 * (Count - 1));
  }
  return OfNeighbours > NoiseRatio * OfAll;
}

/// From launches that are alike and differ by noise: on the line through their
/// cycles, by least squares over their numbers, which may drift.
static double onTrend(const std::vector<TimedLaunch> &Alike, double Number,
                      double Size) {
  double Count = double(Alike.size()), MeanNumber = 0, MeanWork = 0;
  for (const TimedLaunch &L : Alike) {
    MeanNumber += double(L.Number) / Count;
    MeanWork += cyclesPerWork(L) / Count;
  }
  double Squares = 0, Products = 0;
  for (const TimedLaunch &L : Alike) {
    double FromMean = double(L.Number) - MeanNumber;
    Squares += FromMean * FromMean;
    Products += FromMean * (cyclesPerWork(L) - MeanWork);
  }
  // Nothing is known beyond the last one.
  double At = std::clamp(Number, double(Alike.front().Number),
                         double(Alike.back().Number));
  return Size * (MeanWork + Products / Squares * (At - MeanNumber));
}

/// From launches that are alike, in the order of their numbers: evenly between
/// the last before and the first after, as those at the ends beyond.
static double amongAlike(const std::vector<TimedLaunch> &Alike, double Number,
                         double Size) {
  auto After = std::ranges::find_if(
      Alike, [&](const TimedLaunch &L) { return double(L.Number) >= Number; });
  const TimedLaunch &A = After == Alike.begin() ? *After : *(After - 1);
  const TimedLaunch &B = After == Alike.end() ? A : *After;
  double AtA = double(A.Cycles) * Size / sizeOf(A);
  double AtB = double(B.Cycles) * Size / sizeOf(B);
  return onLine(Number, double(A.Number), AtA, double(B.Number), AtB);
}

namespace {
/// The nearest launches of those with fewer and with more warp instructions.
struct Neighbours {
  const TimedLaunch *Smaller = nullptr, *Larger = nullptr;
};
} // namespace

/// Of several equal ones the last, which has the warmest caches.
static Neighbours neighboursOf(double Size,
                               const std::vector<TimedLaunch> &Launches) {
  Neighbours N;
  for (const TimedLaunch &L : Launches)
    if (sizeOf(L) < Size) {
      if (!N.Smaller || sizeOf(L) >= sizeOf(*N.Smaller))
        N.Smaller = &L;
    } else if (!N.Larger || sizeOf(L) <= sizeOf(*N.Larger)) {
      N.Larger = &L;
    }
  return N;
}

/// The power of the size that cycles grow with from one launch to the other,
/// which differ in size.
static double growth(const TimedLaunch &A, const TimedLaunch &B) {
  return std::log(cyclesOf(B) / cyclesOf(A)) / std::log(sizeOf(B) / sizeOf(A));
}

static double fromLaunch(const TimedLaunch &L, double Size, double Growth) {
  return cyclesOf(L) * std::pow(Size / sizeOf(L), Growth);
}

/// Beyond all launches, by the nearest and one that is farther away by enough
/// for their difference to say something.
static double beyond(const TimedLaunch &Nearest, double Size,
                     const std::vector<TimedLaunch> &Launches) {
  const TimedLaunch *Far = nullptr;
  auto DistanceTo = [&](const TimedLaunch &L) {
    return std::abs(std::log(sizeOf(L) / sizeOf(Nearest)));
  };
  double Wanted =
      std::max(std::abs(std::log(Size / sizeOf(Nearest))), LeastLever);
  for (const TimedLaunch &L : Launches)
    if (!areAlike(sizeOf(L), sizeOf(Nearest)) &&
        (!Far || std::abs(DistanceTo(L) - Wanted) <
                     std::abs(DistanceTo(*Far) - Wanted)))
      Far = &L;
  if (!Far)
    return fromLaunch(Nearest, Size, 1);
  return fromLaunch(Nearest, Size,
                    std::clamp(growth(Nearest, *Far), 0.0, SteepestGrowth));
}

/// \p Launches: at least one.
static double estimateFrom(const std::vector<TimedLaunch> &Launches,
                           const TimedLaunch &Of) {
  double Size = sizeOf(Of);
  std::vector<TimedLaunch> Alike;
  std::ranges::copy_if(
      Launches, std::back_inserter(Alike),
      [&](const TimedLaunch &L) { return areAlike(sizeOf(L), Size); });
  if (isNoise(Alike))
    return onTrend(Alike, double(Of.Number), Size);
  if (!Alike.empty())
    return amongAlike(Alike, double(Of.Number), Size);
  Neighbours N = neighboursOf(Size, Launches);
  if (!N.Smaller || !N.Larger)
    return beyond(N.Smaller ? *N.Smaller : *N.Larger, Size, Launches);
  return fromLaunch(*N.Smaller, Size, growth(*N.Smaller, *N.Larger));
}

std::vector<TimedLaunch> CycleModel::without(size_t LeftOut) const {
  std::vector<TimedLaunch> Kept;
  for (size_t N = 1; N < Timed.size(); ++N)
    if (N != LeftOut)
      Kept.push_back(Timed[N]);
  if (Kept.empty() && !Timed.empty())
    Kept.push_back(Timed.front());
  return Kept;
}

std::optional<double> CycleModel::estimate(uint64_t Number,
                                           uint64_t WarpInstructions) const {
  if (Timed.empty())
    return std::nullopt;
  return estimateFrom(without(Timed.size()), {Number, WarpInstructions, 0});
}

std::optional<double> CycleModel::error() const {
  return errorWith([](const TimedLaunch &L) {
    return std::max(cyclesOf(L), double(L.StandsFor));
  });
}

std::optional<double> CycleModel::errorAsTimed() const {
  return errorWith(cyclesOf);
}

std::optional<double> CycleModel::errorWith(WeightOf WeightOf) const {
  if (Timed.size() < 2)
    return std::nullopt;
  struct Miss {
    double By, Weight;
  };
  std::vector<Miss> Misses;
  double Weights = 0, Sum = 0, Squares = 0;
  for (size_t N = 1; N != Timed.size(); ++N) {
    double By = estimateFrom(without(N), Timed[N]) / cyclesOf(Timed[N]) - 1;
    double Weight = WeightOf(Timed[N]);
    Misses.push_back({By, Weight});
    Weights += Weight;
    Sum += Weight * By;
  }
  double Mean = Sum / Weights, Count = double(Misses.size());
  for (const Miss &M : Misses)
    Squares += std::pow(M.Weight * (M.By - Mean), 2);
  double Deviation = Count > 1 ? std::sqrt(Squares * Count / (Count - 1)) : 0;
  return std::abs(Mean) + Deviation / Weights;
}

} // namespace regshare::cudart
