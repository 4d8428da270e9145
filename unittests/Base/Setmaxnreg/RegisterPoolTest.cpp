//===- RegisterPoolTest.cpp - A CTA's registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

#include "regshare/Base/Device.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace regshare;

namespace {

/// The same registers one by one, each with its owner.
class Owners {
public:
  Owners(unsigned Warps, unsigned PerThread) {
    for (unsigned W = 0; W != Warps; ++W)
      Of.insert(Of.end(), PerThread, int(W));
  }
  unsigned countOf(int Warp) const {
    return unsigned(std::ranges::count(Of, Warp));
  }
  /// Takes what is free, one by one; false, and all as before, if that is not
  /// enough.
  bool become(int Warp, unsigned Count) {
    std::vector<int> Before = Of;
    while (countOf(Warp) != Count) {
      bool Grows = countOf(Warp) < Count;
      auto It = std::ranges::find(Of, Grows ? Nobody : Warp);
      if (It == Of.end()) {
        Of = Before;
        return false;
      }
      *It = Grows ? Warp : Nobody;
    }
    return true;
  }
  unsigned left() const { return countOf(Nobody); }

private:
  static constexpr int Nobody = -1;
  std::vector<int> Of;
};

std::string reason(const std::string &Text) {
  Result<Statement> S = parseStatement(Text);
  if (!S)
    return S.error().Message;
  Result<LaunchRegisters> Launch = parsePool(*S);
  return Launch ? "" : Launch.error().Message;
}

} // namespace

TEST(RegisterPool, GivesOutEachRegisterOnce) {
  std::mt19937 Random(7);
  for (unsigned Case = 0; Case != 25; ++Case) {
    unsigned Warps = 1 + Random() % 6, Launch = 8 * (3 + Random() % 20);
    RegisterPool Pool(Warps, Launch);
    Owners Expected(Warps, Launch);
    for (unsigned Step = 0; Step != 40; ++Step) {
      unsigned Warp = Random() % Warps, Count = 8 * (3 + Random() % 30);
      SCOPED_TRACE("case " + std::to_string(Case) + ", step " +
                   std::to_string(Step));
      bool Fits = Expected.become(int(Warp), Count);
      ASSERT_EQ(Pool.has(Warp, Count), Fits);
      if (Fits)
        Pool.change(Warp, Count);
      ASSERT_EQ(Pool.countOf(Warp), Expected.countOf(int(Warp)));
      ASSERT_EQ(Pool.left(), Expected.left());
    }
  }
}

/// A producer that keeps 24 gives two consumers 240 of 168 each; 248 are more
/// than there are.
TEST(RegisterPool, OfThreeWarpgroups) {
  RegisterPool Pool(12, 168);
  EXPECT_FALSE(Pool.has(4, 240));
  for (unsigned W = 0; W != 4; ++W)
    Pool.change(W, 24);
  EXPECT_EQ(Pool.left(), 4 * 144u);
  for (unsigned W = 4; W != 12; ++W) {
    ASSERT_TRUE(Pool.has(W, 240));
    Pool.change(W, 240);
  }
  EXPECT_EQ(Pool.left(), 0u);
  EXPECT_FALSE(Pool.has(4, 248));
}

TEST(RegisterPool, Counts) {
  unsigned Valid = 0;
  for (unsigned Count = 0; Count != 300; ++Count)
    Valid += whyNoCount(Count).empty();
  EXPECT_EQ(Valid, 30u); // 24, 32, ..., 256
  EXPECT_EQ(whyNoCount(30),
            "expected a multiple of 8 from 24 to 256, found 30");
  EXPECT_EQ(whyNoChange({true, 40}, 40), "");
  EXPECT_EQ(whyNoChange({false, 40}, 40), "");
  EXPECT_EQ(whyNoChange({true, 40}, 80), "setmaxnreg.inc 40 where a thread has "
                                         "80 registers: expected 80 or more");
  EXPECT_EQ(whyNoChange({false, 96}, 80), "setmaxnreg.dec 96 where a thread "
                                          "has 80 registers: expected 80 or "
                                          "fewer");
}

TEST(RegisterPool, Statement) {
  EXPECT_EQ(printPoolPragma({80}), ".pragma \"regshare.pool launch=80\";");
  EXPECT_EQ(reason("regshare.pool launch=80"), "");
  EXPECT_NE(reason("regshare.pool launch=81").find("a multiple of 8, not 81"),
            std::string::npos);
  EXPECT_NE(reason("regshare.pool launch=264"), "");
  EXPECT_NE(reason("regshare.pool"), "");
  EXPECT_NE(reason("regshare.pool registers=80"), "");
}

/// Registers of the launch limit the CTAs of an SM, not those that some warps
/// have later.
TEST(RegisterPool, ResidentCtas) {
  Result<DeviceDescription> Device = loadDevice("h100");
  ASSERT_TRUE(Device);
  EXPECT_EQ(whyNotOn(*Device), "");
  EXPECT_EQ(whyNotOn(*loadDevice("a100")),
            "setmaxnreg is of sm_90a and later: expected such a device, "
            "'a100' is of sm_80");
  SchemeFacts Facts;
  KernelResources K{216, 256, 0};
  Scheme S = schemes::Setmaxnreg;
  EXPECT_EQ(S.residentCTAs(*Device, K, Facts, {}), 1u);
  Facts.set(LaunchRegisters{80});
  EXPECT_EQ(S.residentCTAs(*Device, K, Facts, {}), 65536u / (80 * 256));
}
