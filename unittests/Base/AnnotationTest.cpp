//===- AnnotationTest.cpp - Tests of the annotated-PTX grammar ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Annotation.h"

#include "gtest/gtest.h"

#include <fstream>
#include <random>
#include <sstream>

using namespace regshare;

namespace {

const char *const Head =
    "regshare.kernel v1 name=k scheme=baseline regs=8 preds=2 peak=6 shared=0 "
    "local=0 target=sm_75";

std::string pragma(const std::string &String) {
  return "  .pragma \"" + String + "\";\n";
}

/// A kernel k whose body starts on line 2.
std::string kernel(const std::string &Body) {
  return ".visible .entry k(.param .u64 k_param_0) {\n" + Body + "  ret;\n}\n";
}

/// "line: message" of what parseAnnotations says, or "read".
std::string errorOf(const std::string &Text) {
  Result<std::vector<AnnotatedFunction>> F = parseAnnotations(Text);
  return F ? "read" : std::to_string(F.error().Line) + ": " + F.error().Message;
}

/// Head with one of its words replaced.
std::string headWith(const std::string &From, const std::string &To) {
  std::string Text = Head;
  size_t At = Text.find(From);
  EXPECT_NE(At, Text.npos) << From;
  return Text.replace(At, From.size(), To);
}

class RandomKernel {
public:
  explicit RandomKernel(unsigned Seed) : Random(Seed) {}

  KernelDescriptor descriptor() {
    KernelDescriptor K;
    K.Kernel = name();
    K.Scheme = "baseline";
    K.Target = pick(2) ? "sm_75" : "sm_90a";
    K.Regs = 8 + pick(MaxArchUnits - 7);
    K.Preds = 1 + pick(NumPredicates);
    K.Peak = pick(K.Regs + 1);
    K.SharedBytes = unsigned(Random());
    K.LocalBytes = pick(1 << 20);
    return K;
  }

  RegisterMap map(const KernelDescriptor &K) {
    static constexpr const char *Prefixes[] = {"%p", "%rs", "%r", "%rd", "%rq"};
    RegisterMap Map;
    for (unsigned I = 0, E = pick(400); I != E; ++I) {
      RegKind Kind = RegKind(pick(5));
      unsigned Units = std::max(unitsOf(Kind), 1u);
      unsigned Index =
          pick((Kind == RegKind::Pred ? K.Preds : K.Regs) / Units) * Units;
      Map.Entries.emplace_back(Prefixes[unsigned(Kind)] + std::to_string(I + 1),
                               ArchReg{Kind, uint8_t(Index)});
    }
    return Map;
  }

private:
  unsigned pick(unsigned Below) { return unsigned(Random() % Below); }
  std::string name() {
    static constexpr std::string_view Chars = "abcXYZ_$0189";
    std::string Name = "_Z";
    for (unsigned I = 0, E = pick(300); I != E; ++I)
      Name += Chars[pick(Chars.size())];
    return Name;
  }

  std::mt19937 Random;
};

} // namespace

TEST(Annotation, PrintsTheWholeStatements) {
  KernelDescriptor K{"k", "baseline", "sm_75", 8, 2, 6, 0, 16};
  RegisterMap Map{{{"%r1", {RegKind::B32, 0}}, {"%rd1", {RegKind::B64, 2}}}};
  EXPECT_EQ(printPragmas(K, Map),
            (std::vector<std::string>{
                ".pragma \"regshare.kernel v1 name=k scheme=baseline regs=8 "
                "preds=2 peak=6 shared=0 local=16 target=sm_75\";",
                ".pragma \"regshare.map %r1=R0 %rd1=R2_3\";"}));
  EXPECT_EQ(printPragmas(K, {}).size(), 1u);
  EXPECT_EQ(
      printTempsPragma({{{"p", {RegKind::Pred, 0}}, {"t", {RegKind::B32, 9}}}}),
      ".pragma \"regshare.temps p=P0 t=R9\";");
}

