//===- SchemeRulesTest.cpp - A scheme that was not there ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a loaded scheme does: describes itself, and makes its settings, passes
/// and rules known.
///
//===----------------------------------------------------------------------===//

#include "ParsedFunction.h"

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/Reconvergence.h"
#include "regshare/Annotation/SchemeRules.h"
#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Annotation/WarpFlow.h"
#include "regshare/Base/Statements.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

struct Colour {
  unsigned Number;
};

Result<void> addColour(const Statement &S, const KernelDescriptor &,
                       SchemeFacts &Facts) {
  static constexpr const char *Keys[] = {"of"};
  Result<std::vector<std::string>> Values = fieldsOf(S, Keys);
  if (!Values)
    return fail(Values.error());
  Result<unsigned> Number = parseNumber(S, Keys[0], (*Values)[0], 1, 9);
  if (!Number)
    return fail(Number.error());
  Facts.set(Colour{*Number});
  return {};
}

Result<void> addStroke(const Statement &S, const KernelDescriptor &,
                       SchemeFacts &) {
  return checkNoFields(S);
}

constexpr StatementKind Statements[] = {
    {"colour", StatementKind::Head, StatementKind::Unexecuted,
     "what is painted with", addColour},
    {"stroke", StatementKind::Anywhere, StatementKind::Issued,
     "painting goes on", addStroke},
    {"drip", StatementKind::Anywhere, StatementKind::SteppedOver,
     "paint drips meanwhile", addStroke},
    {"look", StatementKind::Anywhere, StatementKind::Decoded,
     "what comes next is looked at", addStroke},
    {"title", StatementKind::Anywhere, StatementKind::Unexecuted,
     "a name for this place", addStroke}};

constexpr Setting Strokes =
    Setting::number("strokes", SettingUse::Compiler, 3, 1, 5,
                    "how many times the brush is dipped");
constexpr const Setting *Settings[] = {&Strokes};

constexpr Claim Claims[] = {
    {Domain::Scratchpad, "paints some of it in one colour"}};

constexpr SchemeDescription Painting = {.Name = "painting",
                                        .Summary = "registers in colours",
                                        .Page = "painting",
                                        .Statements = Statements,
                                        .Settings = Settings,
                                        .Required = "colour",
                                        .Claims = Claims};

constexpr AnnotationRule FewStrokes{"few-strokes"};
constexpr AnnotationRule KnownColour{"known-colour"};

class PaintingRules final : public SchemeRules {
  Refusal refusalOf(const Statement &S, const SchemeFacts &) const override {
    return {S.Verb == "colour" ? KnownColour : rules::Statement};
  }
  void verify(VerifierRun &Run) const override {
    unsigned Most = Run.Facts.get<Colour>()->Number;
    if (Run.Options.Settings.has(Strokes))
      Most = Run.Options.Settings.get<unsigned>(Strokes);
    for (const PlacedStatement &S : Run.Statements)
      if (S.Verb == "stroke" && Most-- == 0)
        Run.report(FewStrokes, *S.MI, {}, "paints once too often");
  }
};

constexpr StringRef Passes[] = {"regshare-paint", "regshare-dry"};
constexpr SchemeCompiler TheCompiler = {Passes, [](PassRegistry &) {}};
constexpr PaintingRules TheRules;

class SchemeFromOutside : public testing::Test {
protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(registerScheme(Painting));
    ASSERT_TRUE(registerSchemeCompiler(Painting, TheCompiler));
    ASSERT_TRUE(registerSchemeRules(Painting, TheRules));
    ASSERT_TRUE(addSettingOptions());
  }

  /// "rule: message" of each violation in code with these statements.
  std::string verify(ArrayRef<StringRef> Pragmas,
                     const VerifierOptions &Options = {}) {
    std::string Body = "  bb.0:\n";
    for (StringRef Pragma : Pragmas)
      Body += "    INLINEASM &\".pragma \\22regshare." + Pragma.str() +
              "\\22;\", 1\n";
    Body += "    Return\n";
    ParsedFunction P(Body);
    std::string Found;
    for (const AnnotationViolation &V : verifyAnnotations(
             P.mf(), cantFail(RegisterAssignment::fromNames(P.mf())),
             P.postDominators(), Options))
      Found += std::string(V.Rule.Name) + ": " + V.What + "\n";
    return Found;
  }
};

