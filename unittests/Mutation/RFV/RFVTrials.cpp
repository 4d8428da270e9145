//===- RFVTrials.cpp - Mistakes in code of RFV ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

#include "regshare/Base/RFV/RFV.h"

using namespace llvm;

namespace regshare::mutation {

namespace {

class FreesTrial final : public SchemeTrial {
  SettingValues settings(unsigned) const override { return {}; }
  unsigned randomSize(uint64_t) const override { return 0; }
  std::vector<unsigned> programSizes() const override { return {0}; }
  bool isModelled() const override { return false; }
};

constexpr FreesTrial Trial;

constexpr TrialFamily::Member Members[] = {{schemes::RFV, Trial}};

} // namespace

extern const TrialFamily RFVTrials;
const TrialFamily RFVTrials = {Members};

} // namespace regshare::mutation
