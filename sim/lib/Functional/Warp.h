//===- Warp.h - A warp and its CTA -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functional core. Warp::step() executes one warp instruction and says
/// what happened; who calls it, and when, is a scheduler's business: the
/// functional mode runs warps in turns (Launch.cpp), a timing model issues
/// them cycle by cycle.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_FUNCTIONAL_WARP_H
#define REGSHARE_SIM_FUNCTIONAL_WARP_H

#include "Exec/ClusterBarrier.h"
#include "Exec/ExecContext.h"
#include "Livelock.h"
#include "Rules/CodeRules.h"
#include "regshare/Sim/Launch.h"

#include <array>
#include <memory>
#include <span>

namespace regshare::sim {

class Cta;

/// What registers hold before anything is written to them, and after they have
/// been given back.
inline constexpr uint32_t Poison = 0xDEADC0DE;

/// Storage for rows, aligned for vector loads.
class RowFile {
public:
  /// Keeps the contents.
  void resize(size_t Rows);
  uint32_t *data() { return Words.get(); }
  const uint32_t *data() const { return Words.get(); }
  size_t size() const { return Rows; }

private:
  struct Deleter {
    void operator()(uint32_t *P) const;
  };
  std::unique_ptr<uint32_t[], Deleter> Words;
  size_t Rows = 0, Capacity = 0;
};

/// State that all CTAs of a launch share, or with timing all that run on one
/// SM.
struct LaunchState {
  const Program &P;
  GlobalMemory &Memory;
  const Function &Kernel;
  const LaunchConfig &Config;
  const LaunchOptions &Options;
  LaunchStats Stats;
  std::string Error; ///< Rule and place of the first violation.
  unsigned ErrorLine = 0;
  unsigned SmId = 0, NumSms = 1;
  LivelockWatch *Watch = nullptr; ///< While a livelock is looked for.
  ErrorKind KindOfError = ErrorKind::KernelFault; ///< Of Error.
  /// The program's constants with those of native code; empty if it has none.
  RowWords Constants = {};
  /// What lenient mode has let pass, by instruction.
  struct Passed {
    const Inst *At;
    PassedFault What;
  };
  std::vector<Passed> PassedFaults = {};
  std::array<CachedRange, NumCachedRanges> Ranges = {};

  /// Adds those to the log of the options.
  void tellPassed() const;
};

/// Fills the special registers that are the same in all warps of the launch.
void fillLaunchRows(const LaunchState &L, uint32_t *Rows);
/// Computes what native code has as constants; to be called before any warp is
/// made.
void computeConstants(LaunchState &L);

/// Bytes of shared memory that a CTA takes, dynamic ones included.
uint32_t sharedBytes(const Function &Kernel, const LaunchConfig &Config);
/// Fails on a launch that the limits in its options forbid, or whose arguments
/// do not fit the kernel.
Result<void> checkLaunch(const LaunchState &L);
/// The kernel of that name, or an error that names those there are.
Result<const Function *> requireKernel(const Program &P, std::string_view Name);

class Warp;

/// An access to global memory that a warp has issued and that is yet to be
/// carried out. SMs that run at the same time leave these to the machine, which
/// carries them out in an order that does not depend on the host's threads. The
/// operands are those at the time of issue.
struct PendingAccess {
  static constexpr unsigned MaxRows = 12;