TEST(Annotation, RoundTripsAtRandom) {
  RandomKernel Random(7);
  for (unsigned Run = 0; Run != 500; ++Run) {
    std::string Text = ".version 8.8\n.target sm_75\n";
    std::vector<std::pair<KernelDescriptor, RegisterMap>> Written;
    for (unsigned I = 0; I != 3; ++I) {
      KernelDescriptor K = Random.descriptor();
      RegisterMap Map = Random.map(K);
      Text += ".entry " + K.Kernel + "() // .entry no\n{\n";
      for (const std::string &Statement : printPragmas(K, Map)) {
        if (Statement.find("regshare.map") != Statement.npos) {
          EXPECT_LE(Statement.size(),
                    MaxMapString + std::string(".pragma \"\";").size());
        }
        Text += Statement + "\n";
      }
      Text += "{ .reg .b32 t; } ret;\n}\n";
      Written.emplace_back(K, Map);
    }
    Result<std::vector<AnnotatedFunction>> Read = parseAnnotations(Text);
    ASSERT_TRUE(Read) << Read.error().str() << "\n" << Text;
    ASSERT_EQ(Read->size(), Written.size());
    for (unsigned I = 0; I != Written.size(); ++I) {
      const AnnotatedFunction &F = (*Read)[I];
      EXPECT_TRUE(F.IsEntry);
      EXPECT_EQ(F.Name, Written[I].first.Kernel);
      ASSERT_TRUE(F.Descriptor);
      EXPECT_EQ(*F.Descriptor, Written[I].first);
      EXPECT_EQ(F.Map, Written[I].second);
    }
  }
}

TEST(Annotation, ReadsDamagedTextWithoutHarm) {
  RandomKernel Source(8);
  std::mt19937 Random(9);
  for (unsigned Run = 0; Run != 2000; ++Run) {
    KernelDescriptor K = Source.descriptor();
    std::string Text = ".entry " + K.Kernel + "() {\n";
    for (const std::string &Statement : printPragmas(K, Source.map(K)))
      Text += Statement + "\n";
    Text += "}\n";
    for (unsigned I = 0; I != 3; ++I)
      Text[Random() % Text.size()] = "\" =%_;{}v.\n/*R9"[Random() % 15];
    Result<std::vector<AnnotatedFunction>> Read = parseAnnotations(
        std::string_view(Text).substr(0, Random() % Text.size()));
    if (!Read) {
      EXPECT_NE(Read.error().Line, 0u) << Read.error().Message;
    }
  }
}

TEST(Annotation, FindsFunctionsInPTX) {
  Result<std::vector<AnnotatedFunction>> Read = parseAnnotations(
      "// .pragma \"regshare.bad\";\n"
      "/* .entry no() {\n */\n"
      ".extern .func (.param .b32 r) declared (.param .b64 a);\n"
      ".func (.param .b32 func_retval0) device(.param .b32 x)\n{ ret; }\n"
      ".visible .entry k(\n  .param .u64 a\n)\n.maxntid 128, 1, 1\n{\n"
      "  .pragma \"nounroll\";\n" +
      pragma(Head) + pragma("regshare.map %r1=R0 %p1=P1") +
      "  .pragma \"nounroll\", \"regshare.map %rd1=R2_3\";\n"
      "  { // a \"quoted\" comment\n" +
      pragma("regshare.temps t=R4") + "  .reg .b32 t; }\n  ret;\n}\n");
  ASSERT_TRUE(Read) << Read.error().str();
  ASSERT_EQ(Read->size(), 2u);
  EXPECT_EQ((*Read)[0].Name, "device");
  EXPECT_FALSE((*Read)[0].IsEntry);
  EXPECT_FALSE((*Read)[0].Descriptor);
  EXPECT_EQ((*Read)[0].Line, 5u);
  const AnnotatedFunction &K = (*Read)[1];
  EXPECT_EQ(K.Name, "k");
  ASSERT_TRUE(K.Descriptor);
  EXPECT_EQ(K.Descriptor->Peak, 6u);
  EXPECT_EQ(K.Map.Entries.size(), 3u);
  EXPECT_EQ(K.Map.find("%rd1"), (ArchReg{RegKind::B64, 2}));
  EXPECT_EQ(K.Map.find("%r2"), std::nullopt);
  std::vector<std::pair<std::string, unsigned>> Verbs;
  Verbs.reserve(K.Statements.size());
  for (const Statement &D : K.Statements)
    Verbs.emplace_back(D.Verb, D.Line);
  EXPECT_EQ(Verbs,
            (std::vector<std::pair<std::string, unsigned>>{
                {"kernel", 13}, {"map", 14}, {"map", 15}, {"temps", 17}}));
  Result<RegisterMap> Temps = parseMap(K.Statements.back());
  ASSERT_TRUE(Temps);
  EXPECT_EQ(Temps->find("t"), (ArchReg{RegKind::B32, 4}));
}

