//===- GridRun.cpp - One launch with timing -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridRun.h"

#include "regshare/Sim/StopRequest.h"

#include <algorithm>
#include <cassert>
#include <cfenv>

namespace regshare::sim {

static constexpr Cycle ProgressCycles = 1024;
/// Instructions in a quantum from which on it pays to wake other threads.
static constexpr uint64_t WorthThreads = 128;

Cycle quantum(const CoreConfig &Core, const MemoryConfig &Memory) {
  return std::min<Cycle>({LongestQuantum,
                          MemorySystem::minimumRoundTrip(Memory),
                          Memory.L1.HitLatency + Core.MemoryBack});
}

GridRun::GridRun(const SchemeModel &Model, const SmContext &Context,
                 const TimingOptions &Options, const TimedLaunchOptions &Launch,
                 MemorySystem &Memory, HostThreads &Threads)
    : Context(Context), Options(Options), CycleLimit(Launch.CycleLimit),
      Memory(Memory), Threads(Threads),
      UsedThreads(Context.Timing.CallsSystem ? 1 : Threads.size()),
      Ctas(Context.Config.Grid.count()),
      WaveSize(std::max<uint64_t>(Context.Setup.Resident.Limits.CTAs, 1) *
               Context.NumSms),
      MemoryBefore(Memory.stats()) {
  if (Launch.MostCtas)
    Ctas = std::min(Ctas, Launch.MostCtas);
  for (unsigned Id = 0; Id != Context.NumSms; ++Id)
    Sms.push_back(Model.createSm(Context, Id));
  Cycle Period = Sms[0]->comparisonPeriod();
  NextComparison = Period ? Period : Never;
}

/// Breadth first: each SM gets one CTA before any gets a second. Where all
/// warps of a CTA have room comes before where only some have. The launch has
/// to come to the SMs first.
void GridRun::hand() {
  if (Now < Context.Setup.Core.LaunchCycles)
    return;
  for (const auto &S : Sms)
    S->resume();
  handTo(&Sm::hasRoomForAll);
  handTo(&Sm::hasRoom);
}

void GridRun::handTo(bool (Sm::*HasRoom)() const) {
  unsigned Full = 0;
  while (NextCta != Ctas && Full != Sms.size()) {
    Sm &S = *Sms[NextSm];
    NextSm = (NextSm + 1) % unsigned(Sms.size());
    if (!(S.*HasRoom)()) {
      ++Full;
      continue;
    }
    Full = 0;
    if (NextCta % WaveSize == 0)
      Waves.push_back(Now);
    S.launch(NextCta++);
  }
}

static uint64_t issuedBy(const std::vector<std::unique_ptr<Sm>> &Sms) {
  uint64_t Issued = 0;
  for (const auto &S : Sms)
    Issued += S->state().Stats.WarpInstructions;
  return Issued;
}

void GridRun::simulateQuantum() {
  Cycle End = Now + Context.Quantum;
  auto Simulate = [&](size_t First, size_t Step) {
    for (size_t N = First; N < Sms.size(); N += Step)
      Sms[N]->run(End);
  };
  if (UsedThreads == 1)
    return Simulate(0, 1);
  // The quantum before says how much work there is.
  if (IssuedInQuantum < WorthThreads)
    Simulate(0, 1);
  else
    Threads.run([&](unsigned T) { Simulate(T, Threads.size()); });
  uint64_t Issued = issuedBy(Sms);
  IssuedInQuantum = Issued - IssuedBefore;
  IssuedBefore = Issued;
}

/// By time and then by SM.
bool GridRun::carryOutAccesses() {
  for (const auto &S : Sms) {
    for (size_t N = 0; N != S->Pending.size(); ++N)
      Accesses.add(S->Pending[N].When - Now, {S.get(), &S->Pending[N]});
    if (S->failedAt() != Never)
      Accesses.add(S->failedAt() - Now, {S.get(), nullptr});
  }
  bool Fails = Accesses.takeUntil([this](const AccessOfSm &A) {
    if (A.Access && A.Access->W->finish(*A.Access) != StepStatus::Failed)
      return false;
    Culprit = A.Of;
    return true;
  });
  for (const auto &S : Sms)
    S->Pending.clear();
  return Fails;
}

/// Requests go to the memory system by time and then by SM, replies come back.
void GridRun::exchange() {
  for (const auto &S : Sms) {
    for (MemoryRequest &R : S->Requests) {
      Cycle InQuantum = R.When - Now;
      R.When += Context.FirstCycle;
      Sorted.add(InQuantum, R);
    }
    S->Requests.clear();
  }
  Requests.clear();
  Sorted.takeUntil([this](const MemoryRequest &R) {
    Requests.push_back(R);
    return false;
  });
  Replies.clear();
  Memory.advance(Requests, Context.FirstCycle + Now + Context.Quantum, Replies);
  for (MemoryReply &R : Replies) {
    R.When -= Context.FirstCycle;
    Sms[R.SM]->receive(R);
  }
}

/// What SMs stalled since the last time, against SM 0. While that has nothing
/// to do there is nothing to compare with.
void GridRun::compareStalls() {
  if (Now < NextComparison)
    return;
  NextComparison += Sms[0]->comparisonPeriod();
  std::vector<uint64_t> Before = std::exchange(Stalls, {});
  for (const auto &S : Sms)
    Stalls.push_back(S->stalls());
  Before.resize(Stalls.size());
  for (size_t N = 0; Sms[0]->residentCtas() && N != Sms.size(); ++N)
    Sms[N]->compareStalls(Stalls[N] - Before[N], Stalls[0] - Before[0]);
}

void GridRun::retire() {
  for (const auto &S : Sms)
    CtasDone += S->retire();
}

bool GridRun::isOver() const {
  return CtasDone == Ctas && Memory.isIdle() &&
         std::all_of(Sms.begin(), Sms.end(),
                     [](const auto &S) { return S->isIdle(); });
}

std::string GridRun::limitReached() const {
  uint64_t Instructions = Context.Functional.InstructionLimit;
  if (CycleLimit && Now >= CycleLimit)
    return "cycle limit of " + std::to_string(CycleLimit) + " cycles reached";
  if (Instructions && issuedBy(Sms) > Instructions)
    return "instruction limit of " + std::to_string(Instructions) +
           " warp instructions reached";
  return {};
}

bool GridRun::isBeyondLimit() {
  std::string Limit = limitReached();
  if (Limit.empty())
    return false;
  for (const auto &S : Sms)
    if (S->residentWarps()) {
      S->reportRunning(Limit + ": an endless loop?", ErrorKind::Limit);
      Culprit = S.get();
      return true;
    }
  return isEmptyForEver(Limit, ErrorKind::Limit);
}

/// Whether CTAs wait though no SM has a warp: then there is an error, which
/// begins with \p Rule. A scheme's hooks or its model have refused them.
bool GridRun::isEmptyForEver(const std::string &Rule, ErrorKind Kind) {
  bool CanGoOn = std::ranges::any_of(Sms, [this](const auto &S) {
    return S->residentWarps() || S->canResume() ||
           (NextCta != Ctas && S->hasRoom());
  });
  if (CanGoOn || CtasDone == Ctas)
    return false;
  LaunchState &L = Sms[0]->state();
  L.KindOfError = Kind;
  L.Error = Rule + "\n  kernel '" + L.Kernel.Name +
            "': no CTA becomes resident, though all SMs are empty and " +
            std::to_string(Ctas - CtasDone) + " of " + std::to_string(Ctas) +
            " CTAs are waiting: scheme '" +
            std::string(Options.Applied.name()) + "' has no room for one";
  Culprit = Sms[0].get();
  return true;
}

bool GridRun::isDeadlocked() {
  if (!Memory.isIdle() ||
      std::any_of(Sms.begin(), Sms.end(), [this](const auto &S) {
        return S->nextEvent() != Never || S->canResume() ||
               (NextCta != Ctas && S->hasRoom());
      }))
    return false;
  for (const auto &S : Sms)
    if (S->residentWarps()) {
      S->reportDeadlock();
      Culprit = S.get();
      return true;
    }
  return isEmptyForEver("deadlock: no CTA can begin", ErrorKind::Deadlock);
}

/// Looks on during windows, each of which begins after twice as many cycles as
/// the one before.
bool GridRun::isLivelocked() {
  if (Now < WatchBegin)
    return false;
  bool Begins = !WatchEnd;
  if (Begins) {
    WatchEnd = Now + std::max(ShortestWatch, Now / 16);
    for (const auto &S : Sms)
      S->beginWatch();
  }
  bool Changed = std::any_of(Sms.begin(), Sms.end(),
                             [](const auto &S) { return S->hasChanged(); });
  if (Begins || Changed) {
    ++Epoch;
    for (const auto &S : Sms)
      S->watch(Epoch);
  }
  if (Now < WatchEnd)
    return false;
  for (const auto &S : Sms)
    S->endWatch();
  WatchBegin = 2 * Now;
  WatchEnd = 0;
  std::vector<Warp *> Warps, Starved;
  for (const auto &S : Sms) {
    S->appendWarps(Warps);
    S->appendStarved(Starved);
  }
  std::erase_if(Warps, [&](Warp *W) {
    return std::ranges::find(Starved, W) != Starved.end();
  });
  bool GoesRound = isLivelock(Warps, Epoch);
  if (!Starved.empty() && !TakeTurns && (GoesRound || Now >= LongestStarving)) {
    // Active warps may wait for what one of the others does.
    TakeTurns = true;
    for (const auto &S : Sms)
      S->takeTurns();
    WatchBegin = Now;
    return false;
  }
  if (!GoesRound)
    return false;
  LaunchState &L = Sms[0]->state();
  L.KindOfError = ErrorKind::Livelock;
  L.Error = describeLivelock(Warps, unsigned(Starved.size()));
  Culprit = Sms[0].get();
  return true;
}

bool GridRun::isStuck() {
  return isBeyondLimit() || isDeadlocked() || isLivelocked();
}

void GridRun::sample() {
  uint64_t Issued = issuedBy(Sms);
  OccupancySample S;
  S.When = Now;
  S.Issued = Issued - IssuedAtSample;
  IssuedAtSample = Issued;
  for (const auto &Each : Sms) {
    S.ResidentWarps += Each->residentWarps();
    S.ResidentCtas += Each->residentCtas();
    S.PoolInUse += Each->poolInUse();
  }
  Samples.push_back(S);
  NextSample += Options.SampleCycles;
}

void GridRun::observe() {
  if (Options.SampleCycles)
    while (NextSample <= Now)
      sample();
  if (Options.OnProgress && NextProgress <= Now) {
    Options.OnProgress({Now, CtasDone, Ctas, issuedBy(Sms)});
    NextProgress = Now + ProgressCycles;
  }
}

tl::unexpected<Diagnostic> GridRun::error() const {
  const LaunchState &L = Culprit->state();
  return fail(
      Diagnostic{L.Error, L.P.Syntax.FileName, L.ErrorLine, 0, L.KindOfError});
}

Result<TimingStats> GridRun::run() {
  std::fenv_t Environment;
  std::fegetenv(&Environment);
  std::fesetenv(FE_DFL_ENV);
  bool Fails = false;
  do {
    hand();
    observe();
    simulateQuantum();
    Fails = carryOutAccesses();
    if (Fails)
      break;
    exchange();
    retire();
    Now += Context.Quantum;
    compareStalls();
    Fails = isStuck();
  } while (!Fails && !isOver() && !isStopRequested());
  std::fesetenv(&Environment);
  for (const auto &S : Sms)
    S->state().tellPassed();
  if (Fails)
    return error();
  if (Result<void> Ok = checkCounters(); !Ok)
    return tl::make_unexpected(Ok.error());
  return collect();
}

/// SMs count the same, each under a key of its own.
Result<void> GridRun::checkCounters() const {
  auto KeysOf = [](const Sm &S) {
    std::vector<std::string> Keys;
    for (const SchemeCounter &C : S.counters())
      Keys.emplace_back(C.Key);
    return Keys;
  };
  auto Refuse = [this](const std::string &What) {
    return fail("scheme '" + std::string(Options.Applied.name()) +
                "': its hook counters() returned " + What);
  };
  const std::vector<std::string> First = KeysOf(*Sms[0]);
  for (size_t N = 0; N != First.size(); ++N) {
    if (First[N].empty())
      return Refuse("one without a key; expected a key for each");
    if (std::find(First.begin(), First.begin() + N, First[N]) !=
        First.begin() + N)
      return Refuse("'" + First[N] + "' twice; expected a key for each");
  }
  for (const auto &S : Sms)
    if (KeysOf(*S) != First)
      return Refuse("other keys for one SM than for another; expected the same "
                    "in the same order each time");
  return {};
}

void PoolStats::add(const PoolStats &OfSM) {
  Unit = OfSM.Unit;
  Waits = OfSM.Waits;
  Holds = OfSM.Holds;
  Capacity = OfSM.Capacity;
  RowsOfUnit = OfSM.RowsOfUnit;
  PeakInUse = std::max(PeakInUse, OfSM.PeakInUse);
  StorageBits = OfSM.StorageBits;
  Attempts += OfSM.Attempts;
  Successes += OfSM.Successes;
  Taken += OfSM.Taken;
  Returned += OfSM.Returned;
  HeldInstructions += OfSM.HeldInstructions;
  HeldAccesses += OfSM.HeldAccesses;
  WaitCycles += OfSM.WaitCycles;
}

void addCounters(std::vector<SchemeCounter> &To,
                 const std::vector<SchemeCounter> &OfSM) {
  if (To.empty()) {
    To = OfSM;
    return;
  }
  assert(To.size() == OfSM.size() && "each SM counts the same");
  for (size_t N = 0; N != To.size(); ++N) {
    uint64_t &Sum = To[N].Value;
    uint64_t Value = OfSM[N].Value;
    Sum = To[N].OfSMs == SchemeCounter::Total ? Sum + Value
                                              : std::max(Sum, Value);
  }
}

void ActiveWarpLimits::add(unsigned OfSM) {
  if (!OfSM)
    return;
  Smallest = NumSMs ? std::min(Smallest, OfSM) : OfSM;
  Largest = std::max(Largest, OfSM);
  Sum += OfSM;
  ++NumSMs;
}

void RunLengths::add(uint64_t Length) { add({1, Length, Length, Length}); }

void RunLengths::add(const RunLengths &Others) {
  if (!Others.Runs)
    return;
  Shortest = Runs ? std::min(Shortest, Others.Shortest) : Others.Shortest;
  Longest = std::max(Longest, Others.Longest);
  Runs += Others.Runs;
  Instructions += Others.Instructions;
}

void RegisterCacheStats::add(const RegisterCacheStats &OfSM) {
  Rows = OfSM.Rows;
  ActiveWarps = OfSM.ActiveWarps;
  StorageBits = OfSM.StorageBits;
  Prefetches += OfSM.Prefetches;
  PopPrefetches += OfSM.PopPrefetches;
  Refetches += OfSM.Refetches;
  Fetched += OfSM.Fetched;
  Filled += OfSM.Filled;
  WrittenBack += OfSM.WrittenBack;
  LateWrites += OfSM.LateWrites;
  MainResults += OfSM.MainResults;
  Reads += OfSM.Reads;
  Writes += OfSM.Writes;
  WaitCycles += OfSM.WaitCycles;
  Intervals.add(OfSM.Intervals);
  OptimalIntervals.add(OfSM.OptimalIntervals);
}

void OperandCacheStats::add(const OperandCacheStats &OfSM) {
  Lines = OfSM.Lines;
  StorageBits = OfSM.StorageBits;
  WholeCTAs = OfSM.WholeCTAs;
  MixedCTAs = OfSM.MixedCTAs;
  StartReg = OfSM.StartReg;
  ScratchpadRows = OfSM.ScratchpadRows;
  Prefs += OfSM.Prefs;
  ResumePrefs += OfSM.ResumePrefs;
  Bundles += OfSM.Bundles;
  Hits += OfSM.Hits;
  Fetched += OfSM.Fetched;
  WrittenBack += OfSM.WrittenBack;
  LateWrites += OfSM.LateWrites;
  Reads += OfSM.Reads;
  Writes += OfSM.Writes;
  WaitCycles += OfSM.WaitCycles;
}

/// The events of all SMs by time, then by SM, then as they happened.
static std::vector<TimelineEvent>
byTime(const std::vector<std::unique_ptr<Sm>> &Sms) {
  std::vector<TimelineEvent> All, Sorted;
  for (const auto &S : Sms)
    All.insert(All.end(), S->timeline().begin(), S->timeline().end());
  std::vector<std::pair<uint64_t, size_t>> Order;
  for (size_t N = 0; N != All.size(); ++N)
    Order.emplace_back(All[N].When, N);
  std::sort(Order.begin(), Order.end());
  for (auto [When, N] : Order)
    Sorted.push_back(All[N]);
  return Sorted;
}

TimingStats GridRun::collect() {
  TimingStats T;
  T.Kernel = Context.Kernel.Name;
  T.Functional.IsWhole = isOver();
  for (const auto &S : Sms)
    T.Cycles = std::max(T.Cycles, S->idleSince());
  if (!T.Functional.IsWhole)
    T.Cycles = Now;
  T.Seconds = double(T.Cycles) / (Context.Setup.Device.CoreClockMHz * 1e6);
  T.NumSMs = unsigned(Sms.size());
  T.SlotsPerCycle = Context.Setup.Core.Schedulers;
  T.Scheduler = SchedulerNames[size_t(Context.Setup.Core.Policy)];
  T.Resident = Context.Setup.Resident.Limits;
  for (const auto &S : Sms) {
    SmStats &Of = S->stats();
    // The last quantum goes beyond the end.
    Of.Slots[SlotUse::NoWarp] -= (Now - T.Cycles) * T.SlotsPerCycle;
    T.Slots.add(Of.Slots);
    T.SlotsOfSM.push_back(Of.Slots);
    T.WarpCycles += Of.WarpCycles;
    T.DivergentPops += Of.DivergentPops;
    T.BankReads += Of.BankReads;
    T.BankWrites += Of.BankWrites;
    T.ReusedOperands += Of.ReusedOperands;
    T.WriteConflicts += Of.WriteConflicts;
    T.ActiveLimits.add(Of.ActiveLimit);
    for (unsigned C = 0; C != NumLaneClasses; ++C)
      T.LaneOps[C] += Of.LaneOps[C];
    for (unsigned P = 0; P != NumPipes; ++P)
      T.PipeInstructions[P] += Of.PipeInstructions[P];
    T.LoadStore.add(S->loadStoreStats());
    T.Pool.add(S->poolStats());
    T.RegisterCache.add(S->cacheStats());
    T.Operands.add(S->operandCacheStats());
    addCounters(T.Counters, S->counters());
    const LaunchStats &L = S->state().Stats;
    T.Functional.WarpInstructions += L.WarpInstructions;
    T.Functional.ThreadInstructions += L.ThreadInstructions;
    T.Functional.Ctas += L.Ctas;
    T.Functional.MoreSlots += L.MoreSlots;
    T.Functional.IsNative |= L.IsNative;
  }
  T.Timeline = byTime(Sms);
  T.Memory = Memory.stats();
  T.Memory.subtract(MemoryBefore);
  T.Samples = std::move(Samples);
  T.Waves = std::move(Waves);
  return T;
}

} // namespace regshare::sim