  Warp *W = nullptr;
  const Inst *Original = nullptr;
  const Function *In = nullptr;
  uint64_t When = 0;     ///< Cycle of its issue; the timing model's.
  uint32_t FirstRow = 0; ///< Of the frame that issued it.
  uint32_t FirstWritten = 0;
  Inst I; ///< Names rows of Operands instead of the registers it reads.
  uint32_t Mask = 0;
  alignas(64) uint32_t Operands[MaxRows * WarpSize];
};

/// Accesses in the order of issue. Keeps its storage.
class PendingQueue {
public:
  PendingAccess &push() {
    if (Used == Entries.size())
      Entries.push_back(std::make_unique<PendingAccess>());
    return *Entries[Used++];
  }
  PendingAccess &operator[](size_t N) { return *Entries[N]; }
  size_t size() const { return Used; }
  void clear() { Used = 0; }

private:
  std::vector<std::unique_ptr<PendingAccess>> Entries;
  size_t Used = 0;
};

/// "barrier 3", "the cluster's barrier".
std::string barrierName(unsigned Number);

enum class StepStatus : uint8_t { Ran, Blocked, Finished, Failed };

/// An instruction and the function that it is in.
struct CodePlace {
  const Function *In = nullptr;
  const Inst *At = nullptr;
};

class Warp {
public:
  Warp(LaunchState &L, Cta &Owner, unsigned Id);
  /// As a new one, after the CTA has become another of the launch.
  void restart();

  /// Executes the next instruction. Undefined when finished or blocked.
  StepStatus step();
  /// As if step() were called until it does not return Ran, at most \p Steps
  /// times. Undefined while a livelock is looked for.
  StepStatus run(uint64_t Steps);
  /// The same, but leaves accesses to global memory to \p Pending. Nothing may
  /// read what a load delivers before finish() was called for it.
  StepStatus issue(PendingQueue &Pending);
  /// Carries out what issue() left.
  StepStatus finish(PendingAccess &Access);
  /// A bulk copy that issue() left is done. False if there is no barrier that
  /// can take that.
  bool tell(const ExecContext::BulkArrival &Arrival);

  /// The instruction that comes next, and the function it is in.
  const Function &function() const { return *Frames.back().Fn; }
  uint32_t pc() const { return Stack.back().Pc; }
  unsigned callDepth() const { return unsigned(Frames.size()); }
  /// How often lanes came to run that waited on another side of a branch.
  uint64_t divergentPops() const { return Pops; }
  /// Some lanes wait at a barrier to which others of the warp have not come.
  bool lanesWait() const { return BarrierLanes != 0; }
  /// Executes a statement that takes no issue slot, which comes next, and goes
  /// on to what follows.
  StepStatus stepOver();
  /// Others take its place among the active warps.
  void parked();
  /// It would lose values if others took its place now.
  bool needsItsPlace() const;
  void setClock(uint64_t Cycle, uint64_t Nanoseconds) {
    C.Clock = Cycle;
    C.Nanoseconds = Nanoseconds;
  }

  /// Has the host fetch registers that an instruction is about to name.
  void prefetch(std::span<const uint32_t> Rows) const {
    for (uint32_t Row : Rows)
      for (unsigned Half = 0; Half != 2; ++Half)
        __builtin_prefetch(C.Bases[0] + size_t(Row) * WarpSize + Half * 16);
  }

  bool isFinished() const { return C.Alive == 0; }
  bool isBlocked() const { return Blocked; }
  /// The barrier at which a blocked warp waits.
  unsigned barrierNumber() const { return BarrierNumber; }
  unsigned id() const { return Id; }
  uint32_t alive() const { return C.Alive; }

  /// The last instruction was warp-synchronous and has not been executed: its
  /// other lanes come first. Undefined for other instructions.
  bool yielded() const { return Yielded; }

  /// The scheme does not let the warp go on.
  bool isHeldBack() const { return HeldBack; }
  void setHeldBack(bool Value) { HeldBack = Value; }
  /// Without timing, what a warp waits for that is held back, and where.
  std::string describeHold();

  /// For finding livelocks: a hash of all that decides how the warp goes on,
  /// but for memory.
  uint64_t stateHash() const;
  LivelockProbe &probe() { return Probe; }
  /// Where the warp is, and which of its lanes wait elsewhere.
  std::string describeRound() const;