TEST_F(SchemeFromOutside, IsKnownOnce) {
  EXPECT_EQ(compilerOf(Painting), &TheCompiler);
  EXPECT_EQ(rulesOf(Painting), &TheRules);
  EXPECT_EQ(registerSchemeCompiler(Painting, TheCompiler).error().Message,
            "scheme 'painting': it has a compiler already");
  EXPECT_EQ(registerSchemeRules(Painting, TheRules).error().Message,
            "scheme 'painting': it has rules already");
  EXPECT_EQ(schemePasses("painting"),
            (std::vector<std::string>{
                "regshare-assign-registers", "regshare-paint", "regshare-dry",
                "regshare-verify-annotations", "regshare-annotate"}));
}

TEST_F(SchemeFromOutside, StatementsNeedACompiler) {
  static constexpr SchemeDescription Sketching = {.Name = "sketching",
                                                  .Summary = "no passes yet",
                                                  .Page = "",
                                                  .Statements = Statements};
  ASSERT_TRUE(registerScheme(Sketching));
  Result<void> Ok = checkCompilerOf(Sketching);
  ASSERT_FALSE(Ok);
  EXPECT_EQ(Ok.error().Message,
            "scheme 'sketching': no passes are known that write its statements "
            "into code");
  // One whose statements people write says so.
  static constexpr SchemeCompiler ByHand = {{}, [](PassRegistry &) {}};
  ASSERT_TRUE(registerSchemeCompiler(Sketching, ByHand));
  for (Scheme S : allSchemes())
    EXPECT_TRUE(checkCompilerOf(S)) << S.name();
  for (Scheme S : allCompositions())
    EXPECT_TRUE(checkCompilerOf(S)) << S.name();
}

TEST_F(SchemeFromOutside, SettingsAreOptions) {
  EXPECT_FALSE(givenSettings().has(Strokes));
  const char *Wrong[] = {"test", "-regshare-strokes=6"};
  testing::internal::CaptureStderr();
  EXPECT_FALSE(cl::ParseCommandLineOptions(2, Wrong, "", &nulls()));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "test: for the --regshare-strokes option: expected a number from 1 "
            "to 5, got '6'\n");
  cl::ResetAllOptionOccurrences();
  const char *Right[] = {"test", "-regshare-strokes=4"};
  EXPECT_TRUE(cl::ParseCommandLineOptions(2, Right, "", &nulls()));
  EXPECT_EQ(compilerOptions().Settings.get<unsigned>(Strokes), 4u);

  CompilerOptions Options = compilerOptions();
  Options.Scheme = "painting";
  std::string Warnings;
  raw_string_ostream OS(Warnings);
  warnOfOtherSettings(Options, OS);
  EXPECT_EQ(Warnings, "");
  cl::ResetAllOptionOccurrences();
  EXPECT_FALSE(givenSettings().has(Strokes));
}

TEST_F(SchemeFromOutside, RulesAreVerified) {
  EXPECT_EQ(verify({"colour of=2", "stroke", "stroke"}), "");
  EXPECT_EQ(verify({"colour of=1", "stroke", "stroke"}),
            "few-strokes: paints once too often\n");
  VerifierOptions Options;
  Options.Asked = Painting;
  EXPECT_EQ(verify({"stroke"}, Options),
            "statement: regshare.colour is missing, which scheme painting "
            "needs\n");
  Options.Settings.set(Strokes, 1);
  EXPECT_EQ(verify({"colour of=2", "stroke", "stroke"}, Options),
            "few-strokes: paints once too often\n");
}

