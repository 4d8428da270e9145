//===- CodeRulesTest.cpp - Code of a scheme that is made known at run time ===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scheme with three statements: after a `tested.close` no register above R7
/// may be written, until a `tested.open`; a `tested.skip` says that the rule
/// does not hold for the instruction after it.
///
//===----------------------------------------------------------------------===//

#include "Rules/CodeRules.h"
#include "AnnotatedTest.h"
#include "SimTest.h"
#include "regshare/Base/Statements.h"

#include <gmock/gmock.h>

using ::testing::HasSubstr;

namespace regshare::sim {
namespace {

Result<void> accept(const regshare::Statement &S, const KernelDescriptor &,
                    SchemeFacts &) {
  return checkNoFields(S);
}

constexpr StatementKind Statements[] = {
    {"tested.close", StatementKind::Anywhere, StatementKind::Issued, "closes",
     accept},
    {"tested.open", StatementKind::Anywhere, StatementKind::SteppedOver,
     "opens", accept},
    {"tested.skip", StatementKind::Anywhere, StatementKind::Decoded, "skips",
     accept},
    {"tested.wrong", StatementKind::Anywhere, StatementKind::Issued,
     "is decoded as if it were none", accept},
    {"tested.early", StatementKind::Anywhere, StatementKind::Decoded,
     "is decoded as if it were one", accept},
    {"tested.dead", StatementKind::Anywhere, StatementKind::SteppedOver,
     "names R9 and a register beyond", accept},
    {"tested.high", StatementKind::Anywhere, StatementKind::Issued,
     "has a high number", accept},
};
constexpr Claim Claims[] = {{Domain::Scratchpad, "closes some of it"}};
const SchemeDescription Tested = {.Name = "tested",
                                  .Summary = "a scheme of a test",
                                  .Page = "schemes",
                                  .Statements = Statements,
                                  .Claims = Claims};
constexpr StatementKind OfUnknown[] = {{"tested.close", StatementKind::Anywhere,
                                        StatementKind::Issued, "closes",
                                        accept}};
const SchemeDescription Unknown = {.Name = "tested-without-rules",
                                   .Summary = "a scheme of a test",
                                   .Page = "schemes",
                                   .Statements = OfUnknown};

extern const CodeFamily TestedCode;

/// What warps have done, in the order of the calls.
std::string Log;

enum class Mistake { None, Attention, NoRules, Row, Frame };
/// What the rules do that they may not.
Mistake Made = Mistake::None;

class Rules final : public WarpRules {
public:
  using WarpRules::WarpRules;

  std::optional<Violation> before(const Inst &) override {
    if (!IsClosed)
      return {};
    return Violation{"a closed register is written", 5};
  }
  void after(const Inst &I) override {
    uint32_t Row = W.function().Accesses[I.FirstAccess + I.NumReads];
    Log += "R" + std::to_string(Row) + " " +
           std::to_string(W.written(W.frame(), Row)) + ";";
  }
  void execute(const Inst &I) override {
    static constexpr uint32_t Beyond[] = {2, 12};
    if (Made == Mistake::Row)
      W.forget(W.frame(), Beyond);
    if (Made == Mistake::Frame)
      W.poison(W.numFrames(), 2, 1);
    IsClosed = I.Statement == 1;
    Log += IsClosed ? "close;" : "open;";
  }
  void lanesChange() override { Log += "lanes;"; }

private:
  bool IsClosed = false;
};

class Code final : public CodeRules {
public:
  explicit Code(const Function &F) : CodeRules(TestedCode, F) {}

  std::unique_ptr<WarpRules> forWarp(WarpView W) const override {
    if (Made == Mistake::NoRules)
      return nullptr;
    return std::make_unique<Rules>(W);
  }
  uint8_t attentionTo(size_t Number) const override {
    if (Made == Mistake::Attention)
      return AttendNoSlot;
    const Inst &I = F.Code[Number];
    bool Writes = I.NumWrites && F.Accesses[I.FirstAccess + I.NumReads] > 7;
    return Writes ? AttendAfter | (Skipped[Number] ? 0 : AttendBefore) : 0;
  }

  std::vector<bool> Skipped; ///< By instruction.
};

class Decoder final : public StatementDecoder {
public:
  explicit Decoder(const Function &F) : Of(std::make_shared<Code>(F)) {}

