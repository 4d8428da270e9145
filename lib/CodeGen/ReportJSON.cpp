//===- ReportJSON.cpp - A report for programs -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Report.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

static json::Object occupancyObject(const KernelReport &K,
                                    const ReportOptions &Options) {
  KernelResources Resources = resourcesOf(K, Options);
  Occupancy O = occupancy(*Options.Device, Resources);
  json::Array Limits;
  for (Limiter L : O.Limiters)
    Limits.push_back(limiterName(L));
  return json::Object{{"device", Options.Device->Name},
                      {"threads_per_cta", Resources.ThreadsPerCTA},
                      {"shared_bytes_per_cta", Resources.SharedPerCTA},
                      {"ctas", O.CTAs},
                      {"warps", O.Warps},
                      {"max_warps", Options.Device->MaxWarps},
                      {"limited_by", std::move(Limits)}};
}

static json::Array candidatesArray(const ExtendedSetChoice &Choice) {
  json::Array Candidates;
  for (const ExtendedSetCandidate &C : Choice.Candidates)
    Candidates.push_back(json::Object{{"base", C.Split.Base},
                                      {"extended", C.Split.Extended},
                                      {"ctas", C.Residency.CTAs},
                                      {"warps", C.Residency.Warps},
                                      {"srp_sections", C.Residency.SrpSections},
                                      {"refused", refusalName(C.Refused)}});
  return Candidates;
}

static json::Object regMutexObject(const RegMutexResult &R) {
  json::Object Object{{"registers", R.Regs},
                      {"waits", R.Waits},
                      {"live_at_waits", R.MinBase},
                      {"needed_at_waits", R.LeastBase}};
  if (R.Choice) {
    Object["baseline_ctas"] = R.Choice->Baseline.CTAs;
    Object["baseline_warps"] = R.Choice->Baseline.Warps;
    Object["candidates"] = candidatesArray(*R.Choice);
  }
  if (!R.Split) {
    Object["untouched"] = R.Untouched;
    return Object;
  }
  Object["base"] = R.Split->Base;
  Object["extended"] = R.Split->Extended;
  Object["acquires"] = R.Acquires;
  Object["releases"] = R.Releases;
  Object["edge_blocks"] = R.EdgeBlocks;
  Object["copies"] = R.Copies;
  Object["recomputed"] = R.Recomputed;
  Object["instructions"] = R.Instrs;
  Object["held_instructions"] = R.HeldInstrs;
  Object["held_share"] = R.heldShare();
  Object["changes_per_warp"] = R.ChangesExecuted;
  Object["instructions_per_warp"] = R.Executed;
  return Object;
}

static json::Object prefetchObject(const PrefetchCost &Cost) {
  return json::Object{{"prefetches", Cost.Prefetches},
                      {"executed_per_warp", Cost.Executed},
                      {"registers_per_warp", Cost.Fetched}};
}

static json::Object shrfObject(const SHRFResult &R) {
  return json::Object{{"slots", R.Slots},
                      {"strands", R.Strands},
                      {"results_in_cache", R.Alone},
                      {"results_in_both", R.Both},
                      {"sources_fetched", R.Fetched},
                      {"cache_reads_per_warp", R.CacheReads},
                      {"cache_writes_per_warp", R.CacheWrites},
                      {"main_reads_per_warp", R.MainReads},
                      {"main_writes_per_warp", R.MainWrites},
                      {"accesses_per_warp", R.accesses()},
                      {"instructions_per_warp", R.InstrsExecuted}};
}

static json::Object residencyObject(const KernelReport &K,
                                    const ReportOptions &Options) {
  Result<EXPARSResidency> R = residencyOf(K, Options);
  if (!R)
    return json::Object{{"error", R.error().str()}};
  EXPARSUtilisation U = R->utilisation(*Options.Device);
  return json::Object{{"whole_ctas", R->WholeCTAs},
                      {"mixed_ctas", R->MixedCTAs},
                      {"start_register", R->StartReg},
                      {"register_utilisation", U.Registers},
                      {"scratchpad_utilisation", U.Scratchpad},
                      {"overall_utilisation", U.Overall}};
}

static json::Object exparsObject(const KernelReport &K,
                                 const ReportOptions &Options) {
  const EXPARSResult &R = *K.EXPARS;
  json::Object Object{
      {"operand_cache_bytes", R.Cache.Bytes},
      {"registers", R.Registers},
      {"kept", R.Kept},
      {"kept_by_tau", R.KeptByTau},
      {"kept_before_renumbering", R.KeptBefore},
      {"bundles", R.Bundles},
      {"empty_bundles", R.EmptyBundles},
      {"prefs_per_warp", R.PrefsExecuted},
      {"registers_per_warp", R.BitsExecuted},
      {"references_per_warp", R.References},
      {"scratchpad_references_per_warp", R.ScratchpadReferences},
      {"instructions", R.Instrs},
      {"instructions_per_warp", R.InstrsExecuted},
      {"code_bytes", int64_t(R.CodeBytes)},
      {"embedded_bytes", int64_t(R.EmbeddedBytes)},
      {"explicit_bytes", int64_t(R.ExplicitBytes)}};
  if (Options.Device)
    Object["residency"] = residencyObject(K, Options);
  return Object;
}

