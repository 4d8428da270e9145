//===- regshare/Sim/Timing.h - Running kernels with timing ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The timed mode: a device, whose caches keep their contents from kernel to
/// kernel, executes launches cycle by cycle.
///
///     auto Device = loadDevice("gtx480");
///     auto M = Machine::create(*Device, {});
///     auto Stats = (*M)->run(Program, Memory, "kernel", Config);
///     // Stats->Cycles, Stats->Slots, …
///
/// The result depends on the program and the options alone, not on the number
/// of host threads.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_H
#define REGSHARE_SIM_TIMING_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Sim/CpiStack.h"
#include "regshare/Sim/Launch.h"
#include "regshare/Sim/MemoryStats.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace regshare::sim {

/// How far a launch has come.
struct Progress {
  uint64_t Cycles = 0;
  uint64_t CtasDone = 0, Ctas = 0;
  uint64_t WarpInstructions = 0;
};

/// Something that happened on an SM, for a timeline.
struct TimelineEvent {
  /// What happened.
  enum Kind : uint8_t {
    CtaBegin,
    CtaEnd,
    WarpBegin,
    WarpEnd,
    BarrierBegin,
    BarrierEnd,
    WaitBegin, ///< The scheme holds the warp back.
    WaitEnd,
    HoldBegin, ///< It issues with what it had to acquire.
    HoldEnd,
  };
  uint64_t When = 0; ///< Core cycles from the begin of the launch.
  Kind K = CtaBegin;
  uint16_t SM = 0;
  uint16_t Slot = 0; ///< CTA or warp slot of the SM.
  uint64_t Cta = 0;  ///< Number in the grid.
  uint16_t Warp = 0; ///< In the CTA.
};

/// What a machine is to be like, and what of its launches to keep.
struct TimingOptions {
  Scheme Applied = schemes::Baseline;
  SettingValues Settings; ///< Of the scheme.
  /// "lrr", "gto", "two-level", "ltlws-lrr", "ltlws-gto" or "owf" instead of
  /// the device's own.
  std::string Scheduler;
  /// Host threads; 0 is one for each processor.
  unsigned Threads = 1;
  /// Core cycles between samples of the occupancy; 0 takes none.
  unsigned SampleCycles = 0;
  bool RecordTimeline = false;
  /// Simulates also the cycles in which nothing can happen: the same result,
  /// slower.
  bool EveryCycle = false;
  /// Called now and then from the thread that called run().
  std::function<void(const Progress &)> OnProgress;
};

/// Options of one launch.
struct TimedLaunchOptions {
  /// Most core cycles; 0 is no limit.
  uint64_t CycleLimit = 0;
  /// Registers a thread takes; 0 is what the kernel's descriptor says, or for
  /// code without annotations one for every 32 bits of PTX registers.
  unsigned RegsPerThread = 0;
  /// So many CTAs are executed, from the first on, as if the grid had no more;
  /// 0: all.
  uint64_t MostCtas = 0;
  /// Checks and output, as without timing. The device's limits replace those
  /// in here.
  LaunchOptions Functional;
};

/// What warps of an SM share, and how they came to it. Empty for schemes in
/// which warps never wait for registers.
struct PoolStats {
  const char *Unit = ""; ///< Of what is shared: "SRP section", "row".
  unsigned Capacity = 0; ///< Units of an SM.
  unsigned RowsOfUnit = 0;
  unsigned PeakInUse = 0; ///< Units, of the SM that used most.
  /// State that the scheme adds to an SM, also where the kernel shares nothing.
  unsigned StorageBits = 0;
  /// Times a warp asked for what it did not have: once when it came to the
  /// instruction, and once whenever it asked again after some was given back.
  uint64_t Attempts = 0;
  uint64_t Successes = 0;
  uint64_t Taken = 0;            ///< Units, by those.
  uint64_t Returned = 0;         ///< Units; also by warps that ended.
  uint64_t HeldInstructions = 0; ///< Issued while holding some.
  uint64_t WaitCycles = 0;       ///< In which warps were held back, summed.
  /// Accesses to memory that the scheme put off.
  uint64_t HeldAccesses = 0;

  /// What a timeline calls a warp that is held back, and one that holds a unit.
  const char *Waits = "waits for registers", *Holds = "holds registers";

  bool isEmpty() const { return !Capacity; }
  void add(const PoolStats &OfSM);
};

/// How many instructions lie between two events of a warp, for many warps.
struct RunLengths {
  uint64_t Runs = 0, Instructions = 0;
  uint64_t Shortest = 0, Longest = 0; ///< Of one run, in instructions.

  double mean() const { return Runs ? double(Instructions) / double(Runs) : 0; }
  void add(uint64_t Length);
  void add(const RunLengths &Others);
};

