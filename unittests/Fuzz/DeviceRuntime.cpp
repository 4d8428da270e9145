//===- DeviceRuntime.cpp - Random kernels on the reference SM -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceRuntime.h"

#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RFC/RFC.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Warpman/Warpman.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace regshare::fuzz {

/// Kernels end by construction; a simulator that loses a loop's counter is
/// found by this.
static constexpr uint64_t InstructionLimit = 20'000'000;
static constexpr uint64_t CycleLimit = 50'000'000;

Result<std::unique_ptr<DeviceModule>> DeviceModule::load(std::string PTX) {
  auto M = std::make_unique<DeviceModule>();
  Result<std::unique_ptr<sim::Program>> P =
      sim::loadProgram(std::move(PTX), "kernels.ptx", M->Memory);
  if (!P)
    return tl::make_unexpected(P.error());
  M->P = std::move(*P);
  return M;
}

Result<sim::LaunchConfig> DeviceModule::configure(const Launch &L,
                                                  const Buffers &B) const {
  const sim::Function *Kernel = P->findKernel(L.Name);
  if (!Kernel)
    return fail("no kernel '" + L.Name + "'");
  if (Kernel->Params.size() != 4 || Kernel->Params[3].Size != sizeof(L.P))
    return fail("the parameters of '" + L.Name + "' are not as declared");
  sim::LaunchConfig C;
  C.StackBytes = 64 << 10; // Eight calls within each other, at -O0 too.
  C.Grid = {L.Grid, 1, 1};
  C.Block = {L.BlockX, L.BlockY, 1};
  C.Arguments.resize(Kernel->ParamBytes);
  const void *Values[] = {&B.In, &B.Out, &B.Acc, &L.P};
  for (unsigned N = 0; N != 4; ++N)
    std::memcpy(C.Arguments.data() + Kernel->Params[N].Offset, Values[N],
                Kernel->Params[N].Size);
  return C;
}

/// Calls \p Run with the launch's configuration while its memory is on the
/// device.
template <typename Fn>
auto DeviceModule::withMemory(const Launch &L, Image &I, Fn Run) {
  auto [It, New] = Places.try_emplace(L.Name);
  Buffers &B = It->second;
  if (New)
    B = {Memory.allocate(4 * L.In.size()), Memory.allocate(4 * I.Out.size()),
         Memory.allocate(4 * I.Acc.size())};
  Memory.write(B.In, L.In.data(), 4 * L.In.size());
  Memory.write(B.Out, I.Out.data(), 4 * I.Out.size());
  Memory.write(B.Acc, I.Acc.data(), 4 * I.Acc.size());
  Result<sim::LaunchConfig> Config = configure(L, B);
  decltype(Run(*Config)) Stats =
      Config ? Run(*Config) : tl::make_unexpected(Config.error());
  Memory.read(B.Out, I.Out.data(), 4 * I.Out.size());
  Memory.read(B.Acc, I.Acc.data(), 4 * I.Acc.size());
  return Stats;
}

Result<sim::LaunchStats> DeviceModule::run(const Launch &L, Image &I,
                                           bool CheckUnwritten) {
  return withMemory(L, I, [&](const sim::LaunchConfig &Config) {
    sim::LaunchOptions Options;
    Options.InstructionLimit = InstructionLimit;
    Options.CheckUnwritten = CheckUnwritten;
    return sim::runKernel(*P, Memory, L.Name, Config, Options);
  });
}

bool DeviceModule::spillsToShared(const Launch &L) const {
  const sim::Function *Kernel = P->findKernel(L.Name);
  return Kernel &&
         std::ranges::any_of(
             Kernel->Syntax->Locals, [](const sim::ptx::Variable &V) {
               return std::string_view(V.Name).starts_with("regshare_spill");
             });
}

bool DeviceModule::isSplit(const Launch &L) const {
  const sim::Function *Kernel = P->findKernel(L.Name);
  return Kernel && Kernel->Facts.get<RegMutexSplit>();
}

bool DeviceModule::releasesShared(const Launch &L) const {
  const sim::Function *Kernel = P->findKernel(L.Name);
  Result<Scheme> Of = parseScheme(Kernel ? Kernel->Scheme : "");
  if (!Of || !(*Of)->findSetting(settings::PrivateShare.Name))
    return false;
  std::string_view Release =
      Of->isComposed() ? "regshare.unlock" : "regshare.release";
  return std::ranges::any_of(
      Kernel->Syntax->Body,
      [&](const sim::ptx::Instruction &I) { return I.Text == Release; });
}

