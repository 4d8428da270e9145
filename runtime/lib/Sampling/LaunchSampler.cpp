//===- LaunchSampler.cpp - Launches that stand for others -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling/LaunchSampler.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace regshare::cudart {

/// Before anything is known: launches after which the estimate is looked at
/// again, and how much larger or smaller than a timed one a launch may be, as a
/// logarithm. Both double with each check that is passed, within bounds.
static constexpr double FirstGap = 16, FirstStep = 0.3;
static constexpr double LargestStep = 2;
static constexpr int LeastTrust = -2, MostTrust = 8;

static double gapOf(int Trust) { return std::ldexp(FirstGap, Trust); }
static double stepOf(int Trust) {
  return std::min(std::ldexp(FirstStep, Trust), LargestStep);
}

static double distance(double A, double B) {
  return std::abs(std::log(std::max(A, 1.0) / std::max(B, 1.0)));
}

/// A launch of as many CTAs was as large, or each CTA as the last one's.
double LaunchSampler::Group::sizeWith(uint64_t Ctas) const {
  if (auto It = SizeOf.find(Ctas); It != SizeOf.end())
    return It->second;
  auto Last = SizeOf.find(LastCtas);
  assert(Last != SizeOf.end() && "a group's first launch has no estimate");
  return Last->second * double(Ctas) / double(LastCtas);
}

std::optional<size_t> LaunchSampler::Group::nearest(double Size) const {
  std::optional<size_t> Best;
  double Least = 0;
  const std::vector<TimedLaunch> &Timed = Model.timed();
  for (size_t N = 1; N < Timed.size(); ++N) {
    double Distance = distance(double(Timed[N].WarpInstructions), Size);
    if (Best && Distance > Least)
      continue;
    Best = N;
    Least = Distance;
  }
  return Best;
}

uint64_t LaunchSampler::next(const SampledShape &S) {
  const sim::Dim3 &B = S.Block;
  Current = &Groups[{S.Kernel, {B.X, B.Y, B.Z}, S.DynamicSharedBytes}];
  CurrentCtas = S.Ctas;
  CurrentNear = std::nullopt;
  IsCheck = false;
  if (!isOn() || S.WaitsForOthers || !Current->Launches)
    return S.Ctas;
  uint64_t IfTimed = mayTimePart(S) ? TimedWaves * S.WaveCtas : S.Ctas;
  double Size = Current->sizeWith(S.Ctas);
  CurrentNear = Current->nearest(Size);
  if (!CurrentNear)
    return IfTimed;
  double Distance = distance(
      double(Current->Model.timed()[*CurrentNear].WarpInstructions), Size);
  double Step = stepOf(Current->Trust);
  // Of a size that is far from all others nothing was claimed.
  IsCheck = Distance <= 2 * Step;
  bool IsTimed = Distance > Step ||
                 double(Current->Since[*CurrentNear]) >= gapOf(Current->Trust);
  return IsTimed ? IfTimed : 0;
}

/// What is wrong with a kernel counts as much as its part of the program.
double LaunchSampler::partOfProgram() const {
  return double(Current->Cycles) / double(std::max<uint64_t>(Cycles, 1));
}

/// What the waves of a group miss; and half a wave, since the last one may be
/// of any number of CTAs.
static double errorOfPart(double WaveError, uint64_t WaveCtas, uint64_t Ctas) {
  return std::abs(WaveError) + double(WaveCtas) / double(Ctas) / 2;
}

/// Half of the error is left for what differs from launch to launch.
bool LaunchSampler::mayTimePart(const SampledShape &S) const {
  if (!S.WaveCtas || S.Ctas < LeastWaves * S.WaveCtas || Current->IsUneven ||
      !Current->WaveError)
    return false;
  return errorOfPart(*Current->WaveError, S.WaveCtas, S.Ctas) *
             partOfProgram() * 100 <=
         double(Percent) / 2;
}

void LaunchSampler::count(uint64_t WarpInstructions, uint64_t LaunchCycles) {
  ++Current->Launches;
  Current->SizeOf[CurrentCtas] = double(WarpInstructions);
  Current->LastCtas = CurrentCtas;
  Current->Cycles += LaunchCycles;
  Cycles += LaunchCycles;
}

