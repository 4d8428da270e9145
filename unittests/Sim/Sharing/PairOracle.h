//===- PairOracle.h - The rules of CTAs that share in pairs -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows the timeline of a launch under register or scratchpad sharing, and
/// fails the test where it breaks a rule of the paper (docs/sharing.md). It
/// knows the residency and the events alone.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_SHARING_PAIRORACLE_H
#define REGSHARE_UNITTESTS_SIM_SHARING_PAIRORACLE_H

#include "Timing/Presets.h"
#include "Timing/TimingTest.h"
#include "regshare/Base/Sharing/Sharing.h"

#include <map>
#include <set>

namespace regshare::sim {

/// One SM.
class PairOracle {
public:
  /// Warps may release before they end. Then the timeline does not say how long
  /// a CTA that shares scratchpad keeps its lock: until its warps that never
  /// held it have released, too.
  bool HasReleases = false;

  /// \p MayPutOff: dynamic warp execution is on.
  PairOracle(SharedResource What, const SharingResidency &R, bool MayPutOff)
      : What(What), R(R), MayPutOff(MayPutOff), Ctas(R.ctas()) {}

  void follow(const TimelineEvent &E) {
    SCOPED_TRACE(testing::Message() << "cycle " << E.When << ", CTA " << E.Cta
                                    << ", warp " << E.Warp);
    switch (E.K) {
    case TimelineEvent::CtaBegin:
      return ctaBegins(E);
    case TimelineEvent::CtaEnd:
      EXPECT_TRUE(Ctas[E.Slot].Warps.empty());
      return;
    case TimelineEvent::WarpBegin:
      return warpBegins(E);
    case TimelineEvent::WarpEnd:
      return warpEnds(E);
    case TimelineEvent::WaitBegin:
      return waits(E);
    case TimelineEvent::WaitEnd:
      return goesOn(E);
    case TimelineEvent::HoldBegin:
      return takes(E);
    case TimelineEvent::HoldEnd:
      return givesBack(E);
    case TimelineEvent::BarrierBegin:
    case TimelineEvent::BarrierEnd:
      return;
    }
  }
  void finish() const {
    EXPECT_TRUE(CtaOf.empty());
    EXPECT_TRUE(Waiting.empty());
    EXPECT_TRUE(Holding.empty());
  }

  unsigned MostCtas = 0, MostLocks = 0;
  uint64_t Locks = 0, Waits = 0, WaitCycles = 0;
  /// Waits of warps whose partners hold no lock, and are the owners.
  uint64_t PutOff = 0;
  uint64_t HandOvers = 0; ///< CTAs that became owners when their partner ended.
  uint64_t EndedBeforeOwner = 0; ///< CTAs.

private:
  struct CtaSlot {
    std::set<unsigned> Warps; ///< Slots of those that have not ended.
    /// The warps of a pair whose lock is this CTA's, or for scratchpad the CTA
    /// itself as ~0.
    std::set<unsigned> Locks;
  };

  bool isOwner(unsigned Cta) const {
    auto It = Owners.find(R.pairOf(Cta));
    return It != Owners.end() && It->second == Cta;
  }

