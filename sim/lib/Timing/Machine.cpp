//===- Machine.cpp - A device that runs kernels ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Config/ConfigTable.h"
#include "EnergyConfig.h"
#include "GridRun.h"
#include "Schemes/Schemes.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/Base/Sharing/SharingStatements.h"
#include "regshare/Sim/Energy.h"

#include <algorithm>

namespace regshare::sim {

struct Machine::Impl {
  Impl(const DeviceDescription &D, const TimingOptions &Options,
       const CoreConfig &Core, const MemoryConfig &Memory)
      : Device(D), Options(Options), Core(Core), MemorySide(Memory),
        // More threads than SMs would have nothing to do.
        Threads(std::min(D.NumSMs, Options.Threads
                                       ? Options.Threads
                                       : std::thread::hardware_concurrency())) {
  }

  DeviceDescription Device;
  TimingOptions Options;
  CoreConfig Core;
  MemoryConfig MemorySide;
  HostThreads Threads;
  /// Made anew after an error, which may leave requests on their way.
  std::unique_ptr<MemorySystem> Memory;
  Cycle Clock = 0; ///< Core cycles of all launches so far.
};

Machine::Machine(std::unique_ptr<Impl> I) : I(std::move(I)) {}
Machine::~Machine() = default;

static Result<void> checkFigures(const DeviceDescription &D) {
  if (D.Timing.empty())
    return fail(Diagnostic{"device '" + D.Name +
                               "' has no figures for timing ('timing:'); "
                               "kernels can run on it without timing",
                           D.File, 0, 0});
  if (D.WarpSize != WarpSize)
    return fail("device '" + D.Name + "' has warps of " +
                std::to_string(D.WarpSize) + " threads; the timing model has " +
                std::to_string(WarpSize));
  if (D.MaxWarps > MaxWarpSlots)
    return fail("device '" + D.Name + "' has " + std::to_string(D.MaxWarps) +
                " warps on an SM; the timing model has at most " +
                std::to_string(MaxWarpSlots));
  std::vector<std::string> Known;
  for (const TimingFigureHelp &F : timingFigures())
    Known.push_back(F.Key);
  return checkKeys(D, Known);
}

/// The scheduler that was asked for. A register cache has places for active
/// warps alone, which only a two-level scheduler has.
static Result<void> chooseScheduler(const TimingOptions &Options,
                                    CoreConfig &Core) {
  if (!Options.Scheduler.empty()) {
    Result<SchedulerPolicy> Policy = parseScheduler(Options.Scheduler);
    if (!Policy)
      return tl::make_unexpected(Policy.error());
    Core.Policy = *Policy;
  }
  if (!hasRegisterCache(Options.SharingScheme))
    return {};
  if (!Options.Scheduler.empty() && Core.Policy != SchedulerPolicy::TwoLevel)
    return fail("scheme '" + std::string(Options.SharingScheme.name()) +
                "' needs the two-level scheduler, not '" + Options.Scheduler +
                "'");
  Core.Policy = SchedulerPolicy::TwoLevel;
  return {};
}

Result<std::unique_ptr<Machine>> Machine::create(const DeviceDescription &D,
                                                 const TimingOptions &Options) {
  if (Result<void> Ok = checkFigures(D); !Ok)
    return tl::make_unexpected(Ok.error());
  Result<CoreConfig> Core = readCoreConfig(D);
  if (!Core)
    return tl::make_unexpected(Core.error());
  Result<MemoryConfig> Memory = readMemoryConfig(D);
  if (!Memory)
    return tl::make_unexpected(Memory.error());
  if (Result<EnergyFigures> Energy = readEnergyFigures(D); !Energy)
    return tl::make_unexpected(Energy.error());
  if (Result<void> Ok = chooseScheduler(Options, *Core); !Ok)
    return tl::make_unexpected(Ok.error());
  return std::unique_ptr<Machine>(
      new Machine(std::make_unique<Impl>(D, Options, *Core, *Memory)));
}

const DeviceDescription &Machine::device() const { return I->Device; }

static Result<Residency> residencyOf(Scheme S, const DeviceDescription &D,
                                     const KernelNeeds &K,
                                     const SchemeOptions &Options) {
  return forScheme(
      S, [&]<typename SchemeT>() { return SchemeT::residency(D, K, Options); });
}

Result<Occupancy> Machine::residency(
    const KernelResources &K, const std::optional<RegMutexSplit> &Split,
    bool WaitsForOthers, const std::optional<BundleBounds> &Bundles) const {
  KernelNeeds Needs{K, Split, WaitsForOthers};
  Needs.Bundles = Bundles;
  Result<Residency> R = residencyOf(I->Options.SharingScheme, I->Device, Needs,
                                    I->Options.Sharing);
  if (!R)
    return tl::make_unexpected(R.error());
  return R->Limits;
}

/// The functional checks with the limits of the device.
static LaunchOptions limitedTo(const DeviceDescription &D, LaunchOptions O) {
  O.MaxThreadsPerCta = D.MaxThreadsPerCTA;
  O.MaxSharedBytes = D.MaxSharedPerCTA;
  return O;
}

static Result<KernelResources> resourcesOf(const DeviceDescription &D,
                                           const Function &Kernel,
                                           const LaunchConfig &Config,
                                           unsigned RegsPerThread) {
  KernelResources K;
  K.RegsPerThread = RegsPerThread ? RegsPerThread : Kernel.RegsPerThread;
  K.ThreadsPerCTA = unsigned(Config.Block.count());
  K.SharedPerCTA = sharedBytes(Kernel, Config);
  if (K.RegsPerThread <= D.MaxRegsPerThread)
    return K;
  std::string Hint =
      Kernel.IsArchitected
          ? "; compile it with -regshare-max-regs=" +
                std::to_string(D.MaxRegsPerThread)
          : ": one for every PTX register, since the code names no "
            "architected registers; compile it with 'regshare-opt --emit=ptx'";
  return fail("kernel '" + Kernel.Name + "' takes " +
              std::to_string(K.RegsPerThread) + " registers a thread, '" +
              D.Name + "' allows " + std::to_string(D.MaxRegsPerThread) + Hint);
}

/// The kernel and all functions with code that it may call.
static std::vector<const Function *> reachable(const Program &P,
                                               const Function &Kernel) {
  std::vector<const Function *> Found = {&Kernel};
  auto Add = [&](const Function *F) {
    if (F->Kind == Builtin::None && std::ranges::find(Found, F) == Found.end())
      Found.push_back(F);
  };
  for (size_t N = 0; N != Found.size(); ++N)
    for (const CallSite &Site : Found[N]->Calls) {
      if (Site.Callee != NoTarget) {
        Add(P.Functions[Site.Callee].get());
        continue;
      }
      for (const auto &F : P.Functions)
        if (!F->IsEntry)
          Add(F.get());
    }
  return Found;
}

/// The intervals of a kernel and of all that it may call, the largest deciding.
/// Fails if some of that code has none.
static Result<std::optional<IntervalBounds>>
intervalsOf(Scheme S, const Program &P, const Function &Kernel) {
  if (!usesIntervals(S))
    return std::nullopt;
  const auto *Own = Kernel.Facts.get<IntervalBounds>();
  if (!Own)
    return fail("kernel '" + Kernel.Name +
                "' is not divided into intervals; "
                "compile it with --scheme=" +
                std::string(S.name()));
  IntervalBounds Largest = *Own;
  for (const Function *F : reachable(P, Kernel)) {
    const auto *Bounds = F->Facts.get<IntervalBounds>();
    if (!Bounds)
      return fail("kernel '" + Kernel.Name + "' may call '" + F->Name +
                  "', which is not divided into intervals: under scheme '" +
                  std::string(S.name()) + "' functions have to be inlined");
    Largest.Registers = std::max(Largest.Registers, Bounds->Registers);
  }
  return Largest;
}

/// The bundles of a kernel and of all that it may call. Fails if some of that
/// code has none, or was made for another operand cache.
static Result<std::optional<BundleBounds>> bundlesOf(Scheme S, const Program &P,
                                                     const Function &Kernel) {
  if (S != schemes::EXPARS)
    return std::nullopt;
  const auto *Own = Kernel.Facts.get<BundleBounds>();
  if (!Own)
    return fail("kernel '" + Kernel.Name +
                "' is not divided into bundles; "
                "compile it with --scheme=expars");
  BundleBounds All = *Own;
  for (const Function *F : reachable(P, Kernel)) {
    const auto *Bounds = F->Facts.get<BundleBounds>();
    if (!Bounds || Bounds->Cache != All.Cache)
      return fail("kernel '" + Kernel.Name + "' may call '" + F->Name +
                  "', which is not divided into bundles for its operand cache: "
                  "under scheme 'expars' functions have to be inlined");
    All.Kept = std::max(All.Kept, Bounds->Kept);
  }
  return All;
}

/// The places that code wants in the register cache.
static Result<std::optional<unsigned>> cacheSlotsOf(Scheme S,
                                                    const Function &Kernel) {
  if (S != schemes::SHRF)
    return std::nullopt;
  const auto *Cache = Kernel.Facts.get<CacheSlots>();
  if (!Cache)
    return fail("kernel '" + Kernel.Name +
                "' does not say which operands are in the register cache; "
                "compile it with --scheme=shrf");
  return Cache->Slots;
}

static Result<CoreConfig> coreFor(Scheme S, const CoreConfig &Core,
                                  const KernelNeeds &K) {
  return forScheme(
      S, [&]<typename SchemeT>() { return SchemeT::coreFor(Core, K); });
}

/// What the scheme has to know of the launch. Fails if the code is not made for
/// it.
static Result<KernelNeeds> needsOf(Scheme S, const Program &P,
                                   const Function &Kernel,
                                   const LaunchConfig &Config,
                                   const KernelResources &Resources) {
  Result<std::optional<IntervalBounds>> Intervals = intervalsOf(S, P, Kernel);
  if (!Intervals)
    return tl::make_unexpected(Intervals.error());
  Result<std::optional<unsigned>> CacheSlots = cacheSlotsOf(S, Kernel);
  if (!CacheSlots)
    return tl::make_unexpected(CacheSlots.error());
  Result<std::optional<BundleBounds>> Bundles = bundlesOf(S, P, Kernel);
  if (!Bundles)
    return tl::make_unexpected(Bundles.error());
  KernelNeeds Needs{Resources,   {},       Kernel.WaitsForOthers, *Intervals,
                    *CacheSlots, *Bundles, Config.Grid.count()};
  if (const auto *Split = Kernel.Facts.get<RegMutexSplit>())
    Needs.Split = *Split;
  if (const auto *Private = Kernel.Facts.get<PrivateRegisters>())
    Needs.PrivateRegs = Private->Registers;
  Needs.SharesScratchpad = Kernel.Scheme == schemes::ScratchpadSharing.Name;
  return Needs;
}

Result<TimingStats> Machine::run(const Program &P, GlobalMemory &Memory,
                                 std::string_view Kernel,
                                 const LaunchConfig &Config,
                                 const TimedLaunchOptions &Options) {
  Result<const Function *> F = requireKernel(P, Kernel);
  if (!F)
    return tl::make_unexpected(F.error());
  LaunchOptions Functional = limitedTo(I->Device, Options.Functional);
  LaunchState Asked{P, Memory, **F, Config, Functional, {}, {}};
  if (Result<void> Ok = checkLaunch(Asked); !Ok)
    return tl::make_unexpected(Ok.error());
  Result<KernelResources> Resources =
      resourcesOf(I->Device, **F, Config, Options.RegsPerThread);
  if (!Resources)
    return tl::make_unexpected(Resources.error());
  Scheme S = I->Options.SharingScheme;
  Result<KernelNeeds> Needs = needsOf(S, P, **F, Config, *Resources);
  if (!Needs)
    return tl::make_unexpected(Needs.error());
  Result<Residency> Resident =
      residencyOf(S, I->Device, *Needs, I->Options.Sharing);
  if (!Resident)
    return fail("kernel '" + (*F)->Name + "': " + Resident.error().Message);
  Result<CoreConfig> Core = coreFor(S, I->Core, *Needs);
  if (!Core)
    return fail("kernel '" + (*F)->Name + "': " + Core.error().Message);

  if (!I->Memory)
    I->Memory = std::make_unique<MemorySystem>(I->MemorySide, I->Device.NumSMs);
  ProgramTiming Timing(P, I->Core, findCode(S.name()));
  SchemeContext Sharing{I->Device,
                        *Core,
                        *Needs,
                        *Resident,
                        I->Options.Sharing,
                        &Timing.Groups,
                        I->MemorySide.Shared.Latency};
  SmContext Context{P,
                    Memory,
                    **F,
                    Config,
                    Functional,
                    Sharing,
                    I->MemorySide,
                    Timing,
                    I->Device.NumSMs,
                    I->Clock,
                    quantum(*Core, I->MemorySide),
                    I->Options.RecordTimeline,
                    I->Options.EveryCycle};
  GridRun Run(Context, I->Options, Options.CycleLimit, *I->Memory, I->Threads);
  Result<TimingStats> Stats = Run.run();
  if (!Stats) {
    I->Memory.reset();
    return Stats;
  }
  I->Clock += Run.cyclesSimulated();
  Stats->RegsPerThread = Resources->RegsPerThread;
  Stats->FileRegisters =
      uint64_t(I->Device.Registers) *
      (S == schemes::Ideal ? I->Options.Sharing.IdealCapacity : 1);
  return Stats;
}

std::vector<TimingFigureHelp> timingFigures() {
  std::vector<TimingFigureHelp> All = coreFigures();
  for (const MemoryFigure &F : memoryFigures())
    All.push_back({F.Key, F.Help});
  std::ranges::copy(energyFigures(), std::back_inserter(All));
  return All;
}

} // namespace regshare::sim
