//===- MutantTest.cpp - PTX that is almost right --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Changes PTX at random and loads it, and runs what loads: each mutant ends,
/// with a message or without. A crash ends the test, and what hangs is named by
/// REGSHARE_MUTANT, which writes each mutant to that file before it is tried.
///
//===----------------------------------------------------------------------===//

#include "../SimTest.h"
#include "FuzzIterations.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace regshare;
using namespace regshare::sim;

namespace {

unsigned seed() {
  const char *Asked = std::getenv("REGSHARE_FUZZ_SEED");
  return Asked ? unsigned(std::strtoul(Asked, nullptr, 10)) : 20251122;
}

const char *const Annotated = R"(.version 8.0
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry k(.param .u64 out, .param .u32 n) .maxntid 64, 1, 1
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .shared .align 4 .b8 own[256];
  .pragma "regshare.kernel v1 name=k scheme=baseline regs=9 preds=2 peak=9 shared=256 local=0 target=sm_75";
  .pragma "regshare.map %p1=P0 %p2=P1 %r1=R4 %r2=R5 %r3=R6 %r4=R7 %r5=R8 %rd1=R0_1";
  .pragma "regshare.map %rd2=R2_3";
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r5, [n];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  mov.u32 %r2, own;
  shl.b32 %r3, %r1, 2;
  add.u32 %r2, %r2, %r3;
  mov.u32 %r4, 0;
AGAIN:
  st.shared.u32 [%r2], %r4;
  bar.sync 0;
  shfl.sync.bfly.b32 %r3|%p1, %r1, 1, 31, 0xFFFFFFFF;
  @%p1 add.u32 %r4, %r4, %r3;
  atom.shared.add.u32 %r3, [own], 1;
  sub.u32 %r5, %r5, 1;
  setp.gt.s32 %p2, %r5, 0;
  @%p2 bra AGAIN;
  st.global.u32 [%rd2], %r4;
  ret;
}
  .section .debug_macinfo { .b8 1, 2 }
)";

std::vector<std::string> sources() {
  std::vector<std::string> Texts = {Annotated};
  for (const auto &Entry :
       std::filesystem::directory_iterator(REGSHARE_TEST_DATA)) {
    if (Entry.path().extension() != ".ptx")
      continue;
    std::ifstream In(Entry.path());
    std::stringstream Text;
    Text << In.rdbuf();
    Texts.push_back(Text.str());
  }
  std::sort(Texts.begin(), Texts.end());
  return Texts;
}

/// A word, a number, a string or one character, from \p At on.
size_t endOfToken(const std::string &Text, size_t At) {
  auto IsWord = [&](size_t K) {
    return K < Text.size() &&
           (std::isalnum((unsigned char)Text[K]) || Text[K] == '_' ||
            Text[K] == '%' || Text[K] == '.' || Text[K] == '$');
  };
  size_t End = At + 1;
  if (IsWord(At))
    while (IsWord(End))
      ++End;
  return End;
}

class Mutator {
public:
  explicit Mutator(unsigned Seed) : Random(Seed), Texts(sources()) {}

  std::string next() {
    std::string Text = Texts[Random() % Texts.size()];
    for (unsigned N = 1 + Random() % 4; N && !Text.empty(); --N)
      change(Text);
    return Text;
  }

private:
  size_t below(size_t Bound) { return Random() % Bound; }

  /// A token somewhere: [first, second).
  std::pair<size_t, size_t> token(const std::string &Text) {
    size_t At = below(Text.size());
    // Its beginning, not the middle of a word.
    while (At && endOfToken(Text, At - 1) > At)
      --At;
    return {At, endOfToken(Text, At)};
  }