TEST(Annotation, RejectsStatements) {
  const std::pair<std::string, const char *> Cases[] = {
      {"regshare.",
       "unknown statement 'regshare.'; known: kernel, map, temps, "
       "native, control, reuse, issue, scratch, regmutex, "
       "acquire, release, free, "
       "intervals, prefetch, interval, dead, "
       "cache, strand, operands, bundles, pref, sharing, unlock, pool"},
      {"regshare.acquires",
       "unknown statement 'regshare.acquires'; known: kernel, map, temps, "
       "native, control, reuse, issue, scratch, regmutex, acquire, release, "
       "free, "
       "intervals, "
       "prefetch, interval, dead, "
       "cache, strand, operands, bundles, pref, sharing, unlock, pool"},
      {"regshare. map %r1=R0",
       "unknown statement 'regshare.'; known: kernel, map, temps, native, "
       "control, reuse, issue, scratch, regmutex, acquire, release, free, "
       "intervals, "
       "prefetch, "
       "interval, dead, cache, "
       "strand, operands, bundles, pref, sharing, unlock, pool"},
      {"regshare.kernel",
       "regshare.kernel: expected a version such as v1, not ''"},
      {"regshare.kernel name=k",
       "regshare.kernel: expected a version such as v1, not 'name=k'"},
      {headWith("v1", "v2"),
       "regshare.kernel: version v2 is not supported; this is v1"},
      {"regshare.map %r1", "regshare.map: expected key=value, not '%r1'"},
      {"regshare.map %r1=", "regshare.map: expected key=value, not '%r1='"},
      {"regshare.map =R1", "regshare.map: expected key=value, not '=R1'"},
      {"regshare.map %r1=R1=R2",
       "regshare.map: expected key=value, not '%r1=R1=R2'"},
      {headWith(" regs=8", ""), "regshare.kernel: missing 'regs' (32-bit "
                                "registers a thread names)"},
      {headWith("regs=8", "regs=8 regs=8"),
       "regshare.kernel: 'regs' is given twice"},
      {headWith("regs=8", "regs=8 colour=red"),
       "regshare.kernel: unknown key 'colour'"},
      {headWith("regs=8", "regs=eight"),
       "regshare.kernel: regs is not a number: 'eight'"},
      {headWith("regs=8", "regs=-8"),
       "regshare.kernel: regs is not a number: '-8'"},
      {headWith("regs=8", "regs=08"),
       "regshare.kernel: regs is not a number: '08'"},
      {headWith("shared=0", "shared=4294967296"),
       "regshare.kernel: shared is not a number: '4294967296'"},
      {headWith("regs=8", "regs=256"),
       "regshare.kernel: regs=256 is more than 255"},
      {headWith("preds=2", "preds=8"),
       "regshare.kernel: preds=8 is more than 7"},
      {headWith("peak=6", "peak=9"),
       "regshare.kernel: peak=9 is more than regs=8"},
      {headWith("sm_75", "gfx90a"),
       "regshare.kernel: 'gfx90a' is not a target such as sm_75"},
      {headWith("baseline", "rfvv"),
       "regshare.kernel: unknown scheme 'rfvv' (did you mean 'rfv'?); known: "
       "baseline, ideal, "
       "regmutex, regmutex-paired, rfv, ltrf, ltrf-plus, ltrf-strand, rfc, "
       "shrf, expars, warpman, register-sharing, scratchpad-sharing, "
       "setmaxnreg"},
      {headWith("name=k", "name=j"),
       "regshare.kernel: name 'j' is not that of the function, 'k'"},
      {"regshare.map %r1=R0",
       "regshare.map: before the function's regshare.kernel"},
  };
  for (const auto &[String, Message] : Cases)
    EXPECT_EQ(errorOf(kernel("\n" + pragma(String))),
              "3: " + std::string(Message))
        << String;
}

TEST(Annotation, TakesSchemesOfOtherVersions) {
  Result<Statement> D = parseStatement(headWith("baseline", "rfv"));
  ASSERT_TRUE(D);
  Result<KernelDescriptor> K = parseDescriptor(*D);
  ASSERT_TRUE(K) << K.error().Message;
  EXPECT_EQ(K->Scheme, "rfv");
}

