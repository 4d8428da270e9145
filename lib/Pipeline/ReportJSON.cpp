//===- ReportJSON.cpp - A report for programs -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/Report.h"

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

/// What of the spilled values, loads and stores went to shared memory.
static json::Object sharedSpillingObject(const KernelReport &K) {
  return json::Object{{"spilled", K.Stats.SharedSpilled},
                      {"loads", K.Stats.SharedSpillLoads},
                      {"stores", K.Stats.SharedSpillStores},
                      {"bytes_per_cta", K.Stats.SharedSpillBytes},
                      {"room_bytes", K.SharedRoom.Bytes},
                      {"limit", limitOfSharedSpills(K)}};
}

/// The code that ptxas makes of the same PTX. A GPU runs that code.
static json::Object ptxasObject(const KernelReport &K,
                                const ReportOptions &Options) {
  json::Object Object{{"registers", K.Ptxas->Registers},
                      {"instructions", K.Ptxas->Instructions},
                      {"spill_store_bytes", K.Ptxas->SpillStores},
                      {"spill_load_bytes", K.Ptxas->SpillLoads}};
  if (K.Ptxas->SharedBytes)
    Object["shared_bytes"] = *K.Ptxas->SharedBytes;
  if (Options.Device) {
    Occupancy O = occupancy(*Options.Device, ptxasResourcesOf(K, Options));
    Object["ctas"] = O.CTAs;
    Object["warps"] = O.Warps;
  }
  return Object;
}

static json::Object placeObject(const SourcePlace &P) {
  return json::Object{{"file", P.File}, {"line", P.Line}, {"column", P.Column}};
}

static json::Object valueObject(const PeakValue &V) {
  json::Array Names, Definitions;
  for (const ValueName &N : V.Names) {
    json::Object Name{{"variable", N.Variable}, {"whole", N.IsWhole}};
    if (!N.Function.empty())
      Name["function"] = N.Function;
    Names.push_back(std::move(Name));
  }
  for (const SourcePlace &P : V.Definitions)
    Definitions.push_back(placeObject(P));
  json::Object Object{
      {"register", V.Register},         {"units", V.Units},
      {"names", std::move(Names)},      {"instruction", V.Instruction},
      {"defined_by", V.DefinedBy},      {"definitions", std::move(Definitions)},
      {"compute_again", keyOf(V.Again)}};
  for (const auto &[Key, Text] :
       {std::pair("expression", &V.Expression),
        std::pair("purpose", &V.Purpose), std::pair("cause", &V.Cause)})
    if (!Text->empty())
      Object[Key] = *Text;
  if (!V.ReadBy)
    return Object;
  json::Object Next{{"point", *V.ReadBy}, {"instructions", V.Distance}};
  if (V.NextUse.isKnown())
    Next["place"] = placeObject(V.NextUse);
  Object["next_use"] = std::move(Next);
  return Object;
}

static json::Object peakObject(const KernelPeak &Peak) {
  json::Array Values;
  for (const PeakValue &V : Peak.Values)
    Values.push_back(valueObject(V));
  json::Object Object{{"point", Peak.Point}, {"values", std::move(Values)}};
  if (Peak.Place.isKnown())
    Object["place"] = placeObject(Peak.Place);
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
  if (K.HardwareInstructions)
    Object["hardware_instructions"] = *K.HardwareInstructions;
  if (!K.SharedRoom.Limit.empty())
    Object["shared_spilling"] = sharedSpillingObject(K);
  if (Options.Device)
    Object["occupancy"] = occupancyObject(K, Options);
  if (K.Ptxas)
    Object["ptxas"] = ptxasObject(K, Options);
  for (const auto &Its : K.OfScheme)
    Object[Its->key()] = Its->toJSON(launchOf(K, Options));
  if (!K.Points.empty())
    Object["peak"] = peakObject(K.Peak);
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
