//===- Sm.h - A streaming multiprocessor ------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An SM as the machine sees it, and the state of its warps. The pipeline is
/// SmCore.h's, compiled for each scheme and operand organisation.
///
/// Within a cycle: results are written and wake their warps, the load/store
/// unit and the operand path move on, then the schedulers issue. Cycles count
/// from the begin of the launch.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_SM_H
#define REGSHARE_SIM_TIMING_CORE_SM_H

#include "FetchStage.h"
#include "Functional/Warp.h"
#include "LoadStoreStage.h"
#include "Modern/ControlState.h"
#include "Modern/Dependences.h"
#include "Modern/InstructionCaches.h"
#include "Modern/ReuseCache.h"
#include "Schemes/Scheme.h"
#include "Timing/EventWheel.h"
#include "WarpClasses.h"
#include "WarpScheduler.h"

#include <algorithm>
#include <any>
#include <optional>
#include <span>
#include <unordered_map>

namespace regshare::sim {

/// The timing of all functions of a program.
struct ProgramTiming {
  /// Under a scheme of the family \p Running; null if its code has no
  /// statements.
  ProgramTiming(const Program &P, const CoreConfig &Config,
                const CodeFamily *Running);
  /// What IssueInfo::Group is an index of: a vector of the running scheme's
  /// own type, or nothing.
  std::any Groups;
  std::unordered_map<const Function *, FunctionTiming> Functions;
  unsigned MaxAccesses = 0; ///< Registers and predicates of a frame.
  bool HasControl = false;  ///< Some function has.
  bool HasReuse = false;    ///< Some function's operands are kept.
  uint32_t CodeLines = 0;   ///< Of all functions, one after the other.
  std::string Error;        ///< FunctionTiming's first.
  /// Some function calls printf, malloc or the like, whose effects depend on
  /// the order of the SMs.
  bool CallsSystem = false;
};

/// What the SMs of a launch share; constant while it runs.
struct SmContext {
  std::string_view Scheme; ///< That runs, not that of the code.
  const Program &P;
  GlobalMemory &Memory;
  const Function &Kernel;
  const LaunchConfig &Config;
  const LaunchOptions &Functional;
  const SchemeContext &Setup;
  const MemoryConfig &MemorySide;
  const ProgramTiming &Timing;
  unsigned NumSms;
  uint64_t FirstCycle; ///< Of the machine's clock, when the launch begins.
  Cycle Quantum;       ///< How far SMs run ahead of the memory system.
  bool RecordTimeline;
  bool EveryCycle;
  /// Of the SMs; null: all code is at hand.
  std::vector<CodeCache> *CodeCaches = nullptr;
};

struct SmStats {
  CpiStack Slots;
  uint64_t WaitCycles = 0; ///< Of warps that the scheme held back.
  uint64_t WarpCycles = 0, DivergentPops = 0;
  uint64_t BankReads = 0, BankWrites = 0, WriteConflicts = 0;
  uint64_t ReusedOperands = 0; ///< Rows, of the reads.
  /// Lazy schedulers: active warps since the first warp ended; 0 before.
  unsigned ActiveLimit = 0;
  std::array<uint64_t, NumLaneClasses> LaneOps = {};
  std::array<uint64_t, NumPipes> PipeInstructions = {};
};

class Sm {
public:
  Sm(const SmContext &Context, unsigned Id);
  virtual ~Sm();

  /// For a warp of another CTA; and for all of its warps.
  bool hasRoom() const { return hasRoomFor(1); }
  bool hasRoomForAll() const { return hasRoomFor(WarpsPerCta); }
  /// Makes a CTA resident in the cycle that run() continues with: those of its
  /// warps that have room.
  void launch(uint64_t Number);
  /// Makes further warps of the last CTA resident.
  void resume();
  /// Whether that would find room.
  bool canResume() const { return nextSlot().has_value(); }
  /// Simulates up to and without the cycle \p Until.
  virtual void run(Cycle Until) = 0;
  /// Takes CTAs away whose warps have finished; how many.
  unsigned retire();

