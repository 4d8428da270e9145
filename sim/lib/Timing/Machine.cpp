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
#include "regshare/Sim/Energy.h"

#include <algorithm>

namespace regshare::sim {

namespace {
/// What the scheme makes of a launch before it begins.
struct LaunchPlan {
  KernelNeeds Needs;
  Residency Resident;
  CoreConfig Core;
};
} // namespace

struct Machine::Impl {
  Impl(const DeviceDescription &D, const TimingOptions &Options,
       const SchemeModel &Model, const CoreConfig &Core,
       const MemoryConfig &Memory)
      : Device(D), Options(Options), Model(Model), Core(Core),
        MemorySide(Memory),
        // More threads than SMs would have nothing to do.
        Threads(std::min(D.NumSMs, Options.Threads
                                       ? Options.Threads
                                       : std::thread::hardware_concurrency())) {
  }

  std::vector<CodeCache> *codeCachesOf(const Program &P);
  Result<LaunchPlan> plan(const LaunchCode &Code,
                          const KernelResources &Resources,
                          const LaunchConfig &Config) const;

  DeviceDescription Device;
  TimingOptions Options;
  const SchemeModel &Model;
  CoreConfig Core;
  MemoryConfig MemorySide;
  HostThreads Threads;
  /// Made anew after an error, which may leave requests on their way, and
  /// where the L2 is to be empty.
  std::unique_ptr<MemorySystem> Memory;
  /// What the SMs' instruction caches have, of the program that ran last.
  std::vector<CodeCache> CodeCaches;
  uint64_t Cached = 0; ///< Its number.
  Cycle Clock = 0;     ///< Core cycles of all launches so far.
};

Machine::Machine(std::unique_ptr<Impl> I) : I(std::move(I)) {}
Machine::~Machine() = default;

static Result<void> checkFigures(const DeviceDescription &D) {
  if (D.Timing.empty())
    return fail(Diagnostic{"device '" + D.Name +
                               "' has no figures for timing ('timing:'); "
                               "kernels can run on it without timing",
                           D.File, 0, 0, ErrorKind::NotForDevice});
  if (D.WarpSize != WarpSize)
    return fail(
        "device '" + D.Name + "' has warps of " + std::to_string(D.WarpSize) +
            " threads; the timing model has " + std::to_string(WarpSize),
        ErrorKind::NotForDevice);
  if (D.MaxWarps > MaxWarpSlots)
    return fail("device '" + D.Name + "' has " + std::to_string(D.MaxWarps) +
                    " warps on an SM; the timing model has at most " +
                    std::to_string(MaxWarpSlots),
                ErrorKind::NotForDevice);
  std::vector<std::string> Known;
  for (const TimingFigureHelp &F : timingFigures())
    Known.push_back(F.Key);
  return checkKeys(D, Known);
}

/// The scheduler that was asked for. A register cache has places for active
/// warps alone, which only a two-level scheduler has.
static Result<void> chooseScheduler(const TimingOptions &Options,
                                    const SchemeModel &Model,
                                    CoreConfig &Core) {
  if (!Options.Scheduler.empty()) {
    Result<SchedulerPolicy> Policy = parseScheduler(Options.Scheduler);
    if (!Policy)
      return tl::make_unexpected(Policy.error());
    Core.Policy = *Policy;
  }
  if (!Model.needsActiveSets())
    return {};
  if (!Options.Scheduler.empty() && Core.Policy != SchedulerPolicy::TwoLevel)
    return fail("scheme '" + std::string(Options.Applied.name()) +
                    "' needs the two-level scheduler, not '" +
                    Options.Scheduler + "'",
                ErrorKind::BadInput);
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
  const SchemeModel *Model = findModel(Options.Applied);
  if (!Model)
    return fail("scheme '" + std::string(Options.Applied.name()) +
                "' has no SM: its library registers no model");
  if (Result<void> Ok = chooseScheduler(Options, *Model, *Core); !Ok)
    return tl::make_unexpected(Ok.error());
  return std::unique_ptr<Machine>(
      new Machine(std::make_unique<Impl>(D, Options, *Model, *Core, *Memory)));
}

const DeviceDescription &Machine::device() const { return I->Device; }

/// Fails on CTAs that no SM can hold.
static Result<void> checkResidency(const Residency &R, const TimingOptions &O,
                                   const DeviceDescription &D) {
  unsigned Most = std::max(R.Limits.CTAs, R.MostCtas);
  if (Most <= D.MaxWarps)
    return {};
  return fail("scheme '" + std::string(O.Applied.name()) +
              "': its model's residency() says " + std::to_string(Most) +
              " CTAs an SM; expected at most " + std::to_string(D.MaxWarps) +
              ", as many as '" + D.Name + "' has warps");
}

/// Fails on a core that nothing can run on.
static Result<void> checkCore(const CoreConfig &C, const CoreConfig &OfDevice,
                              Scheme S) {
  const struct {
    const char *What;
    unsigned Value, Least, Most;
  } Figures[] = {
      {"banks", C.Banks, 1, MaxBanks},
      {"banks of the main register file", C.MainBanks, 1, MaxBanks},
      {"schedulers", C.Schedulers, OfDevice.Schedulers, OfDevice.Schedulers},
      {"active warps", C.ActiveWarps, OfDevice.ActiveWarps ? 1u : 0u,
       MaxWarpSlots},
      {"read ports of a bank", C.ReadPorts, 1, OfDevice.ReadPorts},
      {"results a cycle", C.WriteBacks, 1, OfDevice.WriteBacks}};
  for (const auto &F : Figures)
    if (F.Value < F.Least || F.Value > F.Most)
      return fail("scheme '" + std::string(S.name()) +
                  "': its model's coreFor() says " + std::to_string(F.Value) +
                  " " + F.What + "; expected from " + std::to_string(F.Least) +
                  " to " + std::to_string(F.Most));
  if (C.Organisation != OfDevice.Organisation)
    return fail("scheme '" + std::string(S.name()) +
                "': its model's coreFor() changes how operands are organised; "
                "expected what the device has");
  return {};
}

Result<Occupancy> Machine::residency(const KernelResources &K,
                                     const SchemeFacts &Facts,
                                     bool WaitsForOthers) const {
  Result<Residency> R = I->Model.residency(
      I->Device, {K, Facts, WaitsForOthers}, I->Options.Settings);
  if (!R)
    return tl::make_unexpected(R.error());
  if (Result<void> Ok = checkResidency(*R, I->Options, I->Device); !Ok)
    return tl::make_unexpected(Ok.error());
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
                  D.Name + "' allows " + std::to_string(D.MaxRegsPerThread) +
                  Hint,
              ErrorKind::DoesNotFit);
}

