//===- Schedule.cpp - Hide latency within a budget of registers -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Schedule/Schedule.h"

#include "LLVMScheduler.h"

#include "BlockLiveOut.h"
#include "RegionBuilder.h"
#include "StraightSides.h"
#include "Transforms/PredicatedSides.h"
#include "Transforms/Recompute/RecomputeWithin.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/IssueSlots.h"
#include "regshare/Transforms/RegisterLimit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

/// Most instructions of a region: search takes longer than linear time.
static constexpr unsigned MaxRegion = 2048;

namespace {

/// What the orders of all regions of a function are chosen by.
struct ScheduleContext {
  const LiveAtPoint &After; ///< Of the region that is being scheduled.
  const NVPTXOpcodes &Opcodes;
  const LatencyClasses &Classes;
  LatencyTable Latencies;
  RegisterBudget Budget;
  AAResults *AA;
  ScheduleStats &Stats;
};

/// Hands LLVM's scheduler the instructions of a region in the order chosen.
class ChosenOrder : public MachineSchedStrategy {
public:
  explicit ChosenOrder(ScheduleContext &Context) : Context(Context) {}

  bool shouldTrackPressure() const override { return false; }
  void initialize(ScheduleDAGMI *DAG) override;
  SUnit *pickNode(bool &IsTopNode) override {
    IsTopNode = true;
    return Next == Order.size() ? nullptr : Order[Next++];
  }
  void schedNode(SUnit *, bool) override {}
  void releaseTopNode(SUnit *) override {}
  void releaseBottomNode(SUnit *) override {}

private:
  ScheduleContext &Context;
  std::vector<SUnit *> Order;
  size_t Next = 0;
};

} // namespace

void ChosenOrder::initialize(ScheduleDAGMI *DAG) {
  MachineRegion R = buildRegion(DAG->SUnits, Context.After, Context.Opcodes,
                                Context.Classes, Context.Latencies, Context.AA);
  RegionOrder Given(R.Members.size());
  std::iota(Given.begin(), Given.end(), 0);
  RegionOrder Chosen = chooseOrder(R.Graph, Context.Budget);
  Order.clear();
  Next = 0;
  for (uint32_t N : Chosen)
    llvm::append_range(Order, R.Members[N]);
  ScheduleStats &Stats = Context.Stats;
  ++Stats.Regions;
  Stats.Reordered += Chosen != Given;
  Stats.CyclesBefore += costOf(R.Graph, Given).Cycles;
  Stats.CyclesAfter += costOf(R.Graph, Chosen).Cycles;
}

namespace {

class FunctionScheduler {
public:
  FunctionScheduler(MachineFunction &MF, const MachineLoopInfo &MLI,
                    AAResults *AA, LatencyTable Latencies, unsigned Budget,
                    const LiveValues &Live, ScheduleStats &Stats)
      : MF(MF), LiveOut(Live), After(MF), Facts(InstrFacts::get(MF)), Costs(MF),
        Context{After,
                NVPTXOpcodes::get(MF),
                LatencyClasses::get(*MF.getSubtarget().getInstrInfo()),
                Latencies,
                {Budget, NumPredicates},
                AA,
                Stats} {
    Machine.MF = &MF;
    Machine.MLI = &MLI;
    Machine.TM = &MF.getTarget();
    Machine.AA = AA;
    DAG = std::make_unique<ScheduleDAGMI>(
        &Machine, std::make_unique<ChosenOrder>(Context), true);
  }

  void run();

private:
  using Iterator = MachineBasicBlock::iterator;

  void runOnBlock(MachineBasicBlock &MBB);
  void takeStatements(MachineBasicBlock &MBB);
  void putStatementsBack();
  bool isBoundary(const MachineInstr &MI);
  Iterator startOfRegion(MachineBasicBlock &MBB, Iterator End, unsigned &Count);

  MachineFunction &MF;
  BlockLiveOut LiveOut;
  LiveAtPoint After;
  const InstrFacts &Facts;
  NativeCosts Costs;
  ScheduleContext Context;
  MachineSchedContext Machine;
  std::unique_ptr<ScheduleDAGMI> DAG;
  /// Statements of one instruction, which move with it, and that instruction.
  std::vector<std::pair<MachineInstr *, MachineInstr *>> Statements;
};

} // namespace

