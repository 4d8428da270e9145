//===- Check.cpp - Host against device ------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "regshare/Base/Sharing/Sharing.h"

#include "DeviceRuntime.h"
#include "Export.h"
#include "HostRuntime.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace llvm;

namespace regshare::fuzz {

namespace {

/// A kernel, and its result once the host has computed it.
struct Case {
  const Kernel *K = nullptr;
  fuzz::Launch Launch;
  Image Expected;
};

/// Kernels that were compiled together.
struct DeviceCode {
  std::vector<const Case *> Cases;
  Variant V;
  std::string PTX;
};

} // namespace

class Comparison::Impl {
public:
  Impl(ArrayRef<const Kernel *> Kernels, const CheckOptions &Options);

  Error computeOnHost(ArrayRef<Swap> Swaps);
  void compileForDevice();
  CheckResult run(ArrayRef<Swap> PTXSwaps);
  Error write(StringRef Folder) const;

private:
  bool isBad(const Case &C) const;
  void compileForDevice(ArrayRef<const Case *> Cases, const Variant &V);
  Expected<std::string> bitcode(ArrayRef<const Case *> Cases, const Variant &V);
  void runModule(const DeviceCode &Code, DeviceModule &Module);
  void runTimed(DeviceModule &Module, const Case &C, const Variant &V);
  void count(const sim::TimingStats &Stats, Scheme Applied);