  void ctaBegins(const TimelineEvent &E) {
    ASSERT_LT(E.Slot, Ctas.size()) << "more CTAs than fit";
    EXPECT_TRUE(Ctas[E.Slot].Warps.empty());
    EXPECT_TRUE(Ctas[E.Slot].Locks.empty());
    Begins = E.Slot;
    if (!R.isShared(E.Slot))
      return;
    // Beside a CTA that is there it is not the owner.
    bool IsAlone = Ctas[R.partnerOf(E.Slot)].Warps.empty();
    if (IsAlone)
      Owners[R.pairOf(E.Slot)] = E.Slot;
    EXPECT_EQ(isOwner(E.Slot), IsAlone);
  }
  void warpBegins(const TimelineEvent &E) {
    EXPECT_TRUE(CtaOf.emplace(E.Slot, Begins).second) << "two in one slot";
    Ctas[Begins].Warps.insert(E.Slot);
    unsigned Resident = 0;
    for (const CtaSlot &C : Ctas)
      Resident += !C.Warps.empty();
    MostCtas = std::max(MostCtas, Resident);
    if (What != SharedResource::Registers || !R.Pairs)
      return;
    EXPECT_EQ(E.Slot, R.warpSlot(Begins, E.Warp));
    if (R.isShared(Begins))
      EXPECT_EQ(E.Slot % R.Partitions,
                R.warpSlot(R.partnerOf(Begins), E.Warp) % R.Partitions);
  }
  void warpEnds(const TimelineEvent &E) {
    EXPECT_FALSE(Waiting.count(E.Slot));
    EXPECT_FALSE(Holding.count(E.Slot));
    unsigned Cta = CtaOf.at(E.Slot);
    CtaOf.erase(E.Slot);
    CtaSlot &C = Ctas[Cta];
    C.Warps.erase(E.Slot);
    if (!C.Warps.empty() || !R.isShared(Cta))
      return;
    // A CTA's lock lasts until its last warp ends.
    C.Locks.clear();
    EndedBeforeOwner += !isOwner(Cta);
    if (!isOwner(Cta) || Ctas[R.partnerOf(Cta)].Warps.empty())
      return;
    Owners[R.pairOf(Cta)] = R.partnerOf(Cta);
    ++HandOvers;
  }
  void waits(const TimelineEvent &E) {
    EXPECT_TRUE(Waiting.emplace(E.Slot, E.When).second);
    ++Waits;
    unsigned Cta = CtaOf.at(E.Slot);
    ASSERT_TRUE(R.isShared(Cta)) << "CTAs that share nothing never wait";
    if (!Ctas[R.partnerOf(Cta)].Locks.empty()) {
      EXPECT_FALSE(Holding.count(E.Slot));
      return;
    }
    if (What == SharedResource::Scratchpad && HasReleases)
      return;
    EXPECT_TRUE(MayPutOff) << "nobody has the lock";
    EXPECT_FALSE(isOwner(Cta)) << "an owner's access is put off";
    ++PutOff;
  }
  void goesOn(const TimelineEvent &E) {
    WaitCycles += E.When - Waiting.at(E.Slot);
    Waiting.erase(E.Slot);
    if (!MayPutOff)
      MustTake = E.Slot;
  }
  void takes(const TimelineEvent &E) {
    unsigned Cta = CtaOf.at(E.Slot);
    ASSERT_TRUE(R.isShared(Cta));
    EXPECT_FALSE(Waiting.count(E.Slot));
    EXPECT_TRUE(Ctas[R.partnerOf(Cta)].Locks.empty())
        << "both CTAs of a pair hold locks";
    for (unsigned Slot : Ctas[R.partnerOf(Cta)].Warps)
      EXPECT_FALSE(Holding.count(Slot)) << "warps of both CTAs hold locks";
    EXPECT_TRUE(Holding.insert(E.Slot).second);
    Owners[R.pairOf(Cta)] = Cta;
    bool IsWarps = What == SharedResource::Registers;
    Locks += Ctas[Cta].Locks.insert(IsWarps ? E.Slot : ~0u).second;
    unsigned InUse = 0;
    for (const CtaSlot &C : Ctas)
      InUse += unsigned(C.Locks.size());
    MostLocks = std::max(MostLocks, InUse);
    if (MustTake == E.Slot)
      MustTake = ~0u;
  }
  void givesBack(const TimelineEvent &E) {
    EXPECT_TRUE(Holding.erase(E.Slot)) << "it holds nothing";
    CtaSlot &C = Ctas[CtaOf.at(E.Slot)];
    if (What == SharedResource::Registers)
      C.Locks.erase(E.Slot);
    else if (HasReleases && std::ranges::none_of(C.Warps, [&](unsigned Slot) {
               return Holding.count(Slot);
             }))
      C.Locks.clear();
    EXPECT_NE(MustTake, E.Slot) << "it waited for a lock and took none";
  }

