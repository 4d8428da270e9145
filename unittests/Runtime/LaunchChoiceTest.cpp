//===- LaunchChoiceTest.cpp - Which launches are timed --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchChoice.h"

#include "gtest/gtest.h"

#include <vector>

using namespace regshare;
using namespace regshare::cudart;

namespace {

/// f(int), g<int, 2>(int*), f(int), ns::h(), f(int), f(int)
const std::vector<std::string> Program = {
    "_Z1fi", "_Z1gIiLi2EEvPT_", "_Z1fi", "_ZN2ns1hEv", "_Z1fi", "_Z1fi"};

/// One character for each launch of the program: x if it is chosen.
std::string chosen(const std::string &Text) {
  Result<LaunchChoice> Choice = LaunchChoice::parse(Text);
  if (!Choice)
    return Choice.error().Message;
  std::string Found;
  for (const std::string &Kernel : Program)
    Found += Choice->next(Kernel) ? 'x' : '.';
  return Found;
}

} // namespace

TEST(LaunchChoice, WithoutAnyAllAreChosen) {
  LaunchChoice All;
  EXPECT_TRUE(All.isAll());
  EXPECT_TRUE(All.next("_Z1fi"));
}

TEST(LaunchChoice, CountsTheProgramsLaunches) {
  EXPECT_EQ(chosen("1"), "x.....");
  EXPECT_EQ(chosen("3-5"), "..xxx.");
  EXPECT_EQ(chosen("2,6"), ".x...x");
  EXPECT_EQ(chosen("7"), "......");
}

TEST(LaunchChoice, CountsAKernelsLaunches) {
  EXPECT_EQ(chosen("f"), "x.x.xx");
  EXPECT_EQ(chosen("f:2"), "..x...");
  EXPECT_EQ(chosen("f:2-3"), "..x.x.");
  EXPECT_EQ(chosen("_Z1fi:4,4"), "...x.x");
}

TEST(LaunchChoice, KernelsHaveTheNamesOfTheReport) {
  for (const char *Name :
       {"_Z1gIiLi2EEvPT_", "g<int, 2>", "void g<int, 2>(int*)"})
    EXPECT_EQ(chosen(Name), ".x....") << Name;
  EXPECT_EQ(chosen("g<int, 2>:1,f:1"), "xx....");
  EXPECT_EQ(chosen("ns::h"), "...x..");
  EXPECT_EQ(chosen("ns::h:1"), "...x..");
  EXPECT_EQ(chosen("g"), "......");
  EXPECT_EQ(chosen("h"), "......");
}

TEST(LaunchChoice, SaysWhatIsExpected) {
  for (const char *Text : {",", "0", "2-1", "f:", "f:0", "f:x", "1-", "1,,2",
                           ":1", "f:1-0", "3f", "99999999999999999999"})
    EXPECT_NE(chosen(Text).find("expected launches as in 3, 3-8, KERNEL, "
                                "KERNEL:3 or KERNEL:3-8"),
              std::string::npos)
        << Text << ": " << chosen(Text);
}
