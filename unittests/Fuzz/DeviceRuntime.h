//===- DeviceRuntime.h - Random kernels on the reference SM -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_DEVICERUNTIME_H
#define REGSHARE_UNITTESTS_FUZZ_DEVICERUNTIME_H

#include "Launch.h"

#include "regshare/Sim/Timing.h"

#include <map>

namespace regshare::fuzz {

/// A module of kernels that the reference SM has loaded.
class DeviceModule {
public:
  static Result<std::unique_ptr<DeviceModule>> load(std::string PTX);

  /// Runs a kernel on \p Memory without timing. What it reads and has not
  /// written is an error unless \p CheckUnwritten is false.
  Result<sim::LaunchStats> run(const Launch &L, Image &Memory,
                               bool CheckUnwritten = true);

  /// The kernel has registers in shared memory.
  bool spillsToShared(const Launch &L) const;
  /// RegMutex has divided the kernel's registers.
  bool isSplit(const Launch &L) const;
  /// The kernel releases what it shares with a paired CTA.
  bool releasesShared(const Launch &L) const;

  /// \p Device as \p Applied is to be tried on. Where warps share registers, it
  /// has one SM and hardly more registers than it can do with, so that they
  /// have to wait for each other. Where they have a register cache, it has one
  /// SM with one or two places for each scheduler, and \p Seed decides how many
  /// and how slow the main register file is. EXPARS gets one SM with registers
  /// for a fourth of a CTA to two, as \p Seed says. Where CTAs share in pairs,
  /// one SM has room for one CTA and, if the kernel allows, for one pair.
  Result<DeviceDescription> deviceFor(const Launch &L,
                                      const DeviceDescription &Device,
                                      Scheme Applied, uint64_t Seed,
                                      const SettingValues &Settings) const;

  /// How it is to be tried, on one host thread. \p Seed decides over the
  /// scheduler.
  static sim::TimingOptions optionsFor(Scheme Applied, uint64_t Seed,
                                       const SettingValues &Settings);

  /// Runs a kernel cycle by cycle on an idle \p Device, with the device's own
  /// scheduler where the scheme refuses that of \p Timing. Also fails if the
  /// issue slots do not sum to the total.
  Result<sim::TimingStats> runTimed(const Launch &L, Image &Memory,
                                    const DeviceDescription &Device,
                                    const sim::TimingOptions &Timing);

private:
  template <typename Fn>
  auto withMemory(const Launch &L, Image &Memory, Fn Run);
  struct Buffers {
    uint64_t In = 0, Out = 0, Acc = 0;
  };
  Result<sim::LaunchConfig> configure(const Launch &L, const Buffers &B) const;

  sim::GlobalMemory Memory;
  std::unique_ptr<sim::Program> P;
  /// By kernel. Every launch has them at the same addresses, which decide over
  /// bank conflicts.
  std::map<std::string, Buffers> Places;
};

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_DEVICERUNTIME_H