  SharedResource What;
  const SharingResidency R;
  bool MayPutOff;
  std::vector<CtaSlot> Ctas;
  std::map<unsigned, unsigned> CtaOf;   ///< By warp slot.
  std::map<unsigned, unsigned> Owners;  ///< CTA slots, by pair.
  std::map<unsigned, uint64_t> Waiting; ///< Since when, by warp slot.
  std::set<unsigned> Holding;           ///< Warp slots.
  unsigned Begins = 0;                  ///< The CTA whose warps begin.
  unsigned MustTake = ~0u; ///< Has waited for a lock, which it takes now.
};

/// Follows all SMs and compares with the counters.
inline PairOracle followPairs(SharedResource What, const SharingResidency &R,
                              const TimingStats &S, bool MayPutOff = false,
                              bool HasReleases = false) {
  PairOracle All(What, R, MayPutOff);
  for (unsigned SM = 0; SM != S.NumSMs; ++SM) {
    PairOracle Of(What, R, MayPutOff);
    Of.HasReleases = HasReleases;
    for (const TimelineEvent &E : S.Timeline)
      if (E.SM == SM)
        Of.follow(E);
    Of.finish();
    All.MostCtas = std::max(All.MostCtas, Of.MostCtas);
    All.MostLocks = std::max(All.MostLocks, Of.MostLocks);
    All.Locks += Of.Locks;
    All.Waits += Of.Waits;
    All.WaitCycles += Of.WaitCycles;
    All.PutOff += Of.PutOff;
    All.HandOvers += Of.HandOvers;
    All.EndedBeforeOwner += Of.EndedBeforeOwner;
  }
  EXPECT_EQ(S.Resident.CTAs, R.ctas());
  EXPECT_EQ(S.Resident.Warps, R.warps());
  EXPECT_LE(All.MostCtas, R.ctas());
  const PoolStats &C = S.Pool;
  if (What == SharedResource::Registers || !HasReleases) {
    EXPECT_EQ(C.Successes, All.Locks);
    EXPECT_EQ(C.PeakInUse, All.MostLocks);
  }
  EXPECT_LE(C.Successes, All.Locks);
  EXPECT_EQ(C.Taken, C.Successes);
  EXPECT_EQ(C.Returned, C.Successes);
  EXPECT_LE(C.PeakInUse, C.Capacity);
  EXPECT_EQ(C.WaitCycles, All.WaitCycles);
  // Each wait for a lock is a refusal, and warps may be refused again. Beside a
  // holder it may also be an access that is put off.
  EXPECT_GE(C.Attempts, C.Successes + (MayPutOff ? 0 : All.Waits));
  EXPECT_GE(C.HeldAccesses, All.PutOff);
  EXPECT_EQ(C.HeldAccesses && !MayPutOff, false);
  return All;
}

/// A launch of a kernel `k(.u64 out)` with a word for each thread.
struct PairLaunch {
  unsigned Grid = 14, Block = 96, Dynamic = 0;

