//===- SettingsTest.cpp - The environment's variables ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/SchemeChecks.h"
#include "regshare/Base/Variables.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace regshare;
using namespace regshare::cudart;

namespace {

/// None of the variables is set during a test, and none afterwards.
class SettingsTest : public testing::Test {
protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const EnvironmentVariable &V : environmentVariables())
      unsetenv(V.Name.c_str());
  }
  static std::string errorWith(const char *Name, const char *Value) {
    setenv(Name, Value, 1);
    Result<Settings> S = readSettings();
    unsetenv(Name);
    return S ? "no error" : S.error().Message;
  }
};

} // namespace

TEST_F(SettingsTest, Defaults) {
  Result<Settings> S = readSettings();
  ASSERT_TRUE(S) << S.error().Message;
  EXPECT_EQ(S->Device.Name, "gtx480");
  EXPECT_EQ(S->TheScheme, schemes::Baseline);
  EXPECT_TRUE(S->Timing);
  EXPECT_FALSE(S->Blocking);
  EXPECT_EQ(S->Threads, 1u);
  EXPECT_EQ(S->CycleLimit, 0u);
  EXPECT_EQ(S->ReportPath, "");
}

TEST_F(SettingsTest, ValuesInEffect) {
  for (const EnvironmentVariable &V : environmentVariables()) {
    EXPECT_EQ(V.value(), V.Default);
    setenv(V.Name.c_str(), "", 1);
    EXPECT_EQ(V.value(), V.Default);
    setenv(V.Name.c_str(), "given", 1);
    EXPECT_EQ(V.value(), "given");
  }
}

TEST_F(SettingsTest, ValuesAreRead) {
  setenv("REGSHARE_DEVICE", "hopper", 1);
  setenv("REGSHARE_TIMING", "0", 1);
  setenv("REGSHARE_THREADS", "0", 1);
  setenv("REGSHARE_CYCLE_LIMIT", "18446744073709551615", 1);
  setenv("REGSHARE_INSTRUCTION_LIMIT", "12", 1);
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  Result<Settings> S = readSettings();
  ASSERT_TRUE(S) << S.error().Message;
  EXPECT_EQ(S->Device.Name, "hopper");
  EXPECT_FALSE(S->Timing);
  EXPECT_EQ(S->Threads, 0u);
  EXPECT_EQ(S->CycleLimit, UINT64_MAX);
  EXPECT_EQ(S->InstructionLimit, 12u);
  EXPECT_TRUE(S->Blocking);
}

TEST_F(SettingsTest, BadValuesAreNamed) {
  EXPECT_EQ(errorWith("REGSHARE_TIMING", "true"),
            "REGSHARE_TIMING=true: expected 0 or 1, got 'true'");
  for (const char *Number : {"-1", "1.5", "4x", "18446744073709551616", " 1"})
    EXPECT_EQ(errorWith("REGSHARE_CYCLE_LIMIT", Number),
              std::string("REGSHARE_CYCLE_LIMIT=") + Number +
                  ": expected a number, 0 or more, got '" + Number + "'");
  EXPECT_EQ(errorWith("REGSHARE_THREADS", "4294967296"),
            "REGSHARE_THREADS=4294967296: expected a number, 0 or more, got "
            "'4294967296'");
  EXPECT_EQ(errorWith("REGSHARE_SCHEME", "x").find("REGSHARE_SCHEME=x: "), 0u);
  EXPECT_EQ(errorWith("REGSHARE_DEVICE", "x").find("REGSHARE_DEVICE=x: "), 0u);
}

TEST_F(SettingsTest, SettingsOfSchemesAreRead) {
  setenv("REGSHARE_SCHEME", "regmutex", 1);
  Result<Settings> S = readSettings();
  ASSERT_TRUE(S) << S.error().Message;
  EXPECT_TRUE(S->dependsOnLaunch());
  EXPECT_EQ(S->SchemeSettings, SettingValues());
  setenv("REGSHARE_ES", "6", 1);
  S = readSettings();
  ASSERT_TRUE(S) << S.error().Message;
  EXPECT_FALSE(S->dependsOnLaunch());
  EXPECT_EQ(S->SchemeSettings[settings::ExtendedSet], 6);
}

