//===- ViewsSummary.cpp - A page about a launch ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewFigures.h"
#include "ViewText.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace regshare::sim {

/// Of a line's name, with the space after it.
static constexpr size_t LabelWidth = 14;

static void printWhat(std::ostream &OS, const RunDescription &Run,
                      const TimingStats &S) {
  const DeviceDescription &D = Run.Device;
  OS << "kernel        '" << S.Kernel << "', "
     << counted(Run.Grid.count(), "CTA") << " (" << shape(Run.Grid) << ") of "
     << counted(Run.Block.count(), "thread") << " (" << shape(Run.Block)
     << ")\n"
     << "device        " << D.Name << ", " << D.Description << "; "
     << counted(S.NumSMs, "SM") << ", scheme " << Run.Applied.name() << "\n";
}

static void printTime(std::ostream &OS, const RunDescription &Run,
                      const TimingStats &S) {
  OS << "time          " << counted(S.Cycles, "cycle") << ", "
     << duration(S.Seconds) << " at " << Run.Device.CoreClockMHz << " MHz\n"
     << "instructions  " << grouped(S.Functional.WarpInstructions)
     << " of warps, " << fixed(activeLanes(S), 1) << " of " << WarpSize
     << " lanes active";
  if (S.Functional.IsNative)
    OS << "; " << grouped(S.Functional.issueSlots()) << " issue slots";
  OS << "\n"
     << "IPC           " << fixed(S.ipc(), 3) << " warp instructions a cycle, "
     << fixed(shareOf(S.ipc(), S.NumSMs), 3) << " an SM of at most "
     << S.SlotsPerCycle << "\n";
}

static void printResidency(std::ostream &OS, const RunDescription &Run,
                           const TimingStats &S) {
  OS << "registers     " << S.RegsPerThread << " a thread, "
     << grouped(S.Resident.RegsPerCTA) << " a CTA of the SM's "
     << grouped(Run.Device.Registers) << "\n"
     << "residency     " << counted(S.Resident.CTAs, "CTA") << ", "
     << S.Resident.Warps << " of " << counted(Run.Device.MaxWarps, "warp")
     << " an SM; limited by";
  const char *Comma = " ";
  for (Limiter L : S.Resident.Limiters) {
    OS << Comma << limiterName(L);
    Comma = ", ";
  }
  OS << "\n              " << fixed(averageWarps(S), 1)
     << " warps on average over all SMs and cycles\n";
  const ActiveWarpLimits &A = S.ActiveLimits;
  if (A.isEmpty())
    return;
  OS << "active warps  at most " << fixed(A.mean(), 1) << " an SM ("
     << A.Smallest << " to " << A.Largest << ") after its first has ended, on "
     << counted(A.NumSMs, "SM") << "\n";
}

static void printCaches(std::ostream &OS, const MemoryFigures &F,
                        const TimingStats &S) {
  const LoadStoreStats &L = S.LoadStore;
  OS << "L1            " << counted(F.L1Loads, "load transaction") << ": "
     << fixed(100 * F.L1Hits, 1) << "% hit, " << fixed(100 * F.L1Merges, 1)
     << "% joined a miss, " << fixed(100 * F.L1Misses, 1) << "% missed";
  if (L.LoadBypasses)
    OS << "; " << grouped(L.LoadBypasses) << " bypassed it";
  const MemoryStats &M = S.Memory;
  OS << "\nL2            "
     << counted(M.L2Hits + M.L2Merges + M.L2Misses, "read") << ": "
     << fixed(100 * F.L2Hits, 1) << "% hit, " << fixed(100 * F.L2Merges, 1)
     << "% joined a miss, " << fixed(100 * F.L2Misses, 1) << "% missed; "
     << grouped(M.L2StoreHits + M.L2StoreMisses) << " writes, "
     << grouped(M.L2Atomics) << " atomics\n"
     << "              " << bandwidth(F.BandwidthToSMs) << " to the SMs, "
     << bandwidth(F.BandwidthFromSMs) << " from them\n";
}