/// What a register cache did. Registers are rows of 32 lanes. Empty for schemes
/// without one.
struct RegisterCacheStats {
  unsigned Rows = 0; ///< Registers that it holds, of an SM.
  unsigned ActiveWarps = 0;
  uint64_t StorageBits = 0; ///< State that the scheme adds to an SM.
  uint64_t Prefetches = 0;  ///< Instructions.
  /// PREFETCHes that the SM executed by itself: a warp's lanes went on in
  /// another interval than that of its cached registers.
  uint64_t PopPrefetches = 0;
  uint64_t Refetches = 0;   ///< Warps that came back to their interval.
  uint64_t Fetched = 0;     ///< Registers read from the main register file,
  uint64_t Filled = 0;      ///< of those that a PREFETCH wrote into the cache,
  uint64_t WrittenBack = 0; ///< and written to it,
  uint64_t LateWrites = 0;  ///< of those results that came after the warp left.
  uint64_t MainResults = 0; ///< Results that code has sent there.
  uint64_t Reads = 0, Writes = 0; ///< Of the cache, by instructions.
  uint64_t WaitCycles = 0; ///< In which warps waited for registers, summed.
  /// Instructions from a warp's PREFETCH, which is none of them, to its next
  /// one, also where the SM executed that by itself.
  RunLengths Intervals;
  /// The fewest runs into which the same instructions can be divided so that
  /// each names at most as many registers as an interval may, wherever control
  /// goes.
  RunLengths OptimalIntervals;

  bool isEmpty() const { return !Rows; }
  uint64_t mainAccesses() const {
    return Fetched + WrittenBack + LateWrites + MainResults;
  }
  void add(const RegisterCacheStats &OfSM);
};

/// What an operand cache did for registers that live in scratchpad. Rows are
/// registers of 32 lanes; each that is fetched,
/// written back or late takes the scratchpad for a cycle. Empty without it.
struct OperandCacheStats {
  unsigned Lines = 0;       ///< Rows that the operand cache holds, of an SM.
  uint64_t StorageBits = 0; ///< State that the scheme adds to an SM.
  /// CTA slots of an SM: CTA_RF and CTA_Mix; and the first register that those
  /// of the second kind have in scratchpad.
  unsigned WholeCTAs = 0, MixedCTAs = 0, StartReg = 0;
  uint64_t ScratchpadRows = 0; ///< Of registers, with all CTAs resident.
  uint64_t Prefs = 0;          ///< That warps came to.
  /// Bundles that lanes went on in the middle of, whose registers the SM asked
  /// for by itself.
  uint64_t ResumePrefs = 0;
  uint64_t Bundles = 0; ///< That got lines for registers in scratchpad.
  uint64_t Hits = 0;    ///< Rows of these that the operand cache still had,
  uint64_t Fetched = 0; ///< and those it had not.
  uint64_t WrittenBack = 0;
  uint64_t LateWrites = 0; ///< Results that came when their line was gone.
  uint64_t Reads = 0, Writes = 0; ///< Of the operand cache, by instructions.
  uint64_t WaitCycles = 0; ///< In which warps waited for registers, summed.

  bool isEmpty() const { return !Lines; }
  void add(const OperandCacheStats &OfSM);
};

/// LTLWS: how many warps of an SM were active after its first warp had ended
/// (W_opt, within what the SM has: lazyActiveWarps()). Empty for other
/// schedulers.
struct ActiveWarpLimits {
  unsigned NumSMs = 0; ///< That have one: on which a warp ended.
  unsigned Smallest = 0, Largest = 0;
  uint64_t Sum = 0;

  bool isEmpty() const { return !NumSMs; }
  double mean() const { return NumSMs ? double(Sum) / NumSMs : 0; }
  /// Of an SM, or 0 if it has none.
  void add(unsigned OfSM);
};

/// What a scheme counts besides. Views print it under the scheme's name.
struct SchemeCounter {
  /// How the values of several SMs become one.
  enum Sum : uint8_t { Total, Most };

  std::string_view Key;  ///< In JSON: "borrowed_rows".
  std::string_view Help; ///< After the number, in text: "rows were borrowed".
  uint64_t Value = 0;
  Sum OfSMs = Total;
};
/// Adds what another SM of the same scheme has counted.
void addCounters(std::vector<SchemeCounter> &To,
                 const std::vector<SchemeCounter> &OfSM);

/// What the SMs held at some time.
struct OccupancySample {
  uint64_t When = 0;          ///< Core cycles from the begin of the launch.
  uint32_t ResidentWarps = 0; ///< On all SMs.
  uint32_t ResidentCtas = 0;
  uint64_t Issued = 0;    ///< Since the sample before.
  uint32_t PoolInUse = 0; ///< Units of PoolStats, on all SMs.
};

