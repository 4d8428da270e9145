//===- LaunchSyntaxTest.cpp - Tests of launches with spaces ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/LaunchSyntax.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace regshare;

namespace {

/// What becomes of \p Source; itself where there is nothing to do.
std::string joined(const std::string &Source) {
  std::optional<std::string> Joined = joinLaunchBrackets(Source);
  if (!Joined)
    return Source;
  EXPECT_NE(*Joined, Source);
  EXPECT_EQ(Joined->size(), Source.size());
  EXPECT_EQ(std::ranges::count(*Joined, '\n'),
            std::ranges::count(Source, '\n'));
  return *Joined;
}

void isLeft(const std::string &Source) {
  EXPECT_FALSE(joinLaunchBrackets(Source)) << Source;
}

TEST(LaunchSyntax, JoinsBrackets) {
  EXPECT_EQ(joined("k << < 1, 1 >> > (d);"), "k <<<  1, 1 >>>  (d);");
  EXPECT_EQ(joined("k<< <g, b>> >(d);"), "k<<< g, b>>> (d);");
  EXPECT_EQ(joined("k< <<g, b> >>(d);"), "k<<< g, b>>> (d);");
  EXPECT_EQ(joined("k < < < g, b > > > (d);"), "k <<<   g, b >>>   (d);");
  EXPECT_EQ(joined("k<T> << <g, b, 0, s>> >();"), "k<T> <<< g, b, 0, s>>> ();");
  EXPECT_EQ(joined("k<<\n<g, b>>\n>();"), "k<<<\ng, b>>>\n();");
  EXPECT_EQ(joined("(*f)<< <1, 1>>>();"), "(*f)<<< 1, 1>>>();");
  // Of four brackets the last three end a launch.
  EXPECT_EQ(joined("k<< <1, size<T>> > >();"), "k<<< 1, size<T> >>> ();");
}

TEST(LaunchSyntax, LeavesTheRest) {
  isLeft("k<<<1, 1>>>(d);");
  isLeft("std::vector<std::vector<std::vector<int> > > v;");
  isLeft("std::vector<std::vector<std::vector<int>> > v;");
  isLeft("std::cout << a << b; c = d >> e >> f;");
  isLeft("friend S &operator<< <T>(S &, T);");
  isLeft("// k<< <1, 1>> >();\n/* k<< <1, 1>> >(); */");
  isLeft("const char *s = \"k<< <1, 1>> >()\";");
  isLeft("const char *s = R\"(\" k<< <1, 1>> >();)\";");
  isLeft("char c = '\"'; char d = '\\''; int n = 1'000;");
  isLeft("a << b < c;");
}

TEST(LaunchSyntax, BracketsOfArgumentsAreTheirs) {
  EXPECT_EQ(joined("k<< <f(a >> > b), c[x >> > y]>> >();"),
            "k<<< f(a >> > b), c[x >> > y]>>> ();");
  EXPECT_EQ(joined("k<< <1, 1; v<v<v<int>> > x;"),
            "k<<< 1, 1; v<v<v<int>> > x;");
}

TEST(LaunchSyntax, PragmasOfMacrosBecomeOperators) {
  auto Made = [](const std::string &Source) {
    return makePragmaOperators(Source).value_or("unchanged");
  };
  EXPECT_EQ(Made("#define UNROLL #pragma unroll\nint x;"),
            "#define UNROLL _Pragma(\"unroll\")\nint x;");
  EXPECT_EQ(Made("x\n # define U4   # pragma unroll 4 // four\n"),
            "x\n # define U4   _Pragma(\"unroll 4\")\n");
  EXPECT_EQ(Made("#define M #pragma message \"a\\b\""),
            "#define M _Pragma(\"message \\\"a\\\\b\\\"\")");
  for (const char *Same :
       {"#pragma unroll\n", "#define STRING(x) #x\n#pragma once\n",
        "#define F(pragma) #pragma\n", "#define U _Pragma(\"unroll\")\n",
        "#define U #pragma unroll \\\n 4\n", "// #define U #pragma unroll\n"})
    EXPECT_EQ(Made(Same), "unchanged") << Same;
}

/// With its spaces taken out of brackets, what is joined is what was there.
TEST(LaunchSyntax, RandomSources) {
  std::mt19937 Random(1);
  const char *const Pieces[] = {
      "<",  ">",  " ",  "<<", ">>", "k",    "(",   ")",        ",",  "'", "\"",
      "//", "\n", "/*", "*/", ";",  "R\"(", ")\"", "operator", "\\", "1"};
  for (unsigned Round = 0; Round != 20000; ++Round) {
    std::string Source;
    for (unsigned N = Random() % 30; N; --N)
      Source += Pieces[Random() % std::size(Pieces)];
    std::string After = joined(Source);
    for (char Space : {' ', '\n'}) {
      std::erase(Source, Space);
      std::erase(After, Space);
    }
    EXPECT_EQ(After, Source);
  }
}

} // namespace
