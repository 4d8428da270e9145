//===- ViewsJson.cpp - A launch for programs ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewFigures.h"
#include "ViewText.h"

#include <nlohmann/json.hpp>

namespace regshare::sim {

using Json = nlohmann::ordered_json;

static Json extents(const Dim3 &D) { return {D.X, D.Y, D.Z}; }

static Json slotsOf(const CpiStack &Slots) {
  Json J = Json::object();
  for (unsigned N = 0; N != NumSlotUses; ++N)
    J[slotUseName(SlotUse(N))] = Slots.Slots[N];
  return J;
}

static Json residencyOf(const RunDescription &Run, const TimingStats &S) {
  Json Limits = Json::array();
  for (Limiter L : S.Resident.Limiters)
    Limits.push_back(limiterName(L));
  Utilisation U = utilisationOf(Run.Device, S);
  return {{"ctas_per_sm", S.Resident.CTAs},
          {"warps_per_sm", S.Resident.Warps},
          {"max_warps_per_sm", Run.Device.MaxWarps},
          {"average_warps_per_sm", averageWarps(S)},
          {"limited_by", std::move(Limits)},
          {"registers_per_cta", S.Resident.RegsPerCTA},
          {"shared_bytes_per_cta", S.Resident.SharedPerCTA},
          {"registers_left_per_sm", S.Resident.RegsLeft},
          {"utilisation",
           {{"registers", U.Registers},
            {"scratchpad", U.Scratchpad},
            {"overall", U.Overall}}}};
}

static Json issueOf(const TimingStats &S) {
  Json PerSM = Json::array();
  for (const CpiStack &Slots : S.SlotsOfSM)
    PerSM.push_back(slotsOf(Slots));
  return {{"per_sm_cycle", S.SlotsPerCycle},
          {"total", S.Slots.total()},
          {"uses", slotsOf(S.Slots)},
          {"per_sm", std::move(PerSM)}};
}

static Json pipesOf(const TimingStats &S) {
  Json J;
  for (unsigned P = 0; P != NumPipes; ++P)
    J[PipeNames[P]] = S.PipeInstructions[P];
  return J;
}

static Json stallsOf(const LoadStoreStats &L) {
  auto Cycles = [&](MemoryStall S) { return L.StallCycles[size_t(S)]; };
  return {{"bank_conflict", Cycles(MemoryStall::BankConflict)},
          {"transactions", Cycles(MemoryStall::Transactions)},
          {"mshr", Cycles(MemoryStall::Mshr)},
          {"reservation", Cycles(MemoryStall::Reservation)},
          {"store_credits", Cycles(MemoryStall::StoreCredits)}};
}

static Json loadStoreOf(const LoadStoreStats &L) {
  return {{"accesses", L.Accesses},
          {"shared_accesses", L.SharedAccesses},
          {"shared_passes", L.SharedPasses},
          {"constant_accesses", L.ConstantAccesses},
          {"constant_passes", L.ConstantPasses},
          {"transactions", L.Transactions},
          {"load_hits", L.LoadHits},
          {"load_merges", L.LoadMerges},
          {"load_misses", L.LoadMisses},
          {"load_bypasses", L.LoadBypasses},
          {"store_hits", L.StoreHits},
          {"store_misses", L.StoreMisses},
          {"atomics", L.Atomics},
          {"evictions", L.Evictions},
          {"write_backs", L.WriteBacks},
          {"bytes_requested", L.BytesRequested},
          {"bytes_written", L.BytesWritten},
          {"stall_cycles", stallsOf(L)}};
}

static Json memoryOf(const MemoryStats &M) {
  return {{"requests", M.Requests},
          {"replies", M.Replies},
          {"flits_to_memory", M.FlitsToMemory},
          {"flits_to_sms", M.FlitsToSMs},
          {"bytes_to_memory", M.BytesToMemory},
          {"bytes_to_sms", M.BytesToSMs},
          {"l2_hits", M.L2Hits},
          {"l2_merges", M.L2Merges},
          {"l2_misses", M.L2Misses},
          {"l2_store_hits", M.L2StoreHits},
          {"l2_store_misses", M.L2StoreMisses},
          {"l2_atomics", M.L2Atomics},
          {"l2_write_backs", M.L2WriteBacks},
          {"l2_stall_cycles", M.L2StallCycles},
          {"dram_reads", M.DramReads},
          {"dram_writes", M.DramWrites},
          {"dram_row_hits", M.DramRowHits},
          {"dram_activates", M.DramActivates},
          {"dram_precharges", M.DramPrecharges},
          {"dram_busy_cycles", M.DramBusyCycles}};
}

static Json ratesOf(const DeviceDescription &D, const TimingStats &S) {
  MemoryFigures F = memoryFiguresOf(D, S);
  Json J = {{"l1_hit", F.L1Hits},
            {"l2_hit", F.L2Hits},
            {"dram_row_hit", F.DramRowHits},
            {"to_sms_bytes_per_s", F.BandwidthToSMs},
            {"from_sms_bytes_per_s", F.BandwidthFromSMs}};
  if (!F.Bus)
    return J;
  J["dram_bytes_per_s"] = F.Bus->Bandwidth;
  J["dram_peak_bytes_per_s"] = F.Bus->Peak;
  J["dram_bus_busy"] = F.Bus->BusBusy;
  return J;
}

/// Null where nobody can say: no paper names any, or no machine has the scheme.
static Json storageOf(const TimingStats &Stats) {
  if (!Stats.CountsStorage)
    return nullptr;
  return Stats.Pool.StorageBits + Stats.RegisterCache.StorageBits +
         Stats.Operands.StorageBits;
}

/// Null for schemes in which nothing is shared.
static Json poolOf(const TimingStats &Stats) {
  const PoolStats &S = Stats.Pool;
  if (S.isEmpty())
    return nullptr;
  return {{"unit", S.Unit},
          {"units_per_sm", S.Capacity},
          {"rows_per_unit", S.RowsOfUnit},
          {"peak_in_use", S.PeakInUse},
          {"storage_bits_per_sm", S.StorageBits},
          {"attempts", S.Attempts},
          {"successes", S.Successes},
          {"success_rate", shareOf(double(S.Successes), double(S.Attempts))},
          {"taken", S.Taken},
          {"returned", S.Returned},
          {"held_instructions", S.HeldInstructions},
          {"held_share", shareOf(double(S.HeldInstructions),
                                 double(Stats.Functional.WarpInstructions))},
          {"wait_cycles", S.WaitCycles},
          {"held_accesses", S.HeldAccesses}};
}

/// Null if there are none.
static Json runLengthsOf(const RunLengths &L) {
  if (!L.Runs)
    return nullptr;
  return {{"runs", L.Runs},
          {"instructions", L.Instructions},
          {"mean", L.mean()},
          {"shortest", L.Shortest},
          {"longest", L.Longest}};
}

/// Null for schemes without a register cache.
static Json registerCacheOf(const TimingStats &Stats) {
  const RegisterCacheStats &C = Stats.RegisterCache;
  if (C.isEmpty())
    return nullptr;
  return {{"registers_per_sm", C.Rows},
          {"active_warps", C.ActiveWarps},
          {"storage_bits_per_sm", C.StorageBits},
          {"prefetches", C.Prefetches},
          {"pop_prefetches", C.PopPrefetches},
          {"refetches", C.Refetches},
          {"fetched", C.Fetched},
          {"written_back", C.WrittenBack},
          {"late_writes", C.LateWrites},
          {"main_results", C.MainResults},
          {"main_accesses", C.mainAccesses()},
          {"cache_reads", C.Reads},
          {"cache_writes", C.Writes},
          {"intervals", runLengthsOf(C.Intervals)},
          {"optimal_intervals", runLengthsOf(C.OptimalIntervals)},
          {"wait_cycles", C.WaitCycles}};
}

/// Null for schemes without an operand cache.
static Json operandCacheOf(const TimingStats &Stats) {
  const OperandCacheStats &C = Stats.Operands;
  if (C.isEmpty())
    return nullptr;
  return {{"lines_per_sm", C.Lines},
          {"storage_bits_per_sm", C.StorageBits},
          {"whole_ctas_per_sm", C.WholeCTAs},
          {"mixed_ctas_per_sm", C.MixedCTAs},
          {"start_reg", C.StartReg},
          {"scratchpad_rows_per_sm", C.ScratchpadRows},
          {"prefs", C.Prefs},
          {"resume_prefs", C.ResumePrefs},
          {"bundles", C.Bundles},
          {"hits", C.Hits},
          {"fetched", C.Fetched},
          {"written_back", C.WrittenBack},
          {"late_writes", C.LateWrites},
          {"cache_reads", C.Reads},
          {"cache_writes", C.Writes},
          {"wait_cycles", C.WaitCycles}};
}

/// Null unless the scheduler learns its limit.
static Json activeLimitsOf(const ActiveWarpLimits &A) {
  if (A.isEmpty())
    return nullptr;
  return {{"sms", A.NumSMs},
          {"mean", A.mean()},
          {"smallest", A.Smallest},
          {"largest", A.Largest}};
}

/// Null if the device has no energy figures.
static Json energyJson(const DeviceDescription &D, const TimingStats &S) {
  std::optional<EnergyAccount> Account = energyAccountOf(D, S);
  if (!Account)
    return nullptr;
  Json Parts = Json::object(), Events = Json::object();
  for (const EnergyPart &P : Account->parts())
    Parts[P.Name] = P.Total;
  for (const EnergyEntry &E : Account->Entries)
    Events[E.Event] = {
        {"count", E.Count}, {"each", E.Each}, {"total", E.total()}};
  double Total = Account->total();
  return {{"unit", "register-file read"},
          {"total", Total},
          {"per_warp_instruction",
           shareOf(Total, double(S.Functional.WarpInstructions))},
          {"parts", std::move(Parts)},
          {"events", std::move(Events)}};
}

static Json samplesOf(const TimingStats &S) {
  Json J = Json::array();
  for (const OccupancySample &Sample : S.Samples)
    J.push_back({{"cycle", Sample.When},
                 {"warps", Sample.ResidentWarps},
                 {"ctas", Sample.ResidentCtas},
                 {"issued", Sample.Issued},
                 {"shared_in_use", Sample.PoolInUse}});
  return J;
}

std::string statsJson(const RunDescription &Run, const TimingStats &Stats,
                      unsigned Indent) {
  Json J = {{"version", StatsJsonVersion},
            {"kernel", Stats.Kernel},
            {"grid", extents(Run.Grid)},
            {"block", extents(Run.Block)},
            {"dynamic_shared_bytes", Run.DynamicSharedBytes},
            {"device", Run.Device.Name},
            {"scheme", std::string(Run.Applied.name())},
            {"scheduler", Stats.Scheduler},
            {"sms", Stats.NumSMs},
            {"core_clock_mhz", Run.Device.CoreClockMHz},
            {"cycles", Stats.Cycles},
            {"seconds", Stats.Seconds},
            {"ctas", Stats.Functional.Ctas},
            {"warp_instructions", Stats.Functional.WarpInstructions},
            {"thread_instructions", Stats.Functional.ThreadInstructions},
            {"ipc", Stats.ipc()},
            {"active_lanes", activeLanes(Stats)},
            {"registers_per_thread", Stats.RegsPerThread},
            {"residency", residencyOf(Run, Stats)},
            {"active_warp_limit", activeLimitsOf(Stats.ActiveLimits)},
            {"issue_slots", issueOf(Stats)},
            {"pipes", pipesOf(Stats)},
            {"register_file",
             {{"bank_reads", Stats.BankReads},
              {"bank_writes", Stats.BankWrites},
              {"reused_operands", Stats.ReusedOperands},
              {"write_conflicts", Stats.WriteConflicts}}},
            {"divergent_pops", Stats.DivergentPops},
            {"storage_bits_per_sm", storageOf(Stats)},
            {"sharing", poolOf(Stats)},
            {"register_cache", registerCacheOf(Stats)},
            {"operand_cache", operandCacheOf(Stats)},
            {"load_store", loadStoreOf(Stats.LoadStore)},
            {"memory", memoryOf(Stats.Memory)},
            {"rates", ratesOf(Run.Device, Stats)},
            {"energy", energyJson(Run.Device, Stats)},
            {"samples", samplesOf(Stats)}};
  for (const SchemeCounter &C : Stats.Counters)
    J[std::string(Run.Applied.name())][std::string(C.Key)] = C.Value;
  return J.dump(Indent ? int(Indent) : -1);
}

} // namespace regshare::sim
