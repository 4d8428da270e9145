//===- Launch.cpp - CTAs, barriers and the functional mode -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Launch.h"

#include "Warp.h"

#include "regshare/Sim/StopRequest.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cstring>
#include <deque>
#include <map>
#include <span>

namespace regshare::sim {

/// Warp instructions between changes of the warp: few, so that the warps of a
/// CTA stay about as close together as on hardware. Programs that read shared
/// memory after a barrier and write it anew without another one rely on that.
static constexpr uint64_t WarpQuantum = 32;
/// The same of CTAs: long enough to stay in the cache, short enough that a warp
/// that spins on another's flag does not spin for long.
static constexpr uint64_t CtaQuantum = 1 << 20;
/// While a livelock is looked for.
static constexpr uint64_t WatchedCtaQuantum = 1 << 14;
/// Livelocks are first looked for after so many instructions, and during so
/// many.
static constexpr uint64_t FirstWatch = 1 << 22, ShortestWatch = 1 << 17;

uint32_t sharedBytes(const Function &Kernel, const LaunchConfig &Config) {
  // Dynamic shared memory begins at a 16-byte boundary, as its largest
  // natural alignment asks.
  uint32_t Static = (Kernel.SharedBytes + 15) / 16 * 16;
  return (Config.DynamicSharedBytes ? Static : Kernel.SharedBytes) +
         Config.DynamicSharedBytes;
}

Dim3 Cta::indexOf(uint64_t Of) const {
  const Dim3 &G = L.Config.Grid;
  return {uint32_t(Of % G.X), uint32_t(Of / G.X % G.Y),
          uint32_t(Of / G.X / G.Y)};
}

Cta::Cta(LaunchState &L, uint64_t Number)
    : L(L), Number(Number), Index(indexOf(Number)) {
  uint32_t Bytes = sharedBytes(L.Kernel, L.Config);
  // The reserved part comes last, so that the program's own begins at 0.
  if (L.P.ReservedSharedBytes)
    Bytes = (Bytes + 127) / 128 * 128 + L.P.ReservedSharedBytes;
  Shared.resize(Bytes);
  uint64_t Threads = L.Config.Block.count();
  for (unsigned W = 0; W * WarpSize < Threads; ++W)
    Warps.push_back(std::make_unique<Warp>(L, *this, W));
}

void Cta::restart(uint64_t NewNumber) {
  Number = NewNumber;
  Index = indexOf(Number);
  std::ranges::fill(Shared, uint8_t(0));
  for (Barrier &Each : Barriers)
    Each = {};
  Openings = ClusterPhase = 0;
  OfScheme.reset();
  for (const auto &W : Warps)
    W->restart();
}

bool Cta::arrive(Warp &W, unsigned Number, unsigned Threads, BarrierOp Op,
                 uint32_t Lanes) {
  if (Number == ClusterBarrier)
    return arriveAtCluster(W, Op);
  Barrier &B = Barriers[Number];
  ++B.Arrived;
  if (Threads)
    B.Expected = Threads;
  B.Popc += std::popcount(Lanes);
  B.And &= Lanes == W.alive();
  B.Or |= Lanes != 0;
  if (Op != BarrierOp::Arrive)
    B.Waiting.push_back(&W);
  W.Blocked = Op != BarrierOp::Arrive;
  openIfComplete(B);
  return W.Blocked;
}

void Cta::openIfComplete(Barrier &B) {
  if (!B.Arrived)
    return;
  unsigned Alive = 0;
  for (const auto &W : Warps)
    Alive += !W->isFinished();
  unsigned Needed = B.Expected ? B.Expected / WarpSize : Alive;
  if (B.Arrived >= Needed)
    open(B);
}

/// Arriving and waiting are two instructions here: who comes to wait after all
/// have arrived goes on.
bool Cta::arriveAtCluster(Warp &W, BarrierOp Op) {
  Barrier &B = Barriers[ClusterBarrier];
  if (Op == BarrierOp::Arrive) {
    W.ClusterPhase = ClusterPhase;
    ++B.Arrived;
    openCluster();
  } else if (W.ClusterPhase == ClusterPhase) {
    B.Waiting.push_back(&W);
    W.Blocked = true;
  }
  return W.Blocked;
}

/// If all warps that are left have arrived. One that waits has, too.
void Cta::openCluster() {
  if (Barriers[ClusterBarrier].Arrived &&
      std::ranges::all_of(Warps, [&](const auto &W) {
        return W->isFinished() || W->ClusterPhase == ClusterPhase;
      })) {
    ++ClusterPhase;
    open(Barriers[ClusterBarrier]);
  }
}

void Cta::open(Barrier &B) {
  Barrier Opened;
  std::swap(Opened, B);
  ++Openings;
  for (Warp *W : Opened.Waiting) {
    uint32_t Value = 0;
    switch (BarrierOp(W->BarrierInst->Imm)) {
    case BarrierOp::Popc:
      Value = Opened.Popc;
      break;
    case BarrierOp::And:
      Value = Opened.And;
      break;
    case BarrierOp::Or:
      Value = Opened.Or;
      break;
    case BarrierOp::Sync:
    case BarrierOp::Arrive:
      break;
    }
    W->release(Value);
  }
}

/// Finished warps no longer count.
void Cta::warpFinished() {
  for (Barrier &B : std::span(Barriers).first(ClusterBarrier))
    openIfComplete(B);
  openCluster();
}

/// "warp 3", "warps 0-2, 5" for ascending numbers.
static std::string warpNames(const std::vector<unsigned> &Ids) {
  std::string Names = Ids.size() == 1 ? "warp " : "warps ";
  for (size_t K = 0, Last; K != Ids.size(); K = Last + 1) {
    Last = K;
    while (Last + 1 != Ids.size() && Ids[Last + 1] == Ids[Last] + 1)
      ++Last;
    Names += (K ? ", " : "") + std::to_string(Ids[K]);
    if (Last != K)
      Names += "-" + std::to_string(Ids[Last]);
  }
  return Names;
}

std::vector<unsigned> Cta::missingFor(const Warp &W) const {
  const std::vector<Warp *> &There = Barriers[W.BarrierNumber].Waiting;
  std::vector<unsigned> Missing;
  for (const auto &Other : Warps)
    if (!Other->isFinished() &&
        !(W.BarrierNumber == ClusterBarrier &&
          Other->ClusterPhase == ClusterPhase) &&
        std::find(There.begin(), There.end(), Other.get()) == There.end())
      Missing.push_back(Other->id());
  return Missing;
}

std::string barrierName(unsigned Number) {
  return Number == ClusterBarrier ? "the cluster's barrier"
                                  : "barrier " + std::to_string(Number);
}

/// Why a warp does not come to a barrier: it waits elsewhere, or has finished.
std::string Cta::absence(const Warp &W) const {
  for (unsigned N = 0; N <= ClusterBarrier; ++N)
    for (const Warp *Waiting : Barriers[N].Waiting)
      if (Waiting == &W)
        return "at " + barrierName(N);
  return W.isHeldBack() ? "held back by the scheme" : "finished";
}

/// One barrier of a deadlock: who waits there, and for whom.
std::string Cta::describeBarrier(unsigned Number) const {
  const Barrier &B = Barriers[Number];
  std::map<std::string, std::vector<unsigned>> Waiting, Absent;
  unsigned Alive = 0;
  for (const auto &W : Warps) {
    Alive += !W->isFinished();
    if (std::find(B.Waiting.begin(), B.Waiting.end(), W.get()) !=
        B.Waiting.end())
      Waiting[W->where()].push_back(W->id());
    else
      Absent[absence(*W)].push_back(W->id());
  }
  std::string Text =
      "\n  " + barrierName(Number) + " has " + std::to_string(B.Arrived) +
      " of " + std::to_string(B.Expected ? B.Expected / WarpSize : Alive) +
      " warps";
  for (const auto &[Where, Ids] : Waiting)
    Text += "\n    " + warpNames(Ids) + (Ids.size() == 1 ? " waits" : " wait") +
            " at " + Where;
  for (const auto &[Why, Ids] : Absent)
    Text += "\n    not there: " + warpNames(Ids) + ", " + Why;
  return Text;
}

StepStatus Cta::reportDeadlock() {
  L.KindOfError = ErrorKind::Deadlock;
  L.Error = "deadlock: barriers that not all warps reach\n  kernel '" +
            L.Kernel.Name + "', CTA (" + std::to_string(Index.X) + "," +
            std::to_string(Index.Y) + "," + std::to_string(Index.Z) + ")";
  for (unsigned N = 0; N <= ClusterBarrier; ++N) {
    const Barrier &B = Barriers[N];
    if (!B.Arrived)
      continue;
    L.Error += describeBarrier(N);
    if (!L.ErrorLine && !B.Waiting.empty())
      L.ErrorLine = B.Waiting.front()->line();
  }
  return StepStatus::Failed;
}

bool Cta::isAnyHeld() const {
  return std::ranges::any_of(Warps,
                             [](const auto &W) { return W->isHeldBack(); });
}

/// All others wait, or have finished.
StepStatus Cta::reportHeld() {
  L.KindOfError = ErrorKind::Deadlock;
  L.Error =
      "deadlock: warps wait for what no other will give them\n  kernel '" +
      L.Kernel.Name + "', CTA (" + std::to_string(Index.X) + "," +
      std::to_string(Index.Y) + "," + std::to_string(Index.Z) + ")";
  for (const auto &W : Warps) {
    if (!W->isHeldBack())
      continue;
    L.Error += "\n  warp " + std::to_string(W->id()) + " " + W->describeHold();
    if (!L.ErrorLine)
      L.ErrorLine = W->nextLine();
  }
  for (unsigned N = 0; N <= ClusterBarrier; ++N)
    if (Barriers[N].Arrived)
      L.Error += describeBarrier(N);
  return StepStatus::Failed;
}

/// Names one warp that still runs, which an endless loop's does.
StepStatus Cta::reportLimit() {
  L.KindOfError = ErrorKind::Limit;
  L.Error = "instruction limit of " +
            std::to_string(L.Options.InstructionLimit) +
            " warp instructions reached: an endless loop?";
  for (const auto &W : Warps) {
    if (W->isFinished() || W->isBlocked())
      continue;
    L.Error += "\n  kernel '" + L.Kernel.Name + "', CTA (" +
               std::to_string(Index.X) + "," + std::to_string(Index.Y) + "," +
               std::to_string(Index.Z) + "), warp " + std::to_string(W->id()) +
               "\n  at " + W->where();
    L.ErrorLine = W->line();
    break;
  }
  return StepStatus::Failed;
}

/// As many instructions of a warp as belong to its turn.
StepStatus Cta::runWarp(Warp &W) {
  if (!L.Watch)
    return W.run(WarpQuantum);
  StepStatus Status = StepStatus::Ran;
  for (uint64_t N = 0; N != WarpQuantum && Status == StepStatus::Ran; ++N) {
    Status = W.step();
    InstKind Kind = W.lastInst()->Kind;
    if (Kind == InstKind::Branch || Kind == InstKind::IndexedBranch)
      L.Watch->visit(W);
  }
  L.Watch->Changed |= Status == StepStatus::Finished;
  return Status;
}

StepStatus Cta::run(uint64_t Quantum) {
  uint64_t End = L.Stats.WarpInstructions + Quantum, Opened = Openings;
  while (L.Stats.WarpInstructions < End) {
    bool Progress = false, Unfinished = false, AllSleep = true;
    uint64_t Before = L.Stats.WarpInstructions;
    for (const auto &W : Warps) {
      if (W->isFinished())
        continue;
      Unfinished = true;
      if (W->isBlocked())
        continue;
      Progress = true;
      StepStatus Status = runWarp(*W);
      if (Status == StepStatus::Failed)
        return Status;
      AllSleep &= Status == StepStatus::Blocked && !W->isBlocked();
    }
    if (L.Watch)
      L.Watch->Changed |= Openings != Opened || !Unfinished;
    if (!Unfinished)
      return StepStatus::Finished;
    if (!Progress)
      return reportDeadlock();
    // Those that are not blocked are held back, all of them.
    if (L.Stats.WarpInstructions == Before && isAnyHeld())
      return reportHeld();
    if (L.Options.InstructionLimit &&
        L.Stats.WarpInstructions > L.Options.InstructionLimit)
      return reportLimit();
    // What they wait for is up to other CTAs.
    if (AllSleep)
      break;
  }
  return StepStatus::Ran;
}

Result<std::vector<uint8_t>>
packArguments(const Function &Kernel, const std::vector<uint64_t> &Values) {
  if (Values.size() != Kernel.Params.size())
    return fail("kernel '" + Kernel.Name + "' takes " +
                std::to_string(Kernel.Params.size()) + " arguments, " +
                std::to_string(Values.size()) + " were given");
  std::vector<uint8_t> Bytes(Kernel.ParamBytes);
  for (size_t K = 0; K != Values.size(); ++K) {
    const ParamSlot &Slot = Kernel.Params[K];
    if (Slot.Size > 8)
      return fail("argument " + std::to_string(K) + " of kernel '" +
                  Kernel.Name + "' has " + std::to_string(Slot.Size) +
                  " bytes; only scalars can be packed");
    std::memcpy(Bytes.data() + Slot.Offset, &Values[K], Slot.Size);
  }
  return Bytes;
}

static std::string describe(const Dim3 &D) {
  return std::to_string(D.X) + "x" + std::to_string(D.Y) + "x" +
         std::to_string(D.Z);
}

Result<void> checkLaunch(const LaunchState &L) {
  const Function &K = L.Kernel;
  const LaunchConfig &Config = L.Config;
  std::string Name = "kernel '" + K.Name + "'";
  if (!Config.Grid.count() || !Config.Block.count())
    return fail(Name + ": empty grid or block", ErrorKind::BadInput);
  if (Config.Block.count() > L.Options.MaxThreadsPerCta)
    return fail(Name + ": " + std::to_string(Config.Block.count()) +
                    " threads in a CTA, the device allows " +
                    std::to_string(L.Options.MaxThreadsPerCta),
                ErrorKind::DoesNotFit);
  const Dim3 &Max = K.Syntax->MaxThreads, &Req = K.Syntax->ReqThreads;
  if (Max.X && Config.Block.count() > Max.count())
    return fail(Name + ": " + std::to_string(Config.Block.count()) +
                    " threads in a CTA, .maxntid allows " +
                    std::to_string(Max.count()),
                ErrorKind::BadInput);
  if (Req.X && (Req.X != Config.Block.X || Req.Y != Config.Block.Y ||
                Req.Z != Config.Block.Z))
    return fail(Name + ": block " + describe(Config.Block) +
                    ", .reqntid asks for " + describe(Req),
                ErrorKind::BadInput);
  if (K.Syntax->ClusterCtas.count() > 1)
    return fail(Name + ": it asks for clusters of " +
                    describe(K.Syntax->ClusterCtas) +
                    " CTAs; there are none of more than one CTA",
                ErrorKind::Unsupported);
  if (sharedBytes(L.Kernel, L.Config) > L.Options.MaxSharedBytes)
    return fail(Name + ": " + std::to_string(sharedBytes(L.Kernel, L.Config)) +
                    " bytes of shared memory in a CTA, the device allows " +
                    std::to_string(L.Options.MaxSharedBytes),
                ErrorKind::DoesNotFit);
  if (Config.Arguments.size() != K.ParamBytes)
    return fail(Name + ": " + std::to_string(Config.Arguments.size()) +
                    " bytes of arguments, the kernel takes " +
                    std::to_string(K.ParamBytes),
                ErrorKind::BadInput);
  return {};
}

namespace {
/// Runs CTAs in order; one that uses up its quantum waits while later ones get
/// a turn, since it may be waiting for them.
class GridLoop {
public:
  explicit GridLoop(LaunchState &L)
      : L(L), Total(L.Config.Grid.count()), Next(L.Options.FirstCta) {}
  StepStatus run();

private:
  std::unique_ptr<Cta> takeNext();
  std::unique_ptr<Cta> takeNew();
  bool isLivelocked();

