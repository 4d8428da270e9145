//===- SettingsTest.cpp - The environment's variables ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "gtest/gtest.h"

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
      unsetenv(V.Name);
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
    setenv(V.Name, "", 1);
    EXPECT_EQ(V.value(), V.Default);
    setenv(V.Name, "given", 1);
    EXPECT_EQ(V.value(), "given");
  }
}

TEST_F(SettingsTest, ValuesAreRead) {
  setenv("REGSHARE_DEVICE", "h100", 1);
  setenv("REGSHARE_TIMING", "0", 1);
  setenv("REGSHARE_THREADS", "0", 1);
  setenv("REGSHARE_CYCLE_LIMIT", "18446744073709551615", 1);
  setenv("REGSHARE_INSTRUCTION_LIMIT", "12", 1);
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  Result<Settings> S = readSettings();
  ASSERT_TRUE(S) << S.error().Message;
  EXPECT_EQ(S->Device.Name, "h100");
  EXPECT_FALSE(S->Timing);
  EXPECT_EQ(S->Threads, 0u);
  EXPECT_EQ(S->CycleLimit, UINT64_MAX);
  EXPECT_EQ(S->InstructionLimit, 12u);
  EXPECT_TRUE(S->Blocking);
}

TEST_F(SettingsTest, BadValuesAreNamed) {
  EXPECT_EQ(errorWith("REGSHARE_TIMING", "true"),
            "REGSHARE_TIMING=true: must be 0 or 1");
  for (const char *Number : {"-1", "1.5", "4x", "18446744073709551616", " 1"})
    EXPECT_EQ(errorWith("REGSHARE_CYCLE_LIMIT", Number),
              std::string("REGSHARE_CYCLE_LIMIT=") + Number +
                  ": must be a number, 0 or more");
  EXPECT_EQ(errorWith("REGSHARE_THREADS", "4294967296"),
            "REGSHARE_THREADS=4294967296: must be a number, 0 or more");
  EXPECT_EQ(errorWith("REGSHARE_SCHEME", "x").find("REGSHARE_SCHEME=x: "), 0u);
  EXPECT_EQ(errorWith("REGSHARE_DEVICE", "x").find("REGSHARE_DEVICE=x: "), 0u);
}

/// The table in the documentation has a row for each, with its default.
TEST_F(SettingsTest, DocumentationIsComplete) {
  std::ifstream File(REGSHARE_DOCS "/cuda-runtime.md");
  std::stringstream Text;
  Text << File.rdbuf();
  for (const EnvironmentVariable &V : environmentVariables()) {
    std::string Row = std::string("| `") + V.Name + "` | ";
    if (*V.Default)
      Row += std::string("`") + V.Default + "` ";
    EXPECT_NE(Text.str().find(Row + "| "), std::string::npos) << Row;
  }
}
