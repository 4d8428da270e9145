//===- EXPARSTrafficTest.cpp - Many warps at EXPARS' lines ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EXPARSBench.h"
#include "FuzzIterations.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <memory>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

/// Warps that go through bundles at random, and instructions that take any time
/// to be read and to land. No line has two owners, what an instruction names is
/// there, all rows are accounted for, and nobody waits forever.
class Traffic {
public:
  /// \p Jumps: other lanes of warps come to run in the middle of bundles, and
  /// warps end and make room for others.
  Traffic(unsigned Seed, unsigned Bytes, OperandMapping Mapping, bool Jumps)
      : Random(Seed), Cache(*OperandCache::create(Bytes)), Mapping(Mapping),
        Jumps(Jumps), B(bundles(), Bytes, Mapping) {}

  void run() {
    for (unsigned N = 0; N != 60'000 && !Done.all(); ++N) {
      B.tick();
      // Accesses to shared memory, which ask until they are served.
      IsAccessing = (IsAccessing || Random() % 3) &&
                    !B.Port.takeForAccess(B.Now, 1 + Random() % 3);
      for (unsigned W = 0; W != NumWarps; ++W)
        if (!Done[W])
          advance(W);
      land();
      finish();
      ASSERT_EQ(B.S.violation(), "");
    }
    EXPECT_TRUE(Done.all()) << "somebody waits forever";
    for (unsigned N = 0; N != 1'000; ++N) {
      B.tick();
      land();
    }
    EXPECT_EQ(B.S.nextWork(B.Now), Never);
    OperandCacheStats S = B.stats();
    EXPECT_LE(S.WrittenBack, S.Writes);
    EXPECT_LE(S.Fetched + S.Hits, Rows);
    EXPECT_LE(S.Writes + S.LateWrites, Writes);
    EXPECT_EQ(S.ResumePrefs > 0, Jumps);
    if (!Jumps) {
      EXPECT_EQ(S.Fetched + S.Hits, Rows);
      EXPECT_EQ(S.Writes + S.LateWrites, Writes);
    }
    EXPECT_GT(S.LateWrites, 0u);
    EXPECT_GT(S.Hits, 0u);
  }

private:
  static constexpr unsigned NumWarps = 2 * WarpsPerCTA, Steps = 60;
  static constexpr unsigned Lives = 3;

  Sets bundles() {
    Sets All(12);
    for (std::vector<unsigned> &Each : All) {
      std::set<unsigned> Taken;
      for (unsigned Unit = 0; Unit != Regs; ++Unit)
        if (Random() % 6 == 0 && Taken.insert(Cache.lineOf(Unit)).second)
          Each.push_back(Unit);
    }
    return All;
  }
  /// Its line; where any of a bank will do, a place for each register.
  unsigned lineOf(unsigned Slot, unsigned Unit) const {
    if (Mapping == OperandMapping::Associative)
      return Slot * Regs + Unit;
    unsigned Turn = Mapping == OperandMapping::Turned ? 4 * Slot : 0;
    return (Unit + Turn) % Cache.lines();
  }

  void advance(unsigned W) {
    Warp &At = Warps[W];
    const WarpRef Ref = mixed(W);
    if (At.HasExited)
      return;
    bool Jump = Jumps && At.Bundle != NoGroup && Random() % 300 == 0;
    if (Jump)
      leave(W);
    if (At.Bundle == NoGroup) {
      At.Bundle = uint32_t(Random() % B.Bundles.size());
      for (unsigned Unit : B.Bundles[At.Bundle])
        Rows += Unit >= StartReg;
      if (!Jump)
        B.S.bundleBegins(Ref, At.Bundle);
    }
    if (Random() % 3 || !B.mayIssue(Ref, At.Bundle))
      return;
    for (unsigned Unit : B.Bundles[At.Bundle])
      if (Unit >= StartReg) {
        auto [It, IsNew] = Owners.try_emplace(lineOf(Ref.Slot, Unit), W);
        EXPECT_EQ(It->second, W);
      }
    issue(W);
  }

