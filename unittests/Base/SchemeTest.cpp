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
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SchemeChecks.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Warpman/Warpman.h"

#include "gtest/gtest.h"

#include <fstream>
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

TEST(Scheme, AnUnknownNameIsToldWithTheNearestAndAll) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", ""},
      {"Baseline", " (did you mean 'baseline'?)"},
      {"ltrf+", " (did you mean 'ltrf'?)"},
      {"regmutex paired", " (did you mean 'regmutex-paired'?)"},
      {"exapsr", " (did you mean 'expars'?)"}};
  for (auto [Name, Near] : Cases) {
    Result<Scheme> S = parseScheme(Name);
    ASSERT_FALSE(S) << Name;
    EXPECT_EQ(S.error().str(),
              "unknown scheme '" + std::string(Name) + "'" + Near +
                  "; known: baseline, ideal, regmutex, regmutex-paired, rfv, "
                  "ltrf, ltrf-plus, ltrf-strand, rfc, shrf, expars, warpman, "
                  "register-sharing, scratchpad-sharing, setmaxnreg");
  }
}

TEST(Scheme, DescriptionsHold) {
  for (Scheme S : allSchemes()) {
    Result<void> Ok = checkDescription(*S);
    EXPECT_TRUE(Ok) << Ok.error().str();
  }
}

TEST(Scheme, DescriptionsAreWhole) {
  std::set<std::string_view> Names, Summaries;
  EXPECT_EQ(allSchemes().front(), schemes::Baseline);
  for (Scheme S : allSchemes()) {
    EXPECT_TRUE(Names.insert(S.name()).second) << S.name();
    EXPECT_TRUE(Summaries.insert(S->Summary).second) << S.name();
    EXPECT_FALSE(S->Summary.empty()) << S.name();
    std::ifstream Page(std::string(REGSHARE_DOCS "/") + std::string(S->Page) +
                       ".md");
    EXPECT_TRUE(Page) << S->Page;
    if (!S->Required.empty()) {
      ASSERT_TRUE(S->findStatement(S->Required)) << S.name();
      EXPECT_EQ(S->findStatement(S->Required)->Place, StatementKind::Head);
    }
    for (const StatementKind &K : S->Statements) {
      EXPECT_FALSE(K.Help.empty()) << K.Verb;
      EXPECT_EQ(executionOf(K.Verb), K.Runs) << K.Verb;
      EXPECT_EQ(isExecutedVerb(K.Verb), K.isExecuted()) << K.Verb;
    }
  }
}

TEST(Scheme, SettingsHaveNamesOfTheirOwnAndDefaultsInRange) {
  std::set<std::string_view> Names;
  for (const Setting *S : allSettings()) {
    EXPECT_TRUE(Names.insert(S->Name).second) << S->Name;
    EXPECT_FALSE(S->Help.empty()) << S->Name;
    EXPECT_FALSE(schemesWith(*S).empty()) << S->Name;
    Result<int64_t> Default = S->parse(S->print(S->Default));
    ASSERT_TRUE(Default) << S->Name;
    EXPECT_EQ(*Default, S->Default) << S->Name;
  }
}

TEST(Scheme, HelpOfSettingsHasTheSchemesAndTheValues) {
  EXPECT_EQ(settingHelp(settings::ExtendedSet),
            "regmutex, regmutex-paired: registers of the extended set: a "
            "number from 0 to 255");
  EXPECT_EQ(settingHelp(settings::OperandCacheMapping),
            "expars: which lines of its bank a register may have in the "
            "operand cache: direct (one, as published), turned (one, which "
            "depends on the warp as well), associative (any)");
  EXPECT_EQ(schemeNames(schemesWith(settings::Tau)), "scheme expars");
  EXPECT_EQ(schemeNames(schemesWith(settings::EarlyRelease)),
            "schemes register-sharing, scratchpad-sharing");
}

/// What a kernel says once is told in reports of its launches.
TEST(Scheme, ShowsFacts) {
  SchemeFacts Facts;
  ShownFacts None = schemes::RegMutex.Show(Facts);
  EXPECT_EQ(None.Key, "split");
  EXPECT_TRUE(None.Figures.empty());
  Facts.set(RegMutexSplit{18, 6});
  ShownFacts Split = schemes::RegMutexPaired.Show(Facts);
  EXPECT_EQ(Split.Text, "18 base and 6 extended registers");
  ASSERT_EQ(Split.Figures.size(), 2u);
  EXPECT_EQ(Split.Figures[1].first, "extended");
  EXPECT_EQ(Split.Figures[1].second, 6u);
}

TEST(Scheme, WhatCannotBeRegisteredIsRefused) {
  static const Setting Own = Setting::flag("es", SettingUse::Compiler, false,
                                           "a setting of that name");
  static const Setting *const Settings[] = {&Own};
  static const StatementKind Statements[] = {
      {"acquire", StatementKind::Anywhere, StatementKind::Unexecuted,
       "not executed", schemes::RegMutex.findStatement("acquire")->Add}};
  static const SchemeDescription Unnamed, Twice{"rfv", "again", ""},
      Taken{"a", "takes a setting's name", "", {}, Settings},
      Executed{"b", "has another acquire", "", Statements};
  size_t Before = allSchemes().size();
  EXPECT_EQ(registerScheme(Unnamed).error().str(), "a scheme has no name");
  EXPECT_EQ(registerScheme(Twice).error().str(),
            "scheme 'rfv': there is a scheme of that name already");
  EXPECT_EQ(registerScheme(Taken).error().str(),
            "scheme 'a': setting 'es' has the name of one of scheme "
            "'regmutex'");
  EXPECT_EQ(registerScheme(Executed).error().str(),
            "scheme 'b': statement 'acquire' is not executed, but under scheme "
            "'regmutex' it takes an issue slot; a verb means the same under "
            "all schemes");
  EXPECT_EQ(allSchemes().size(), Before);
}