  /// A reply of the memory system, in the order of their times, for a cycle
  /// that run() has not reached.
  void receive(const MemoryReply &Reply);
  /// Requests that left since the last clear(), by time.
  std::vector<MemoryRequest> Requests;
  /// Accesses to global memory since the last clear(), by time.
  PendingQueue Pending;

  /// The next cycle in which anything can happen without a reply or launch.
  virtual Cycle nextEvent() const = 0;
  /// Nothing is resident and no access is under way.
  bool isIdle() const {
    return !NumCtas && LoadStore.isIdle() && (!Fetch || Fetch->isIdle());
  }
  /// The first cycle from which on it is idle, if it is.
  Cycle idleSince() const { return LastWork; }
  /// When a program's error occurred; Never if none did.
  Cycle failedAt() const { return Failed; }

  LaunchState &state() { return L; }
  const LaunchState &state() const { return L; }
  SmStats &stats() { return Stats; }
  const LoadStoreStats &loadStoreStats() const { return LoadStore.stats(); }
  unsigned residentWarps() const { return NumWarps; }
  unsigned residentCtas() const { return NumCtas; }
  virtual PoolStats poolStats() const = 0;
  virtual RegisterCacheStats cacheStats() const = 0;
  virtual OperandCacheStats operandCacheStats() const = 0;
  virtual std::vector<SchemeCounter> counters() const = 0;
  virtual unsigned poolInUse() const = 0;
  /// SchemeHooks has these.
  virtual Cycle comparisonPeriod() const = 0;
  virtual void compareStalls(uint64_t Own, uint64_t OfFirst) = 0;
  /// Of the launch so far, as compareStalls() counts them.
  uint64_t stalls() const;
  std::vector<TimelineEvent> &timeline() { return Timeline; }
  /// Livelocks are looked for in \p Epoch, which the machine counts.
  void watch(uint64_t Epoch);
  /// A window of the search begins.
  void beginWatch();
  void endWatch() { L.Watch = nullptr; }
  /// Whether anything happened that ends an epoch.
  bool hasChanged() const { return Watch.Changed; }
  void appendWarps(std::vector<Warp *> &To);
  /// Warps that could have issued in the window, but for their places outside
  /// of a two-level scheduler's active set.
  void appendStarved(std::vector<Warp *> &To) const;
  /// From now on active warps make room for others now and then, though they
  /// wait for nothing.
  void takeTurns() { TakeTurns = true; }

  /// Warps that wait for each other in a round; else barriers that not all
  /// warps reach.
  void reportDeadlock();
  /// Names a warp that has not finished.
  void reportRunning(const std::string &Rule, ErrorKind Kind);

protected:
  virtual uint64_t parkedAndReady() const = 0;
  /// Why a board entry is taken: who writes the register.
  /// Fixed: when it is there is known, and Dependences knows it.
  enum Writer : uint8_t { NoWriter, Fixed, Arithmetic, SharedLoad, LongLoad };

  struct Slot {
    Warp *W = nullptr;
    const Function *Fn = nullptr;
    const FunctionTiming *Timing = nullptr;
    const IssueInfo *Next = nullptr;
    Cycle ReadyAt = 0; ///< After a branch.
    Cycle Begin = 0;
    uint64_t Pops = 0;
    uint64_t Issued = 0; ///< Instructions.
    uint64_t IssuedBefore =
        0;                   ///< The window in which livelocks are looked for.
    Cycle HeldSince = Never; ///< The scheme holds the warp back.
    bool Holds = false;      ///< It held something when it issued last.
    uint16_t InFlight = 0, MemoryInFlight = 0;
    /// Issue slots that it takes before it comes to an instruction: of the last
    /// one, which is Sequence, or, if that is null, of the next one.
    uint16_t SlotsLeft = 0;
    const IssueInfo *Sequence = nullptr;
    /// If they are those of code that none of its lanes executes.
    const PredicatedSide *Skipped = nullptr;
    bool HasPaid = false; ///< It has taken those of the next one.
    Cycle WakesAt = 0;    ///< Modern cores: an event is due then.
    /// The line of code that the warp is at, and when it is there.
    uint32_t CodeLine = ~uint32_t(0);
    Cycle FetchedAt = 0;
    uint8_t Class = WarpClasses::None;
    WarpRef Ref;
  };
  /// An instruction between its issue and its write-back.
  struct Flight {
    const IssueInfo *Info = nullptr;
    uint8_t Slot = 0;
    bool HasLanded = false, HasRead = false;
    uint32_t Lanes = 0; ///< That execute it.
  };
  struct CtaSlot {
    std::unique_ptr<Cta> C;
    uint64_t Warps = 0;    ///< Slots that have not been freed.
    uint64_t Openings = 0; ///< Of its barriers, as far as seen.
    unsigned Begun = 0;    ///< Warps that have become resident.

