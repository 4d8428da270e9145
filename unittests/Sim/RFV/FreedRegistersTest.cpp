//===- FreedRegistersTest.cpp - Registers that are free -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functional half of register file virtualisation: what a free does, and
/// every check.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

const std::string Store = "st.global.u32 [%rd0], %r6;\n";

TEST(FreedRegisters, FreedValuesAreGone) {
  const std::string Use = "mov.u32 %r6, 7;\n" + pragma("free regs=R6") + Store;
  EXPECT_THAT(launchError(virtualised(), Use),
              HasSubstr("read of a register that was never written (R6: %r6"));
  TestProgram T(virtualised().around(Use));
  T.Options.CheckUnwritten = false;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  EXPECT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  EXPECT_THAT(T.download<uint32_t>(Out, 32), Each(0xDEADC0DEu));
  // Written again they are as new; a free of what is free does nothing.
  EXPECT_THAT(launchWords(virtualised(), pragma("free regs=R6,R7") +
                                             "mov.u32 %r6, 7;\n" +
                                             pragma("free regs=R7,R8") + Store),
              Each(7u));
}

TEST(FreedRegisters, OneHalfOfAPair) {
  const std::string Pair = "mov.u64 %rd3, 0x500000006;\n";
  EXPECT_THAT(launchWords(virtualised(), Pair + pragma("free regs=R7") + Store),
              Each(6u));
  EXPECT_THAT(launchError(virtualised(), Pair + pragma("free regs=R7") +
                                             "st.global.u64 [%rd0], %rd3;\n"),
              HasSubstr("never written (R7"));
}

/// What one side frees is lost for lanes that are parked.
TEST(FreedRegisters, InOneSide) {
  EXPECT_THAT(launchError(virtualised(), "mov.u32 %r6, 7;\n" + Sides +
                                             pragma("free regs=R6") +
                                             "bra J;\nOTHER:\n" + Store +
                                             "J:\nmov.u32 %r7, 0;\n"),
              AllOf(HasSubstr("never written"), HasSubstr("lane 16")));
}

/// Before a label, at a join, and in a row.
TEST(FreedRegisters, Anywhere) {
  EXPECT_THAT(launchWords(virtualised(),
                          "mov.u32 %r6, 7;\nmov.u32 %r7, 1;\n" + Sides +
                              "add.u32 %r6, %r6, %r7;\nbra J;\n"
                              "OTHER:\nadd.u32 %r6, %r6, 1;\n" +
                              pragma("free regs=R9") + "J:\n" +
                              pragma("free regs=R7") + pragma("free regs=R8") +
                              Store + pragma("free regs=R0,R1,R6")),
              Each(8u));
}

/// Lanes that run ahead to their end while others wait at a barrier do not take
/// from those what they need after it.
TEST(FreedRegisters, LanesThatRunAheadFreeNothing) {
  EXPECT_THAT(launchWords(virtualised(), "mov.u32 %r6, 7;\n" + Sides +
                                             "bar.sync 0;\n" + Store +
                                             "OTHER:\nmov.u32 %r7, 1;\n" +
                                             pragma("free regs=R0,R1,R6") +
                                             "mov.u32 %r7, 2;\n"),
              AllOf(testing::Contains(7u).Times(16),
                    testing::Contains(0xAAAAAAAAu).Times(16)));
}

} // namespace
} // namespace regshare::sim
