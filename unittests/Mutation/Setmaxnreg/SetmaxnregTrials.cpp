//===- SetmaxnregTrials.cpp - Mistakes in code of setmaxnreg -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

using namespace llvm;

namespace regshare::mutation {

namespace {

class PoolTrial final : public SchemeTrial {
  SettingValues settings(unsigned) const override { return {}; }
  unsigned randomSize(uint64_t) const override { return 0; }
  std::vector<unsigned> programSizes() const override { return {0}; }
  bool isModelled() const override { return false; }
};

constexpr PoolTrial Trial;

constexpr TrialFamily::Member Members[] = {{schemes::Setmaxnreg, Trial}};

} // namespace

extern const TrialFamily SetmaxnregTrials;
const TrialFamily SetmaxnregTrials = {Members};

} // namespace regshare::mutation
