//===- SharingStatementsTest.cpp - Statements of resource sharing ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeText.h"

#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Sharing/SharingStatements.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::test;

namespace {

std::string pragma(const std::string &Text) {
  return ".pragma \"regshare." + Text + "\";\n";
}

TEST(SharingStatements, ComeBack) {
  for (unsigned Private : {0u, 2u, 24u}) {
    auto Read = readKernel("register-sharing", printSharingPragma(Private) +
                                                   printSharedReleasePragma());
    ASSERT_TRUE(Read) << Read.error().str();
    ASSERT_TRUE(Read->front().Facts.get<PrivateRegisters>());
    EXPECT_EQ(Read->front().Facts.get<PrivateRegisters>()->Registers, Private);
    ASSERT_EQ(Read->front().Statements.size(), 3u);
    EXPECT_EQ(Read->front().Statements[2].Verb, "release");
  }
  EXPECT_EQ(printSharingPragma(2), ".pragma \"regshare.sharing private=2\";");
  auto Scratchpad =
      readKernel("scratchpad-sharing", printSharedReleasePragma());
  ASSERT_TRUE(Scratchpad) << Scratchpad.error().str();
  EXPECT_FALSE(Scratchpad->front().Facts.get<PrivateRegisters>());
}

TEST(SharingStatements, Reject) {
  const std::string Sharing = pragma("sharing private=2");
  const std::pair<std::string, const char *> Cases[] = {
      {pragma("sharing"), "line 3: regshare.sharing: missing 'private'"},
      {pragma("sharing private=x"),
       "line 3: regshare.sharing: private is a number from 0 to 255, not 'x'"},
      {pragma("sharing private=02"),
       "line 3: regshare.sharing: private is a number from 0 to 255, not '02'"},
      {pragma("sharing private=25"), "line 3: regshare.sharing: private=25 is "
                                     "beyond the descriptor's regs=24"},
      {pragma("sharing private=2 t=0.1"),
       "line 3: regshare.sharing: unknown key 't'; known: private"},
      {Sharing + Sharing, "line 4: regshare.sharing: a function has it once"},
      {pragma("release"),
       "line 3: regshare.release: before the function's regshare.sharing"},
      {Sharing + pragma("release regs=R3"),
       "line 4: regshare.release: takes no keys"},
      {Sharing + pragma("acquire"), "line 4: regshare.acquire: belongs to "
                                    "scheme regmutex, regmutex-paired, but the "
                                    "descriptor says register-sharing"},
      {pragma("bundles cache=2048 kept=4"),
       "line 3: regshare.bundles: belongs to scheme expars, but the descriptor "
       "says register-sharing"},
  };
  for (const auto &[Body, Message] : Cases)
    EXPECT_EQ(errorOf("register-sharing", Body), Message) << Body;
  for (const char *Scheme :
       {"baseline", "ltrf", "rfv", "regmutex", "scratchpad-sharing"})
    EXPECT_EQ(errorOf(Scheme, Sharing),
              std::string("line 3: regshare.sharing: belongs to scheme "
                          "register-sharing, but the descriptor says ") +
                  Scheme);
  EXPECT_EQ(errorOf("scratchpad-sharing", pragma("release after=R1")),
            "line 3: regshare.release: takes no keys");
  EXPECT_NE(errorOf("baseline", pragma("release")), "none");
}

} // namespace
