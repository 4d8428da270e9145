//===- SchemeTest.cpp - Tests of the scheme names -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Scheme.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace regshare;

TEST(Scheme, ReadsWhatIsAvailable) {
  Result<Scheme> S = parseScheme("baseline");
  ASSERT_TRUE(S);
  EXPECT_EQ(*S, Scheme::Baseline);
  EXPECT_EQ(schemeName(*S), "baseline");
  EXPECT_EQ(*parseScheme("ideal"), Scheme::Ideal);
  EXPECT_EQ(*parseScheme("regmutex"), Scheme::RegMutex);
  EXPECT_EQ(*parseScheme("regmutex-paired"), Scheme::RegMutexPaired);
  EXPECT_EQ(*parseScheme("rfv"), Scheme::RFV);
  EXPECT_EQ(*parseScheme("ltrf"), Scheme::LTRF);
  EXPECT_EQ(*parseScheme("ltrf-plus"), Scheme::LTRFPlus);
  EXPECT_EQ(*parseScheme("ltrf-strand"), Scheme::LTRFStrand);
  EXPECT_EQ(*parseScheme("rfc"), Scheme::RFC);
  EXPECT_EQ(*parseScheme("shrf"), Scheme::SHRF);
  EXPECT_EQ(*parseScheme("expars"), Scheme::EXPARS);
  EXPECT_EQ(*parseScheme("warpman"), Scheme::Warpman);
  EXPECT_EQ(*parseScheme("register-sharing"), Scheme::RegisterSharing);
  EXPECT_EQ(*parseScheme("scratchpad-sharing"), Scheme::ScratchpadSharing);
}

TEST(Scheme, ListsAllForAnUnknownName) {
  for (const char *Name : {"", "Baseline", "ltrf+", "regmutex paired"}) {
    Result<Scheme> S = parseScheme(Name);
    ASSERT_FALSE(S) << Name;
    EXPECT_EQ(S.error().str(),
              "unknown scheme '" + std::string(Name) +
                  "'; known: baseline, ideal, regmutex, regmutex-paired, rfv, "
                  "ltrf, ltrf-plus, ltrf-strand, rfc, shrf, expars, warpman, "
                  "register-sharing, scratchpad-sharing");
  }
}

TEST(Scheme, ListsWhatCanBeApplied) {
  std::vector<Scheme> Schemes = appliedSchemes();
  ASSERT_FALSE(Schemes.empty());
  EXPECT_EQ(Schemes.front(), Scheme::Baseline);
  std::set<std::string_view> Summaries;
  for (unsigned N = 0; N <= unsigned(Scheme::ScratchpadSharing); ++N) {
    auto S = Scheme(N);
    EXPECT_EQ(parseScheme(schemeName(S)).has_value(),
              std::ranges::count(Schemes, S) == 1)
        << schemeName(S);
    EXPECT_TRUE(Summaries.insert(schemeSummary(S)).second) << schemeName(S);
  }
  EXPECT_FALSE(Summaries.contains(""));
}
