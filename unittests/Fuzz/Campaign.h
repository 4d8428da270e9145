//===- Campaign.h - Many kernels, by several processes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_CAMPAIGN_H
#define REGSHARE_UNITTESTS_FUZZ_CAMPAIGN_H

#include "Check.h"

namespace regshare::fuzz {

struct CampaignOptions {
  uint64_t Seed = 1;
  uint64_t Kernels = 100;
  unsigned BatchSize = 50;
  unsigned Jobs = 1; ///< Processes.
  /// Stop beginning batches after this; 0 never.
  unsigned Seconds = 0;
  /// Fixed variants and processor; empty: another for each batch, by turns.
  std::vector<Variant> Variants;
  /// Further variants of each batch: these schemes, at the batch's level, with
  /// random settings.
  std::vector<Scheme> Schemes;
  /// Of these variants.
  CodeForm Code = CodeForm::PTX;
  unsigned MaxRegs = 0;        ///< Of all architected variants; 0: their own.
  bool SharedSpilling = false; ///< With MaxRegs, as Variant has it.
  std::string CPU;
  std::vector<DeviceDescription> Devices; ///< As CheckOptions has them.
  unsigned TimedShare = 0;
  /// Where reproducers go; empty: none are written.
  std::string FailureFolder;
  unsigned ReduceSeconds = 60; ///< For each failure; 0 does not reduce.
  /// Where kernels, launches and the host's results go; empty: nowhere.
  std::string ExportFolder;
};

/// Sums over the processes. Plain numbers, since it goes through a pipe.
struct CampaignResult {
  uint64_t Kernels = 0, Runs = 0;
  uint64_t WarpInstructions = 0, ThreadInstructions = 0;
  uint64_t TimedRuns = 0, Cycles = 0;
  /// As in CheckResult.
  uint64_t SplitRuns = 0, Acquired = 0, Refused = 0;
  uint64_t SharedSpillRuns = 0;
  uint64_t CachedRuns = 0, Prefetches = 0, PopPrefetches = 0, Refetches = 0;
  uint64_t MixedRuns = 0, Fetched = 0, WrittenBack = 0, LateWrites = 0;
  uint64_t ResumePrefs = 0;
  uint64_t ReleasedRuns = 0, PairedRuns = 0, Locked = 0, LockedOut = 0;
  uint64_t Mismatches = 0, DeviceErrors = 0, BadKernels = 0, TimingErrors = 0;
  /// Processes that ended in a crash, or batches the host could not compile.
  uint64_t Broken = 0;

  uint64_t failures() const {
    return Mismatches + DeviceErrors + BadKernels + TimingErrors + Broken;
  }
  void add(const CampaignResult &Other);
};

/// Prints failures to standard output as they come.
CampaignResult runCampaign(const CampaignOptions &Options);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_CAMPAIGN_H