  bool decode(const regshare::Statement &S, const ptx::Instruction &Syntax,
              DecodedStatement &Out) override {
    if (S.Verb == "tested.skip") {
      From = &Syntax;
      return true;
    }
    HasRules = true;
    if (S.Verb == "tested.wrong")
      return true;
    if (S.Verb == "tested.high") {
      Out.Number = 63;
      return true;
    }
    if (S.Verb == "tested.dead")
      Out.Dead = {9, 10};
    Out.Number = S.Verb == "tested.close" ? 1 : 2;
    return true;
  }
  bool comesTo(const ptx::Instruction *Next) override {
    return Next || !From || fail("nothing follows", From);
  }
  bool decoded(const DecodedInst &) override {
    Of->Skipped.push_back(From);
    From = nullptr;
    return true;
  }
  std::shared_ptr<const CodeRules> take() override {
    return HasRules ? Of : nullptr;
  }

private:
  std::shared_ptr<Code> Of;
  const ptx::Instruction *From = nullptr; ///< A skip that speaks of what comes.
  bool HasRules = false;
};

const SchemeDescription *const Schemes[] = {&Tested};
const CodeFamily TestedCode = {
    Schemes,
    [](const Function &F) -> Result<std::unique_ptr<StatementDecoder>> {
      if (!F.IsEntry)
        return fail("only kernels may be tested");
      return std::make_unique<Decoder>(F);
    }};

const std::string Close = pragma("tested.close"), Open = pragma("tested.open"),
                  Skip = pragma("tested.skip");

class CodeRulesTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(registerScheme(Tested));
    ASSERT_TRUE(registerScheme(Unknown));
    EXPECT_EQ(findCode("tested"), nullptr);
    ASSERT_TRUE(registerCode(TestedCode));
  }
  void SetUp() override {
    Log.clear();
    Made = Mistake::None;
  }

  static std::string text(const std::string &Body,
                          const std::string &Scheme = "tested",
                          const std::string &Kind = ".visible .entry",
                          unsigned Preds = 0) {
    std::string Map;
    for (unsigned N = 0; N != 10; ++N)
      Map += pragma("map %r" + std::to_string(N) + "=R" + std::to_string(N));
    return Header + Kind + " k()\n{\n.reg .b32 %r<10>;\n" +
           pragma("kernel v1 name=k scheme=" + Scheme +
                  " regs=10 preds=" + std::to_string(Preds) +
                  " peak=10 shared=0 local=0 target=sm_80") +
           Map + Body + "ret;\n}\n";
  }
  /// What the kernel fails with; empty if it ran.
  std::string run(const std::string &Body) {
    TestProgram T(text(Body));
    Instructions = 0;
    if (T.run("k", {1}, {32}, {}))
      Instructions = T.Stats.WarpInstructions;
    return T.Error;
  }
  uint64_t Instructions = 0;
};

const std::string Write = "mov.b32 %r8, 1;\n";

TEST_F(CodeRulesTest, FamiliesAreFoundByTheirSchemes) {
  EXPECT_EQ(findCode("tested"), &TestedCode);
  EXPECT_EQ(findCode("tested-without-rules"), nullptr);
  EXPECT_EQ(findCode("baseline"), nullptr);
  EXPECT_EQ(findCode(""), nullptr);
  EXPECT_EQ(registerCode(TestedCode).error().Message,
            "scheme 'tested': it has a code family already");
}

TEST_F(CodeRulesTest, WithoutRulesNothingIsAttendedTo) {
  TestProgram T(text(Write));
  ASSERT_TRUE(T.P) << T.Error;
  EXPECT_EQ(T.P->findKernel("k")->Rules, nullptr);
  EXPECT_EQ(T.P->findKernel("k")->Scheme, "tested");
  for (const Inst &I : T.P->findKernel("k")->Code)
    EXPECT_EQ(I.Attention, 0);
}

TEST_F(CodeRulesTest, WarpsFollowTheRules) {
  EXPECT_EQ(run("mov.b32 %r1, 1;\n" + Write + Close + "mov.b32 %r1, 2;\n" +
                Open + Write),
            "");
  EXPECT_EQ(Log, "R8 4294967295;close;open;R8 4294967295;lanes;");
  EXPECT_EQ(Instructions, 6u) << "the opening takes no slot";
}

TEST_F(CodeRulesTest, WhatIsBrokenIsReported) {
  std::string Error = run(Close + "mov.b32 %r1, 1;\n" + Write);
  EXPECT_THAT(Error, HasSubstr(": a closed register is written"));
  EXPECT_THAT(Error, HasSubstr("lane 5"));
  EXPECT_THAT(Error, HasSubstr("mov.b32 %r8, 1"));
  EXPECT_EQ(Log, "close;");
}

TEST_F(CodeRulesTest, StatementsSpeakOfWhatFollows) {
  EXPECT_EQ(run(Close + Skip + Write), "");
  EXPECT_EQ(Log, "close;R8 4294967295;lanes;");
  EXPECT_THAT(run(Close + Skip + "mov.b32 %r1, 1;\n" + Write),
              HasSubstr(": a closed register is written"));
}