/// \p Device with one SM and few registers. RegMutex: room for all warps of
/// \p L, of which one (or one of each pair) at a time can have its extended
/// set. RFV: what one CTA can claim. Warpman: one CTA and a warp more in each
/// partition.
static DeviceDescription tightDevice(DeviceDescription D, const Launch &L,
                                     const sim::Function &Kernel,
                                     Scheme Applied) {
  unsigned Threads = L.BlockX * L.BlockY;
  unsigned OfCTA = (Threads + D.WarpSize - 1) / D.WarpSize;
  unsigned Parts = D.RegisterPartitions;
  auto InPart = [&](unsigned Warps) { return (Warps + Parts - 1) / Parts; };
  unsigned Warps = InPart(std::min(L.Grid * OfCTA, D.MaxWarps));
  unsigned Rows = InPart(OfCTA) * Kernel.RegsPerThread;
  if (const auto *Split = Kernel.Facts.get<RegMutexSplit>();
      Split && Applied.includes(schemes::RegMutex))
    Rows = Warps * Split->Base + Split->Extended;
  else if (Split)
    Rows = (Warps + 1) / 2 * (2 * Split->Base + Split->Extended);
  D.NumSMs = 1;
  D.Registers = Rows * D.WarpSize * Parts;
  if (Applied.includes(schemes::Warpman))
    D.Registers =
        (InPart(OfCTA) + 1) * Parts * regsPerWarp(D, Kernel.RegsPerThread);
  D.MaxRegsPerThread = MaxArchUnits;
  return D;
}

static bool hasRegisterCache(Scheme S) {
  return usesIntervals(S) || S.includes(schemes::RFC) ||
         S.includes(schemes::SHRF);
}

static TimingFigure *timingFigure(DeviceDescription &D, std::string_view Key) {
  auto It = std::ranges::find(D.Timing, Key, &TimingFigure::Key);
  return It == D.Timing.end() ? nullptr : &*It;
}

/// \p Device with one SM and few places in its register cache: as large as the
/// kernel was compiled for, or where that does not matter as \p Seed says.
static Result<DeviceDescription> cachedDevice(DeviceDescription Device,
                                              const sim::Function &Kernel,
                                              uint64_t Seed) {
  TimingFigure *Schedulers = timingFigure(Device, "core.schedulers");
  TimingFigure *Places = timingFigure(Device, "core.active_warps");
  TimingFigure *OfPlace = timingFigure(Device, "core.cache_registers");
  if (!Schedulers || !Places || !OfPlace)
    return fail(Device.Name + " has no register cache");
  std::mt19937_64 Random(Seed);
  Places->Value =
      std::to_string(std::stoul(Schedulers->Value) * (1 + Random() % 2));
  unsigned Registers = 1 + Random() % 8;
  if (const auto *Bounds = Kernel.Facts.get<IntervalBounds>())
    Registers = std::max(1u, Bounds->Registers);
  if (const auto *Cache = Kernel.Facts.get<CacheSlots>())
    Registers = std::max(1u, Cache->Slots);
  OfPlace->Value = std::to_string(Registers);
  static constexpr double Latencies[] = {1, 1.6, 2.8, 6.3, 16};
  Device.RegisterFile.Latency = Latencies[Random() % std::size(Latencies)];
  Device.NumSMs = 1;
  Device.MaxRegsPerThread = MaxArchUnits;
  Device.Name +=
      ",sms=1,timing.core.active_warps=" + Places->Value +
      ",timing.core.cache_registers=" + OfPlace->Value +
      ",regfile.latency=" + std::to_string(Device.RegisterFile.Latency);
  return Device;
}

/// \p Device with one SM and so few registers that CTAs have some of theirs in
/// scratchpad: a fourth of what one CTA needs to twice as much, as \p Seed
/// says, or as much as one needs to fit.
static Result<DeviceDescription> mixedDevice(DeviceDescription Device,
                                             const Launch &L,
                                             const sim::Function &Kernel,
                                             unsigned Tau, uint64_t Seed) {
  KernelResources K{Kernel.RegsPerThread, L.BlockX * L.BlockY,
                    Kernel.SharedBytes};
  unsigned Parts = Device.RegisterPartitions;
  unsigned OfCTA = (K.ThreadsPerCTA + Device.WarpSize - 1) / Device.WarpSize;
  Device.NumSMs = 1;
  Device.MaxRegsPerThread = MaxArchUnits;
  unsigned Whole = (OfCTA + Parts - 1) / Parts * Parts *
                   regsPerWarp(Device, K.RegsPerThread);
  const auto *Bundles = Kernel.Facts.get<BundleBounds>();
  for (unsigned Fourths = 1 + Seed % 8; Fourths <= 8; ++Fourths) {
    Device.Registers = Whole * Fourths / 4;
    Result<EXPARSResidency> R =
        exparsResidency(Device, K, Tau, Bundles ? Bundles->Kept : 0);
    if (!R)
      return tl::make_unexpected(R.error());
    if (R->ctas())
      break;
  }
  Device.Name += ",sms=1,registers=" + std::to_string(Device.Registers);
  return Device;
}

