//===- SettingTest.cpp - Tests of settings --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Setting.h"

#include "gtest/gtest.h"

using namespace regshare;

static const Setting Flag =
    Setting::flag("early-out", SettingUse::Both, true, "help");
static const Setting Number =
    Setting::number("size", SettingUse::Both, 16, 1, 255, "help");
static const Setting Share =
    Setting::share("part", SettingUse::Both, 100, 1, "help");
static constexpr SettingChoice Choices[] = {{"one", 3}, {"two", 5}};
static const Setting Choice =
    Setting::choice("kind", SettingUse::Both, 3, Choices, "help");

TEST(Setting, PrintsWhatItReads) {
  const std::pair<const Setting *, const char *> Cases[] = {
      {&Flag, "0"},     {&Flag, "1"},      {&Number, "1"},
      {&Number, "255"}, {&Share, "0.001"}, {&Share, "0.25"},
      {&Share, "1"},    {&Choice, "one"},  {&Choice, "two"}};
  for (auto [S, Text] : Cases) {
    Result<int64_t> Value = S->parse(Text);
    ASSERT_TRUE(Value) << S->Name << " " << Text;
    EXPECT_EQ(S->print(*Value), Text) << S->Name;
  }
  EXPECT_EQ(*Share.parse("0.25"), 250);
  EXPECT_EQ(*Share.parse("1.000"), 1000);
  EXPECT_EQ(*Share.parse(".5"), 500);
  EXPECT_EQ(*Choice.parse("two"), 5);
}

TEST(Setting, SaysWhatWasExpectedAndWhatWasFound) {
  const std::tuple<const Setting *, const char *, const char *> Cases[] = {
      {&Flag, "2", "0 or 1"},
      {&Flag, "", "0 or 1"},
      {&Flag, "yes", "0 or 1"},
      {&Number, "0", "a number from 1 to 255"},
      {&Number, "256", "a number from 1 to 255"},
      {&Number, "99999999999999999999", "a number from 1 to 255"},
      {&Number, "1x", "a number from 1 to 255"},
      {&Number, " 1", "a number from 1 to 255"},
      {&Share, "0", "a number from 0.001 to 1 with three decimals at most"},
      {&Share, "1.001", "a number from 0.001 to 1 with three decimals at most"},
      {&Share, ".", "a number from 0.001 to 1 with three decimals at most"},
      {&Share, "0.+5", "a number from 0.001 to 1 with three decimals at most"},
      {&Share, "0.1234",
       "a number from 0.001 to 1 with three decimals at most"},
      {&Choice, "three", "one of one, two"},
      {&Choice, "", "one of one, two"}};
  for (auto [S, Text, Expected] : Cases) {
    Result<int64_t> Value = S->parse(Text);
    ASSERT_FALSE(Value) << S->Name << " " << Text;
    EXPECT_EQ(Value.error().Message,
              "expected " + std::string(Expected) + ", got '" + Text + "'");
  }
}

TEST(Setting, ValuesAreTheDefaultsUntilSet) {
  SettingValues Values;
  EXPECT_EQ(Values[Number], 16);
  EXPECT_TRUE(Values.get<bool>(Flag));
  EXPECT_FALSE(Values.has(Number));
  Values.set(Flag, 0);
  ASSERT_TRUE(Values.read(Number, "7"));
  EXPECT_EQ(Values.get<unsigned>(Number), 7u);
  EXPECT_FALSE(Values.get<bool>(Flag));
  EXPECT_TRUE(Values.has(Number));
  EXPECT_FALSE(Values.read(Number, "x"));
  EXPECT_EQ(Values[Number], 7);
}

TEST(Setting, NamesTheVariable) {
  EXPECT_EQ(Flag.variable(), "REGSHARE_EARLY_OUT");
}

TEST(Setting, NamesTheOption) {
  EXPECT_EQ(Flag.option(), "-regshare-early-out");
  Setting OfSM = Flag;
  OfSM.Use = SettingUse::Machine;
  EXPECT_EQ(OfSM.option(), "--early-out");
}

TEST(Setting, FindsTheNearestWord) {
  const std::string_view Known[] = {"scheme", "device", "threads"};
  EXPECT_EQ(nearestWord("schmee", Known), "scheme");
  EXPECT_EQ(nearestWord("devcie", Known), "device");
  EXPECT_EQ(nearestWord("threads", Known), "threads");
  EXPECT_EQ(nearestWord("thread", Known), "threads");
  EXPECT_EQ(nearestWord("completely-else", Known), std::nullopt);
  EXPECT_EQ(nearestWord("", Known), std::nullopt);
}

/// As many letters may be wrong as are few beside those that are right.
TEST(Setting, ShortWordsAreNearOnlyToWhatIsAlike) {
  const std::string_view Known[] = {"ES", "TAU", "O"};
  EXPECT_EQ(nearestWord("ESS", Known), "ES");
  EXPECT_EQ(nearestWord("SE", Known), "ES");
  EXPECT_EQ(nearestWord("TUA", Known), "TAU");
  EXPECT_EQ(nearestWord("EAU", Known), "TAU");
  for (const char *Word : {"A1", "X", "XYZ", "TOO", "A1B2"})
    EXPECT_EQ(nearestWord(Word, Known), std::nullopt) << Word;
}
