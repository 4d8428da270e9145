//===- RegMutexStatementsTest.cpp - Tests of RegMutex's statements --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "SchemeText.h"
#include "regshare/Base/RFV/RFVStatements.h"

#include <gtest/gtest.h>

using namespace regshare;
using namespace regshare::test;

namespace {

TEST(SchemeStatements, RegMutexComesBack) {
  for (const char *Scheme : {"regmutex", "regmutex-paired"}) {
    auto Read =
        readKernel(Scheme, printSplitPragma({18, 6}) + "\n" +
                               printAcquirePragma() + printReleasePragma());
    ASSERT_TRUE(Read) << Read.error().str();
    const AnnotatedFunction &F = Read->front();
    ASSERT_TRUE(F.Facts.get<RegMutexSplit>());
    EXPECT_EQ(*F.Facts.get<RegMutexSplit>(), (RegMutexSplit{18, 6}));
    ASSERT_EQ(F.Statements.size(), 4u);
    EXPECT_EQ(F.Statements[2].Verb, "acquire");
    EXPECT_EQ(F.Statements[3].Verb, "release");
  }
  auto Untouched = readKernel("regmutex", "");
  ASSERT_TRUE(Untouched);
  EXPECT_FALSE(Untouched->front().Facts.get<RegMutexSplit>());
}

TEST(SchemeStatements, FreesComeBack) {
  const std::vector<unsigned> Units = {0, 3, 17, 23};
  auto Read = readKernel("rfv", printFreePragma(Units));
  ASSERT_TRUE(Read) << Read.error().str();
  Result<std::vector<unsigned>> Freed =
      parseFree(Read->front().Statements.back());
  ASSERT_TRUE(Freed) << Freed.error().Message;
  EXPECT_EQ(*Freed, Units);
}

TEST(SchemeStatements, Rejects) {
  auto Of = [](const std::string &Text) {
    return ".pragma \"regshare." + Text + "\";\n";
  };
  const std::string Split = Of("regmutex base=18 extended=6");
  const std::pair<std::string, const char *> Cases[] = {
      {Of("regmutex base=18"), "line 3: regshare.regmutex: missing 'extended' "
                               "(registers a warp acquires)"},
      {Of("regmutex extended=6"), "line 3: regshare.regmutex: missing 'base' "
                                  "(registers a warp always has)"},
      {Of("regmutex base=24 extended=0"),
       "line 3: regshare.regmutex: extended is a number of registers from 1 to "
       "255, "
       "not '0'"},
      {Of("regmutex base=18 extended=six"),
       "line 3: regshare.regmutex: extended is a number of registers from 1 to "
       "255, "
       "not 'six'"},
      {Of("regmutex base=999 extended=6"),
       "line 3: regshare.regmutex: base is a number of registers from 1 to "
       "255, not "
       "'999'"},
      {Of("regmutex base=18 base=18 extended=6"),
       "line 3: regshare.regmutex: 'base' is given twice"},
      {Of("regmutex base=18 extended=6 srp=26"),
       "line 3: regshare.regmutex: unknown key 'srp'; known: base, extended"},
      {Of("regmutex base=18 extended=5"), "line 3: regshare.regmutex: base and "
                                          "extended are 23 registers together, "
                                          "less than the descriptor's regs=24"},
      {Of("regmutex base=250 extended=200"),
       "line 3: regshare.regmutex: base and extended are 450 registers "
       "together, more than the 256 that a thread can have"},
      {Split + Split, "line 4: regshare.regmutex: a function is split once"},
      {Of("acquire"),
       "line 3: regshare.acquire: before the function's regshare.regmutex"},
      {Split + Of("release now=1"), "line 4: regshare.release: takes no keys"},
      {Of("free regs=R1"),
       "line 3: regshare.free: belongs to scheme rfv, but the "
       "descriptor says regmutex"},
  };
  for (const auto &[Body, Message] : Cases)
    EXPECT_EQ(errorOf("regmutex", Body), Message) << Body;
  const std::pair<std::string, const char *> Frees[] = {
      {"free", "line 3: regshare.free: expected regs=R3,R4 and nothing else"},
      {"free units=R1",
       "line 3: regshare.free: expected regs=R3,R4 and nothing else"},
      {"free regs=R2_3",
       "line 3: regshare.free: 'R2_3' is not a single register "
       "such as R3"},
      {"free regs=R3,R1",
       "line 3: regshare.free: R1 does not ascend; each register stands once"},
      {"free regs=R3,R3",
       "line 3: regshare.free: R3 does not ascend; each register stands once"},
      {"free regs=R23,R24",
       "line 3: regshare.free: R24 is beyond the descriptor's regs=24"},
      {"acquire", "line 3: regshare.acquire: belongs to scheme regmutex, "
                  "regmutex-paired, but the "
                  "descriptor says rfv"},
  };
  for (const auto &[Text, Message] : Frees)
    EXPECT_EQ(errorOf("rfv", Of(Text)), Message) << Text;
  EXPECT_NE(errorOf("rfv", Of("free regs=R1,")), "none");
  EXPECT_NE(errorOf("rfv", Of("free regs=X1")), "none");
}

} // namespace
