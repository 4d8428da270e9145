//===- LTRFStatementsTest.cpp - Tests of LTRF's statements ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/LTRF/LTRFStatements.h"
#include "SchemeText.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::test;

namespace {

std::string pragma(const std::string &Text) {
  return ".pragma \"regshare." + Text + "\";\n";
}

TEST(IntervalStatements, ComeBack) {
  const std::vector<unsigned> Units = {0, 3, 17, 23};
  for (const char *Scheme : {"ltrf", "ltrf-plus", "ltrf-strand"}) {
    auto Read = readKernel(
        Scheme, printIntervalsPragma({3, 16}) + printPrefetchPragma(2, Units) +
                    printIntervalPragma(1) + printIntervalPragma(std::nullopt));
    ASSERT_TRUE(Read) << Read.error().str();
    const AnnotatedFunction &F = Read->front();
    ASSERT_TRUE(F.Facts.get<IntervalBounds>());
    EXPECT_EQ(*F.Facts.get<IntervalBounds>(), (IntervalBounds{3, 16}));
    ASSERT_EQ(F.Statements.size(), 5u);
    EXPECT_EQ(*parsePrefetch(F.Statements[2]), (PrefetchVector{2, Units}));
    EXPECT_EQ(*parseInterval(F.Statements[3]), std::optional(1u));
    EXPECT_EQ(*parseInterval(F.Statements[4]), std::nullopt);
  }
  auto Dead = readKernel("ltrf-plus",
                         printIntervalsPragma({1, 4}) + printDeadPragma(Units));
  ASSERT_TRUE(Dead) << Dead.error().str();
  EXPECT_EQ(*parseDead(Dead->front().Statements.back()), Units);
}

TEST(IntervalStatements, Reject) {
  const std::string Bounds = pragma("intervals count=3 registers=4");
  const std::pair<std::string, const char *> Cases[] = {
      {pragma("intervals count=3"),
       "line 3: regshare.intervals: missing 'registers'"},
      {pragma("intervals count=3 registers=0"),
       "line 3: regshare.intervals: registers is a number from 1 to 255, not "
       "'0'"},
      {pragma("intervals count=03 registers=4"),
       "line 3: regshare.intervals: count is a number from 0 to 16777216, not "
       "'03'"},
      {pragma("intervals count=3 registers=4 warps=8"),
       "line 3: regshare.intervals: unknown key 'warps'; known: count, "
       "registers"},
      {pragma("intervals count=3 count=3 registers=4"),
       "line 3: regshare.intervals: 'count' is given twice"},
      {Bounds + Bounds, "line 4: regshare.intervals: a function has it once"},
      {pragma("prefetch interval=0 regs=R0"),
       "line 3: regshare.prefetch: before the function's regshare.intervals"},
      {Bounds + pragma("prefetch interval=3 regs=R0"),
       "line 4: regshare.prefetch: interval 3 is beyond the function's "
       "count=3"},
      {Bounds + pragma("prefetch interval=0 regs=R0,R1,R2,R3,R4"),
       "line 4: regshare.prefetch: 5 registers, more than the function's "
       "registers=4"},
      {Bounds + pragma("prefetch interval=0 regs=R3,R24"),
       "line 4: regshare.prefetch: R24 is beyond the descriptor's regs=24"},
      {Bounds + pragma("prefetch interval=0 regs=R3,R3"),
       "line 4: regshare.prefetch: R3 does not ascend; each register stands "
       "once"},
      {Bounds + pragma("prefetch interval=0"),
       "line 4: regshare.prefetch: missing 'regs'"},
      {Bounds + pragma("interval id=3"),
       "line 4: regshare.interval: interval 3 is beyond the function's "
       "count=3"},
      {Bounds + pragma("interval id=x"),
       "line 4: regshare.interval: id is a number from 0 to 16777216, not "
       "'x'"},
      {Bounds + pragma("dead regs=R1"),
       "line 4: regshare.dead: belongs to scheme ltrf-plus, but the "
       "descriptor says ltrf"},
      {pragma("free regs=R1"), "line 3: regshare.free: belongs to scheme rfv, "
                               "but the descriptor says ltrf"},
  };
  for (const auto &[Body, Message] : Cases)
    EXPECT_EQ(errorOf("ltrf", Body), Message) << Body;
  EXPECT_EQ(errorOf("rfv", Bounds),
            "line 3: regshare.intervals: belongs to scheme ltrf, ltrf-plus, "
            "ltrf-strand, but the "
            "descriptor says rfv");
  EXPECT_EQ(errorOf("ltrf-plus", Bounds + pragma("dead regs=R24")),
            "line 4: regshare.dead: R24 is beyond the descriptor's regs=24");
  EXPECT_EQ(errorOf("ltrf-plus", Bounds + pragma("dead")),
            "line 4: regshare.dead: missing 'regs'");
}

} // namespace
