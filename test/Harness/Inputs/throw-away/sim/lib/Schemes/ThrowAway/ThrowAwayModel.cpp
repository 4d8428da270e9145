//===- ThrowAwayModel.cpp - Warps that pause ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModelOf.h"

#include <array>

namespace regshare {

namespace settings {
extern const Setting Pause;
} // namespace settings
namespace schemes {
extern const SchemeDescription ThrowAway;
} // namespace schemes

namespace sim {

namespace {

class ThrowAwayScheme final : public SchemeHooks {
public:
  explicit ThrowAwayScheme(const SchemeContext &C)
      : SchemeHooks(C), Pause(C.Values.get<Cycle>(settings::Pause)) {}

  void tick(Cycle C) override { Now = C; }
  bool mayIssue(const WarpRef &W, const IssueInfo &) override {
    return Ready[W.Slot] <= Now;
  }
  Cycle readyAt(const WarpRef &W) const override { return Ready[W.Slot]; }
  void issued(const WarpRef &W, const IssueInfo &) override {
    Ready[W.Slot] = Now + 1 + Pause;
    ++Pauses;
  }
  std::vector<SchemeCounter> counters() const override {
    return {{"pauses", "times a warp has paused", Pauses}};
  }

private:
  Cycle Pause, Now = 0;
  std::array<Cycle, 64> Ready = {};
  uint64_t Pauses = 0;
};

} // namespace

static const SchemeModelOf<ThrowAwayScheme> ThrowAway;
static const ModelFamily::Member Members[] = {{schemes::ThrowAway, ThrowAway}};
extern const ModelFamily ThrowAwayModels;
const ModelFamily ThrowAwayModels = {Members};

} // namespace sim
} // namespace regshare