  const CheckOptions Options;
  std::vector<Case> Cases;
  std::vector<Failure> BadKernels, BadCode;
  /// By level, form of code and source.
  std::map<std::tuple<unsigned, CodeForm, std::string>, std::string> Bitcode;
  std::vector<DeviceCode> Code;
  CheckResult Result;
  bool StopAtFailure = false;
};

Comparison::Impl::Impl(ArrayRef<const Kernel *> Kernels,
                       const CheckOptions &Options)
    : Options(Options) {
  for (const Kernel *K : Kernels)
    Cases.push_back({K, launchOf(*K), {}});
}

Error Comparison::Impl::computeOnHost(ArrayRef<Swap> Swaps) {
  std::vector<const Kernel *> Kernels;
  Kernels.reserve(Cases.size());
  for (const Case &C : Cases)
    Kernels.push_back(C.K);
  auto Library = HostLibrary::compile(sourceOf(Kernels), Swaps);
  if (!Library)
    return Library.takeError();
  BadKernels.clear();
  for (Case &C : Cases) {
    FuzzKernelFn Fn = (*Library)->find(C.K->Name);
    C.Expected = C.Launch.before();
    Image Again = C.Expected;
    if (!runOnHost(Fn, C.Launch, C.Expected) ||
        !runOnHost(Fn, C.Launch, Again, Turns::LastToFirst))
      BadKernels.push_back(
          {Failure::BadKernel, C.K, {}, "threads wait for each other forever"});
    else if (C.Expected != Again)
      BadKernels.push_back(
          {Failure::BadKernel,
           C.K,
           {},
           "the result depends on the order of threads:\n" +
               describeDifference(C.Launch, C.Expected, Again)});
  }
  return Error::success();
}

/// Bitcode of the cases for a variant, made once for those alike.
Expected<std::string> Comparison::Impl::bitcode(ArrayRef<const Case *> Cases,
                                                const Variant &V) {
  std::vector<const Kernel *> Kernels;
  for (const Case *C : Cases)
    Kernels.push_back(C->K);
  std::string Source = sourceOf(Kernels);
  auto [It, New] = Bitcode.try_emplace({V.OptLevel, V.frontEnd(), Source});
  if (New) {
    Expected<std::string> Made = compileToBitcode(Source, V, Options.CPU);
    if (!Made)
      return Made.takeError();
    It->second = std::move(*Made);
  }
  return It->second;
}

/// Where a whole module fails, its halves tell which kernels are to blame.
void Comparison::Impl::compileForDevice(ArrayRef<const Case *> Cases,
                                        const Variant &V) {
  if (Cases.empty())
    return;
  Expected<std::string> Bitcode = bitcode(Cases, V);
  std::vector<const Kernel *> Kernels;
  for (const Case *C : Cases)
    Kernels.push_back(C->K);
  Expected<std::string> PTX =
      Bitcode ? generatePTX(*Bitcode, V, Kernels) : Bitcode.takeError();
  std::string Why;
  if (!PTX)
    Why = toString(PTX.takeError());
  else if (auto Module = DeviceModule::load(*PTX); !Module)
    Why = Module.error().str();
  else
    return Code.push_back({Cases, V, std::move(*PTX)});
  if (Cases.size() == 1)
    return BadCode.push_back(
        {Failure::DeviceError, Cases.front()->K, V, std::move(Why)});
  size_t Half = Cases.size() / 2;
  compileForDevice(Cases.take_front(Half), V);
  compileForDevice(Cases.drop_front(Half), V);
}

void Comparison::Impl::compileForDevice() {
  std::vector<const Case *> Plain, WithCalls;
  for (const Case &C : Cases)
    (C.K->HasCalls ? WithCalls : Plain).push_back(&C);
  for (const Variant &V : Options.Variants) {
    compileForDevice(Plain, V);
    compileForDevice(WithCalls, V);
  }
}

bool Comparison::Impl::isBad(const Case &C) const {
  return any_of(BadKernels, [&](const Failure &F) { return F.Which == C.K; });
}

Error Comparison::Impl::write(StringRef Folder) const {
  for (const DeviceCode &C : Code) {
    std::vector<ExportedLaunch> Launches;
    for (const Case *Each : C.Cases)
      if (!isBad(*Each))
        Launches.push_back({&Each->Launch, &Each->Expected});
    std::string Stem =
        C.Cases.front()->K->Name + "-" + C.V.name() + "-" + Options.CPU;
    if (Error E = exportModule(Folder, Stem, C.PTX, Launches))
      return E;
  }
  return Error::success();
}

void Comparison::Impl::runModule(const DeviceCode &Code, DeviceModule &Module) {
  for (const Case *C : Code.Cases) {
    if (StopAtFailure && !Result.Failures.empty())
      return;
    if (isBad(*C))
      continue;
    ++Result.Runs;
    Image Memory = C->Launch.before();
    auto Stats = Module.run(C->Launch, Memory);
    if (!Stats) {
      Result.Failures.push_back(
          {Failure::DeviceError, C->K, Code.V, Stats.error().str()});
      continue;
    }
    Result.WarpInstructions += Stats->WarpInstructions;
    Result.ThreadInstructions += Stats->ThreadInstructions;
    Result.SplitRuns += Module.isSplit(C->Launch);
    Result.SharedSpillRuns += Module.spillsToShared(C->Launch);
    Result.ReleasedRuns += Module.releasesShared(C->Launch);
    if (Memory != C->Expected)
      Result.Failures.push_back(
          {Failure::Mismatch, C->K, Code.V,
           describeDifference(C->Launch, C->Expected, Memory)});
    else if (Options.TimedShare && C->K->Seed % Options.TimedShare == 0)
      runTimed(Module, *C, Code.V);
  }
}

/// Memory as without timing, and as many cycles on two host threads as on one;
/// of every other kernel also where no cycle is passed over.
void Comparison::Impl::runTimed(DeviceModule &Module, const Case &C,
                                const Variant &V) {
  const bool SkipsNone = C.K->Seed / std::max(1u, Options.TimedShare) % 2;
  for (const DeviceDescription &Whole : Options.Devices) {
    auto Device =
        Module.deviceFor(C.Launch, Whole, V.Applied, C.K->Seed, V.Settings);
    uint64_t Cycles = 0;
    std::string What = Device ? "" : Device.error().str() + "\n";
    sim::TimingOptions Timing =
        DeviceModule::optionsFor(V.Applied, C.K->Seed, V.Settings);
    for (unsigned Threads = 1; Device && Threads <= 2; ++Threads) {
      Timing.Threads = Threads;
      Timing.EveryCycle = Threads == 2 && SkipsNone;
      ++Result.TimedRuns;
      Image Memory = C.Launch.before();
      auto Stats = Module.runTimed(C.Launch, Memory, *Device, Timing);
      if (!Stats)
        What += Stats.error().str() + "\n";
      else if (Memory != C.Expected)
        What += describeDifference(C.Launch, C.Expected, Memory);
      else if (Cycles && Stats->Cycles != Cycles)
        What += "  " + std::to_string(Cycles) + " cycles on one thread, " +
                std::to_string(Stats->Cycles) + " on two\n";
      if (!Stats)
        continue;
      Cycles = Stats->Cycles;
      count(*Stats, V.Applied);
    }
    if (!What.empty())
      Result.Failures.push_back(
          {Failure::Timing, C.K, V,
           "on " + (Device ? *Device : Whole).Name + ":\n" + What});
  }
}

void Comparison::Impl::count(const sim::TimingStats &Stats, Scheme Applied) {
  Result.Cycles += Stats.Cycles;
  bool Paired = Stats.Pool.Unit == std::string_view("lock") ||
                Applied == schemes::RegisterSharing ||
                Applied == schemes::ScratchpadSharing;
  Result.PairedRuns += Paired && !Stats.Pool.isEmpty();
  // Of a composition whose other part has a pool as well.
  auto OfSecond = [&](std::string_view Key) -> uint64_t {
    for (const sim::SchemeCounter &C : Stats.Counters)
      if (C.Key == Key)
        return C.Value;
    return 0;
  };
  Result.PairedRuns += OfSecond("second_capacity") != 0;
  Result.Locked += OfSecond("second_successes");
  Result.LockedOut +=
      OfSecond("second_attempts") - OfSecond("second_successes");
  (Paired ? Result.Locked : Result.Acquired) += Stats.Pool.Successes;
  (Paired ? Result.LockedOut : Result.Refused) +=
      Stats.Pool.Attempts - Stats.Pool.Successes;
  const sim::RegisterCacheStats &Cache = Stats.RegisterCache;
  Result.CachedRuns += !Cache.isEmpty();
  Result.Prefetches += Cache.Prefetches;
  Result.PopPrefetches += Cache.PopPrefetches;
  Result.Refetches += Cache.Refetches;
  const sim::OperandCacheStats &Operands = Stats.Operands;
  Result.MixedRuns += Operands.MixedCTAs != 0;
  Result.Fetched += Operands.Fetched;
  Result.WrittenBack += Operands.WrittenBack;
  Result.LateWrites += Operands.LateWrites;
  Result.ResumePrefs += Operands.ResumePrefs;
}

/// True if the text has any of them.
static bool makeMistakes(ArrayRef<Swap> Swaps, std::string &Text) {
  bool Found = false;
  for (const Swap &S : Swaps)
    for (size_t At = 0; (At = Text.find(S.From, At)) != std::string::npos;
         At += S.To.size()) {
      Text.replace(At, S.From.size(), S.To);
      Found = true;
    }
  return Found;
}

CheckResult Comparison::Impl::run(ArrayRef<Swap> PTXSwaps) {
  Result = {};
  StopAtFailure = !PTXSwaps.empty();
  if (PTXSwaps.empty()) {
    Result.Failures = BadKernels;
    llvm::append_range(Result.Failures, BadCode);
  }
  for (const DeviceCode &C : Code) {
    std::string PTX = C.PTX;
    if (!makeMistakes(PTXSwaps, PTX) && !PTXSwaps.empty())
      continue;
    auto Module = DeviceModule::load(std::move(PTX));
    if (Module)
      runModule(C, **Module);
    else
      Result.Failures.push_back({Failure::DeviceError, C.Cases.front()->K, C.V,
                                 Module.error().str()});
  }
  return std::move(Result);
}

Comparison::Comparison(std::unique_ptr<Impl> I) : I(std::move(I)) {}
Comparison::~Comparison() = default;

Expected<std::unique_ptr<Comparison>>
Comparison::prepare(ArrayRef<const Kernel *> Kernels,
                    const CheckOptions &Options) {
  auto I = std::make_unique<Impl>(Kernels, Options);
  if (Error E = I->computeOnHost({}))
    return std::move(E);
  I->compileForDevice();
  return std::unique_ptr<Comparison>(new Comparison(std::move(I)));
}

CheckResult Comparison::run(ArrayRef<Swap> PTXSwaps) {
  return I->run(PTXSwaps);
}

Error Comparison::write(StringRef Folder) const { return I->write(Folder); }

Error Comparison::swapOnHost(ArrayRef<Swap> Swaps) {
  return I->computeOnHost(Swaps);
}

Expected<CheckResult> check(ArrayRef<const Kernel *> Kernels,
                            const CheckOptions &Options) {
  auto C = Comparison::prepare(Kernels, Options);
  if (!C)
    return C.takeError();
  return (*C)->run();
}

} // namespace regshare::fuzz
