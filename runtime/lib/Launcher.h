//===- Launcher.h - One kernel on the reference SM -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only place that knows how the reference SM executes a kernel: with the
/// timing model, whose caches keep their contents between launches, or without.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LAUNCHER_H
#define REGSHARE_RUNTIME_LAUNCHER_H

#include "Sampling/LaunchSampler.h"
#include "Settings.h"

#include "regshare/Sim/Timing.h"
#include "regshare/Sim/Views.h"

#include "cuda_runtime_api.h"

#include <memory>
#include <optional>

namespace regshare::cudart {

struct LaunchOutcome {
  sim::LaunchStats Stats;
  double Seconds = 0;                    ///< Of simulated time.
  std::optional<sim::TimingStats> Timed; ///< Nothing without timing.
  /// It was not timed, or only its first CTAs (Timed is of these then), and its
  /// cycles are estimated.
  bool IsSampled = false;
};

class Launcher {
public:
  /// Fails if the device cannot be timed and timing is asked for. \p Sampler is
  /// told of every launch that is to be timed.
  static Result<Launcher> create(const Settings &S, LaunchSampler &Sampler);

  /// Executes \p Kernel of \p P, of which a CTA takes \p Needs;
  /// \p Together: its CTAs, which fit, may wait for each other. Fails on what
  /// the kernel does wrong. In lenient mode, what is let pass is added to \p
  /// Passed. \p Device takes the grids that its threads launch.
  Result<LaunchOutcome> run(const sim::Program &P, sim::GlobalMemory &Memory,
                            const std::string &Kernel,
                            const sim::LaunchConfig &Config,
                            const KernelResources &Needs, bool Together,
                            sim::LenienceLog &Passed,
                            sim::DeviceRuntime &Device);

  /// CTAs of \p Kernel that one SM holds under the scheme, if \p Together all
  /// at the same time with all their registers; at least one. Fails if not even
  /// one fits, with the scheme's reason.
  Result<unsigned> residentCTAs(const KernelResources &K,
                                const sim::Function &Kernel,
                                bool Together) const;

private:
  Launcher(const Settings &S, LaunchSampler &Sampler)
      : S(&S), Sampler(&Sampler), Launches(S.Launches) {}
  /// What is to be run.
  struct Request {
    const sim::Program &P;
    sim::GlobalMemory &Memory;
    const std::string &Kernel;
    const sim::LaunchConfig &Config;
    const KernelResources &Needs;
    bool Together;
    sim::LaunchOptions Options;
  };
  /// How many CTAs are to be timed, from the first on; nothing if the launch
  /// is to have no cycles.
  std::optional<uint64_t> chooseCtas(const Request &R);
  Result<LaunchOutcome> runTimed(const Request &R, uint64_t Ctas);
  Result<LaunchOutcome> runPart(const Request &R, uint64_t Ctas);
  /// The CTAs from \p FirstCta on, without timing.
  Result<sim::LaunchStats> execute(const Request &R, uint64_t FirstCta) const;

  const Settings *S;
  LaunchSampler *Sampler;
  LaunchChoice Launches; ///< That are timed, where there is a machine.
  std::unique_ptr<sim::Machine> Machine; ///< Null without timing.
  /// Of the launch under way, on a terminal.
  std::unique_ptr<std::optional<sim::ProgressLine>> Line;
};

/// CUDA's error code for what Launcher::run() says.
cudaError_t classifyFault(ErrorKind Kind);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LAUNCHER_H
