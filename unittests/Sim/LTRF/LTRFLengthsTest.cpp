//===- LTRFLengthsTest.cpp - How long register-intervals are --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random kernels with loops, divergent branches and warps that leave the
/// active set, against the instructions that each warp executes without timing:
/// its intervals are followed one by one, and the fewest runs found by trying
/// all divisions.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "Functional/Warp.h"
#include "FuzzIterations.h"
#include "Schemes/LTRF/LTRFCode.h"
#include "regshare/Base/LTRF/LTRF.h"

#include <random>
#include <set>

namespace regshare::sim {
namespace {

/// An instruction that a warp has executed.
struct Executed {
  bool IsPrefetch = false;
  uint32_t Interval = NoGroup;
  std::set<uint32_t> Registers;
};

std::vector<Executed> traceOf(Warp &W) {
  std::vector<Executed> Trace;
  while (!W.isFinished()) {
    const Function &F = W.function();
    uint32_t Pc = W.pc();
    const Inst &I = F.Code[Pc];
    Executed E;
    E.IsPrefetch =
        I.Kind == InstKind::Statement && I.Statement == LTRFCode::Prefetch;
    for (unsigned K = 0; K != unsigned(I.NumReads + I.NumWrites); ++K)
      if (F.Accesses[I.FirstAccess + K] < F.RegsPerThread)
        E.Registers.insert(F.Accesses[I.FirstAccess + K]);
    if (E.IsPrefetch || !E.Registers.empty())
      E.Interval = static_cast<const LTRFCode &>(*F.Rules).GroupOf[Pc];
    Trace.push_back(std::move(E));
    StepStatus S = W.step();
    EXPECT_TRUE(S == StepStatus::Ran || S == StepStatus::Finished);
  }
  return Trace;
}

/// The intervals of a trace, one after the other.
void addIntervals(const std::vector<Executed> &Trace, RunLengths &To) {
  std::vector<uint64_t> Lengths = {0};
  uint32_t Current = NoGroup;
  for (const Executed &E : Trace) {
    bool IsElsewhere = E.Interval != NoGroup && E.Interval != Current;
    if (E.IsPrefetch || IsElsewhere) {
      if (Current != NoGroup)
        Lengths.push_back(0);
      Current = E.Interval;
    }
    Lengths.back() += !E.IsPrefetch;
  }
  for (uint64_t L : Lengths)
    To.add(L);
}

/// The fewest parts of a trace that name at most \p Most registers each.
uint64_t fewestRuns(const std::vector<Executed> &Trace, size_t Most) {
  std::vector<const Executed *> Code;
  for (const Executed &E : Trace)
    if (!E.IsPrefetch)
      Code.push_back(&E);
  std::vector<uint64_t> Fewest(Code.size() + 1, ~uint64_t(0) / 2);
  Fewest[0] = 0;
  for (size_t End = 1; End <= Code.size(); ++End) {
    std::set<uint32_t> Named;
    for (size_t Begin = End; Begin-- != 0;) {
      Named.insert(Code[Begin]->Registers.begin(),
                   Code[Begin]->Registers.end());
      if (Named.size() > Most)
        break;
      Fewest[End] = std::min(Fewest[End], Fewest[Begin] + 1);
    }
  }
  return Fewest[Code.size()];
}

class RandomKernel {
public:
  RandomKernel(unsigned Seed, unsigned Most) : Random(Seed), Most(Most) {}

  AnnotatedKernel kernel() const {
    return {"ltrf",
            Regs,
            0,
            0,
            {},
            pragma("intervals count=" + std::to_string(Next) +
                   " registers=" + std::to_string(Most)) +
                prefetch(0, unitList(0, 6))};
  }

  std::string body() {
    std::string Text;
    // Everything is written before it is read.
    for (unsigned First = 6; First < Regs; First += 6) {
      Text += enter(unitsFrom(First));
      for (unsigned N = First; N != First + 6; ++N)
        Text += "mov.u32 %r" + std::to_string(N) + ", %tid.x;\n";
    }
    for (unsigned Part = 2 + Random() % 5; Part; --Part)
      switch (Random() % 4) {
      case 0:
        Text += branch();
        break;
      case 1:
        Text += loop();
        break;
      default:
        Text += segment();
      }
    return Text;
  }

private:
  static constexpr unsigned Regs = 24;
  /// Address, lane and counter, which every interval has.
  static constexpr unsigned Common[] = {0, 1, 2, 5};

