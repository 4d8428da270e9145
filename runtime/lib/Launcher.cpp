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

unsigned Launcher::residentCTAs(const KernelResources &K,
                                const sim::Function &Kernel,
                                bool Together) const {
  if (Machine) {
    Result<Occupancy> Resident =
        Machine->residency(K, Kernel.Facts, Kernel.WaitsForOthers || Together);
    return Resident ? Resident->CTAs : 0;
  }
  if (auto *Count = S->TheScheme->ResidentCTAs)
    return Count(S->Device, K, Kernel.Facts, S->SchemeSettings);
  return occupancy(S->Device, K).CTAs;
}

Result<LaunchOutcome>
Launcher::runTimed(const sim::Program &P, sim::GlobalMemory &Memory,
                   const std::string &Kernel, const sim::LaunchConfig &Config,
                   const sim::TimedLaunchOptions &Options) {
  if (S->ColdL2)
    Machine->emptyL2();
  Line->emplace(Kernel);
  Result<sim::TimingStats> Stats =
      Machine->run(P, Memory, Kernel, Config, Options);
  Line->reset();
  if (!Stats)
    return fail(Stats.error());
  if (Stats->Functional.IsWhole)
    Sampler->addTimed(Stats->Functional.WarpInstructions, Stats->Cycles);
  return LaunchOutcome{Stats->Functional, Stats->Seconds, std::move(*Stats),
                       false};
}

Result<LaunchOutcome>
Launcher::run(const sim::Program &P, sim::GlobalMemory &Memory,
              const std::string &Kernel, const sim::LaunchConfig &Config,
              unsigned Regs, bool Together, sim::LenienceLog &Passed) {
  sim::LaunchOptions Functional;
  Functional.InstructionLimit = S->InstructionLimit;
  Functional.Lenient = S->Lenient ? &Passed : nullptr;
  bool IsChosen = Machine && Launches.next(Kernel);
  const sim::Function *F = P.findKernel(Kernel);
  bool WaitsForOthers = Together || (F && F->WaitsForOthers);
  if (IsChosen &&
      Sampler->next({Kernel, Config.Block, Config.DynamicSharedBytes,
                     Config.Grid.count(), WaitsForOthers}))
    return runTimed(P, Memory, Kernel, Config,
                    {S->CycleLimit, Regs, Functional});
  Functional.MaxThreadsPerCta = S->Device.MaxThreadsPerCTA;
  Functional.MaxSharedBytes = S->Device.MaxSharedPerCTA;
  // There is no SM here whose room bounds them.
  if (Together)
    Functional.MaxResidentCtas = uint32_t(Config.Grid.count());
  Result<sim::LaunchStats> Stats =
      sim::runKernel(P, Memory, Kernel, Config, Functional);
  if (!Stats)
    return fail(Stats.error());
  LaunchOutcome Outcome;
  Outcome.Stats = *Stats;
  double ClockHz = S->Device.CoreClockMHz * 1e6;
  // One warp instruction a cycle on every SM, where nothing is known of it.
  Outcome.Seconds =
      double(Stats->WarpInstructions) / (S->Device.NumSMs * ClockHz);
  if (IsChosen && Stats->IsWhole) {
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