TEST_F(CodeRulesTest, DecodersReportTheirStatement) {
  TestProgram T(Header + std::string(".visible .entry k()\n{\n") +
                pragma("kernel v1 name=k scheme=tested regs=0 preds=0 peak=0 "
                       "shared=0 local=0 target=sm_80") +
                "ret;\n" + Skip + "}\n");
  EXPECT_THAT(T.Error, HasSubstr("nothing follows in 'regshare.tested.skip'"));
  EXPECT_THAT(T.Error, HasSubstr("test.ptx:8"));
  EXPECT_THAT(TestProgram(text("", "tested", ".visible .func")).Error,
              HasSubstr("only kernels may be tested"));
}

/// What a decoder makes of a statement is what its description says.
TEST_F(CodeRulesTest, DecodersThatContradictTheDescriptionAreRefused) {
  auto Refusal = [](const char *Verb) {
    return TestProgram(text(pragma(Verb))).Error;
  };
  EXPECT_THAT(Refusal("tested.wrong"),
              HasSubstr("scheme 'tested': its StatementDecoder::decode() says "
                        "number 0 of a statement that is an instruction by its "
                        "description; expected one from 1 on in "
                        "'regshare.tested.wrong'"));
  EXPECT_THAT(Refusal("tested.early"),
              HasSubstr("says number 2 of a statement that becomes no "
                        "instruction by its description; expected 0"));
  EXPECT_THAT(Refusal("tested.dead"),
              HasSubstr("says that R10 is dead; the function has 10 "
                        "registers"));
}

/// A composition keeps the part beside the number.
TEST_F(CodeRulesTest, NumbersOfCompositionsAreSmall) {
  EXPECT_EQ(TestProgram(text(pragma("tested.high"))).Error, "");
  Result<Scheme> Both = parseScheme("tested+rfv");
  ASSERT_TRUE(Both) << Both.error().str();
  EXPECT_THAT(
      TestProgram(text(pragma("tested.high"), std::string(Both->name()))).Error,
      HasSubstr("scheme 'tested': its StatementDecoder::decode() says number "
                "63 of 'regshare.tested.high'; expected one below 63 in a "
                "composition"));
}

TEST_F(CodeRulesTest, RulesThatBreakTheirContractEndTheLaunch) {
  auto Told = [&](Mistake M) {
    Made = M;
    return run(Close + Write);
  };
  EXPECT_THAT(Told(Mistake::Attention),
              HasSubstr("scheme 'tested': its CodeRules::attentionTo() "
                        "returned 8 for instruction 0; expected AttendBefore, "
                        "AttendAfter, both or 0"));
  EXPECT_THAT(Told(Mistake::NoRules),
              HasSubstr("scheme 'tested': its CodeRules::forWarp() returned "
                        "null; expected rules of the warp's own\n  kernel 'k', "
                        "CTA (0,0,0), warp 0"));
  EXPECT_THAT(Told(Mistake::Row),
              HasSubstr("scheme 'tested': it names R12 in WarpView::forget(); "
                        "'k' has 10 registers"));
  EXPECT_THAT(Told(Mistake::Frame),
              HasSubstr("scheme 'tested': it names frame 1 in "
                        "WarpView::poison(); expected one of the warp's 1"));
}

/// Lanes that only have statements without a slot before their end do not meet
/// there.
TEST_F(CodeRulesTest, LanesMeetBeforeWhatTakesASlot) {
  auto Meets = [](const std::string &Statement) {
    TestProgram T(text(".reg .pred %p<2>;\n" + pragma("map %p1=P0") +
                           "mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n"
                           "@%p1 bra A;\nmov.b32 %r2, 1;\nbra B;\n"
                           "A:\nmov.b32 %r2, 2;\nB:\n" +
                           Statement,
                       "tested", ".visible .entry", 1));
    EXPECT_TRUE(T.P) << T.Error;
    if (!T.P)
      return false;
    const std::vector<Inst> &Code = T.P->findKernel("k")->Code;
    auto Branch = std::ranges::find(Code, InstKind::Branch, &Inst::Kind);
    return Branch != Code.end() && Branch->Reconverge != NoTarget;
  };
  EXPECT_TRUE(Meets(Close));
  EXPECT_FALSE(Meets(Open));
  EXPECT_FALSE(Meets(""));
  EXPECT_TRUE(Meets(Open + Close));
}

TEST_F(CodeRulesTest, StatementsWithoutAFamilyAreRefused) {
  EXPECT_THAT(TestProgram(text(Close, "tested-without-rules")).Error,
              HasSubstr("the SM does not execute statements of scheme "
                        "'tested-without-rules'"));
}

} // namespace
} // namespace regshare::sim
