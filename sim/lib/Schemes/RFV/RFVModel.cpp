//===- RFVModel.cpp - Register file virtualisation -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RFVScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/RFV/RFV.h"

namespace regshare::sim {

/// Most warps of a CTA that have to fit into one partition with all they claim.
static unsigned warpsTogether(const DeviceDescription &D, unsigned Warps) {
  return (Warps + D.RegisterPartitions - 1) / D.RegisterPartitions;
}

class RFVModel : public SchemeModel {
public:
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override;
};

Result<Residency> RFVModel::residency(const DeviceDescription &D,
                                      const KernelNeeds &K,
                                      const SettingValues &Values) const {
  unsigned Warps = (K.Resources.ThreadsPerCTA + D.WarpSize - 1) / D.WarpSize;
  unsigned Regs = K.Resources.RegsPerThread, Rows = partitionRows(D);
  unsigned Together = warpsTogether(D, Warps);
  KernelNeeds WithoutRegs = K;
  WithoutRegs.Resources.RegsPerThread = 0;
  Result<Residency> R = SchemeModel::residency(D, WithoutRegs, Values);
  if (!R)
    return R;
  if (Together * Regs > Rows)
    return fail("not even one CTA fits into an SM of '" + D.Name +
                    "': " + std::to_string(Regs) + " registers a thread, " +
                    std::to_string(K.Resources.ThreadsPerCTA) + " threads",
                ErrorKind::DoesNotFit);
  // Where warps do not divide evenly among partitions, room for a CTA in one of
  // them is not room in the others.
  unsigned Places = D.MaxWarps / D.RegisterPartitions;
  if (Warps % D.RegisterPartitions && Warps * Regs > Rows &&
      R->Limits.CTAs > Places / Together) {
    R->Limits.CTAs = Places / Together;
    R->Limits.Limiters = {Limiter::Registers};
  }
  // One that waits for another must not keep it from its rows.
  unsigned Safe = Rows / (Together * std::max(1u, Regs));
  if (K.WaitsForOthers && R->Limits.CTAs > Safe) {
    R->Limits.CTAs = Safe;
    R->Limits.Limiters = {Limiter::Registers};
  }
  R->Limits.Warps = R->Limits.CTAs * Warps;
  R->Limits.RegsPerCTA = Warps * Regs * D.WarpSize;
  R->Limits.RegsLeft = 0;
  return R;
}

static const SchemeModelOf<RFVScheme, RFVModel> RFV;

static const ModelFamily::Member Members[] = {{schemes::RFV, RFV}};
extern const ModelFamily RFVModels;
const ModelFamily RFVModels = {Members};

} // namespace regshare::sim