  /// What the last step executed: the instruction, its lanes, and in the
  /// context the addresses of a memory instruction.
  const Inst *lastInst() const { return Last; }
  /// That instruction; before the first step, the one that comes next.
  CodePlace lastPlace() const {
    return Last ? CodePlace{LastFunction, Last} : nextPlace();
  }
  CodePlace nextPlace() const { return {&function(), &function().Code[pc()]}; }
  uint32_t lastMask() const { return C.Mask; }
  /// Lanes that come to the instruction that comes next.
  uint32_t activeLanes() const { return Stack.back().Mask; }
  const ExecContext &context() const { return C; }

  /// Which bytes of the CTA's shared memory the instruction that comes next
  /// accesses, if it accesses memory: all lie below this; 0: none. Its operands
  /// have to be there.
  uint32_t nextScratchpadEnd();
  /// The same of the last one, from where it was executed.
  uint32_t lastScratchpadEnd();

  /// The barrier opened: lanes continue after it. \p Value is what a
  /// reduction delivers.
  void release(uint32_t Value);
  /// Reports a violation of a rule that one of the warp's instructions, not
  /// necessarily the last one, has led to.
  void fail(const std::string &Rule, const CodePlace &Cause);
  /// "at file.cu:7 (bar.sync 0)".
  std::string where() const;
  /// The PTX line of that.
  unsigned line() const;
  /// The same of the instruction that comes next.
  std::string whereNext() const;
  unsigned nextLine() const;

private:
  friend class Cta;
  friend class WarpView;

  struct StackEntry {
    uint32_t Mask, Pc, Reconverge;
    bool AtBarrier = false; ///< Arrived; waits for the warp's other lanes.
    bool AtWarpSync = false;
    /// Has no lanes, or waits where its branch's sides meet.
    bool isDone() const { return !Mask || (Pc == Reconverge && !AtBarrier); }
  };
  struct Frame {
    const Function *Fn;
    uint32_t FirstRow, FirstPred, FirstWritten, StackBase, LocalBase;
    const CallSite *Site;
    uint32_t CallMask;
    /// The frame whose registers and memory this works on: itself, unless its
    /// lanes run ahead of others in frames above.
    uint32_t Storage;
  };

  void fillSpecialRows();
  void fillCtaRows();
  void start();
  void pushFrame(const Function &Fn, const CallSite *Site, uint32_t Mask);
  void bindFrame(const Frame &F);
  void popFrame();
  void copyParams(const std::vector<ParamSlot> &From, uint32_t FromBase,
                  const std::vector<ParamSlot> &To, uint32_t ToBase,
                  uint32_t Mask);

  template <bool Timed> StepStatus execute(PendingQueue *Pending);
  uint64_t runStraight(uint64_t Steps, StepStatus &Status);
  bool readsUnwritten(const Inst &I) const;
  void noteWritten(const Inst &I, uint32_t Lanes);
  template <bool Timed> StepStatus access(const Inst &I, PendingQueue *Pending);
  void perform(const Inst &I, const CodePlace &Place);
  void carryOut(const Inst &I, const CodePlace &Place);
  void gather(const Inst &I, std::vector<uint8_t> &Bytes);
  static std::string describePlace(const Program &P, const Function &Fn,
                                   const Inst &I);
  bool goesToGlobal(const Inst &I);
  uint32_t scratchpadEnd(const Inst &I) const;
  void defer(const Inst &I, PendingQueue &Pending);

  bool isHeldBefore(const Inst &I);
  bool attend(const Inst &I, StepStatus &Status);
  const NativeInst &nativeOf(const Inst &I) const {
    const Function &Fn = function();
    return Fn.Native[size_t(&I - Fn.Code.data())];
  }
  uint32_t computeFolded(const Inst &I);
  void attendAfter(const Inst &I);
  void loseScratch(const Inst &I);
  void writeUniform(const Inst &I);
  void countSlots(const Inst &I);
  WarpRules &rulesOf(const CodeRules &Code);
  void lanesChange();

