//===- CompositionTest.cpp - Two schemes at the same time -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Occupancy.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Sharing/Sharing.h"

#include <gmock/gmock.h>

using namespace regshare;
using testing::ElementsAre;
using testing::HasSubstr;

static std::string errorOf(std::string_view Name) {
  Result<Scheme> S = parseScheme(Name);
  return S ? "none" : S.error().str();
}

TEST(Composition, EitherOrderIsTheSameScheme) {
  Result<Scheme> S = parseScheme("scratchpad-sharing+regmutex");
  ASSERT_TRUE(S) << S.error().str();
  EXPECT_EQ(S->name(), "regmutex+scratchpad-sharing");
  EXPECT_EQ(*S, *parseScheme("regmutex+scratchpad-sharing"));
  EXPECT_THAT(S->parts(),
              ElementsAre(&schemes::RegMutex, &schemes::ScratchpadSharing));
  EXPECT_TRUE(S->isComposed());
  EXPECT_TRUE(S->includes(schemes::RegMutex));
  EXPECT_FALSE(S->includes(schemes::RegMutexPaired));
}

TEST(Composition, ASchemeIsItsOnlyPart) {
  Scheme S = schemes::RegMutex;
  EXPECT_FALSE(S.isComposed());
  EXPECT_THAT(S.parts(), ElementsAre(&schemes::RegMutex));
  EXPECT_TRUE(S.includes(schemes::RegMutex));
}

TEST(Composition, HasTheSettingsAndStatementsOfBoth) {
  Scheme S = *parseScheme("regmutex+scratchpad-sharing");
  EXPECT_TRUE(S->findSetting("es"));
  EXPECT_TRUE(S->findSetting("private-share"));
  EXPECT_EQ(S.ownerOf("release"), &schemes::RegMutex);
  EXPECT_EQ(S.ownerOf("unlock"), &schemes::ScratchpadSharing);
  EXPECT_EQ(S.ownerOf("prefetch"), nullptr);
}

TEST(Composition, TwoThatDecideTheSameAreRefused) {
  EXPECT_EQ(errorOf("regmutex+rfv"),
            "'regmutex+rfv' is no composition of schemes: both decide which "
            "rows of the register file a warp has: 'regmutex' has warps "
            "acquire some of them from a pool, 'rfv' gives one to a register "
            "when it is written");
  EXPECT_THAT(errorOf("ltrf+rfc"),
              HasSubstr("both decide where operands are read"));
  EXPECT_THAT(errorOf("expars+scratchpad-sharing"),
              HasSubstr("both decide which scratchpad a CTA has"));
  EXPECT_THAT(errorOf("warpman+scratchpad-sharing"),
              HasSubstr("both decide whom a warp waits for"));
}

/// RegMutex decides which rows there are, and a cache what is read from them.
TEST(Composition, ARegisterCacheStandsInFrontOfRegMutex) {
  for (const char *Rows : {"regmutex", "regmutex-paired"})
    for (const char *Cache : {"ltrf", "ltrf-plus", "ltrf-strand", "rfc"}) {
      std::string Name = std::string(Rows) + "+" + Cache;
      Result<Scheme> S = parseScheme(std::string(Cache) + "+" + Rows);
      ASSERT_TRUE(S) << S.error().str();
      EXPECT_EQ(S->name(), Name);
      EXPECT_EQ(S->claimantOf(Domain::Rows)->Name, Rows);
      EXPECT_EQ(S->claimantOf(Domain::Operands)->Name, Cache);
    }
  EXPECT_EQ(errorOf("regmutex+shrf"),
            "'regmutex+shrf' is no composition of schemes: both decide where "
            "in code registers lose what they hold: 'regmutex' takes extended "
            "registers away at each release, 'shrf' has cached ones lost "
            "wherever a warp may be parked");
  for (const char *Rows : {"rfv", "register-sharing", "expars"})
    for (const char *Cache : {"ltrf", "rfc", "shrf"})
      EXPECT_THAT(errorOf(std::string(Rows) + "+" + Cache),
                  HasSubstr("both decide where operands are read"));
}

/// Registers of the extended set are of another kind.
TEST(Composition, HasTheBorderOfThePartThatHasOne) {
  SchemeFacts Facts;
  for (const char *Name : {"regmutex", "regmutex+ltrf", "ltrf"})
    EXPECT_EQ(parseScheme(Name)->border(Facts), 0u);
  Facts.set(RegMutexSplit{18, 6});
  EXPECT_EQ(parseScheme("regmutex+ltrf")->border(Facts), 18u);
  EXPECT_EQ(parseScheme("regmutex")->border(Facts), 18u);
  EXPECT_EQ(parseScheme("ltrf")->border(Facts), 0u);
}

TEST(Composition, WhatIsNoneIsTold) {
  EXPECT_THAT(errorOf("regmutex+regmutex"), HasSubstr("same scheme twice"));
  EXPECT_THAT(errorOf("baseline+rfv"),
              HasSubstr("'baseline' does not say what of an SM it decides"));
  EXPECT_THAT(errorOf("regmutex+ltfr"),
              HasSubstr("unknown scheme 'ltfr' (did you mean 'ltrf'?)"));
  EXPECT_THAT(errorOf("ideal+ltrf+rfc"), HasSubstr("expected two schemes"));
}

TEST(Composition, EachOfTheListIsOne) {
  std::vector<Scheme> All = allCompositions();
  EXPECT_EQ(All.size(), 24u);
  for (Scheme S : All) {
    EXPECT_EQ(*parseScheme(S.name()), S);
    EXPECT_EQ(S.parts().size(), 2u);
  }
}

/// What shared memory limits, RegMutex may take for what registers limit.
TEST(Composition, APartSeesTheDeviceThatTheOtherOneWidens) {
  DeviceDescription D = *loadDevice("gtx480");
  Scheme S = *parseScheme("regmutex+scratchpad-sharing");
  KernelResources K{20, 128, 15000};
  EXPECT_EQ(occupancy(D, K).CTAs, 3u);
  DeviceDescription Wide = S.deviceFor(schemes::RegMutex, D, K, {});
  EXPECT_EQ(
      occupancy(Wide, K).CTAs,
      sharingResidency(SharedResource::Scratchpad, D, K, DefaultPrivatePerMille)
          .ctas());
  EXPECT_EQ(S.deviceFor(schemes::ScratchpadSharing, D, K, {}).SharedMemory,
            D.SharedMemory);
  SchemeFacts Facts;
  EXPECT_GT(S.residentCTAs(D, K, Facts, {}), 3u);
  EXPECT_EQ(Scheme(schemes::RegMutex).residentCTAs(D, K, Facts, {}), 3u);
}

TEST(Composition, FactsOfBothAreKept) {
  SchemeFacts Facts, More;
  Facts.set(RegMutexSplit{8, 4});
  More.set(RegMutexSplit{1, 1});
  More.set(3.5);
  Facts.merge(More);
  EXPECT_EQ(Facts.get<RegMutexSplit>()->Base, 8u);
  EXPECT_EQ(*Facts.get<double>(), 3.5);
  Facts.set(RegMutexSplit{2, 2});
  EXPECT_EQ(Facts.get<RegMutexSplit>()->Base, 2u);
  EXPECT_EQ(Facts.get<int>(), nullptr);
}