/// Statements between instructions say something of the next one; the order of
/// the code is not settled yet, so nothing else can be said.
void FunctionScheduler::takeStatements(MachineBasicBlock &MBB) {
  SmallVector<MachineInstr *, 2> Before;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    StringRef Verb = statementVerb(MI);
    if (Verb == "issue" || Verb == "scratch") {
      Before.push_back(MI.removeFromParent());
    } else if (!MI.isDebugInstr()) {
      for (MachineInstr *S : Before)
        Statements.emplace_back(S, &MI);
      Before.clear();
    }
  }
}

void FunctionScheduler::putStatementsBack() {
  for (auto [Statement, Of] : Statements)
    Of->getParent()->insert(Of->getIterator(), Statement);
  Statements.clear();
}

/// Inline PTX that only computes or loads, whose operands say all that it
/// reads and writes. What reads a clock keeps its place, and so do carries,
/// which are in no operand, and loads that do not say to LLVM that they are
/// some.
static bool isOrdinaryInlinePTX(const MachineInstr &MI) {
  static constexpr StringLiteral Opcodes[] = {
      "abs",  "add", "and", "bfe",   "bfi",  "bfind", "brev", "clz",
      "cos",  "cvt", "div", "ex2",   "fma",  "ld",    "lg2",  "lop3",
      "mad",  "max", "min", "mul",   "neg",  "not",   "or",   "popc",
      "prmt", "rcp", "rem", "rsqrt", "selp", "set",   "setp", "shf",
      "shl",  "shr", "sin", "slct",  "sqrt", "sub",   "tanh", "xor"};
  std::vector<StringRef> All = inlinePTXInstructions(inlinePTXText(MI));
  return !All.empty() && llvm::all_of(All, [&](StringRef Instruction) {
    StringRef Name = Instruction.take_until([](char C) { return isSpace(C); });
    StringRef Opcode = Name.split('.').first;
    return is_contained(Opcodes, Opcode) && !Name.contains(".cc") &&
           (Opcode != "ld" || MI.hasUnmodeledSideEffects());
  });
}

/// ptxas branches to a slow path, which it calls, and moves nothing across the
/// branch: a load after a division stays there. What a program times is what
/// stands between its two readings of a clock.
bool FunctionScheduler::isBoundary(const MachineInstr &MI) {
  return MI.isTerminator() || MI.isPosition() || MI.isCall() ||
         (MI.isInlineAsm() && !isOrdinaryInlinePTX(MI)) || Facts.mayPark(MI) ||
         Facts.readsClock(MI) || (!isFolded(MI) && Costs.mayCall(MI));
}

/// Where the region that ends before \p End begins: after a boundary, and not
/// between a folded instruction and its consumer.
FunctionScheduler::Iterator
FunctionScheduler::startOfRegion(MachineBasicBlock &MBB, Iterator End,
                                 unsigned &Count) {
  Iterator Begin = End;
  while (Begin != MBB.begin()) {
    const MachineInstr &MI = *std::prev(Begin);
    if (isBoundary(MI) || (Count >= MaxRegion && !isFolded(MI)))
      break;
    Count += !MI.isDebugInstr();
    --Begin;
  }
  return Begin;
}

void FunctionScheduler::runOnBlock(MachineBasicBlock &MBB) {
  DAG->startBlock(&MBB);
  Iterator End = MBB.end();
  while (End != MBB.begin()) {
    // What is folded into a boundary stays where it is.
    if (isBoundary(*std::prev(End)) ||
        (isFolded(*std::prev(End)) && End != MBB.end() && isBoundary(*End))) {
      After.stepBackward(*--End);
      continue;
    }
    unsigned Count = 0;
    Iterator Begin = startOfRegion(MBB, End, Count);
    bool AtStart = Begin == MBB.begin();
    Iterator Before = AtStart ? Begin : std::prev(Begin);
    DAG->enterRegion(&MBB, Begin, End, Count);
    if (Count > 1)
      DAG->schedule();
    DAG->exitRegion();
    Begin = AtStart ? MBB.begin() : std::next(Before);
    while (End != Begin)
      After.stepBackward(*--End);
  }
  DAG->finishBlock();
}

void FunctionScheduler::run() {
  uint32_t Block = 0;
  for (MachineBasicBlock &MBB : MF) {
    After.clear();
    for (Register VReg : LiveOut.at(Block++))
      After.insert(VReg);
    takeStatements(MBB);
    runOnBlock(MBB);
    putStatementsBack();
  }
}

/// 32-bit registers a thread with which an SM of \p Architecture is full of
/// threads: 64 K registers, 1,024 threads on Turing and 2,048 on the other
/// architectures with native code (CUDA programming guide, compute
/// capabilities).
static unsigned registersOfFullSM(StringRef Architecture) {
  return 64 * 1024 / (Architecture == "sm_75" ? 1024 : 2048);
}

