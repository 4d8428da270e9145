//===- MarkedTrials.cpp - No mistakes of its own --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeTrial.h"

namespace regshare {

namespace schemes {
extern const SchemeDescription Marked;
} // namespace schemes

namespace mutation {

namespace {
class MarkedTrial final : public SchemeTrial {
  SettingValues settings(unsigned) const override { return {}; }
  unsigned randomSize(uint64_t) const override { return 0; }
  std::vector<unsigned> programSizes() const override { return {0}; }
  bool isModelled() const override { return false; }
};
} // namespace

static constexpr MarkedTrial Trial;
static constexpr TrialFamily::Member Members[] = {{schemes::Marked, Trial}};
extern const TrialFamily MarkedTrials;
const TrialFamily MarkedTrials = {Members};

} // namespace mutation
} // namespace regshare