  std::vector<unsigned> unitsFrom(unsigned First) {
    std::vector<unsigned> Units(std::begin(Common), std::end(Common));
    for (unsigned N = First; N != First + 6; ++N)
      Units.push_back(N);
    return Units;
  }
  std::vector<unsigned> someUnits() {
    std::set<unsigned> Units(std::begin(Common), std::end(Common));
    size_t Count = 6 + Random() % (Most - 5);
    while (Units.size() != Count)
      Units.insert(6 + Random() % (Regs - 6));
    return {Units.begin(), Units.end()};
  }
  std::string enter(std::vector<unsigned> Units) {
    Current = std::move(Units);
    std::string List;
    for (unsigned U : Current)
      List += (List.empty() ? "R" : ",R") + std::to_string(U);
    return prefetch(Next++, List);
  }
  std::string any() {
    return "%r" + std::to_string(Current[4 + Random() % (Current.size() - 4)]);
  }
  std::string code() {
    std::string Text;
    for (unsigned Count = 1 + Random() % 8; Count; --Count)
      switch (Random() % 6) {
      case 0:
        Text += "mad.lo.u32 " + any() + ", " + any() + ", " + any() + ", " +
                any() + ";\n";
        break;
      case 1:
        Text += "ld.global.u32 " + any() + ", [%rd0];\n";
        break;
      default:
        Text += "add.u32 " + any() + ", " + any() + ", " + any() + ";\n";
      }
    return Text;
  }
  std::string segment() { return enter(someUnits()) + code(); }
  std::string label(const char *Name) {
    return Name + std::to_string(NumLabels++);
  }

  /// All in one interval, or two whose PREFETCHes are executed each time.
  std::string loop() {
    std::string Head = label("HEAD");
    std::string Text = segment() + "mov.u32 %r5, 0;\n" + Head + ":\n";
    Text += Random() % 2 ? code() : segment() + segment();
    return Text + "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, " +
           std::to_string(1 + Random() % 4) + ";\n@%p1 bra " + Head + ";\n";
  }
  /// Lanes part; those that go on first are in an interval of their own, and
  /// the others still in that before the branch.
  std::string branch() {
    std::string Else = label("ELSE"), Join = label("JOIN");
    std::string Text = segment() + "setp.lt.u32 %p0, %r2, " +
                       std::to_string(Random() % 33) + ";\n@%p0 bra " + Else +
                       ";\n";
    std::string Before = std::to_string(Next - 1);
    std::vector<unsigned> Units = Current;
    Text += segment() + "bra " + Join + ";\n" + Else + ":\n" +
            pragma("interval id=" + Before);
    Current = Units;
    return Text + code() + Join + ":\n" + segment();
  }

  std::mt19937 Random;
  unsigned Most, Next = 1, NumLabels = 0;
  std::vector<unsigned> Current;
};

TEST(LTRFLengths, AreThoseOfWhatWarpsExecute) {
  constexpr unsigned Warps = 12;
  uint64_t Pops = 0, Refetches = 0;
  for (unsigned Seed = 1; Seed <= test::randomCases(60); ++Seed) {
    const unsigned Most = 10 + Seed % 7;
    RandomKernel R(Seed, Most);
    std::string Body = R.body();
    AnnotatedKernel K = R.kernel();
    TestProgram T(K.around(Body));
    ASSERT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(Warps * WarpSize));

    const Function &F = *T.P->findKernel("k");
    Result<std::vector<uint8_t>> Bytes = packArguments(F, {Out});
    LaunchConfig Config{{1}, {Warps * WarpSize}, 0, *Bytes};
    LaunchState L{*T.P, T.Memory, F, Config, T.Options, {}, {}};
    Cta C(L, 0);
    RunLengths Intervals;
    uint64_t Fewest = 0;
    for (unsigned W = 0; W != Warps; ++W) {
      std::vector<Executed> Trace = traceOf(C.warp(W));
      addIntervals(Trace, Intervals);
      Fewest += fewestRuns(Trace, Most);
    }

    DeviceDescription D = deviceNamed("ltrf-maxwell");
    D.NumSMs = 1;
    TimingOptions Options;
    Options.Applied = schemes::LTRF;
    RegisterCacheStats S = runTimed(*machine(D, Options), T, "k", {1},
                                    {Warps * WarpSize}, {Out}, K.Regs)
                               .RegisterCache;
    EXPECT_EQ(S.Intervals.Runs, Intervals.Runs) << Seed << "\n" << Body;
    EXPECT_EQ(S.Intervals.Instructions, Intervals.Instructions) << Seed;
    EXPECT_EQ(S.Intervals.Shortest, Intervals.Shortest) << Seed;
    EXPECT_EQ(S.Intervals.Longest, Intervals.Longest) << Seed;
    EXPECT_EQ(S.Intervals.Runs, S.Prefetches + S.PopPrefetches) << Seed;
    EXPECT_EQ(S.OptimalIntervals.Runs, Fewest) << Seed << "\n" << Body;
    EXPECT_EQ(S.OptimalIntervals.Instructions, Intervals.Instructions) << Seed;
    Pops += S.PopPrefetches;
    Refetches += S.Refetches;
  }
  EXPECT_GT(Pops, 0u);
  EXPECT_GT(Refetches, 0u);
}

} // namespace
} // namespace regshare::sim