  size_t words() const { return size_t(Grid) * Block; }
};

struct PairRun {
  TimingStats Stats;
  std::vector<uint32_t> Out;
};

/// Registers of the kernels that the tests of pairs run.
inline constexpr unsigned PairRegs = 12;

inline PairRun runPairs(const DeviceDescription &D, const std::string &Text,
                        const TimingOptions &Options, PairLaunch L = {}) {
  TestProgram T(Text);
  EXPECT_TRUE(T.P) << T.Error;
  if (!T.P)
    return {};
  uint64_t Out = T.upload(std::vector<uint32_t>(L.words()));
  TimedLaunchOptions Limits;
  Limits.RegsPerThread = PairRegs;
  Limits.CycleLimit = 2'000'000;
  Result<TimingStats> S =
      machine(D, Options)
          ->run(*T.P, T.Memory, "k",
                {{L.Grid},
                 {L.Block},
                 L.Dynamic,
                 *packArguments(*T.P->findKernel("k"), {Out})},
                Limits);
  EXPECT_TRUE(S) << S.error().str();
  if (!S)
    return {};
  checkAccounting(*S);
  return {*S, T.download<uint32_t>(Out, L.words())};
}

/// What the kernel leaves without timing.
inline std::vector<uint32_t> expectedWords(const std::string &Text,
                                           PairLaunch L = {}) {
  TestProgram T(Text);
  EXPECT_TRUE(T.P) << T.Error;
  if (!T.P)
    return {};
  uint64_t Out = T.upload(std::vector<uint32_t>(L.words()));
  EXPECT_TRUE(T.run("k", {L.Grid}, {L.Block}, {Out}, L.Dynamic)) << T.Error;
  return T.download<uint32_t>(Out, L.words());
}

/// Two runs of the same are the same, down to the last counter.
inline void expectSamePairs(const TimingStats &A, const TimingStats &B) {
  EXPECT_EQ(A.Cycles, B.Cycles);
  EXPECT_EQ(A.Slots.Slots, B.Slots.Slots);
  EXPECT_EQ(A.WarpCycles, B.WarpCycles);
  EXPECT_EQ(A.BankReads, B.BankReads);
  EXPECT_EQ(A.WriteConflicts, B.WriteConflicts);
  EXPECT_EQ(A.Memory.Requests, B.Memory.Requests);
  const PoolStats &X = A.Pool, &Y = B.Pool;
  EXPECT_EQ(X.Attempts, Y.Attempts);
  EXPECT_EQ(X.Successes, Y.Successes);
  EXPECT_EQ(X.Returned, Y.Returned);
  EXPECT_EQ(X.PeakInUse, Y.PeakInUse);
  EXPECT_EQ(X.HeldInstructions, Y.HeldInstructions);
  EXPECT_EQ(X.HeldAccesses, Y.HeldAccesses);
  EXPECT_EQ(X.WaitCycles, Y.WaitCycles);
  ASSERT_EQ(A.Timeline.size(), B.Timeline.size());
  for (size_t N = 0; N != A.Timeline.size(); ++N) {
    const TimelineEvent &E = A.Timeline[N], &F = B.Timeline[N];
    ASSERT_EQ(std::tuple(E.When, E.K, E.SM, E.Slot, E.Cta, E.Warp),
              std::tuple(F.When, F.K, F.SM, F.Slot, F.Cta, F.Warp));
  }
}

/// With \p Options, under a scheme of pairs, the kernel runs as under Baseline.
inline void expectBaseline(const DeviceDescription &D, const std::string &Text,
                           const TimingOptions &Options, PairLaunch L) {
  TimingOptions Plain = Options;
  Plain.Applied = schemes::Baseline;
  PairRun A = runPairs(D, Text, Plain, L), B = runPairs(D, Text, Options, L);
  EXPECT_EQ(A.Out, B.Out);
  expectSamePairs(A.Stats, B.Stats);
  EXPECT_EQ(A.Stats.Resident.CTAs, B.Stats.Resident.CTAs);
  EXPECT_EQ(A.Stats.Resident.Limiters, B.Stats.Resident.Limiters);
  EXPECT_EQ(A.Stats.Resident.RegsLeft, B.Stats.Resident.RegsLeft);
  EXPECT_TRUE(B.Stats.Pool.isEmpty());
}

/// Of a test over devices and schedulers.
inline constexpr auto NameOfDeviceAndScheduler = [](const auto &Info) {
  return testNameOf(std::get<0>(Info.param)) + "_" +
         testNameOf(std::get<1>(Info.param));
};

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_SHARING_PAIRORACLE_H
