//===- SHRFStatementsTest.cpp - Tests of SHRF's statements ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SHRF/SHRFStatements.h"
#include "SchemeText.h"

#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace regshare;
using namespace regshare::test;

namespace {

std::string pragma(const std::string &Text) {
  return ".pragma \"regshare." + Text + "\";\n";
}

TEST(SHRFStatements, ComeBack) {
  OperandPlaces All;
  All.Read = {{3, 0}, {4, 7}};
  All.Fetch = {{5, 1}};
  All.Cache = {{3, 2}};
  All.Both = {{6, 3}, {23, 15}};
  OperandPlaces One;
  One.Both = {{0, 9}};
  auto Read = readKernel("shrf", printCachePragma(16) + printStrandPragma() +
                                     printOperandsPragma(All) +
                                     printOperandsPragma(One));
  ASSERT_TRUE(Read) << Read.error().str();
  const AnnotatedFunction &F = Read->front();
  ASSERT_TRUE(F.Facts.get<CacheSlots>());
  EXPECT_EQ(F.Facts.get<CacheSlots>()->Slots, 16u);
  ASSERT_EQ(F.Statements.size(), 5u);
  EXPECT_EQ(F.Statements[2].Verb, "strand");
  EXPECT_EQ(*parseOperands(F.Statements[3]), All);
  EXPECT_EQ(*parseOperands(F.Statements[4]), One);
  EXPECT_EQ(printOperandsPragma(All),
            ".pragma \"regshare.operands read=R3:0,R4:7 fetch=R5:1 cache=R3:2 "
            "both=R6:3,R23:15\";");
}

/// Whatever can be said is read as it was meant.
TEST(SHRFStatements, RandomPlacesComeBack) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 500; ++Round) {
    std::vector<unsigned> Slots(64);
    std::iota(Slots.begin(), Slots.end(), 0);
    std::shuffle(Slots.begin(), Slots.end(), Random);
    OperandPlaces P;
    for (unsigned Unit = 0; Unit != 24 && Slots.size() > 1; ++Unit) {
      auto Take = [&](std::vector<CachePlace> &To) {
        To.push_back({Unit, Slots.back()});
        Slots.pop_back();
      };
      if (unsigned Source = Random() % 5; Source < 2)
        Take(Source ? P.Read : P.Fetch);
      if (unsigned Result = Random() % 5; Result < 2)
        Take(Result ? P.Cache : P.Both);
    }
    if (P.isEmpty())
      continue;
    auto Read =
        readKernel("shrf", printCachePragma(64) + printOperandsPragma(P));
    ASSERT_TRUE(Read) << Read.error().str();
    EXPECT_EQ(*parseOperands(Read->front().Statements.back()), P);
  }
}

TEST(SHRFStatements, Reject) {
  const std::string Cache = pragma("cache slots=4");
  const std::pair<std::string, const char *> Cases[] = {
      {pragma("cache"),
       "line 3: regshare.cache: expected slots=16 and nothing else"},
      {pragma("cache slots=0"),
       "line 3: regshare.cache: slots is a number from 1 to 255, not '0'"},
      {pragma("cache slots=256"),
       "line 3: regshare.cache: slots is a number from 1 to 255, not '256'"},
      {Cache + Cache, "line 4: regshare.cache: a function has it once"},
      {pragma("strand"),
       "line 3: regshare.strand: before the function's regshare.cache"},
      {Cache + pragma("strand id=1"), "line 4: regshare.strand: takes no keys"},
      {Cache + pragma("operands"),
       "line 4: regshare.operands: names no operand"},
      {Cache + pragma("operands read=R3"),
       "line 4: regshare.operands: 'R3' is not a register and its slot, such "
       "as R3:0"},
      {Cache + pragma("operands read=R3:x"),
       "line 4: regshare.operands: 'R3:x' is not a register and its slot, such "
       "as R3:0"},
      {Cache + pragma("operands read=R2_3:0"),
       "line 4: regshare.operands: 'R2_3:0' does not start with a single "
       "register such as R3"},
      {Cache + pragma("operands read=R3:0,R2:1"),
       "line 4: regshare.operands: R2 does not ascend; each register stands "
       "once"},
      {Cache + pragma("operands read=R3:0 fetch=R3:1"),
       "line 4: regshare.operands: R3 stands twice among sources"},
      {Cache + pragma("operands cache=R3:0 both=R3:1"),
       "line 4: regshare.operands: R3 stands twice among results"},
      {Cache + pragma("operands read=R3:0 cache=R4:0"),
       "line 4: regshare.operands: slot 0 stands twice"},
      {Cache + pragma("operands read=R3:0 read=R4:1"),
       "line 4: regshare.operands: 'read' is given twice"},
      {Cache + pragma("operands write=R3:0"),
       "line 4: regshare.operands: unknown key 'write'; known: read, fetch, "
       "cache, both"},
      {Cache + pragma("operands read=R3:4"),
       "line 4: regshare.operands: slot 4 is beyond the function's slots=4"},
      {Cache + pragma("operands both=R24:0"),
       "line 4: regshare.operands: R24 is beyond the descriptor's regs=24"},
      {pragma("free regs=R1"), "line 3: regshare.free: belongs to scheme rfv, "
                               "but the descriptor says shrf"},
  };
  for (const auto &[Body, Message] : Cases)
    EXPECT_EQ(errorOf("shrf", Body), Message) << Body;
  EXPECT_EQ(errorOf("rfc", Cache),
            "line 3: regshare.cache: belongs to scheme shrf, but the "
            "descriptor says rfc");
}

} // namespace