TEST(Annotation, RejectsMaps) {
  const std::pair<const char *, const char *> Cases[] = {
      {"regshare.map r1=R0",
       "regshare.map: 'r1' is not a PTX register such as %r1"},
      {"regshare.map %=R0",
       "regshare.map: '%' is not a PTX register such as %r1"},
      {"regshare.map %r1=R0 %r1=R1", "regshare.map: '%r1' is mapped twice"},
      {"regshare.map %r9=R1", "regshare.map: '%r9' is mapped twice"},
      {"regshare.temps t=R0 t=R1", "regshare.temps: 't' is mapped twice"},
      {"regshare.map %rd1=R1_2",
       "regshare.map: 'R1_2' is not an architected register: pairs and quads "
       "are aligned to their size"},
      {"regshare.map %r1=R8",
       "regshare.map: %r1=R8 is beyond the descriptor's regs=8"},
      {"regshare.temps q=P2",
       "regshare.temps: q=P2 is beyond the descriptor's preds=2"},
  };
  for (const auto &[String, Message] : Cases)
    EXPECT_EQ(errorOf(kernel(pragma(Head) + pragma("regshare.map %r9=R7") +
                             pragma(String))),
              "4: " + std::string(Message))
        << String;
}

TEST(Annotation, PrintsNativeStatements) {
  KernelDescriptor K{"k", "baseline", "sm_75", 8, 2, 6, 0, 16};
  RegisterMap Map{{{"%r1", {RegKind::B32, 0}}}, {"%rd1", "%r2"}, {"%r3"}};
  EXPECT_EQ(printPragmas(K, Map)[1],
            ".pragma \"regshare.map %r1=R0 %rd1=C %r2=C %r3=F\";");
  EXPECT_EQ(printNativePragma({40, 3}),
            ".pragma \"regshare.native instructions=40 reserved=3\";");
  EXPECT_EQ(printIssuePragma(4), ".pragma \"regshare.issue slots=4\";");
  EXPECT_EQ(printScratchPragma(std::vector<unsigned>{5, 7}),
            ".pragma \"regshare.scratch regs=R5,R7\";");
}

TEST(Annotation, ReadsNativeCode) {
  Result<std::vector<AnnotatedFunction>> Read = parseAnnotations(kernel(
      pragma(Head) + pragma("regshare.map %r1=R0 %r2=C") +
      pragma("regshare.map %r3=F %r4=U62") +
      pragma("regshare.native instructions=9 reserved=0") +
      pragma("regshare.issue slots=0") + pragma("regshare.scratch regs=R5")));
  ASSERT_TRUE(Read) << Read.error().str();
  const AnnotatedFunction &F = Read->front();
  ASSERT_TRUE(F.Native);
  EXPECT_EQ(F.Native->Instructions, 9u);
  EXPECT_EQ(F.Native->Reserved, 0u);
  EXPECT_EQ(
      F.Map,
      (RegisterMap{
          {{"%r1", {RegKind::B32, 0}}}, {"%r2"}, {"%r3"}, {{"%r4", 62}}}));
  EXPECT_THAT(printPragmas(*F.Descriptor, F.Map).back(),
              testing::HasSubstr("%r1=R0 %r2=C %r3=F %r4=U62"));
  EXPECT_EQ(parseIssue(F.Statements[4]).value_or(1), 0u);
  Result<std::vector<unsigned>> Scratch =
      parseScratch(F.Statements[5], *F.Descriptor);
  ASSERT_TRUE(Scratch);
  EXPECT_EQ(*Scratch, std::vector<unsigned>{5});
}

