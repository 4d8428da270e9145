//===- Hooks.cpp - What hooks of a scheme compile -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// No part of a test program: CMakeLists.txt has the compiler check it with
/// each macro, and expects what that says.
///
//===----------------------------------------------------------------------===//

#include "Timing/Core/SmCore.h"

namespace regshare::sim {

class Tried
#ifndef NOT_FINAL
    final
#endif
    : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
#if defined(MISSPELT_HOOK)
  bool mayIsue(const WarpRef &, const IssueInfo &) override { return true; }
#elif defined(WRONG_ARGUMENT)
  bool mayIssue(const WarpRef &, IssueInfo) override { return true; }
#elif defined(WRONG_CONSTNESS)
  bool mayIssue(const WarpRef &, const IssueInfo &) const override {
    return true;
  }
#elif defined(WRONG_RESULT)
  int mayIssue(const WarpRef &, const IssueInfo &) override { return 1; }
#elif defined(MISSPELT_FLAG)
  bool refusedMayLeaf() const override { return false; }
#else
  bool mayIssue(const WarpRef &, const IssueInfo &) override { return true; }
  bool refusedMayLeave() const override { return false; }
#endif
};

#ifdef RIGHT
class Bases : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
  bool mayIssue(const WarpRef &, const IssueInfo &) override { return true; }
};
class Derived final : public Bases {
public:
  using Bases::Bases;
};
static_assert(Overrides<decltype(&Tried::mayIssue)>);
static_assert(Overrides<decltype(&Derived::mayIssue)>);
static_assert(!Overrides<decltype(&Tried::write)>);
static_assert(!Overrides<decltype(&Derived::resultBanks)>);
#endif

std::unique_ptr<Sm> trySm(const SmContext &C) {
  return std::make_unique<SmCore<Tried, CollectorPath>>(C, 0);
}

} // namespace regshare::sim