void LaunchSampler::learn() {
  double Wrong = Current->Model.errorAsTimed().value_or(0);
  bool IsRight = Wrong * partOfProgram() * 100 <= Percent;
  Current->Trust =
      std::clamp(Current->Trust + (IsRight ? 1 : -1), LeastTrust, MostTrust);
}

void LaunchSampler::addToModel(uint64_t WarpInstructions,
                               uint64_t LaunchCycles) {
  Current->Model.add({Current->Launches, WarpInstructions, LaunchCycles});
  Current->Since.push_back(0);
  if (CurrentNear)
    Current->Since[*CurrentNear] = 0;
  count(WarpInstructions, LaunchCycles);
  if (IsCheck)
    learn();
}

void LaunchSampler::addTimed(const WaveTiming &Timed) {
  assert(Current && "a launch that next() was not asked about");
  ++Whole;
  WholeCycles += Timed.Cycles;
  TimedCycles += Timed.Cycles;
  if (std::optional<double> Error = waveError(Timed))
    Current->WaveError = Error;
  addToModel(Timed.WarpInstructions, Timed.Cycles);
}

uint64_t LaunchSampler::addPart(const WaveTiming &Part,
                                uint64_t WarpInstructions) {
  ++Parts;
  TimedCycles += Part.Cycles;
  std::optional<double> Found =
      cyclesFromWaves(Part, CurrentCtas, WarpInstructions);
  if (!Found) {
    Current->IsUneven = true;
    return addExecuted(WarpInstructions);
  }
  uint64_t LaunchCycles = uint64_t(std::llround(*Found));
  double Error =
      errorOfPart(Current->WaveError.value_or(0), Part.WaveCtas, CurrentCtas);
  Current->PartError = std::max(Current->PartError, Error);
  Others.push_back({Current, Current->Launches, WarpInstructions,
                    CycleEstimate{LaunchCycles, Error}});
  addToModel(WarpInstructions, LaunchCycles);
  return LaunchCycles;
}

uint64_t LaunchSampler::addExecuted(uint64_t WarpInstructions) {
  Others.push_back(
      {Current, Current->Launches, WarpInstructions, std::nullopt});
  uint64_t Expected = cyclesOf(Others.back());
  if (CurrentNear) {
    ++Current->Since[*CurrentNear];
    Current->Model.addExecuted(*CurrentNear, Expected);
  }
  count(WarpInstructions, Expected);
  return Expected;
}

uint64_t LaunchSampler::cyclesOf(const Executed &E) {
  if (E.FromWaves)
    return E.FromWaves->Cycles;
  std::optional<double> Found =
      E.Of->Model.estimate(E.Number, E.WarpInstructions);
  assert(Found && "a group's first launches are timed");
  return uint64_t(std::llround(*Found));
}

/// Estimates from launches of which only the first waves were timed may be
/// wrong by what these miss, too.
std::vector<CycleEstimate> LaunchSampler::estimates() const {
  std::map<const Group *, std::optional<double>> Errors;
  std::vector<CycleEstimate> Found;
  for (const Executed &E : Others) {
    if (E.FromWaves) {
      Found.push_back(*E.FromWaves);
      continue;
    }
    auto [It, IsNew] = Errors.try_emplace(E.Of);
    if (IsNew)
      It->second = E.Of->Model.error();
    CycleEstimate Estimate{cyclesOf(E), It->second};
    if (Estimate.Error)
      *Estimate.Error += E.Of->PartError;
    Found.push_back(Estimate);
  }
  return Found;
}

SampleSummary LaunchSampler::summary() const {
  SampleSummary S;
  S.Timed = Whole;
  S.TimedInPart = Parts;
  S.TimedCycles = TimedCycles;
  S.All = {WholeCycles, 0};
  for (const auto &[Key, G] : Groups)
    S.Launches += G.Launches;
  double Wrong = 0;
  for (const CycleEstimate &E : estimates()) {
    S.All.Cycles += E.Cycles;
    Wrong += double(E.Cycles) * E.Error.value_or(0);
    if (!E.Error)
      S.All.Error = std::nullopt;
  }
  if (S.All.Error && S.All.Cycles)
    S.All.Error = Wrong / double(S.All.Cycles);
  return S;
}

} // namespace regshare::cudart