  void change(std::string &Text) {
    static const char *const Odd[] = {"99999999999999999999",
                                      "0x",
                                      "0f12",
                                      "-1",
                                      "4294967296",
                                      "\"",
                                      "{",
                                      "}",
                                      "(",
                                      ";",
                                      "/*",
                                      "$",
                                      ".align 0",
                                      "<1000000>",
                                      ".pred",
                                      ".b128",
                                      "@!",
                                      "%tid.x",
                                      "regshare.kernel v1",
                                      "1e999",
                                      "0b2",
                                      ".v4"};
    auto [Begin, End] = token(Text);
    switch (below(8)) {
    case 0:
      Text[below(Text.size())] = char(Random());
      break;
    case 1:
      Text.erase(Begin, End - Begin);
      break;
    case 2:
      Text.replace(Begin, End - Begin, Odd[below(std::size(Odd))]);
      break;
    case 3: { // Another token of the text.
      auto [From, To] = token(Text);
      Text.replace(Begin, End - Begin, Text.substr(From, To - From));
      break;
    }
    case 4: { // A line twice.
      size_t Line = Text.rfind('\n', Begin) + 1;
      Text.insert(Line, Text.substr(Line, Text.find('\n', Line) - Line + 1));
      break;
    }
    case 5: { // A line less.
      size_t Line = Text.rfind('\n', Begin) + 1;
      Text.erase(Line, Text.find('\n', Line) - Line + 1);
      break;
    }
    case 6: // The text ends.
      if (below(4) == 0)
        Text.resize(Begin);
      break;
    case 7:
      Text.insert(Begin, std::string(1 + below(below(8) ? 3 : 5000),
                                     "({[-~!;0"[below(8)]));
      break;
    }
  }

  std::mt19937 Random;
  std::vector<std::string> Texts;
};

void tryIt(const std::string &Text) {
  TestProgram M(Text);
  if (!M.P) {
    EXPECT_FALSE(M.Error.empty());
    return;
  }
  M.Options.InstructionLimit = 20'000;
  uint64_t Out = M.upload(std::vector<uint32_t>(4096));
  for (const auto &F : M.P->Functions) {
    if (!F->IsEntry || !F->Syntax->HasBody)
      continue;
    std::vector<uint64_t> Arguments(F->Params.size(), Out);
    for (size_t K = 0; K != Arguments.size(); ++K)
      if (F->Params[K].Size < 8)
        Arguments[K] = 3;
    M.run(F->Name, {2}, {48}, Arguments, 64);
  }
}

TEST(SimMutants, EndWithOrWithoutAMessage) {
  Mutator Mutants(seed());
  const char *Keep = std::getenv("REGSHARE_MUTANT");
  unsigned Count = test::fuzzIterations(1500);
  for (unsigned N = 0; N != Count; ++N) {
    std::string Text = Mutants.next();
    if (Keep)
      std::ofstream(Keep) << Text;
    auto Begin = std::chrono::steady_clock::now();
    tryIt(Text);
    auto Took = std::chrono::steady_clock::now() - Begin;
    ASSERT_LT(Took, std::chrono::seconds(60)) << "mutant " << N << "\n" << Text;
  }
}

/// What is skipped ends at what is no token, with a message.
TEST(SimMutants, SkippedTextEnds) {
  auto Message = [](const std::string &Text) {
    return TestProgram(std::string(Header) + Text).Error;
  };
  EXPECT_EQ(Message(".section .debug_str { 18446744073709551616 }\n"),
            "test.ptx:4:23: bad integer constant");
  EXPECT_EQ(Message(".section .debug_str { \"no end }\n"),
            "test.ptx:4:23: string without an end");
  EXPECT_EQ(Message(".section .debug_str { .b8 1\n"),
            "test.ptx:5:1: expected '}', found the end of the file");
  EXPECT_EQ(Message(".section .debug_str { .b8 1 { 2 } }\n"), "");
  EXPECT_EQ(Message(".alias a, 0x;\n"), "test.ptx:4:11: bad integer constant");
  EXPECT_EQ(Message(".alias a, b\n"),
            "test.ptx:5:1: expected ';', found the end of the file");
  EXPECT_EQ(Message(".alias a, b;\n"), "");
}

/// What contains itself does so a bounded number of times.
TEST(SimMutants, DeepNesting) {
  for (char Open : {'(', '-', '~', '{'}) {
    std::string Text = std::string(Header) + ".global .b32 x = {" +
                       std::string(100'000, Open) + "1};\n";
    EXPECT_NE(TestProgram(Text).Error.find("nested too deeply"), Text.npos);
  }
}

TEST(SimMutants, SizesBeyondEveryDevice) {
  auto Message = [](const std::string &Text) {
    return TestProgram(std::string(Header) + Text).Error;
  };
  EXPECT_EQ(Message(".shared .b8 s[4294967296];\n"),
            "test.ptx:4:25: 's' has more than 1048576 bytes");
  EXPECT_EQ(Message(".global .align 3 .b8 s[4];\n"),
            "test.ptx:4:18: expected a power of two up to 65536 as "
            "alignment, found 3");
  EXPECT_EQ(Message(".visible .entry k() { .local .b8 a[524304]; ret; }\n"),
            "test.ptx:4: 'k' takes 524304 bytes of local memory; a thread "
            "has at most 524288");
}

} // namespace