  StepStatus afterStep();
  StepStatus branch(const Inst &I);
  StepStatus indexedBranch(const Inst &I);
  void diverge(uint32_t Taken, uint32_t Target, uint32_t NotTaken,
               uint32_t Reconverge);
  StepStatus call(const Inst &I);
  StepStatus stack(const Inst &I);
  std::array<uint32_t, WarpSize> &topsOfStack();
  StepStatus allocate(uint64_t Bytes, uint64_t Alignment, unsigned Lane,
                      uint64_t &Place);
  StepStatus restoreStack(uint64_t Place, unsigned Lane);
  StepStatus builtin(const Function &Fn, const CallSite &Site);
  StepStatus callRuntime(const Function &Fn, const CallSite &Site);
  uint64_t parameterBuffer(DeviceCall Kind, const CallSite &Site,
                           unsigned Lane);
  StepStatus launchGrid(DeviceCall Kind, const CallSite &Site, unsigned Lane,
                        uint32_t &Code);
  StepStatus createStream(const CallSite &Site, unsigned Lane, uint32_t &Code);
  StepStatus leave(uint32_t Lanes, bool ExitsThread);
  StepStatus barrier(const Inst &I);
  StepStatus warpSync(const Inst &I, bool &Proceed);
  StepStatus arriveTogether();
  void deliver(const Frame &F, const StackEntry &E, uint32_t Value);
  const uint32_t *membersOf(const Inst &I) const;
  bool partByMembers(const Inst &I);
  uint32_t joinWarpSync(const Inst &I, uint32_t Members);
  void passJoined(uint32_t Joined);
  bool yieldTo(uint32_t Lanes, bool Ahead);
  void runAhead(size_t K, size_t FrameNumber, uint32_t Lanes);

  StepStatus fail(const std::string &Rule, unsigned Lane,
                  ErrorKind Kind = ErrorKind::KernelFault);
  void report(const std::string &Rule, const std::string &Lane);
  /// The rules of the scheme have done what they may not.
  void breaksContract(const std::string &How);
  bool keepsRow(const char *Which, unsigned Frame, uint32_t Row);
  std::string describe(const std::string &Rule, const std::string &Lane,
                       const CodePlace &Place) const;
  StepStatus failUnwritten(const Inst &I, uint32_t Mask);
  StepStatus fail(const Violation &V) { return fail(V.Rule, V.Lane); }
  /// Whether lanes of the mask access shared memory.
  bool reachesScratchpad(const Inst &I);
  std::optional<Violation> ruleAgainstWaiting();
  struct AccessFault {
    std::string Rule;
    ErrorKind Kind = ErrorKind::KernelFault;
  };
  AccessFault explainAccess(const Inst &I) const;
  AccessFault explainTexture(const Inst &I) const;
  StepStatus failAccess(const Inst &I);
  template <typename Fn>
  void notePassed(const CodePlace &Place, const char *Sort, unsigned Lane,
                  Fn Message);
  bool isStray() const;
  void readNothing(const Inst &I, const CodePlace &Place);
  void letPass(const Inst &I, const CodePlace &Place);
  void goOnWithout(const std::string &Rule, unsigned Lane);
  std::string threadName(unsigned Lane) const;

  uint64_t readParam(const ParamSlot &Slot, unsigned Lane) const;
  void writeParam(const ParamSlot &Slot, unsigned Lane, uint64_t Value);
  Dim3 readExtent(const ParamSlot &Slot, unsigned Lane) const;
  bool readGeneric(uint64_t Address, unsigned Lane, void *To, unsigned Size);
  bool writeGeneric(uint64_t Address, unsigned Lane, const void *From,
                    unsigned Size);
  bool readString(uint64_t Address, unsigned Lane, std::string &Out);
  StepStatus printFormatted(const CallSite &Site);

