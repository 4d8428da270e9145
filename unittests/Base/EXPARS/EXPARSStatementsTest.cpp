//===- EXPARSStatementsTest.cpp - Tests of EXPARS's statements ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "SchemeText.h"

#include "gtest/gtest.h"

#include <random>

using namespace regshare;
using namespace regshare::test;

namespace {

std::string pragma(const std::string &Text) {
  return ".pragma \"regshare." + Text + "\";\n";
}

TEST(EXPARSStatements, ComeBack) {
  std::vector<unsigned> Units = {4, 21, 23};
  auto Read =
      readKernel("expars", printBundlesPragma({{4096}, 3}) +
                               printPrefPragma(Units) + printPrefPragma({}));
  ASSERT_TRUE(Read) << Read.error().str();
  const AnnotatedFunction &F = Read->front();
  ASSERT_TRUE(F.Facts.get<BundleBounds>());
  EXPECT_EQ(*F.Facts.get<BundleBounds>(), (BundleBounds{{4096}, 3}));
  ASSERT_EQ(F.Statements.size(), 4u);
  EXPECT_EQ(*parsePref(F.Statements[2]), Units);
  EXPECT_EQ(*parsePref(F.Statements[3]), std::vector<unsigned>());
  EXPECT_EQ(printBundlesPragma({{4096}, 3}),
            ".pragma \"regshare.bundles cache=4096 kept=3\";");
  EXPECT_EQ(printPrefPragma(Units),
            ".pragma \"regshare.pref regs=R4,R21,R23\";");
  EXPECT_EQ(printPrefPragma({}), ".pragma \"regshare.pref\";");
}

TEST(EXPARSStatements, Reject) {
  const std::string Bundles = pragma("bundles cache=2048 kept=4");
  const std::pair<std::string, const char *> Cases[] = {
      {pragma("bundles"), "line 3: regshare.bundles: missing 'cache'"},
      {pragma("bundles cache=2048"),
       "line 3: regshare.bundles: missing 'kept'"},
      {pragma("bundles cache=2048 kept=x"),
       "line 3: regshare.bundles: kept is a number from 0 to 255, not 'x'"},
      {pragma("bundles cache=2048 kept=25"),
       "line 3: regshare.bundles: kept=25 is beyond the descriptor's regs=24"},
      {pragma("bundles cache=2048 kept=0 count=1"),
       "line 3: regshare.bundles: unknown key 'count'; known: cache, kept"},
      {Bundles + Bundles, "line 4: regshare.bundles: a function has it once"},
      {pragma("pref regs=R4"),
       "line 3: regshare.pref: before the function's regshare.bundles"},
      {Bundles + pragma("pref id=1"),
       "line 4: regshare.pref: unknown key 'id'; known: regs"},
      {Bundles + pragma("pref regs=R5,R4"),
       "line 4: regshare.pref: R4 does not ascend; each register stands once"},
      {Bundles + pragma("pref regs=R24"),
       "line 4: regshare.pref: R24 is beyond the descriptor's regs=24"},
      {Bundles + pragma("pref regs=R3"),
       "line 4: regshare.pref: R3 is never in scratchpad, by the function's "
       "kept=4"},
      {Bundles + pragma("pref regs=R5,R7,R21"),
       "line 4: regshare.pref: R21 needs a line of the operand cache that "
       "another register has, of 16"},
      {pragma("prefetch interval=0 regs=R1"),
       "line 3: regshare.prefetch: belongs to scheme ltrf, ltrf-plus, "
       "ltrf-strand, but the descriptor "
       "says expars"},
  };
  for (const auto &[Body, Message] : Cases)
    EXPECT_EQ(errorOf("expars", Body), Message) << Body;
  EXPECT_NE(errorOf("expars", pragma("bundles cache=3000 kept=0")), "none");
  for (const char *Scheme : {"baseline", "ltrf", "shrf", "regmutex"})
    for (const char *Body : {"bundles cache=2048 kept=4", "pref"})
      EXPECT_NE(errorOf(Scheme, pragma(Body)).find("belongs to scheme expars"),
                std::string::npos);
}

/// Of any registers: refused as soon as two share a line, as counted here.
TEST(EXPARSStatements, LinesAreExclusive) {
  std::mt19937 Random(1);
  unsigned Accepted = 0, Refused = 0;
  for (unsigned Round = 0; Round != 500; ++Round) {
    unsigned Bytes = 1024u << Random() % 3;
    std::vector<unsigned> Units, Count(Bytes / 128);
    bool Clash = false;
    for (unsigned Unit = 0; Unit != 24; ++Unit)
      if (Random() % 4 == 0) {
        Units.push_back(Unit);
        Clash |= ++Count[Unit % Count.size()] == 2;
      }
    std::string Error =
        errorOf("expars", printBundlesPragma({{Bytes}, 0}) + "\n" +
                              printPrefPragma(Units) + "\n");
    EXPECT_EQ(Error != "none", Clash) << Error;
    ++(Clash ? Refused : Accepted);
  }
  EXPECT_GT(Accepted, 50u);
  EXPECT_GT(Refused, 50u);
}

} // namespace