    bool isOver() const { return !Warps && Begun == C->numWarps(); }
  };
  static constexpr uint32_t WakeEvent = 1u << 31;
  using Rows = std::span<const uint32_t>;

  bool hasRoomFor(unsigned Warps) const {
    return NumCtas < std::min(Resident, ctaLimit()) && !Incomplete &&
           warpsThatFit() >= Warps;
  }
  /// Where the next warp of the incomplete CTA finds room.
  std::optional<unsigned> nextSlot() const;
  void begin(unsigned CtaIndex, unsigned Index);
  /// Ends the launch: a hook has returned what it may not. \p Whose: the warp
  /// that it was asked about, if any.
  void breaksContract(const char *Hook, const std::string &Returned,
                      const std::string &Expected,
                      const std::string &Whose = {});
  void refuseSlot(unsigned Index);
  void refusePreferred(uint64_t Preferred, uint64_t Candidates);
  void refuseWoken(uint64_t Woken);
  void refuseReadyAt(const Slot &S, Cycle Ready);
  /// Says which of these banks, or what else, is wrong.
  void refuseOperands(const Slot &S, const OperandRequest &R, Pipe Target);
  void refuseResults(const Slot &S, const char *Hook);
  /// Whether what the scheme says of refused warps makes sense.
  bool keepsHolders();
  /// A mask of the slots that there are.
  uint64_t allSlots() const {
    return ~uint64_t(0) >> (MaxWarpSlots - Slots.size());
  }
  /// Puts a warp into the class that its next instruction calls for.
  void evaluate(unsigned Slot);
  void moveTo(unsigned Slot, uint8_t Class);
  uint8_t classify(Slot &S);
  static SlotUse useOfWait(Writer For);
  std::optional<SlotUse> awaitsOthers(Slot &S, const IssueInfo &Next);
  Pipe nextPipe(const Slot &S) const;
  const IssueInfo &nextSkipped(const Slot &S, unsigned &Left) const;
  void skipSide(Slot &S, uint32_t Branch);
  Pipe slotOf(const IssueInfo &Sequence, unsigned Left) const;
  uint8_t classifySpecial(Slot &S, const IssueInfo &Next);
  uint8_t classifyBehind(Slot &S);
  Rows deadRows(const Slot &S) const;
  /// An instruction that has issued will write the row yet.
  bool isOnItsWay(unsigned Slot, uint32_t Row) const {
    return Boards[size_t(Slot) * Context.Timing.MaxAccesses + Row] != NoWriter;
  }

  /// The latest of those that have yet to write what \p Next reads or writes.
  Writer latestWriter(const Slot &S, const IssueInfo &Next) const {
    const uint8_t *Board =
        Boards.data() + size_t(S.Ref.Slot) * Context.Timing.MaxAccesses;
    uint8_t Latest = NoWriter;
    for (unsigned K = 0; K != unsigned(Next.NumReads + Next.NumWrites); ++K)
      Latest = std::max(Latest, Board[Next.Accesses[K]]);
    return Writer(Latest);
  }

  // Of modern cores.
  bool isEarly(Slot &S, const IssueInfo &Next);
  bool waitsUntil(Slot &S, Cycle Ready);
  bool awaitsCode(Slot &S);
  /// The warp follows its control statements instead of the scoreboard.
  /// A scheme's statements wait by themselves.
  static bool obeysCode(const Slot &S) {
    return S.Timing->HasControl && !S.Next->Statement;
  }
  std::optional<SlotUse> heldByControl(Slot &S, const IssueInfo &Next);
  void wakeByCounter(unsigned Index);
  bool awaitsFlight(const Slot &S, uint32_t Access, bool ItsReading) const;
  std::optional<std::string> earlyUse(const Slot &S,
                                      const IssueInfo &Next) const;
  bool isInTime(Slot &S);
  void delaySequence(Slot &S, const IssueInfo &Sequence, unsigned Left);
  unsigned slotsOfSlowPath(const Slot &S, const IssueInfo &Sequence) const;
  void noteSent(uint32_t Token, Cycle From);
  void noteRead(uint32_t Token);
  void clearBoard(const Flight &F, Cycle From);
  void arriveAtBarrier();
  Cycle openingAt() const;