/// What a lane does for an instruction, as far as its energy goes.
enum class LaneClass : uint8_t {
  Integer, ///< Also moves, shuffles and addresses.
  IntegerMultiply,
  Float, ///< Also half precision.
  FloatMultiply,
  Double,
  Special,
  Divide, ///< And square roots, with IEEE rounding.
};
inline constexpr unsigned NumLaneClasses = unsigned(LaneClass::Divide) + 1;

/// What executes instructions, per scheduler or per SM.
enum class Pipe : uint8_t { Main, Integer, Special, Double, Memory, None };
inline constexpr unsigned NumPipes = unsigned(Pipe::None);
inline constexpr const char *PipeNames[] = {"main", "integer", "special",
                                            "double", "memory"};

/// What a launch with timing came to.
struct TimingStats {
  std::string Kernel;
  LaunchStats Functional;
  uint64_t Cycles = 0;
  double Seconds = 0;         ///< Simulated, at the device's core clock.
  unsigned NumSMs = 0;        ///< Also those that had no CTA.
  unsigned SlotsPerCycle = 0; ///< Of an SM: its schedulers.
  const char *Scheduler = ""; ///< Their policy, as TimingOptions has it.
  /// Of all SMs; the sum is Cycles * NumSMs * SlotsPerCycle.
  CpiStack Slots;
  std::vector<CpiStack> SlotsOfSM;
  Occupancy Resident;
  /// Core cycles at which each wave began: as many CTAs as are resident on all
  /// SMs, of which the first was handed to an SM then.
  std::vector<uint64_t> Waves;
  uint64_t FileRegisters = 0; ///< Of an SM; under Ideal more than its own.
  ActiveWarpLimits ActiveLimits;
  unsigned RegsPerThread = 0;
  uint64_t WarpCycles = 0; ///< Resident warps, summed over cycles and SMs.
  uint64_t DivergentPops = 0;
  uint64_t BankReads = 0, BankWrites = 0; ///< 32-lane rows.
  /// Of the reads, those that the register-file cache of a modern core has
  /// served (regshare/Base/Reuse.h).
  uint64_t ReusedOperands = 0;
  uint64_t WriteConflicts = 0; ///< Results that waited for a bank or port.
  /// Active lanes of instructions that went to a pipe, by LaneClass.
  std::array<uint64_t, NumLaneClasses> LaneOps = {};
  /// Instructions of warps that went to each Pipe, each one of a sequence
  /// counted.
  std::array<uint64_t, NumPipes> PipeInstructions = {};
  LoadStoreStats LoadStore; ///< Of all SMs.
  PoolStats Pool;
  RegisterCacheStats RegisterCache;
  OperandCacheStats Operands;
  std::vector<SchemeCounter> Counters; ///< The scheme's own.
  bool CountsStorage = true;           ///< The scheme's storage is known.
  MemoryStats Memory;                  ///< During this launch.
  std::vector<OccupancySample> Samples;
  std::vector<TimelineEvent> Timeline; ///< By time.

  double ipc() const {
    return Cycles ? double(Functional.WarpInstructions) / double(Cycles) : 0;
  }
};

/// A device with its caches, which executes launches one after the other.
class Machine {
public:
  /// Fails on a device without timing figures, and on unknown options.
  static Result<std::unique_ptr<Machine>> create(const DeviceDescription &D,
                                                 const TimingOptions &Options);
  ~Machine();

  /// Executes a kernel to its end. Fails on what the program does wrong, on a
  /// launch that does not fit, on a deadlock and at the cycle limit.
  Result<TimingStats> run(const Program &P, GlobalMemory &Memory,
                          std::string_view Kernel, const LaunchConfig &Config,
                          const TimedLaunchOptions &Options = {});

  /// The next launch finds an empty L2 and the DRAM's rows closed.
  void emptyL2();

  const DeviceDescription &device() const;
  /// CTAs of a kernel that are resident on an SM under the machine's scheme.
  /// \p Facts and \p WaitsForOthers as in Function.
  Result<Occupancy> residency(const KernelResources &K,
                              const SchemeFacts &Facts = {},
                              bool WaitsForOthers = false) const;

private:
  struct Impl;
  explicit Machine(std::unique_ptr<Impl> I);
  std::unique_ptr<Impl> I;
};

/// The figures of `timing:` in device files that the model reads, with what
/// they mean; for documentation and checks.
struct TimingFigureHelp {
  std::string Key, Help;
};
/// All figures that a device file may have below `timing`.
std::vector<TimingFigureHelp> timingFigures();

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_H