TEST(Annotation, RejectsNativeStatements) {
  const std::pair<const char *, const char *> Cases[] = {
      {"regshare.native", "regshare.native: missing 'instructions'"},
      {"regshare.native instructions=9 reserved=0",
       "regshare.native: a function says it once"},
      {"regshare.native instructions=9", "regshare.native: missing 'reserved'"},
      {"regshare.native instructions=9 reserved=9",
       "regshare.native: reserved is a number from 0 to 8, not '9'"},
      {"regshare.issue slots=65536",
       "regshare.issue: slots is a number from 0 to 65535, not '65536'"},
      {"regshare.issue slots=4 slots=4",
       "regshare.issue: 'slots' is given twice"},
      {"regshare.scratch", "regshare.scratch: missing 'regs'"},
      {"regshare.scratch regs=R8",
       "regshare.scratch: R8 is beyond the descriptor's regs=8"},
      {"regshare.scratch regs=R4_5",
       "regshare.scratch: 'R4_5' is not a single register such as R3"},
      {"regshare.map %r1=C %r1=F", "regshare.map: '%r1' is mapped twice"},
      {"regshare.map %r9=C", "regshare.map: '%r9' is mapped twice"},
      {"regshare.map %r9=U4", "regshare.map: '%r9' is mapped twice"},
      {"regshare.map %r1=U63", "regshare.map: expected a uniform register from "
                               "U0 to U62, found 'U63'"},
      {"regshare.temps t=C",
       "regshare.temps: 'C' is not an architected register"},
  };
  for (const auto &[String, Message] : Cases)
    EXPECT_EQ(
        errorOf(kernel(pragma(Head) +
                       pragma("regshare.native instructions=9 reserved=0") +
                       pragma("regshare.map %r9=F") + pragma(String)))
            .substr(0, 3 + std::string(Message).size()),
        "5: " + std::string(Message))
        << String;
  EXPECT_EQ(errorOf(kernel(pragma(Head) +
                           pragma("regshare.native instructions=9 reserved=3") +
                           pragma("regshare.map %p1=P0 %r1=R2"))),
            "1: regshare.map: '%r1' is in R2, but regshare.native reserves the "
            "first 3 "
            "registers");
  EXPECT_EQ(errorOf(kernel(pragma(Head) + pragma("regshare.map %r1=C"))),
            "3: regshare.map: %r1=C in code without regshare.native");
  EXPECT_EQ(errorOf(kernel(pragma(Head) + pragma("regshare.map %r1=U7"))),
            "3: regshare.map: %r1=U7 in code without regshare.native");
  EXPECT_EQ(errorOf(kernel(pragma(Head) + pragma("regshare.issue slots=2"))),
            "3: regshare.issue: in code without regshare.native");
}

TEST(Annotation, RejectsTexts) {
  EXPECT_EQ(errorOf(kernel(pragma(Head) + pragma(Head))),
            "3: regshare.kernel: a function has one descriptor");
  EXPECT_EQ(errorOf(pragma(Head)), "1: regshare.kernel: outside of a function");
  EXPECT_EQ(errorOf(kernel("") + pragma("regshare.map %r1=R0")),
            "4: regshare.map: outside of a function");
  EXPECT_EQ(errorOf(kernel("") + ".global .b32 g[1] = {\n" + pragma(Head)),
            "5: regshare.kernel: outside of a function");
  EXPECT_EQ(errorOf("\n/* no end"), "2: comment does not end");
  EXPECT_EQ(errorOf(kernel("  .pragma \"regshare\n")),
            "2: string does not end on its line");
  EXPECT_EQ(errorOf(kernel("  .pragma \"nounroll\"\n")),
            "3: expected ';' after .pragma");
  EXPECT_EQ(errorOf("\n.entry k("), "2: function has neither a body nor a ';'");
  EXPECT_EQ(errorOf(".entry k() {\n"), "2: '{' without '}'");
  EXPECT_EQ(errorOf("}"), "1: '}' without '{'");
}

TEST(Annotation, DocumentationHolds) {
  std::ifstream In(REGSHARE_DOCS "/annotated-ptx.md");
  std::stringstream Stream;
  Stream << In.rdbuf();
  std::string Text = Stream.str();
  for (const DescriptorField &F : descriptorFields())
    EXPECT_NE(Text.find("| `" + std::string(F.Key) + "` | " + F.Help + " |"),
              std::string::npos)
        << F.Key;
  size_t Begin = Text.find("```ptx\n");
  ASSERT_NE(Begin, Text.npos);
  Begin += 7;
  std::string Example = Text.substr(Begin, Text.find("```", Begin) - Begin);
  Result<std::vector<AnnotatedFunction>> Read = parseAnnotations(Example);
  ASSERT_TRUE(Read) << Read.error().str();
  ASSERT_EQ(Read->size(), 1u);
  EXPECT_TRUE(Read->front().Descriptor);
}