Expected<unsigned> scheduleBudget(const MachineFunction &MF,
                                  const CompilerOptions &Options,
                                  unsigned Peak) {
  const Function &F = MF.getFunction();
  Expected<unsigned> Limit = registerLimit(MF, Options);
  if (!Limit)
    return Limit;
  unsigned Full = registersOfFullSM(MF.getTarget().getTargetCPU());
  if (Options.Device.empty() && Options.ScheduleCTAs)
    return createStringError(F.getName() +
                             ": -regshare-schedule-ctas needs a device");
  if (!Options.Device.empty()) {
    Result<DeviceDescription> Device = loadDevice(Options.Device);
    if (!Device)
      return createStringError(Device.error().str());
    KernelResources K = expectedResources(F, 1, Options);
    if (Options.ScheduleCTAs) {
      if (unsigned Room =
              regsForCTAs(*Device, K.ThreadsPerCTA, Options.ScheduleCTAs))
        return std::min(*Limit, Room);
      return createStringError(
          F.getName() + ": " + Twine(Options.ScheduleCTAs) + " CTAs of " +
          Twine(K.ThreadsPerCTA) + " threads leave no register each on '" +
          Options.Device + "'");
    }
    Full = regsForCTAs(*Device, K.ThreadsPerCTA, occupancy(*Device, K).CTAs);
  }
  return std::min(*Limit, std::max(Full, Peak));
}

/// Orders all regions of \p MF within \p Budget registers; the registers that
/// are live at once then.
static Expected<unsigned>
scheduleWithin(MachineFunction &MF, const MachineLoopInfo &MLI, AAResults *AA,
               const LatencyTable &Latencies, unsigned Budget,
               ScheduleStats &Stats) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  unsigned Reserved = reservedUnits(MF);
  unsigned Peak = peakPressure(Live->Stretches).Units + Reserved;
  FunctionScheduler(MF, MLI, AA, Latencies, Budget - std::min(Budget, Reserved),
                    *Live, Stats)
      .run();
  if (Peak <= Budget)
    return Budget;
  Expected<LiveValues> After = LiveValues::collect(MF);
  if (!After)
    return After.takeError();
  return peakPressure(After->Stretches).Units + Reserved;
}

/// Orders all regions of \p MF within what \p Options leave it.
static Expected<ScheduleStats> scheduleRegions(MachineFunction &MF,
                                               const MachineLoopInfo &MLI,
                                               AAResults *AA,
                                               const CompilerOptions &Options) {
  Expected<LatencyTable> Latencies = latenciesOf(MF.getTarget().getTargetCPU());
  if (!Latencies)
    return Latencies.takeError();
  Expected<unsigned> Full = scheduleBudget(MF, Options, /*Peak=*/0);
  if (!Full)
    return Full.takeError();
  ScheduleStats Stats;
  Stats.Budget = *Full;
  Expected<unsigned> Left =
      scheduleWithin(MF, MLI, AA, *Latencies, *Full, Stats);
  if (!Left || *Left <= *Full)
    return Left ? Expected<ScheduleStats>(Stats) : Left.takeError();
  // What does not fit now needs more anyway: no more than that.
  Expected<unsigned> Budget = scheduleBudget(MF, Options, *Left);
  if (!Budget)
    return Budget.takeError();
  if (*Left > *Budget && Options.Rematerialize) {
    Expected<unsigned> Added = recomputeWithin(MF, *Budget);
    if (!Added)
      return Added.takeError();
    Stats.Recomputed = *Added;
  }
  ScheduleStats Again;
  Left = scheduleWithin(MF, MLI, AA, *Latencies, *Budget, Again);
  if (!Left)
    return Left.takeError();
  Stats.Budget = *Budget;
  Stats.Reordered = std::max(Stats.Reordered, Again.Reordered);
  Stats.CyclesAfter = Again.CyclesAfter;
  return Stats;
}

Expected<ScheduleStats> schedule(MachineFunction &MF,
                                 const MachineLoopInfo &MLI, AAResults *AA,
                                 const CompilerOptions &Options) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  StraightSides Sides(MF, *Live);
  bool AreStraight = Sides.straighten();
  hoistGuards(MF);
  Expected<ScheduleStats> Stats = scheduleRegions(MF, MLI, AA, Options);
  if (AreStraight)
    Sides.branchAround();
  return Stats;
}

} // namespace regshare