  LaunchState &L;
  Cta &Owner;
  unsigned Id;
  bool Blocked = false;
  bool Yielded = false;
  bool HeldBack = false;
  bool HasBrokenRules = false; ///< The scheme's; the launch ends.
  uint64_t Pops = 0;
  uint32_t BarrierLanes = 0; ///< Lanes that arrived; warp-divergent barriers.
  uint32_t BarrierVotes = 0; ///< Those of them whose predicate holds.
  const Inst *Last = nullptr;
  const Function *LastFunction = nullptr;
  const Inst *BarrierInst = nullptr; ///< With its barrier and thread count:
  uint32_t BarrierNumber = 0, BarrierThreads = 0;
  static constexpr uint64_t NoPhase = ~uint64_t(0);
  uint64_t ClusterPhase = NoPhase; ///< Of the cluster's barrier: the last one
                                   ///< that the warp arrived in.
  bool AtCluster = false;          ///< Arrived there, and has not waited yet.
  ExecContext C;
  uint32_t *Written = nullptr; ///< Lanes written, by access of the frame.
  std::vector<StackEntry> Stack;
  std::vector<Frame> Frames;
  RowFile Registers, Specials;
  std::vector<uint32_t> Preds, WrittenLanes;
  std::vector<uint8_t> Local;
  /// Of frames that have used their stacks, the innermost last.
  struct StackTops {
    size_t Frame;                        ///< How many frames are outside of it.
    std::array<uint32_t, WarpSize> Tops; ///< By lane: the first free byte.
  };
  std::vector<StackTops> Tops;
  /// By lane, CUDA's code of the runtime's last error in device code.
  std::array<uint32_t, WarpSize> LastErrors = {};
  /// Of the families whose code the warp has come to; mostly none or one.
  std::vector<std::pair<const CodeFamily *, std::unique_ptr<WarpRules>>> Rules;
  LivelockProbe Probe;
};

/// A CTA: its warps, shared memory and barriers.
class Cta {
public:
  Cta(LaunchState &L, uint64_t Number);
  /// Becomes another CTA of the launch, as a new one. This keeps its storage.
  void restart(uint64_t NewNumber);

  /// Runs warps in turns until all are finished or about \p Quantum
  /// instructions have been executed.
  StepStatus run(uint64_t Quantum);

  /// A warp reaches a barrier. True if it has to wait.
  bool arrive(Warp &W, unsigned Barrier, unsigned Threads, BarrierOp Op,
              uint32_t Lanes);
  void warpFinished();
  Dim3 index() const { return Index; }
  uint64_t number() const { return Number; }
  std::vector<uint8_t> &shared() { return Shared; }
  unsigned numWarps() const { return unsigned(Warps.size()); }
  /// The warps that \p W, which waits at a barrier, waits for.
  std::vector<unsigned> missingFor(const Warp &W) const;
  /// How often a barrier has opened.
  uint64_t openings() const { return Openings; }
  Warp &warp(unsigned N) { return *Warps[N]; }
  /// As WarpView::ofCta() has it.
  std::any &ofScheme() { return OfScheme; }
  /// Who waits for whom, into the launch's error.
  StepStatus reportDeadlock();

private:
  struct Barrier {
    unsigned Arrived = 0;  ///< Warps, bar.arrive included.
    unsigned Expected = 0; ///< Threads; 0 is all of the CTA.
    std::vector<Warp *> Waiting;
    uint32_t Popc = 0;
    bool And = true, Or = false;
  };
  void openIfComplete(Barrier &B);
  bool arriveAtCluster(Warp &W, BarrierOp Op);
  void openCluster();
  void open(Barrier &B);
  std::string absence(const Warp &W) const;
  std::string describeBarrier(unsigned Number) const;
  StepStatus reportHeld();
  bool isAnyHeld() const;
  StepStatus reportLimit();
  Dim3 indexOf(uint64_t Of) const;
  StepStatus runWarp(Warp &W);

  LaunchState &L;
  uint64_t Number;
  Dim3 Index;
  std::vector<uint8_t> Shared;
  std::vector<std::unique_ptr<Warp>> Warps;
  Barrier Barriers[ClusterBarrier + 1];
  uint64_t Openings = 0, ClusterPhase = 0;
  std::any OfScheme;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_FUNCTIONAL_WARP_H
