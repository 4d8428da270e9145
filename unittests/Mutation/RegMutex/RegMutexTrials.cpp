//===- RegMutexTrials.cpp - Mistakes in code of RegMutex ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/Base/RegMutex/RegMutex.h"

using namespace llvm;

namespace regshare::mutation {

namespace {

/// The size is that of the extended set.
class HoldingTrial final : public SchemeTrial {
  SettingValues settings(unsigned Size) const override {
    return SettingValues().set(settings::ExtendedSet, Size);
  }
  unsigned randomSize(uint64_t Seed) const override { return 2 + Seed % 6 * 2; }
  std::vector<unsigned> programSizes() const override {
    return {2, 4, 6, 8, 12};
  }
  /// Of the mutant, whose code says how many; with a size, code does not depend
  /// on the launch.
  SettingValues programSettings() const override { return settings(2); }
  bool isModelled() const override { return false; }
  const char *reasonWithout(StringRef Verb) const override {
    return Verb == "acquire"
               ? "proved sound: held already, or not needed before the next"
               : "proved sound: released already, or only held longer";
  }
};

constexpr HoldingTrial Trial;

constexpr TrialFamily::Member Members[] = {{schemes::RegMutex, Trial},
                                           {schemes::RegMutexPaired, Trial}};

} // namespace

extern const TrialFamily RegMutexTrials;
const TrialFamily RegMutexTrials = {Members};

} // namespace regshare::mutation
