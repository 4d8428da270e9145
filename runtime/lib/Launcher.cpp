//===- Launcher.cpp - One kernel on the reference SM -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launcher.h"

#include "regshare/Base/Occupancy.h"

namespace regshare::cudart {

/// Core cycles between samples for the timeline.
static constexpr unsigned SampleCycles = 500;

Result<Launcher> Launcher::create(const Settings &S, LaunchSampler &Sampler) {
  Launcher L(S, Sampler);
  if (!S.Timing)
    return L;
  L.Line = std::make_unique<std::optional<sim::ProgressLine>>();
  sim::TimingOptions Options;
  Options.OnProgress = [Line = L.Line.get()](const sim::Progress &P) {
    (*Line)->update(P);
  };
  Options.Applied = S.TheScheme;
  Options.Settings = S.SchemeSettings;
  Options.Threads = S.Threads;
  if (!S.TracePath.empty()) {
    Options.RecordTimeline = true;
    Options.SampleCycles = SampleCycles;
  }
  Result<std::unique_ptr<sim::Machine>> M =
      sim::Machine::create(S.Device, Options);
  if (!M)
    return tl::make_unexpected(M.error());
  L.Machine = std::move(*M);
  return L;
}

Result<unsigned> Launcher::residentCTAs(const KernelResources &K,
                                        const sim::Function &Kernel,
                                        bool Together) const {
  unsigned CTAs = 0;
  if (Machine) {
    Result<Occupancy> Resident =
        Machine->residency(K, Kernel.Facts, Kernel.WaitsForOthers || Together);
    if (!Resident)
      return fail(Resident.error());
    CTAs = Resident->CTAs;
  } else {
    CTAs = S->TheScheme.residentCTAs(S->Device, K, Kernel.Facts,
                                     S->SchemeSettings);
  }
  if (CTAs)
    return CTAs;
  return fail("not even one CTA fits into an SM of '" + S->Device.Name +
                  "' under scheme '" + std::string(S->TheScheme.name()) +
                  "': " + std::to_string(K.RegsPerThread) +
                  " registers a thread, " + std::to_string(K.ThreadsPerCTA) +
                  " threads, " + std::to_string(K.SharedPerCTA) +
                  " bytes of shared memory",
              ErrorKind::DoesNotFit);
}

std::optional<uint64_t> Launcher::chooseCtas(const Request &R) {
  if (!Machine || !Launches.next(R.Kernel))
    return std::nullopt;
  const sim::Dim3 &Grid = R.Config.Grid;
  const sim::Function *F = R.P.findKernel(R.Kernel);
  if (!F)
    return Grid.count();
  uint64_t WaveCtas =
      uint64_t(residentCTAs(R.Needs, *F, R.Together).value_or(0)) *
      S->Device.NumSMs;
  return Sampler->next({R.Kernel, R.Config.Block, R.Config.DynamicSharedBytes,
                        Grid.count(), WaveCtas,
                        R.Together || F->WaitsForOthers});
}

static WaveTiming wavesOf(const sim::TimingStats &S) {
  return {uint64_t(S.Resident.CTAs) * S.NumSMs, S.Functional.Ctas,
          S.Functional.WarpInstructions, S.Cycles, S.Waves};
}

Result<LaunchOutcome> Launcher::runTimed(const Request &R, uint64_t Ctas) {
  if (S->ColdL2)
    Machine->emptyL2();
  Line->emplace(R.Kernel);
  Result<sim::TimingStats> Stats =
      Machine->run(R.P, R.Memory, R.Kernel, R.Config,
                   {S->CycleLimit, R.Needs.RegsPerThread, Ctas, R.Options});
  Line->reset();
  if (!Stats)
    return fail(Stats.error());
  bool IsAll = Ctas == R.Config.Grid.count();
  if (Stats->Functional.IsWhole && IsAll)
    Sampler->addTimed(wavesOf(*Stats));
  return LaunchOutcome{Stats->Functional, Stats->Seconds, std::move(*Stats),
                       false};
}

/// The first CTAs with timing, the others without.
Result<LaunchOutcome> Launcher::runPart(const Request &R, uint64_t Ctas) {
  Result<LaunchOutcome> Outcome = runTimed(R, Ctas);
  if (!Outcome || !Outcome->Stats.IsWhole)
    return Outcome;
  Result<sim::LaunchStats> Rest = execute(R, Ctas);
  if (!Rest)
    return fail(Rest.error());
  sim::LaunchStats &All = Outcome->Stats;
  All.WarpInstructions += Rest->WarpInstructions;
  All.ThreadInstructions += Rest->ThreadInstructions;
  All.Ctas += Rest->Ctas;
  All.MoreSlots += Rest->MoreSlots;
  All.IsWhole = Rest->IsWhole;
  if (!All.IsWhole)
    return Outcome;
  Outcome->IsSampled = true;
  uint64_t Cycles =
      Sampler->addPart(wavesOf(*Outcome->Timed), All.WarpInstructions);
  Outcome->Seconds = double(Cycles) / (S->Device.CoreClockMHz * 1e6);
  return Outcome;
}

Result<sim::LaunchStats> Launcher::execute(const Request &R,
                                           uint64_t FirstCta) const {
  sim::LaunchOptions Options = R.Options;
  Options.FirstCta = FirstCta;
  Options.MaxThreadsPerCta = S->Device.MaxThreadsPerCTA;
  Options.MaxSharedBytes = S->Device.MaxSharedPerCTA;
  // There is no SM here whose room bounds them.
  if (R.Together)
    Options.MaxResidentCtas = uint32_t(R.Config.Grid.count());
  return sim::runKernel(R.P, R.Memory, R.Kernel, R.Config, Options);
}

Result<LaunchOutcome>
Launcher::run(const sim::Program &P, sim::GlobalMemory &Memory,
              const std::string &Kernel, const sim::LaunchConfig &Config,
              const KernelResources &Needs, bool Together,
              sim::LenienceLog &Passed, sim::DeviceRuntime &Device) {
  sim::LaunchOptions Functional;
  Functional.InstructionLimit = S->InstructionLimit;
  Functional.Lenient = S->Lenient ? &Passed : nullptr;
  Functional.Device = &Device;
  Request R{P, Memory, Kernel, Config, Needs, Together, Functional};
  std::optional<uint64_t> Ctas = chooseCtas(R);
  if (Ctas && *Ctas)
    return *Ctas == Config.Grid.count() ? runTimed(R, *Ctas)
                                        : runPart(R, *Ctas);
  Result<sim::LaunchStats> Stats = execute(R, 0);
  if (!Stats)
    return fail(Stats.error());
  LaunchOutcome Outcome;
  Outcome.Stats = *Stats;
  double ClockHz = S->Device.CoreClockMHz * 1e6;
  // One warp instruction a cycle on every SM, where nothing is known of it.
  Outcome.Seconds =
      double(Stats->WarpInstructions) / (S->Device.NumSMs * ClockHz);
  if (Ctas && Stats->IsWhole) {
    Outcome.IsSampled = true;
    Outcome.Seconds =
        double(Sampler->addExecuted(Stats->WarpInstructions)) / ClockHz;
  }
  return Outcome;
}

cudaError_t classifyFault(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::IllegalAddress:
    return cudaErrorIllegalAddress;
  case ErrorKind::MisalignedAddress:
    return cudaErrorMisalignedAddress;
  case ErrorKind::Assertion:
    return cudaErrorAssert;
  case ErrorKind::StackOverflow:
    return cudaErrorHardwareStackError;
  case ErrorKind::InvalidCall:
    return cudaErrorInvalidPc;
  case ErrorKind::Deadlock:
  case ErrorKind::Livelock:
  case ErrorKind::Limit:
    return cudaErrorLaunchTimeout;
  default:
    return cudaErrorLaunchFailure;
  }
}

} // namespace regshare::cudart
