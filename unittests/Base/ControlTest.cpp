//===- ControlTest.cpp - Control as statements ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Control.h"
#include "regshare/Base/IssueClass.h"

#include <gtest/gtest.h>

using namespace regshare;

static Result<Control> parse(const std::string &Text) {
  Result<Statement> S = parseStatement("regshare.control" + Text);
  EXPECT_TRUE(S) << (S ? "" : S.error().Message);
  return S ? parseControl(*S) : tl::make_unexpected(S.error());
}

static std::string errorOf(const std::string &Text) {
  Result<Control> C = parse(Text);
  return C ? "" : C.error().Message;
}

TEST(Control, ReadsWhatItPrints) {
  for (unsigned N = 1; N < 1u << 16; N += 97) {
    Control C;
    C.Stall = 1 + N % 15;
    if (unsigned Write = N / 3 % 7)
      C.Write = Write - 1;
    if (unsigned Read = N / 5 % 7)
      C.Read = Read - 1;
    C.Wait = N / 11 % 64;
    if (C.isDefault())
      continue;
    std::string Text = printControlPragma(C);
    ASSERT_EQ(Text.substr(0, 9), ".pragma \"");
    Result<Statement> S = parseStatement(Text.substr(9, Text.size() - 11));
    ASSERT_TRUE(S) << Text;
    Result<Control> Read = parseControl(*S);
    ASSERT_TRUE(Read) << Read.error().Message;
    EXPECT_EQ(*Read, C) << Text;
    ControlBits Bits(C);
    EXPECT_EQ(Bits.stall(), C.Stall);
    EXPECT_EQ(Bits.write(), C.Write ? *C.Write + 1 : 0);
    EXPECT_EQ(Bits.read(), C.Read ? *C.Read + 1 : 0);
    EXPECT_EQ(Bits.wait(), C.Wait);
    EXPECT_FALSE(Bits.isSerial());
  }
  Control Serial;
  Serial.Serial = 3;
  EXPECT_EQ(printControlPragma(Serial),
            ".pragma \"regshare.control serial=3\";");
  EXPECT_TRUE(ControlBits(Serial).isSerial());
}

TEST(Control, RefusesWhatCannotBe) {
  EXPECT_EQ(errorOf(" stall=16"),
            "regshare.control: stall is a number from 1 to 15, not '16'");
  EXPECT_EQ(errorOf(" stall=0"),
            "regshare.control: stall is a number from 1 to 15, not '0'");
  EXPECT_EQ(errorOf(" write=6"),
            "regshare.control: write is a number from 0 to 5, not '6'");
  EXPECT_EQ(
      errorOf(" wait=2,1"),
      "regshare.control: expected numbers that ascend in wait, found '2,1'");
  EXPECT_EQ(
      errorOf(" wait=1,1"),
      "regshare.control: expected numbers that ascend in wait, found '1,1'");
  EXPECT_EQ(errorOf(" wait=1,"),
            "regshare.control: wait is a number from 0 to 5, not ''");
  EXPECT_EQ(errorOf(" stall=2 stall=3"),
            "regshare.control: 'stall' is given twice");
  EXPECT_EQ(errorOf(" hold=1"), "regshare.control: unknown key 'hold'; known: "
                                "stall, write, read, wait, serial");
  EXPECT_EQ(errorOf(""), "regshare.control: expected something other than "
                         "stall=1, which holds without a statement");
  EXPECT_EQ(errorOf(" serial=2 stall=2"),
            "regshare.control: 'serial' stands alone");
}

static IssueClass classOf(const char *Mnemonic, IssueContext Context = {}) {
  return issueClass(IssueName::parse(Mnemonic), Context);
}

TEST(IssueClass, OfPTX) {
  EXPECT_EQ(classOf("add.s32"), IssueClass::Alu);
  EXPECT_EQ(classOf("mad.lo.s32"), IssueClass::Fma);
  EXPECT_EQ(classOf("fma.rn.f32"), IssueClass::Fma);
  EXPECT_EQ(classOf("setp.lt.f32"), IssueClass::Alu);
  EXPECT_EQ(classOf("add.rn.f16x2"), IssueClass::Half);
  EXPECT_EQ(classOf("add.rn.f64"), IssueClass::Double);
  EXPECT_EQ(classOf("cvt.rzi.s32.f32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("cvt.f32.f16"), IssueClass::Half);
  EXPECT_EQ(classOf("cvt.f64.f32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            IssueClass::Decoupled);
  EXPECT_EQ(classOf("wmma.load.a.sync.aligned.m16n16k16.row.f16"),
            IssueClass::Decoupled);
  EXPECT_EQ(classOf("cvt.u64.u32"), IssueClass::Alu);
  EXPECT_EQ(classOf("sin.approx.f32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("popc.b32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("redux.sync.add.u32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("match.any.sync.b32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("vote.sync.ballot.b32"), IssueClass::Vote);
  EXPECT_EQ(classOf("shfl.sync.idx.b32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("ld.global.v2.b32"), IssueClass::Decoupled);
  EXPECT_EQ(classOf("bar.sync"), IssueClass::Guard);
  EXPECT_EQ(classOf("mov.b32"), IssueClass::Fma);
  IssueContext Context;
  Context.Special = "%tid.x";
  EXPECT_EQ(classOf("mov.u32", Context), IssueClass::Decoupled);
  Context.Special = "%clock";
  EXPECT_EQ(classOf("mov.u32", Context), IssueClass::Wide);
  IssueContext Shared;
  Shared.DoubleIsShared = true;
  EXPECT_EQ(classOf("fma.rn.f64", Shared), IssueClass::Decoupled);
  EXPECT_EQ(classOf("cvt.rn.f32.s32"), IssueClass::Decoupled);
  IssueContext Hopper;
  Hopper.ConvertsOnAlu = true;
  EXPECT_EQ(classOf("cvt.rn.f32.s32", Hopper), IssueClass::Alu);
  EXPECT_EQ(classOf("cvt.rn.f16x2.f32", Hopper), IssueClass::Alu);
  EXPECT_EQ(classOf("cvt.rzi.s32.f32", Hopper), IssueClass::Decoupled);
  EXPECT_EQ(classOf("cvt.rn.f32.s64", Hopper), IssueClass::Decoupled);
  EXPECT_EQ(classOf("cvt.f32.f16", Hopper), IssueClass::Half);
  IssueContext Uniform;
  Uniform.WritesUniform = true;
  EXPECT_EQ(classOf("add.s32", Uniform), IssueClass::Uniform);
  const IssueName Product[] = {IssueName::parse("mul.lo.s32")};
  IssueContext Joined;
  Joined.Folded = Product;
  EXPECT_EQ(classOf("add.s32", Joined), IssueClass::Fma);
  IssueContext Sequence;
  Sequence.IsSequence = true;
  EXPECT_EQ(classOf("div.s32", Sequence), IssueClass::Fma);
  EXPECT_EQ(classOf("div.s32"), IssueClass::Decoupled);
}
