//===- HardwareCostTest.cpp - Tests of PTX's names and costs --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/HardwareCost.h"
#include "regshare/CodeGen/Native/PTXMnemonics.h"

#include "ParsedFunction.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using testing::HasSubstr;

namespace {

const HardwareCosts &costs(StringRef Arch) {
  Result<const HardwareCosts *> Found = HardwareCosts::get(Arch);
  EXPECT_TRUE(Found);
  return **Found;
}

TEST(HardwareCost, RowsAreSound) {
  for (StringRef Arch : {"sm_70", "sm_75", "sm_80", "sm_90"}) {
    unsigned Rows = 0;
    for (const auto &Row : costs(Arch)) {
      SCOPED_TRACE(Row.first().str());
      const HardwareCost &C = Row.second;
      EXPECT_FALSE(Row.first().contains(' '));
      EXPECT_LE(C.Executed, C.Slots + C.OncePerKernel);
      EXPECT_TRUE(C.Executed != 0 || C.Slots == 0);
      EXPECT_LE(C.Slots, 100U);
      EXPECT_LE(C.Temps, 16U);
      ++Rows;
    }
    EXPECT_GT(Rows, 600U);
  }
}

TEST(HardwareCost, NoSuchArchitecture) {
  Result<const HardwareCosts *> Found = HardwareCosts::get("sm_20");
  ASSERT_FALSE(Found);
  EXPECT_EQ(Found.error().Kind, ErrorKind::Unsupported);
  EXPECT_THAT(Found.error().Message, HasSubstr("'sm_20'"));
  EXPECT_THAT(Found.error().Message,
              HasSubstr("sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90"));
}

TEST(HardwareCost, WithoutARowOneInstruction) {
  EXPECT_EQ(costs("sm_75").find("no.such"), nullptr);
  EXPECT_EQ(costs("sm_75").cost("no.such"), HardwareCost());
}

// ptxas makes 119, 31 and 79 instructions of a kernel that loads two values,
// divides one by the other and stores the result: seven besides the division.
TEST(HardwareCost, KernelsOfOneDivision) {
  auto Kernel = [](StringRef Mnemonic) {
    HardwareCost C = costs("sm_75").cost(Mnemonic);
    return int(7 + C.Slots + C.OncePerKernel);
  };
  EXPECT_NEAR(Kernel("div.rn.f32"), 119, 7);
  EXPECT_NEAR(Kernel("div.s32"), 31, 2);
  EXPECT_NEAR(Kernel("div.u64"), 79, 2);
  // 18 registers, of which 8 are there with an addition in its place.
  EXPECT_NEAR(costs("sm_75").cost("div.u64").Temps, 18 - 8, 2);
}

TEST(HardwareCost, WiderIsMore) {
  for (StringRef Arch : {"sm_75", "sm_80", "sm_90"})
    for (StringRef Name : {"add.s", "and.b", "setp.lt.s", "mul.lo.s", "div.u"})
      EXPECT_LT(costs(Arch).cost((Name + "32").str()).Executed,
                costs(Arch).cost((Name + "64").str()).Executed)
          << Name.str();
}

// The order of the instructions is that of the expectations.
TEST(PTXMnemonics, OfMachineInstructions) {
  test::ParsedFunction Parsed(R"(
  bb.0:
    %0:b32 = INT_PTX_SREG_TID_x
    %1:b32 = ADD32ri %0:b32, 5
    %2:b64 = MUL_WIDEs32_ri %1:b32, 4
    %3:b32 = LD_i32 0, 0, 1, 3, 32, -1, %2:b64, 8
    %4:b32 = FADD_rnf32rr %3:b32, %3:b32, -1
    %5:b32 = FADD_rnf32rr %3:b32, %3:b32, 0
    %6:b32 = CVT_s32_f32 %4:b32, 18
    %7:b1 = SETP_i32ri %6:b32, 7, 2
    %8:b64 = V2I32toI64 %0:b32, %1:b32
    %9:b32 = I64toI32H %8:b64
    %10:b32 = COPY %9:b32
    Return
)");
  const MachineFunction &MF = Parsed.mf();
  PTXMnemonics Mnemonics(MF.getTarget());
  std::vector<std::string> Found;
  for (const MachineInstr &MI : MF.front())
    Found.push_back(Mnemonics.get(MI).str());
  EXPECT_THAT(Found, testing::ElementsAre("mov.u32", "add.s32", "mul.wide.s32",
                                          "ld.global.b32", "add.rn.ftz.f32",
                                          "add.rn.f32", "cvt.rzi.ftz.s32.f32",
                                          "setp.lt.s32", "mov.b64.pack",
                                          "mov.b64.unpack", "mov", "ret"));
}

TEST(PTXMnemonics, OfText) {
  EXPECT_EQ(PTXMnemonics::ofText("\tadd.s32 \t%r1, %r2, 1;"), "add.s32");
  EXPECT_EQ(PTXMnemonics::ofText("@%p1 bra $L;"), "bra");
  EXPECT_EQ(PTXMnemonics::ofText("ret;"), "ret");
  EXPECT_EQ(PTXMnemonics::ofText("\t.pragma \"used_bytes_mask 0xfff\";\n"
                                 "\tld.shared.v4.b32 \t{%r1, %r2, %r3, %r4}, "
                                 "[%r5];"),
            "ld.shared.v4.b32");
  EXPECT_EQ(PTXMnemonics::ofText("mov.b64 \t%rd1, {%r1, %r2};"),
            "mov.b64.pack");
  EXPECT_EQ(
      PTXMnemonics::ofText("{ .reg .b32 tmp; mov.b64 {tmp, %r1}, %rd1; }"),
      "mov.b64.unpack");
}

} // namespace
