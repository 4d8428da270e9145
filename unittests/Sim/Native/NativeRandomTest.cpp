//===- NativeRandomTest.cpp - Native code against the same as PTX ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Native code is PTX: without its statements the same text computes the same.
///
//===----------------------------------------------------------------------===//

#include "FuzzIterations.h"
#include "NativeCode.h"

#include <random>

using namespace regshare;
using namespace regshare::sim;

namespace {

/// A random kernel in which variables are %r10 to %r19 and pairs %rd10 to
/// %rd12; %rd15 is where its words begin, and R26 to R29 are nobody's.
class RandomKernel {
public:
  explicit RandomKernel(unsigned Seed) : Random(Seed) {}
  std::string text();

private:
  static constexpr unsigned MostFolded = 400, Constants = 4;

  unsigned below(unsigned End) { return unsigned(Random() % End); }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  std::string variable() { return "%r" + std::to_string(10 + below(10)); }
  std::string pair() { return "%rd" + std::to_string(10 + below(3)); }
  std::string folded(const char *Stem) {
    return "%" + (Stem + std::to_string(NumFolded++));
  }
  std::string label() { return "L" + std::to_string(NumLabels++); }

  std::string leaf();
  std::string operand(unsigned Depth);
  std::string predicate();
  std::string compute(const std::string &Into, unsigned Depth);
  void instruction();
  void statements(bool MayHaveScratch);
  void access();
  void side(unsigned Depth);
  void loop(unsigned Depth);
  void block(unsigned Depth);

  std::mt19937 Random;
  unsigned NumFolded = 0, NumLabels = 0, NumLoops = 0;
  std::string Group; ///< Instructions of the group so far.
  std::string Body;
};

} // namespace

std::string RandomKernel::leaf() {
  switch (below(6)) {
  case 0:
    return std::to_string(below(1000));
  case 1:
    // The first two are bits of an address, which is not always the same.
    return "%k" + std::to_string(2 + below(Constants - 2));
  case 2:
    return "%r2";
  default:
    return variable();
  }
}

/// A source; what is folded goes before it.
std::string RandomKernel::operand(unsigned Depth) {
  if (Depth == 0 || !chance(50) || NumFolded >= MostFolded)
    return leaf();
  if (chance(15)) {
    std::string From = pair(), Low = folded("f");
    Group += "cvt.u32.u64 " + Low + ", " + From + ";\n";
    return Low;
  }
  std::string Into = folded("f");
  std::string Text = compute(Into, Depth - 1);
  Group += Text;
  return Into;
}

/// An instruction that writes \p Into.
std::string RandomKernel::compute(const std::string &Into, unsigned Depth) {
  static const char *const Ops[] = {"add.u32", "sub.u32", "mul.lo.u32",
                                    "and.b32", "or.b32",  "xor.b32",
                                    "min.u32", "max.s32"};
  std::string A = operand(Depth), B = operand(Depth);
  if (chance(15))
    return "mad.lo.u32 " + Into + ", " + A + ", " + B + ", " + leaf() + ";\n";
  if (chance(15))
    return "selp.b32 " + Into + ", " + A + ", " + B + ", %p1;\n";
  return std::string(Ops[below(8)]) + " " + Into + ", " + A + ", " + B + ";\n";
}

void RandomKernel::statements(bool MayHaveScratch) {
  if (chance(20))
    Body += issueSlots(1 + below(6));
  if (MayHaveScratch && chance(10))
    Body += pragma("scratch regs=R26,R29");
}

/// "@%p1 ", folded or not; what it is made of goes into the group.
std::string RandomKernel::predicate() {
  if (chance(50))
    return chance(50) ? "@%p1 " : "@!%p2 ";
  std::string P = folded("q");
  Group += "xor.pred " + P + ", %p1, %p2;\n";
  return "@" + P + " ";
}

void RandomKernel::instruction() {
  Group.clear();
  std::string Last;
  switch (below(10)) {
  case 0: {
    std::string A = operand(2), B = leaf();
    Last = "setp.lt.u32 %p" + std::to_string(1 + below(2)) + ", " + A + ", " +
           B + ";\n";
    break;
  }
  case 1:
    Last = "mul.wide.u32 " + pair() + ", " + operand(2) + ", " + leaf() + ";\n";
    break;
  case 2:
    Last = "add.s64 " + pair() + ", " + pair() + ", " + pair() + ";\n";
    break;
  case 3: {
    std::string Guard = predicate();
    Last = Guard + compute(variable(), 2);
    break;
  }
  case 4:
    Body += issueSlots(0) + "mov.b32 " + variable() + ", " + variable() + ";\n";
    return;
  default:
    Last = compute(variable(), 3);
  }
  statements(true);
  Body += Group + Last;
}

/// The thread's own words, of which it has 16.
void RandomKernel::access() {
  Group.clear();
  std::string Word = folded("f"), Offset = folded("g"), Address = folded("g");
  Group += "and.b32 " + Word + ", " + variable() + ", 15;\n" + "mul.wide.u32 " +
           Offset + ", " + Word + ", 4;\n" + "add.s64 " + Address +
           ", %rd15, " + Offset + ";\n";
  std::string Last = chance(50)
                         ? "ld.global.u32 " + variable() + ", [" + Address + "]"
                         : "st.global.u32 [" + Address + "], " + variable();
  statements(true);
  Body += Group + Last + ";\n";
}

void RandomKernel::side(unsigned Depth) {
  std::string Other = label(), Meet = label();
  Group.clear();
  std::string Guard = predicate();
  statements(false);
  Body += Group + Guard + "bra " + Other + ";\n";
  block(Depth);
  Body += "bra.uni " + Meet + ";\n" + Other + ":\n";
  block(Depth);
  Body += Meet + ":\n";
}

