//===- SchemeTest.cpp - Tests of the scheme names -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Scheme.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/RFC/RFC.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Warpman/Warpman.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace regshare;

TEST(Scheme, ReadsWhatIsAvailable) {
  Result<Scheme> S = parseScheme("baseline");
  ASSERT_TRUE(S);
  EXPECT_EQ(*S, schemes::Baseline);
  EXPECT_EQ(S->name(), "baseline");
  EXPECT_EQ(*parseScheme("ideal"), schemes::Ideal);
  EXPECT_EQ(*parseScheme("regmutex"), schemes::RegMutex);
  EXPECT_EQ(*parseScheme("regmutex-paired"), schemes::RegMutexPaired);
  EXPECT_EQ(*parseScheme("rfv"), schemes::RFV);
  EXPECT_EQ(*parseScheme("ltrf"), schemes::LTRF);
  EXPECT_EQ(*parseScheme("ltrf-plus"), schemes::LTRFPlus);
  EXPECT_EQ(*parseScheme("ltrf-strand"), schemes::LTRFStrand);
  EXPECT_EQ(*parseScheme("rfc"), schemes::RFC);
  EXPECT_EQ(*parseScheme("shrf"), schemes::SHRF);
  EXPECT_EQ(*parseScheme("expars"), schemes::EXPARS);
  EXPECT_EQ(*parseScheme("warpman"), schemes::Warpman);
  EXPECT_EQ(*parseScheme("register-sharing"), schemes::RegisterSharing);
  EXPECT_EQ(*parseScheme("scratchpad-sharing"), schemes::ScratchpadSharing);
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
  std::vector<Scheme> Schemes = allSchemes();
  ASSERT_FALSE(Schemes.empty());
  EXPECT_EQ(Schemes.front(), schemes::Baseline);
  std::set<std::string_view> Summaries;
  for (unsigned N = 0; N <= unsigned(schemes::ScratchpadSharing); ++N) {
    auto S = Scheme(N);
    EXPECT_EQ(parseScheme(S.name()).has_value(),
              std::ranges::count(Schemes, S) == 1)
        << S.name();
    EXPECT_TRUE(Summaries.insert(S->Summary).second) << S.name();
  }
  EXPECT_FALSE(Summaries.contains(""));
}