  void issue(unsigned W) {
    Warp &At = Warps[W];
    std::vector<uint32_t> Reads, Written;
    for (unsigned Unit : B.Bundles[At.Bundle])
      if (!At.Busy.count(Unit)) {
        if (Random() % 2)
          Reads.push_back(Unit);
        if (Random() % 3 == 0)
          Written.push_back(Unit);
      }
    bool Ends = Random() % 3 == 0, IsLate = Random() % 3 == 0;
    for (uint32_t Unit : Written) {
      At.Busy.insert(Unit);
      Writes += Unit >= StartReg;
    }
    auto I = std::make_unique<Step>(At.Bundle, Reads, Written, Ends, IsLate);
    B.S.issued(mixed(W), I->Info);
    B.S.started(mixed(W), I->Info);
    Cycle Read = B.Now + 1 + Random() % 5;
    Flights.push_back({W, std::move(I), Read,
                       Read + 1 + Random() % (IsLate ? 300 : 12), false});
    if (!Ends)
      return;
    leave(W);
    if (++At.Steps != Steps)
      return;
    if (!Jumps) {
      Done.set(W);
      return;
    }
    At.HasExited = true;
    B.S.exited(mixed(W));
  }

  /// The bundle, whose lines are others' from now on.
  void leave(unsigned W) {
    std::erase_if(Owners, [&](const auto &Each) { return Each.second == W; });
    Warps[W].Bundle = NoGroup;
  }

  /// Warps whose last result has landed, for which others come.
  void finish() {
    for (auto &[W, At] : Warps) {
      if (!At.HasExited || std::ranges::count(Flights, W, &Flight::W))
        continue;
      B.S.finished(mixed(W));
      At.HasExited = false;
      At.Steps = 0;
      if (++At.Lives == Lives)
        Done.set(W);
      else
        B.S.resident(mixed(W));
    }
  }

  void land() {
    for (Flight &F : Flights)
      if (!F.IsRead && F.Read <= B.Now) {
        F.IsRead = true;
        B.S.collected(mixed(F.W), F.I->Info);
      } else if (F.IsRead && F.Lands <= B.Now) {
        B.S.landed(mixed(F.W), F.I->Info);
        for (unsigned K = 0; K != F.I->Info.NumWrites; ++K)
          Warps[F.W].Busy.erase(F.I->Accesses[F.I->Info.NumReads + K]);
        F.I.reset();
      }
    std::erase_if(Flights, [](const Flight &F) { return !F.I; });
  }

  struct Warp {
    uint32_t Bundle = NoGroup;
    unsigned Steps = 0, Lives = 0;
    bool HasExited = false;
    std::set<unsigned> Busy; ///< Registers that results will come for.
  };
  struct Flight {
    unsigned W;
    std::unique_ptr<Step> I;
    Cycle Read, Lands;
    bool IsRead;
  };
  std::mt19937 Random;
  OperandCache Cache;
  OperandMapping Mapping;
  bool Jumps;
  Bench B;
  std::map<unsigned, Warp> Warps;
  std::map<unsigned, unsigned> Owners; ///< Warps in a bundle, by line.
  std::vector<Flight> Flights;
  std::bitset<NumWarps> Done;
  uint64_t Rows = 0, Writes = 0;
  bool IsAccessing = false;
};

TEST(EXPARSScheme, RandomTraffic) {
  for (unsigned Bytes : {1024, 2048, 4096})
    for (OperandMapping Mapping :
         {OperandMapping::Direct, OperandMapping::Turned,
          OperandMapping::Associative})
      for (unsigned Seed = 0; Seed != test::randomCases(5); ++Seed) {
        SCOPED_TRACE(testing::Message()
                     << Bytes << " bytes, seed " << Seed << ", "
                     << settings::OperandCacheMapping.print(int64_t(Mapping)));
        Traffic(Seed, Bytes, Mapping, false).run();
        Traffic(Seed, Bytes, Mapping, true).run();
      }
}

} // namespace
} // namespace regshare::sim
