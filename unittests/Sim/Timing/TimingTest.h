//===- TimingTest.h - Running PTX with timing in tests ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_TIMING_TIMINGTEST_H
#define REGSHARE_UNITTESTS_SIM_TIMING_TIMINGTEST_H

#include "Presets.h"
#include "SimTest.h"
#include "regshare/Sim/Timing.h"

#include <algorithm>

namespace regshare::sim {

inline DeviceDescription deviceNamed(const std::string &Name) {
  Result<DeviceDescription> D = loadDevice(Name);
  EXPECT_TRUE(D) << (D ? "" : D.error().str());
  return D ? *D : DeviceDescription();
}

/// Replaces a figure of `timing:`.
inline void setFigure(DeviceDescription &D, const std::string &Key,
                      unsigned Value) {
  auto It = std::ranges::find(D.Timing, Key, &TimingFigure::Key);
  ASSERT_NE(It, D.Timing.end()) << Key;
  It->Value = std::to_string(Value);
}

inline std::string textFigure(const DeviceDescription &D,
                              const std::string &Key) {
  auto It = std::ranges::find(D.Timing, Key, &TimingFigure::Key);
  EXPECT_NE(It, D.Timing.end()) << Key;
  return It == D.Timing.end() ? "0" : It->Value;
}

inline unsigned figure(const DeviceDescription &D, const std::string &Key) {
  return unsigned(std::stoul(textFigure(D, Key)));
}

/// What holds of every run.
inline void checkAccounting(const TimingStats &S) {
  EXPECT_EQ(S.Slots.total(), S.Cycles * S.NumSMs * S.SlotsPerCycle);
  EXPECT_EQ(S.Slots[SlotUse::Issued], S.Functional.issueSlots());
  for (const CpiStack &OfSM : S.SlotsOfSM)
    EXPECT_EQ(OfSM.total(), S.Cycles * S.SlotsPerCycle);
}

/// A launch with timing that must succeed.
inline TimingStats runTimed(Machine &M, TestProgram &T,
                            const std::string &Kernel, Dim3 Grid, Dim3 Block,
                            const std::vector<uint64_t> &Arguments,
                            unsigned Regs = 20) {
  const Function *F = T.P ? T.P->findKernel(Kernel) : nullptr;
  EXPECT_TRUE(F) << T.Error;
  if (!F)
    return {};
  TimedLaunchOptions Options;
  Options.RegsPerThread = Regs;
  Options.CycleLimit = 20'000'000;
  Result<std::vector<uint8_t>> Bytes = packArguments(*F, Arguments);
  EXPECT_TRUE(Bytes) << Bytes.error().str();
  Result<TimingStats> S =
      M.run(*T.P, T.Memory, Kernel, {Grid, Block, 0, *Bytes}, Options);
  EXPECT_TRUE(S) << S.error().str();
  if (!S)
    return {};
  checkAccounting(*S);
  return *S;
}

inline std::unique_ptr<Machine> machine(const DeviceDescription &D,
                                        const TimingOptions &Options = {}) {
  Result<std::unique_ptr<Machine>> M = Machine::create(D, Options);
  EXPECT_TRUE(M) << M.error().str();
  return std::move(*M);
}

/// kernelAround(Body) on a machine of its own, with a buffer of 64 KB.
inline TimingStats runBody(const DeviceDescription &D, const std::string &Body,
                           Dim3 Grid = {1}, Dim3 Block = {32},
                           const TimingOptions &Options = {},
                           const std::string &ModuleScope = "") {
  TestProgram T(kernelAround(Body, ModuleScope));
  uint64_t Out = T.upload(std::vector<uint32_t>(16384));
  return runTimed(*machine(D, Options), T, "k", Grid, Block, {Out});
}

inline std::string repeat(const std::string &Text, unsigned Count) {
  std::string All;
  for (unsigned N = 0; N != Count; ++N)
    All += Text;
  return All;
}

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_TIMING_TIMINGTEST_H