/// Each part's rules read their own statements alone, by their own grammar.
TEST_F(SchemeFromOutside, RulesOfBothParts) {
  VerifierOptions Options;
  for (const char *Other : {"rfv", "regmutex", "ideal"}) {
    Result<Scheme> Both = parseScheme(std::string(Other) + "+painting");
    ASSERT_TRUE(Both) << Both.error().str();
    Options.Asked = *Both;
    EXPECT_EQ(verify({"colour of=1", "stroke"}, Options), "") << Other;
    EXPECT_EQ(verify({"colour of=1", "stroke", "stroke"}, Options),
              "few-strokes: paints once too often\n")
        << Other;
  }
}

/// A pass that runs after that of another scheme does not part an instruction
/// from the statement on it.
TEST_F(SchemeFromOutside, NothingComesBetweenAnInstructionAndItsStatement) {
  ParsedFunction P(
      "  bb.0:\n"
      "    INLINEASM &\".pragma \\22regshare.dead regs=R0\\22;\", 1\n"
      "    Return\n");
  MachineBasicBlock &MBB = P.mf().front();
  insertStatement(MBB, MBB.begin(), ".pragma \"regshare.stroke\";");
  insertStatement(MBB, MBB.begin(), ".pragma \"regshare.dead regs=R1\";");
  std::string Statements;
  for (const MachineInstr &MI : MBB)
    Statements += statementString(MI) + ";";
  EXPECT_EQ(Statements, "regshare.dead regs=R1;regshare.dead regs=R0;"
                        "regshare.stroke;;");
}

/// Lanes meet before statements that take a slot. Where they end after
/// statements that take none they do not wait for each other.
TEST_F(SchemeFromOutside, LanesMeetBeforeWhatTakesASlot) {
  auto Meets = [](ArrayRef<StringRef> Pragmas) {
    std::string Body = R"(
  bb.0:
    successors: %bb.1, %bb.2
    %R0:b32 = SREG_LANEID
    %P0:b1 = SETP_i32ri %R0, 5, 2
    CBranch %P0, %bb.2
    GOTO %bb.1
  bb.1:
    successors: %bb.3
    %R1:b32 = MOV_B32_i 1
    GOTO %bb.3
  bb.2:
    successors: %bb.3
    %R2:b32 = MOV_B32_i 2
    GOTO %bb.3
  bb.3:
)";
    for (StringRef Pragma : Pragmas)
      Body += "    INLINEASM &\".pragma \\22regshare." + Pragma.str() +
              "\\22;\", 1\n";
    ParsedFunction P(Body + "    Return\n");
    auto Assignment = cantFail(RegisterAssignment::fromNames(P.mf()));
    Reconvergence Meetings(P.mf(), P.postDominators());
    WarpFlow Flow(P.mf(), DivergenceAnalysis(P.mf(), Assignment, Meetings));
    EXPECT_FALSE(Flow.switches().empty());
    return llvm::all_of(Flow.switches(),
                        [](const LaneSwitch &S) { return S.Meet; });
  };
  EXPECT_TRUE(Meets({}));
  EXPECT_TRUE(Meets({"stroke"}));
  EXPECT_FALSE(Meets({"drip"}));
  EXPECT_FALSE(Meets({"title", "drip", "look"}));
  EXPECT_FALSE(Meets({"drip", "control stall=4"}));
  EXPECT_TRUE(Meets({"control stall=4"}));
  EXPECT_TRUE(Meets({"drip", "stroke"}));
  // The SM has no instruction there.
  EXPECT_TRUE(Meets({"look"}));
  EXPECT_TRUE(Meets({"title"}));
}

TEST_F(SchemeFromOutside, RefusedStatementsBreakARule) {
  EXPECT_EQ(verify({"colour of=10"}),
            "known-colour: regshare.colour: of is a number from 1 to 9, not "
            "'10'\n");
  EXPECT_EQ(verify({"colour of=1", "stroke of=1"}),
            "statement: regshare.stroke: takes no keys\n");
  VerifierOptions Alone;
  Alone.Asked = Painting;
  EXPECT_EQ(verify({"colour of=1", "acquire"}, Alone),
            "statement: regshare.acquire does not belong to scheme painting\n");
}

} // namespace