  uint32_t takeFlight(const IssueInfo &Info, unsigned Slot);
  /// The instruction's registers are written.
  void tellBarriers(uint32_t Token);
  void land(uint32_t Token);
  void free(unsigned Slot);
  /// Wakes the warps of a CTA that a barrier let go.
  void wakeReleased(unsigned CtaSlot);
  /// After a branch: notes the warp's state if a livelock is looked for.
  void visit(Slot &S);
  void describeAccess(MemoryAccess &A, const Slot &S, const IssueInfo &Info,
                      uint32_t Token);
  void record(TimelineEvent::Kind K, const Slot &S);

  /// Slots of the warps one of which has to move so that this one can.
  uint64_t waitsFor(const Slot &S) const;
  std::vector<unsigned> findRound() const;
  bool extendRound(std::vector<unsigned> &Path, uint64_t &Seen) const;
  std::string describeWait(const Slot &S, unsigned For) const;
  std::string nameOf(const Slot &S) const;

  virtual unsigned ctaLimit() const = 0;
  virtual unsigned warpsThatFit() const = 0;
  virtual std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                          unsigned CtaSlot,
                                          unsigned Index) const = 0;
  virtual void arrived(unsigned Slot) = 0;
  virtual void left(unsigned Slot) = 0;
  /// The warp comes to a statement that takes no issue slot and says that the
  /// rows are dead.
  virtual void stepsOver(unsigned Slot, Rows Dead) = 0;
  /// What a warp that is held back waits for.
  virtual HeldBackBy heldBackBy(unsigned Slot) const = 0;
  /// An instruction of the warp has broken a rule of the scheme; the launch
  /// ends with what was found first.
  void violated(const Slot &S, const std::string &Rule, const CodePlace &Cause);
  /// The instruction that \p Info, of the program's timing, is about.
  CodePlace placeOf(const IssueInfo &Info) const;

  const SmContext &Context;
  const unsigned Id;
  LaunchState L;
  LoadStoreStage LoadStore;
  unsigned Resident; ///< CTAs that fit.
  unsigned WarpsPerCta;
  std::optional<unsigned> Incomplete; ///< CTA with warps that do not yet.
  Cycle StartsAt = 0;                 ///< The warps of the last CTA.
  Cycle Now = 0;
  Cycle LastWork = 0;
  Cycle Failed = Never;
  EventWheel<uint32_t> Wheel;
  std::vector<Slot> Slots;
  std::vector<CtaSlot> Ctas;
  unsigned NumCtas = 0, NumWarps = 0;
  uint64_t FreeSlots;
  WarpClasses Classes;
  std::vector<uint8_t> Boards;      ///< Writer by slot and access.
  std::optional<Dependences> Timed; ///< Modern cores.
  /// By slot, of a modern core if some code has control statements.
  std::vector<ControlState> Controls;
  /// By scheduler, of a modern core if some code keeps operands.
  std::vector<ReuseCache> Reuse;
  std::optional<InstructionCaches> Code;
  std::optional<FetchStage> Fetch; ///< Older cores.
  Cycle BarrierFree = 0;           ///< Modern cores: the unit is.
  std::vector<Flight> Flights;
  std::vector<MemoryAccess> Accesses; ///< By token.
  /// By token, what bulk copies that are under way will tell.
  std::unordered_map<uint32_t, std::vector<ExecContext::BulkArrival>> Arrivals;
  std::vector<uint32_t> FreeTokens;
  SmStats Stats;
  std::vector<TimelineEvent> Timeline;
  LivelockWatch Watch;
  bool TakeTurns = false;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_SM_H