/// Null if all code is at hand.
std::vector<CodeCache> *Machine::Impl::codeCachesOf(const Program &P) {
  if (!Core.Fetch)
    return nullptr;
  if (Cached != P.Number)
    CodeCaches.assign(Device.NumSMs, CodeCache(*Core.Fetch));
  Cached = P.Number;
  return &CodeCaches;
}

/// Fails if the code is not made for the scheme, or does not fit.
Result<LaunchPlan> Machine::Impl::plan(const LaunchCode &Code,
                                       const KernelResources &Resources,
                                       const LaunchConfig &Config) const {
  Result<SchemeFacts> Facts = Model.factsOf(Code);
  if (!Facts)
    return tl::make_unexpected(Facts.error());
  KernelNeeds Needs{Resources, *Facts, Code.Kernel.WaitsForOthers,
                    Config.Grid.count()};
  auto Refuse = [&](const Diagnostic &D) {
    return fail("kernel '" + Code.Kernel.Name + "': " + D.Message, D.Kind);
  };
  Result<Residency> Resident = Model.residency(Device, Needs, Options.Settings);
  if (!Resident)
    return Refuse(Resident.error());
  Result<CoreConfig> ForScheme = Model.coreFor(Core, Needs);
  if (!ForScheme)
    return Refuse(ForScheme.error());
  if (Result<void> Ok = checkResidency(*Resident, Options, Device); !Ok)
    return Refuse(Ok.error());
  if (Result<void> Ok = checkCore(*ForScheme, Core, Options.Applied); !Ok)
    return Refuse(Ok.error());
  return LaunchPlan{std::move(Needs), std::move(*Resident), *ForScheme};
}

/// The L2 has code and constants after the first launch.
static void assumeWarmL2(MemoryConfig &MemorySide, CoreConfig &Core) {
  MemorySide.Constant.ColdLatency = 0;
  if (Core.Modern.Fetch)
    Core.Modern.Fetch->DramLatency = 0;
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
  Result<LaunchPlan> Plan =
      I->plan({I->Options.Applied.name(), P, **F}, *Resources, Config);
  if (!Plan)
    return tl::make_unexpected(Plan.error());
  const SchemeModel &Model = I->Model;
  MemoryConfig MemorySide = I->MemorySide;
  MemorySide.L1.Ways = MemorySide.L1.waysBeside(Resources->SharedPerCTA *
                                                Plan->Resident.Limits.CTAs);
  if (I->Memory)
    assumeWarmL2(MemorySide, Plan->Core);
  else
    I->Memory = std::make_unique<MemorySystem>(I->MemorySide, I->Device.NumSMs);
  ProgramTiming Timing(P, I->Core, findCode(I->Options.Applied.name()));
  if (!Timing.Error.empty())
    return fail(Timing.Error);
  SchemeContext Setup{I->Device,
                      Plan->Core,
                      Plan->Needs,
                      Plan->Resident,
                      I->Options.Settings,
                      &Timing.Groups,
                      I->MemorySide.Shared.Latency};
  SmContext Context{I->Options.Applied.name(),
                    P,
                    Memory,
                    **F,
                    Config,
                    Functional,
                    Setup,
                    MemorySide,
                    Timing,
                    I->Device.NumSMs,
                    I->Clock,
                    quantum(Plan->Core, I->MemorySide),
                    I->Options.RecordTimeline,
                    I->Options.EveryCycle,
                    I->codeCachesOf(P)};
  GridRun Run(Model, Context, I->Options, Options, *I->Memory, I->Threads);
  Result<TimingStats> Stats = Run.run();
  if (!Stats) {
    I->Memory.reset();
    return Stats;
  }
  I->Clock += Run.cyclesSimulated();
  Stats->RegsPerThread = Resources->RegsPerThread;
  Stats->FileRegisters = Model.fileRegisters(I->Device, I->Options.Settings);
  Stats->CountsStorage = Model.countsStorage();
  return Stats;
}

void Machine::emptyL2() { I->Memory.reset(); }

std::vector<TimingFigureHelp> timingFigures() {
  std::vector<TimingFigureHelp> All = coreFigures();
  for (const MemoryFigure &F : memoryFigures())
    All.push_back({F.Key, F.Help});
  std::ranges::copy(energyFigures(), std::back_inserter(All));
  return All;
}

} // namespace regshare::sim
