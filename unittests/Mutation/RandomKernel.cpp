//===- RandomKernel.cpp - Mutants of the fuzzer's kernels ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "../Fuzz/Compile.h"
#include "../Fuzz/DeviceRuntime.h"
#include "../Fuzz/HostRuntime.h"

#include <map>
#include <random>

using namespace llvm;

namespace regshare::mutation {

namespace {

/// Launches of each mutant, and of one that would be missed.
constexpr unsigned FewInputs = 6, NumInputs = 40;

/// A launch of a kernel and what it is to compute.
struct Case {
  fuzz::Launch L;
  fuzz::Image Expected;
};

/// A kernel before a scheme is applied to it; nameless if it calls functions.
struct Prepared {
  std::string Name, Bitcode;
  std::vector<Case> Cases;
};

class LaunchRunner : public Runner {
public:
  /// \p Cases outlive it.
  LaunchRunner(Scheme S, SettingValues Settings, ArrayRef<Case> Cases)
      : S(S), Settings(std::move(Settings)), Cases(Cases) {}

  std::string run(const std::string &PTX,
                  const RunOptions &Options) const override;

private:
  static std::string runCase(fuzz::DeviceModule &Module, const Case &C,
                             const RunOptions &Options);
  std::string runTimed(fuzz::DeviceModule &Module, const Case &C) const;

  Scheme S;
  SettingValues Settings; ///< Of the code.
  ArrayRef<Case> Cases;
};

} // namespace

/// Reading one takes as long as a run.
static const Result<DeviceDescription> &deviceCalled(const std::string &Name) {
  static std::map<std::string, Result<DeviceDescription>> Devices;
  auto It = Devices.find(Name);
  if (It == Devices.end())
    It = Devices.emplace(Name, loadDevice(Name)).first;
  return It->second;
}

std::string LaunchRunner::runCase(fuzz::DeviceModule &Module, const Case &C,
                                  const RunOptions &Options) {
  fuzz::Image Memory = C.L.before();
  if (auto Stats = Module.run(C.L, Memory, !Options.IsProbe); !Stats)
    return Stats.error().str();
  return Memory == C.Expected ? "" : "wrong result";
}

std::string LaunchRunner::runTimed(fuzz::DeviceModule &Module,
                                   const Case &C) const {
  for (const char *Name : {"gtx480", "hopper"}) {
    const Result<DeviceDescription> &Whole = deviceCalled(Name);
    if (!Whole)
      return Whole.error().str();
    uint64_t Seed = &C - Cases.data();
    SettingValues All = fuzz::randomSettings(S, Seed, Settings);
    Result<DeviceDescription> D = Module.deviceFor(C.L, *Whole, S, Seed, All);
    if (!D)
      return D.error().str();
    fuzz::Image Memory = C.L.before();
    auto Stats = Module.runTimed(C.L, Memory, *D,
                                 fuzz::DeviceModule::optionsFor(S, Seed, All));
    std::string Wrong = !Stats                 ? Stats.error().str()
                        : Memory != C.Expected ? "wrong result"
                                               : "";
    if (!Wrong.empty())
      return std::string("timed on ") + Name + ": " + Wrong;
  }
  return {};
}

std::string LaunchRunner::run(const std::string &PTX,
                              const RunOptions &Options) const {
  for (const Case &C : Cases) {
    if (!Options.All && &C - Cases.data() == FewInputs)
      break;
    // A module keeps its buffers, and launches differ in size.
    auto Module = fuzz::DeviceModule::load(PTX);
    if (!Module)
      return Module.error().str();
    std::string Wrong = runCase(**Module, C, Options);
    if (Wrong.empty() && Options.Timed && &C == &Cases.front())
      Wrong = runTimed(**Module, C);
    if (!Wrong.empty())
      return Wrong;
  }
  return {};
}

constexpr unsigned WarpSize = 32;

/// Other threads, inputs and parameters.
static void vary(fuzz::Launch &L, unsigned Seed) {
  std::mt19937 Numbers(Seed);
  L.BlockX = WarpSize * (1 + Seed % 3);
  L.BlockY = 1;
  for (u32 &Word : L.In)
    Word = Numbers() >> Numbers() % 32;
  L.P.B = u8(Numbers());
  L.P.T = s16(Numbers());
  L.P.U = Numbers();
  L.P.F = f32(Numbers() % 4096) / 16;
  L.P.Q = u64(Numbers()) << 32 | Numbers();
  L.P.D = f64(Numbers()) / 7;
}

static Expected<Prepared> prepare(uint64_t Seed, CodeForm Code) {
  fuzz::GeneratorOptions Small;
  Small.MaxStatements = 6;
  Small.Sweeps = 1;
  Small.Meetings = 1;
  fuzz::Kernel K = fuzz::generateKernel(Seed, Small);
  if (K.HasCalls)
    return Prepared();
  std::string Source = fuzz::sourceOf(&K);
  auto Host = fuzz::HostLibrary::compile(Source);
  if (!Host)
    return Host.takeError();
  Prepared P;
  P.Name = K.Name;
  for (unsigned N = 0; N != NumInputs; ++N) {
    Case C;
    C.L = fuzz::launchOf(K);
    if (N)
      vary(C.L, N);
    C.Expected = C.L.before();
    if (!fuzz::runOnHost((*Host)->find(K.Name), C.L, C.Expected))
      return createStringError("threads wait for each other forever");
    P.Cases.push_back(std::move(C));
  }
  // Optimised code has hardly a load of what it has stored.
  unsigned Level = Code == CodeForm::Native && Seed % 4 == 0 ? 0 : 2;
  auto Bitcode = fuzz::compileToBitcode(Source, {true, Level, Code}, "sm_80");
  if (!Bitcode)
    return Bitcode.takeError();
  P.Bitcode = std::move(*Bitcode);
  return P;
}

Expected<RandomKernel> makeRandomKernel(uint64_t Seed, Scheme S,
                                        const SettingValues &Settings,
                                        CodeForm Code) {
  // Each scheme asks for it, and it takes two compilers and a linker.
  static std::map<std::pair<uint64_t, CodeForm>, Prepared> Known;
  auto It = Known.find({Seed, Code});
  if (It == Known.end()) {
    Expected<Prepared> Made = prepare(Seed, Code);
    if (!Made)
      return Made.takeError();
    It = Known.emplace(std::pair(Seed, Code), std::move(*Made)).first;
  }
  const Prepared &P = It->second;
  if (P.Name.empty())
    return RandomKernel();
  return RandomKernel{P.Name, P.Bitcode,
                      std::make_unique<LaunchRunner>(S, Settings, P.Cases)};
}

} // namespace regshare::mutation
