//===- ReuseTest.cpp - What says which operands are kept ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Reuse.h"
#include "regshare/Base/Annotation.h"

#include <gtest/gtest.h>

using namespace regshare;

namespace {

Result<unsigned> parse(const std::string &Fields) {
  return parseReuse(*parseStatement("regshare.reuse" + Fields));
}

TEST(Reuse, IsReadAsItIsPrinted) {
  EXPECT_EQ(printReusePragma(5), ".pragma \"regshare.reuse slots=0,2\";");
  for (unsigned Slots = 1; Slots != 1u << NumOperandSlots; ++Slots) {
    std::string Text = printReusePragma(Slots);
    Result<Statement> S = parseStatement(Text.substr(9, Text.size() - 11));
    ASSERT_TRUE(S) << Text;
    Result<unsigned> Read = parseReuse(*S);
    ASSERT_TRUE(Read) << Read.error().Message;
    EXPECT_EQ(*Read, Slots) << Text;
  }
}

TEST(Reuse, RefusesWhatCannotBe) {
  EXPECT_EQ(parse("").error().Message, "regshare.reuse: missing 'slots'");
  EXPECT_EQ(parse(" slots=3").error().Message,
            "regshare.reuse: slots is a number from 0 to 2, not '3'");
  EXPECT_EQ(parse(" slots=1,0").error().Message,
            "regshare.reuse: expected numbers that ascend in slots, found "
            "'1,0'");
  EXPECT_EQ(parse(" regs=1").error().Message,
            "regshare.reuse: unknown key 'regs'; known: slots");
}

TEST(Reuse, OperandsTakeSlotsInTheirOrder) {
  OperandSlots Slots;
  EXPECT_EQ(Slots.add(8), 0u);
  EXPECT_EQ(Slots.add(3), 1u);
  EXPECT_EQ(Slots.add(8), 0u) << "the same register again";
  EXPECT_EQ(Slots.add(4), 2u);
  EXPECT_EQ(Slots.add(5), std::nullopt) << "there are three";
  EXPECT_EQ(Slots.numUsed(), 3u);
}

} // namespace