/// \p Device with one SM and as little of \p What as a pair of CTAs needs, or
/// one CTA where that is not enough to limit them. In a composition registers
/// are the other scheme's.
static DeviceDescription pairedDevice(DeviceDescription Device,
                                      SharedResource What, const Launch &L,
                                      const sim::Function &Kernel,
                                      unsigned PerMille, bool IsComposed) {
  KernelResources K{Kernel.RegsPerThread, L.BlockX * L.BlockY,
                    Kernel.SharedBytes};
  bool OfRegisters = What == SharedResource::Registers;
  if (IsComposed)
    K.RegsPerThread = 0;
  Device.NumSMs = 1;
  Device.MaxRegsPerThread = MaxArchUnits;
  unsigned Step = OfRegisters
                      ? Device.RegsPerWarpUnit * Device.RegisterPartitions
                      : Device.SharedUnit;
  unsigned &Resource = OfRegisters ? Device.Registers : Device.SharedMemory;
  const unsigned Most = Resource;
  for (Resource = Step; Resource < Most; Resource += Step)
    if (sharingResidency(What, Device, K, PerMille).Pairs)
      break;
  Device.Name += OfRegisters ? ",sms=1,registers=" : ",sms=1,shared_memory=";
  Device.Name += std::to_string(Resource);
  return Device;
}

Result<DeviceDescription>
DeviceModule::deviceFor(const Launch &L, const DeviceDescription &Device,
                        Scheme Applied, uint64_t Seed,
                        const SettingValues &Settings) const {
  const sim::Function *Kernel = P->findKernel(L.Name);
  if (!Kernel)
    return fail("no kernel '" + L.Name + "'");
  // Each part of a composition has little of what it gives out.
  Result<DeviceDescription> Tight = Device;
  if (isSplit(L) || Applied.includes(schemes::RFV) ||
      Applied.includes(schemes::Warpman))
    Tight = tightDevice(*Tight, L, *Kernel, Applied);
  if (hasRegisterCache(Applied))
    Tight = cachedDevice(*Tight, *Kernel, Seed);
  if (Applied == schemes::EXPARS)
    return mixedDevice(Device, L, *Kernel,
                       Settings.get<unsigned>(settings::Tau), Seed);
  if (Tight && Applied->findSetting(settings::PrivateShare.Name))
    Tight = pairedDevice(
        *Tight,
        Applied.includes(schemes::RegisterSharing) ? SharedResource::Registers
                                                   : SharedResource::Scratchpad,
        L, *Kernel, Settings.get<unsigned>(settings::PrivateShare),
        Applied.isComposed());
  return Tight;
}

sim::TimingOptions DeviceModule::optionsFor(Scheme Applied, uint64_t Seed,
                                            const SettingValues &Settings) {
  static constexpr const char *Schedulers[] = {
      "lrr", "gto", "two-level", "ltlws-lrr", "ltlws-gto", "owf"};
  sim::TimingOptions Timing;
  Timing.Threads = 1;
  Timing.Applied = Applied;
  Timing.Settings = Settings;
  Timing.Scheduler =
      Schedulers[std::mt19937_64(Seed)() % std::size(Schedulers)];
  return Timing;
}

static Result<std::unique_ptr<sim::Machine>>
machineFor(const DeviceDescription &Device, const sim::TimingOptions &Timing) {
  Result<std::unique_ptr<sim::Machine>> M =
      sim::Machine::create(Device, Timing);
  if (M || Timing.Scheduler.empty())
    return M;
  sim::TimingOptions Own = Timing;
  Own.Scheduler.clear();
  return sim::Machine::create(Device, Own);
}

Result<sim::TimingStats>
DeviceModule::runTimed(const Launch &L, Image &I,
                       const DeviceDescription &Device,
                       const sim::TimingOptions &Timing) {
  Result<std::unique_ptr<sim::Machine>> M = machineFor(Device, Timing);
  if (!M)
    return tl::make_unexpected(M.error());
  const sim::Function *Kernel = P->findKernel(L.Name);
  sim::TimedLaunchOptions Options;
  Options.CycleLimit = CycleLimit;
  // Code for a later processor may name more registers than this one has.
  if (Kernel)
    Options.RegsPerThread =
        std::min(Kernel->RegsPerThread, uint32_t(Device.MaxRegsPerThread));
  Result<sim::TimingStats> Stats =
      withMemory(L, I, [&](const sim::LaunchConfig &Config) {
        return (*M)->run(*P, Memory, L.Name, Config, Options);
      });
  if (!Stats)
    return Stats;
  uint64_t Slots = Stats->Cycles * Stats->NumSMs * Stats->SlotsPerCycle;
  if (Stats->Slots.total() != Slots)
    return fail("the causes sum to " + std::to_string(Stats->Slots.total()) +
                " issue slots; there were " + std::to_string(Slots));
  return Stats;
}

} // namespace regshare::fuzz