static json::Object ltrfObject(const LTRFResult &R) {
  json::Object Object = prefetchObject(R.Cost);
  Object["kind"] = R.Kind == PartitionKind::Strands ? "strands" : "intervals";
  Object["intervals"] = R.Intervals;
  Object["interval_registers"] = R.MaxRegisters;
  if (R.Published)
    Object["published"] = prefetchObject(*R.Published);
  Object["executed_at_heads_per_warp"] = R.ExecutedAtHeads;
  Object["preheaders"] = R.Preheaders;
  Object["dead_operands"] = R.DeadOperands;
  Object["instructions"] = R.Instrs;
  Object["instructions_per_warp"] = R.InstrsExecuted;
  Object["code_bytes"] = int64_t(R.CodeBytes);
  Object["embedded_bytes"] = int64_t(R.EmbeddedBytes);
  Object["explicit_bytes"] = int64_t(R.ExplicitBytes);
  if (R.Renumbered)
    Object["banks"] = json::Object{{"count", R.Renumbered->Count},
                                   {"before", R.Renumbered->Before},
                                   {"after", R.Renumbered->After}};
  return Object;
}

static json::Object beforeSharedObject(const BeforeShared &B) {
  return json::Object{
      {"least", B.Least ? json::Value(*B.Least) : json::Value(nullptr)},
      {"expected", B.Expected}};
}

static json::Object sharingObject(const SharingResult &R) {
  json::Object Object{
      {"registers", R.Registers},
      {"instructions_before_shared", beforeSharedObject(R.Before)},
      {"instructions_per_warp", R.InstrsExecuted},
      {"releases", R.Releases},
      {"edge_blocks", R.EdgeBlocks}};
  if (R.PrivateRegs) {
    Object["private"] = *R.PrivateRegs;
    Object["shared"] = R.Registers - *R.PrivateRegs;
    Object["order"] = registerOrderName(R.Order).data();
    Object["before_renumbering"] = beforeSharedObject(R.BeforeRenumbering);
  }
  return Object;
}

static json::Object kernelObject(const KernelReport &K,
                                 const ReportOptions &Options) {
  const AssignStats &S = K.Stats;
  json::Object Object{{"name", K.Name},
                      {"demangled", K.Demangled},
                      {"target", K.Target},
                      {"is_kernel", K.IsKernel},
                      {"registers", S.Units},
                      {"predicates", S.Preds},
                      {"peak_live", S.PeakUnits},
                      {"peak_assigned", S.AssignedPeak},
                      {"peak_warp_live", K.WarpPeak},
                      {"instructions", K.Instructions},
                      {"branches", K.Branches},
                      {"divergent_branches", K.DivergentBranches},
                      {"shared_bytes", K.SharedBytes},
                      {"dynamic_shared", K.DynamicShared},
                      {"local_bytes", K.LocalBytes},
                      {"group_copies", S.GroupCopies},
                      {"copies_removed", K.CopiesRemoved},
                      {"rematerialized", S.Rematerialized},
                      {"spilled", S.Spilled},
                      {"spilled_predicates", S.SpilledPreds},
                      {"spill_loads", S.SpillLoads},
                      {"spill_stores", S.SpillStores}};
  if (Options.Device)
    Object["occupancy"] = occupancyObject(K, Options);
  if (K.RegMutex)
    Object["regmutex"] = regMutexObject(*K.RegMutex);
  if (K.LTRF)
    Object["ltrf"] = ltrfObject(*K.LTRF);
  if (K.SHRF)
    Object["shrf"] = shrfObject(*K.SHRF);
  if (K.EXPARS)
    Object["expars"] = exparsObject(K, Options);
  if (K.Sharing)
    Object["sharing"] = sharingObject(*K.Sharing);
  json::Array Points;
  for (const ReportPoint &P : K.Points) {
    json::Object Point{{"block", P.Block},
                       {"live", P.Live},
                       {"warp_live", P.WarpLive},
                       {"instruction", P.Text}};
    if (!P.File.empty()) {
      Point["file"] = P.File;
      Point["line"] = P.Line;
    }
    Points.push_back(std::move(Point));
  }
  Object["points"] = std::move(Points);
  return Object;
}

void printReportJSON(raw_ostream &OS, ArrayRef<KernelReport> Kernels,
                     const ReportOptions &Options) {
  json::Array All;
  for (const KernelReport &K : Kernels)
    All.push_back(kernelObject(K, Options));
  json::Object Report{{"version", 1}, {"kernels", std::move(All)}};
  OS << formatv("{0:2}", json::Value(std::move(Report))) << "\n";
}

} // namespace regshare