static void printDram(std::ostream &OS, const MemoryFigures &F,
                      const TimingStats &S) {
  OS << "DRAM          " << grouped(S.Memory.DramReads) << " bursts read, "
     << grouped(S.Memory.DramWrites) << " written, "
     << fixed(100 * F.DramRowHits, 1) << "% in an open row\n";
  if (F.Bus)
    OS << "              " << bandwidth(F.Bus->Bandwidth) << " of "
       << bandwidth(F.Bus->Peak) << " at its peak ("
       << fixed(100 * shareOf(F.Bus->Bandwidth, F.Bus->Peak), 1)
       << "%), data bus busy " << fixed(100 * F.Bus->BusBusy, 1)
       << "% of the time\n";
}

static void printShared(std::ostream &OS, const TimingStats &S) {
  const LoadStoreStats &L = S.LoadStore;
  if (L.SharedAccesses)
    OS << "shared        " << grouped(L.SharedAccesses) << " accesses, "
       << fixed(double(L.SharedPasses) / double(L.SharedAccesses), 2)
       << " passes each (1 without bank conflicts)\n";
  if (L.ConstantAccesses)
    OS << "constants     " << grouped(L.ConstantAccesses) << " accesses, "
       << fixed(double(L.ConstantPasses) / double(L.ConstantAccesses), 2)
       << " passes each (1 for one address)\n";
}

static void printRegisters(std::ostream &OS, const TimingStats &S) {
  auto Instructions = double(S.Functional.WarpInstructions);
  OS << "register file " << grouped(S.BankReads) << " bank reads, "
     << grouped(S.BankWrites) << " writes ("
     << fixed(shareOf(double(S.BankReads), Instructions), 2) << " and "
     << fixed(shareOf(double(S.BankWrites), Instructions), 2)
     << " an instruction); " << grouped(S.WriteConflicts)
     << " results waited for a bank or port\n";
  if (S.ReusedOperands)
    OS << "              " << grouped(S.ReusedOperands)
       << " of the reads found their operand in the register-file cache\n";
}

static void printPool(std::ostream &OS, const TimingStats &Stats) {
  const PoolStats &S = Stats.Pool;
  if (S.isEmpty())
    return;
  OS << "sharing       " << counted(S.Capacity, S.Unit) << " an SM";
  if (S.RowsOfUnit > 1)
    OS << " of " << counted(S.RowsOfUnit, "row");
  OS << ", at most " << grouped(S.PeakInUse) << " in use; "
     << counted(S.StorageBits, "bit") << " of state an SM\n"
     << "              asked for " << counted(S.Attempts, "time") << ", "
     << grouped(S.Successes) << " granted ("
     << fixed(100 * shareOf(double(S.Successes), double(S.Attempts)), 1)
     << "%); warps waited " << counted(S.WaitCycles, "cycle") << "\n";
  if (S.HeldInstructions)
    OS << "              " << grouped(S.HeldInstructions)
       << " instructions issued while holding ("
       << fixed(100 * shareOf(double(S.HeldInstructions),
                              double(Stats.Functional.WarpInstructions)),
                1)
       << "%)\n";
  if (S.HeldAccesses)
    OS << "              warps that were no owner's had to wait for memory "
       << counted(S.HeldAccesses, "time") << "\n";
}

static void printRegisterCache(std::ostream &OS, const TimingStats &Stats) {
  const RegisterCacheStats &C = Stats.RegisterCache;
  if (C.isEmpty())
    return;
  OS << "cached        " << counted(C.Rows, "register") << " of "
     << counted(C.ActiveWarps, "active warp") << " an SM, "
     << counted(C.StorageBits, "bit") << " of state\n"
     << "              " << grouped(C.Prefetches) << " prefetches, "
     << grouped(C.PopPrefetches) << " more after a divergent pop, "
     << counted(C.Refetches, "warp") << " came back; warps waited "
     << counted(C.WaitCycles, "cycle") << "\n"
     << "              main register file: " << grouped(C.Fetched)
     << " registers read, " << grouped(C.WrittenBack) << " written back, "
     << grouped(C.LateWrites + C.MainResults) << " results";
  if (C.mainAccesses())
    OS << "; "
       << fixed(double(Stats.BankReads + Stats.BankWrites) /
                    double(C.mainAccesses()),
                2)
       << " operands an access";
  OS << "\n";
  if (C.Intervals.Runs)
    OS << "              an interval has " << fixed(C.Intervals.mean(), 1)
       << " instructions (" << grouped(C.Intervals.Shortest) << " to "
       << grouped(C.Intervals.Longest) << "), the longest possible "
       << fixed(C.OptimalIntervals.mean(), 1) << " ("
       << grouped(C.OptimalIntervals.Shortest) << " to "
       << grouped(C.OptimalIntervals.Longest) << ")\n";
}

