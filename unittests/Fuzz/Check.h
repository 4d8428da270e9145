//===- Check.h - Host against device -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs kernels on both sides and compares all memory bit for bit.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_CHECK_H
#define REGSHARE_UNITTESTS_FUZZ_CHECK_H

#include "Compile.h"

#include "regshare/Base/Device.h"

namespace regshare::fuzz {

struct CheckOptions {
  std::vector<Variant> Variants = allVariants();
  std::string CPU = "sm_80";
  /// Devices on which one kernel in TimedShare runs cycle by cycle as well; no
  /// kernel does if TimedShare is 0.
  std::vector<DeviceDescription> Devices;
  unsigned TimedShare = 0;
};

struct Failure {
  enum Kind {
    Mismatch,
    DeviceError, ///< The code does not compile, load or run to its end.
    BadKernel,   ///< The host alone finds that the result is not defined.
    Timing,      ///< Only the timed mode goes wrong.
  };
  Kind K = Mismatch;
  const Kernel *Which = nullptr;
  Variant V;
  std::string What;
};

struct CheckResult {
  uint64_t Runs = 0; ///< Of a kernel in a variant.
  uint64_t TimedRuns = 0, Cycles = 0;
  /// Runs in which RegMutex had divided the registers, and the times that warps
  /// got and did not get them in the timed ones.
  uint64_t SplitRuns = 0, Acquired = 0, Refused = 0;
  uint64_t SharedSpillRuns = 0; ///< Of code with registers in shared memory.
  /// Timed runs with a register cache, PREFETCHes in them, those that the SM
  /// executed by itself, and warps that came back to their interval.
  uint64_t CachedRuns = 0, Prefetches = 0, PopPrefetches = 0, Refetches = 0;
  /// Timed runs with registers in scratchpad, rows that were fetched and
  /// written back in them, results that came late, and bundles that the SM
  /// brought back by itself.
  uint64_t MixedRuns = 0, Fetched = 0, WrittenBack = 0, LateWrites = 0;
  uint64_t ResumePrefs = 0;
  /// Runs of code that releases what paired CTAs share, timed ones in which
  /// CTAs were paired, and the times that locks were taken and waited for.
  uint64_t ReleasedRuns = 0, PairedRuns = 0, Locked = 0, LockedOut = 0;
  uint64_t WarpInstructions = 0, ThreadInstructions = 0;
  std::vector<Failure> Failures;
};

/// Kernels whose result the host knows, and their code for the device.
class Comparison {
public:
  /// Compiles \p Kernels, which have to live as long as this, for both sides.
  /// Fails only if the host's compiler does.
  static llvm::Expected<std::unique_ptr<Comparison>>
  prepare(llvm::ArrayRef<const Kernel *> Kernels, const CheckOptions &Options);
  ~Comparison();

  /// Runs every kernel in every variant that can express it. \p PTXSwaps are
  /// mistakes to make in the PTX, as text; with them, modules that do not have
  /// the text are left out, and the first failure ends the run.
  CheckResult run(llvm::ArrayRef<Swap> PTXSwaps = {});

  /// Writes to \p Folder what run() runs and compares, as exportModule() does.
  llvm::Error write(llvm::StringRef Folder) const;

  /// Computes the host's side again, with mistakes: it takes each operation
  /// for another.
  llvm::Error swapOnHost(llvm::ArrayRef<Swap> Swaps);

private:
  class Impl;
  explicit Comparison(std::unique_ptr<Impl> I);
  std::unique_ptr<Impl> I;
};

/// Prepares and runs.
llvm::Expected<CheckResult> check(llvm::ArrayRef<const Kernel *> Kernels,
                                  const CheckOptions &Options);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_CHECK_H
