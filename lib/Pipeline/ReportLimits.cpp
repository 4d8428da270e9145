//===- ReportLimits.cpp - What must not grow ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/ReportLimits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

static std::string counted(unsigned N, StringRef What) {
  return (Twine(N) + " " + What + (N == 1 ? "" : "s")).str();
}

static std::string brokenRegisters(const KernelReport &K, unsigned Most) {
  if (K.Stats.Units <= Most)
    return "";
  return counted(K.Stats.Units, "register") + " per thread, at most " +
         std::to_string(Most) + " are allowed";
}

static std::string brokenSpills(const KernelReport &K) {
  const AssignStats &S = K.Stats;
  if (S.Spilled == S.SharedSpilled)
    return "";
  return counted(S.Spilled - S.SharedSpilled, "value") +
         " spilled to local memory (" +
         counted(S.SpillLoads - S.SharedSpillLoads, "load") + ", " +
         counted(S.SpillStores - S.SharedSpillStores, "store") +
         "), none is allowed";
}

static std::string brokenOccupancy(const KernelReport &K,
                                   const ReportOptions &Options,
                                   unsigned Least) {
  const DeviceDescription &D = *Options.Device;
  KernelResources Resources = resourcesOf(K, Options);
  Occupancy O = occupancy(D, Resources);
  if (O.Warps * 100 >= Least * D.MaxWarps)
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "an occupancy of " << format("%.0f%%", 100.0 * O.Warps / D.MaxWarps)
     << " (" << O.Warps << " of " << D.MaxWarps << " warps on " << D.Name
     << " with " << Resources.ThreadsPerCTA << " threads per CTA, limited by ";
  ListSeparator And(" and ");
  for (Limiter L : O.Limiters)
    OS << And << limiterName(L);
  OS << "), at least " << Least << "% is asked for";
  return Text;
}

/// Instructions come and go with every change; what takes room on an SM is what
/// a change should not make worse unseen.
static std::string brokenBaseline(const KernelReport &K,
                                  const ReportOptions &Options,
                                  const Baseline &Before) {
  auto Found = Before.Kernels.find(K.Name);
  if (Found == Before.Kernels.end())
    return "";
  const BaselineKernel &B = Found->second;
  std::vector<std::string> Worse;
  auto Compare = [&](unsigned Old, unsigned New, StringRef What) {
    if (New > Old)
      Worse.push_back((counted(New, What) + " instead of " + Twine(Old)).str());
  };
  Compare(B.Registers, K.Stats.Units, "register");
  Compare(B.Spilled, K.Stats.Spilled, "spilled value");
  if (B.Warps && Options.Device && Options.Device->Name == B.Device) {
    unsigned Warps = occupancy(*Options.Device, resourcesOf(K, Options)).Warps;
    if (Warps < *B.Warps)
      Worse.push_back(counted(Warps, "warp") + " on an SM instead of " +
                      std::to_string(*B.Warps));
  }
  return Worse.empty() ? ""
                       : join(Worse, ", ") + ": worse than in " + Before.Path;
}

std::vector<LimitCheck> checkLimits(ArrayRef<KernelReport> Kernels,
                                    const ReportOptions &Options,
                                    const ReportLimits &Limits,
                                    const Baseline *Before) {
  std::vector<LimitCheck> Checks;
  for (const KernelReport &K : Kernels) {
    if (!K.IsKernel)
      continue;
    if (Limits.MaxRegisters)
      Checks.push_back(
          {"max-registers", &K, brokenRegisters(K, *Limits.MaxRegisters)});
    if (Limits.NoSpills)
      Checks.push_back({"no-spills", &K, brokenSpills(K)});
    if (Limits.MinOccupancy)
      Checks.push_back({"min-occupancy", &K,
                        brokenOccupancy(K, Options, *Limits.MinOccupancy)});
    if (Limits.NoWorse)
      Checks.push_back({"no-worse", &K, brokenBaseline(K, Options, *Before)});
  }
  return Checks;
}

} // namespace regshare