static void printOperandCache(std::ostream &OS, const TimingStats &Stats) {
  const OperandCacheStats &C = Stats.Operands;
  if (C.isEmpty())
    return;
  OS << "scratchpad    " << counted(C.MixedCTAs, "CTA") << " an SM "
     << (C.MixedCTAs == 1 ? "has" : "have") << " registers there";
  if (C.MixedCTAs)
    OS << ", from R" << C.StartReg
       << " on: " << counted(C.ScratchpadRows, "row");
  OS << "; operand cache of " << counted(C.Lines, "line") << ", "
     << counted(C.StorageBits, "bit") << " of state\n"
     << "              " << counted(C.Prefs, "PREF") << ", "
     << grouped(C.Bundles) << " with registers there ("
     << grouped(C.ResumePrefs) << " brought back in the middle); warps "
     << "waited " << counted(C.WaitCycles, "cycle") << "\n"
     << "              " << counted(C.Fetched, "register") << " fetched, "
     << grouped(C.Hits) << " still there, " << grouped(C.WrittenBack)
     << " written back, " << grouped(C.LateWrites) << " late results; "
     << grouped(C.Reads) << " operand reads, " << grouped(C.Writes)
     << " writes\n";
}

/// Parts of at least one percent, the largest first.
static void printCounters(std::ostream &OS, const RunDescription &Run,
                          const TimingStats &Stats) {
  std::string Label(Run.Applied.name());
  for (const SchemeCounter &C : Stats.Counters) {
    Label.resize(std::max(LabelWidth, Label.size() + 1), ' ');
    OS << Label << grouped(C.Value) << " " << C.Help << "\n";
    Label.clear();
  }
}

static void printEnergy(std::ostream &OS, const RunDescription &Run,
                        const TimingStats &S) {
  std::optional<EnergyAccount> Account = energyAccountOf(Run.Device, S);
  if (!Account)
    return;
  const double Total = Account->total();
  OS << "energy        " << grouped(uint64_t(std::llround(Total)))
     << " register-file reads, "
     << fixed(shareOf(Total, double(S.Functional.WarpInstructions)), 2)
     << " an instruction\n";
  std::vector<EnergyPart> Parts = Account->parts();
  std::ranges::sort(Parts, [](const EnergyPart &A, const EnergyPart &B) {
    return A.Total != B.Total ? A.Total > B.Total : A.Name < B.Name;
  });
  const char *Before = "              ";
  for (const EnergyPart &P : Parts) {
    double Share = 100 * shareOf(P.Total, Total);
    if (Share < 1)
      break;
    OS << Before << P.Name << " " << fixed(Share, 1) << "%";
    Before = ", ";
  }
  OS << (Total > 0 ? "\n" : "");
}

void printSummary(std::ostream &OS, const RunDescription &Run,
                  const TimingStats &Stats) {
  MemoryFigures F = memoryFiguresOf(Run.Device, Stats);
  printWhat(OS, Run, Stats);
  printTime(OS, Run, Stats);
  printResidency(OS, Run, Stats);
  printShared(OS, Stats);
  printCaches(OS, F, Stats);
  printDram(OS, F, Stats);
  printRegisters(OS, Stats);
  printPool(OS, Stats);
  printRegisterCache(OS, Stats);
  printOperandCache(OS, Stats);
  printCounters(OS, Run, Stats);
  printEnergy(OS, Run, Stats);
  if (Stats.DivergentPops)
    OS << "divergence    " << counted(Stats.DivergentPops, "time")
       << " a warp went on with parked lanes\n";
  OS << "\n";
  printCpiStack(OS, Stats);
}

} // namespace regshare::sim