/// Whatever is declared has a variable, which reads what it prints as default
/// and refuses what the declaration does.
TEST_F(SettingsTest, EverySettingHasAVariable) {
  for (const Setting *Each : allSettings()) {
    std::string Name = Each->variable();
    setenv(Name.c_str(), Each->print(Each->Default).c_str(), 1);
    Result<Settings> S = readSettings();
    ASSERT_TRUE(S) << S.error().Message;
    EXPECT_EQ(S->SchemeSettings[*Each], Each->Default) << Name;
    unsetenv(Name.c_str());
    EXPECT_EQ(errorWith(Name.c_str(), "?"),
              Name + "=?: expected " + Each->expected() + ", got '?'");
  }
  EXPECT_EQ(errorWith("REGSHARE_TAU", "2"),
            "REGSHARE_TAU=2: expected a number from 0 to 1 with three decimals "
            "at most, got '2'");
}

TEST_F(SettingsTest, DoubtsAboutTheEnvironment) {
  auto Doubts = [](const char *Name, const Scheme *Chosen) {
    setenv(Name, "1", 1);
    std::vector<std::string> Found = doubtsAboutEnvironment(Chosen);
    unsetenv(Name);
    EXPECT_LE(Found.size(), 1u);
    return Found.empty() ? "" : Found.front();
  };
  Scheme LTRF = schemes::LTRF, RegMutex = schemes::RegMutex;
  EXPECT_EQ(Doubts("REGSHARE_SCHMEE", nullptr),
            "REGSHARE_SCHMEE is no variable of RegShare; did you mean "
            "REGSHARE_SCHEME?");
  EXPECT_EQ(Doubts("REGSHARE_A1", nullptr),
            "REGSHARE_A1 is no variable of RegShare");
  EXPECT_EQ(Doubts("REGSHARE_NOTHING_LIKE_IT", &LTRF),
            "REGSHARE_NOTHING_LIKE_IT is no variable of RegShare");
  EXPECT_EQ(Doubts("REGSHARE_ES", &LTRF),
            "REGSHARE_ES is a setting of schemes regmutex, regmutex-paired; "
            "the scheme is ltrf");
  EXPECT_EQ(Doubts("REGSHARE_DIRTY_BITS", &RegMutex).find("ltrf-plus") ==
                std::string::npos,
            false);
  EXPECT_EQ(Doubts("REGSHARE_ES", &RegMutex), "");
  EXPECT_EQ(Doubts("REGSHARE_ES", nullptr), "");
  EXPECT_EQ(Doubts("NOT_REGSHARE_ES", nullptr), "");
  for (std::string_view Own : ownVariables())
    EXPECT_EQ(Doubts(std::string(Own).c_str(), &LTRF), "");
  // An empty value is none.
  setenv("REGSHARE_SCHMEE", "", 1);
  EXPECT_EQ(doubtsAboutEnvironment(nullptr), std::vector<std::string>());
  unsetenv("REGSHARE_SCHMEE");
}

/// No setting of a scheme is read from a variable that is RegShare's own.
TEST_F(SettingsTest, SettingsCannotHaveNamesOfVariables) {
  for (const EnvironmentVariable &V : environmentVariables())
    if (!V.OfSchemes && V.Name.starts_with(VariablePrefix))
      EXPECT_TRUE(std::ranges::count(programVariables(), V.Name)) << V.Name;
  for (std::string_view Variable : ownVariables()) {
    std::string Name;
    for (char C : Variable.substr(VariablePrefix.size()))
      Name += C == '_' ? '-' : char(std::tolower(C));
    const Setting S = Setting::flag(Name, SettingUse::Both, false, "help");
    EXPECT_EQ(S.variable(), Variable);
    EXPECT_FALSE(checkSetting(S)) << Variable;
  }
}

/// Who tells users that only programs read a variable has to be right.
TEST_F(SettingsTest, ProgramsReadTheirVariables) {
  const std::vector<EnvironmentVariable> Read = environmentVariables();
  for (std::string_view Name : programVariables())
    EXPECT_TRUE(std::ranges::count(Read, Name, &EnvironmentVariable::Name))
        << Name;
}

/// The table in the documentation has a row for each, with its default; those
/// of schemes are in a page of their own.
TEST_F(SettingsTest, DocumentationIsComplete) {
  std::ifstream File(REGSHARE_DOCS "/cuda-runtime.md");
  std::stringstream Text;
  Text << File.rdbuf();
  for (const EnvironmentVariable &V : environmentVariables()) {
    if (V.OfSchemes)
      continue;
    std::string Row = "| `" + V.Name + "` | ";
    if (!V.Default.empty())
      Row += "`" + V.Default + "` ";
    EXPECT_NE(Text.str().find(Row + "| "), std::string::npos) << Row;
  }
}