  LaunchState &L;
  uint64_t Total, Next;
  std::deque<std::unique_ptr<Cta>> Resident;
  std::unique_ptr<Cta> Finished; ///< Whose storage is free.
  LivelockWatch Watch;
  uint64_t WatchBegin = FirstWatch, WatchEnd = 0;
};
} // namespace

std::unique_ptr<Cta> GridLoop::takeNew() {
  if (!Finished)
    return std::make_unique<Cta>(L, Next++);
  Finished->restart(Next++);
  return std::move(Finished);
}

std::unique_ptr<Cta> GridLoop::takeNext() {
  if (Next < Total && Resident.size() < L.Options.MaxResidentCtas)
    return takeNew();
  std::unique_ptr<Cta> First = std::move(Resident.front());
  Resident.pop_front();
  return First;
}

/// Looks on during windows, each of which begins after twice as many
/// instructions as the one before.
bool GridLoop::isLivelocked() {
  uint64_t Now = L.Stats.WarpInstructions;
  if (Now < WatchBegin)
    return false;
  if (!WatchEnd)
    WatchEnd = Now + std::max({ShortestWatch, Now / 16,
                               4 * Resident.size() * WatchedCtaQuantum});
  if (!L.Watch || Watch.Changed)
    Watch = {Watch.Epoch + 1, false};
  L.Watch = &Watch;
  if (Now < WatchEnd)
    return false;
  L.Watch = nullptr;
  WatchBegin = 2 * Now;
  WatchEnd = 0;
  std::vector<Warp *> Warps;
  for (const auto &C : Resident)
    for (unsigned N = 0; N != C->numWarps(); ++N)
      Warps.push_back(&C->warp(N));
  if (!isLivelock(Warps, Watch.Epoch))
    return false;
  L.KindOfError = ErrorKind::Livelock;
  L.Error = describeLivelock(Warps);
  return true;
}

StepStatus GridLoop::run() {
  while (Next < Total || !Resident.empty()) {
    if (isStopRequested())
      return StepStatus::Ran;
    std::unique_ptr<Cta> Current = takeNext();
    StepStatus Status = Current->run(L.Watch ? WatchedCtaQuantum : CtaQuantum);
    if (Status == StepStatus::Failed)
      return Status;
    if (Status == StepStatus::Finished) {
      ++L.Stats.Ctas;
      Finished = std::move(Current);
    } else {
      Resident.push_back(std::move(Current));
    }
    if (isLivelocked())
      return StepStatus::Failed;
  }
  return StepStatus::Finished;
}

Result<const Function *> requireKernel(const Program &P,
                                       std::string_view Name) {
  if (const Function *F = P.findKernel(Name))
    return F;
  std::string Names;
  for (const std::string &Known : P.kernelNames())
    Names += (Names.empty() ? "" : ", ") + Known;
  return fail("no kernel '" + std::string(Name) + "' in '" + P.Syntax.FileName +
                  "'; it has: " + Names,
              ErrorKind::BadInput);
}

Result<LaunchStats> runKernel(const Program &P, GlobalMemory &Memory,
                              std::string_view Kernel,
                              const LaunchConfig &Config,
                              const LaunchOptions &Options) {
  Result<const Function *> F = requireKernel(P, Kernel);
  if (!F)
    return tl::make_unexpected(F.error());
  LaunchState L{P, Memory, **F, Config, Options, {}, {}};
  if (Result<void> Ok = checkLaunch(L); !Ok)
    return tl::make_unexpected(Ok.error());
  computeConstants(L);
  if (!L.Error.empty())
    return fail(
        Diagnostic{L.Error, P.Syntax.FileName, L.ErrorLine, 0, L.KindOfError});
  // The program's own rounding mode and flushing are not the SM's.
  std::fenv_t Environment;
  std::fegetenv(&Environment);
  std::fesetenv(FE_DFL_ENV);
  StepStatus Status = GridLoop(L).run();
  std::fesetenv(&Environment);
  L.tellPassed();
  if (Status == StepStatus::Failed)
    return fail(
        Diagnostic{L.Error, P.Syntax.FileName, L.ErrorLine, 0, L.KindOfError});
  L.Stats.IsWhole = Status == StepStatus::Finished;
  return L.Stats;
}

} // namespace regshare::sim