/// Lanes go round a different number of times.
void RandomKernel::loop(unsigned Depth) {
  std::string Begin = label(), Count = "%r" + std::to_string(6 + NumLoops++);
  Body += "and.b32 " + Count + ", " + variable() + ", 3;\n" + Begin + ":\n";
  block(Depth);
  Body += "sub.u32 " + Count + ", " + Count + ", 1;\nsetp.ge.s32 %p3, " +
          Count + ", 0;\n@%p3 bra " + Begin + ";\n";
}

void RandomKernel::block(unsigned Depth) {
  for (unsigned N = 2 + below(6); N; --N) {
    if (Depth && chance(15))
      side(Depth - 1);
    else if (Depth && NumLoops < 2 && chance(10))
      loop(Depth - 1);
    else if (chance(15))
      access();
    else
      instruction();
  }
}

std::string RandomKernel::text() {
  Body = "ld.param.u64 %c0, [out];\nmov.b64 {%k0, %k1}, %c0;\n"
         "mov.u32 %k2, %nctaid.x;\nmov.u32 %k3, 77;\n"
         "mad.lo.u32 %r24, %r3, 64, %r2;\nmul.wide.u32 %g0, %r24, 64;\n"
         "add.s64 %rd15, %g0, %c0;\n";
  NumFolded = 1;
  for (unsigned N = 10; N != 20; ++N)
    Body += "mad.lo.u32 %r" + std::to_string(N) + ", %r2, " +
            std::to_string(below(99)) + ", " + std::to_string(below(999)) +
            ";\n";
  for (unsigned N = 10; N != 13; ++N)
    Body += "mul.wide.u32 %rd" + std::to_string(N) + ", %r2, 77777;\n";
  Body += "setp.gt.u32 %p1, %r2, 9;\nsetp.lt.u32 %p2, %r2, 40;\n";
  while (NumFolded < 60)
    block(3);
  for (unsigned N = 10; N != 20; ++N)
    Body += "st.global.u32 [%rd15+" + std::to_string(4 * (N - 10)) + "], %r" +
            std::to_string(N) + ";\n";
  for (unsigned N = 10; N != 13; ++N)
    Body += "st.global.u64 [%rd15+" + std::to_string(8 * (N - 5)) + "], %rd" +
            std::to_string(N) + ";\n";
  AnnotatedKernel K{"baseline", 32, 0, 0, {}, {}};
  K.Begin = pragma("native instructions=9 reserved=0") +
            valuesAt("F", "b32", "f", MostFolded + 99) +
            valuesAt("F", "b64", "g", MostFolded + 99) +
            valuesAt("F", "pred", "q", MostFolded + 99) +
            valuesAt("C", "b32", "k", Constants) + valuesAt("C", "b64", "c", 1);
  return K.around(Body);
}

static constexpr Dim3 Grid = {3}, Block = {64};
/// 16 words for each thread.
static constexpr unsigned NumWords = 3 * 64 * 16;

/// What the kernel leaves, executed as plain PTX or as native code.
static std::vector<uint32_t> wordsOf(const std::string &Text, bool IsNative) {
  GlobalMemory Memory;
  auto P = loadProgram(Text, "k.ptx", Memory, {IsNative, nullptr, {}});
  EXPECT_TRUE(P) << P.error().str() << Text;
  if (!P)
    return {};
  uint64_t Out = Memory.allocate(4 * NumWords);
  std::vector<uint32_t> Words(NumWords, 5);
  Memory.write(Out, Words.data(), 4 * NumWords);
  LaunchOptions Options;
  Options.InstructionLimit = 10'000'000;
  auto Stats = runKernel(
      **P, Memory, "k",
      {Grid, Block, 0, *packArguments(*(*P)->findKernel("k"), {Out})}, Options);
  EXPECT_TRUE(Stats) << Stats.error().str() << Text;
  Memory.read(Out, Words.data(), 4 * NumWords);
  return Words;
}

TEST(NativeRandom, ComputesWhatThePTXComputes) {
  for (unsigned Seed = 0; Seed != test::randomCases(300); ++Seed) {
    std::string Text = RandomKernel(Seed).text();
    ASSERT_EQ(wordsOf(Text, true), wordsOf(Text, false))
        << "seed " << Seed << "\n"
        << Text;
  }
}

TEST(NativeRandom, ComputesTheSameWithTiming) {
  static const char *const Schedulers[] = {"lrr", "gto", "two-level",
                                           "ltlws-gto"};
  static const char *const Schemes[] = {"baseline", "ideal", "warpman"};
  for (unsigned Seed = 0; Seed != test::randomCases(60); ++Seed) {
    std::string Text = RandomKernel(Seed).text();
    TimingOptions Options;
    Options.Scheduler = Schedulers[Seed % 4];
    Options.Applied = *parseScheme(Schemes[Seed % 3]);
    DeviceDescription D = deviceNamed(Seed / 4 % 2 ? "gtx480" : "hopper");
    TimingStats Of[2];
    for (bool EveryCycle : {false, true}) {
      Options.EveryCycle = EveryCycle;
      TestProgram T(Text);
      ASSERT_TRUE(T.P) << T.Error;
      uint64_t Out = T.upload(std::vector<uint32_t>(NumWords, 5));
      Of[EveryCycle] =
          runTimed(*machine(D, Options), T, "k", Grid, Block, {Out}, 32);
      ASSERT_EQ(T.download<uint32_t>(Out, NumWords), wordsOf(Text, false))
          << "seed " << Seed;
    }
    EXPECT_EQ(Of[0].Cycles, Of[1].Cycles) << "seed " << Seed;
    EXPECT_EQ(Of[0].Slots.Slots, Of[1].Slots.Slots);
  }
}
