//===- SetmaxnregModel.cpp - CTAs with a pool of registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModelOf.h"
#include "SetmaxnregScheme.h"

#include <charconv>

namespace regshare::sim {

/// 90 of "sm_90a".
static unsigned numberOf(std::string_view Target) {
  unsigned Number = 0;
  size_t Begin = Target.find('_') + 1;
  std::from_chars(Target.data() + Begin, Target.data() + Target.size(), Number);
  return Number;
}

class SetmaxnregModel : public SchemeModel {
public:
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override;
};

Result<Residency>
SetmaxnregModel::residency(const DeviceDescription &D, const KernelNeeds &K,
                           const SettingValues &Values) const {
  static constexpr unsigned First = 90; // PTX ISA, setmaxnreg.
  if (!K.Facts.get<LaunchRegisters>())
    return SchemeModel::residency(D, K, Values);
  if (numberOf(D.Target) < First)
    return fail("setmaxnreg is of sm_90a and later: expected such a device, "
                "'" +
                    D.Name + "' is of " + D.Target,
                ErrorKind::DoesNotFit);
  if (K.Resources.ThreadsPerCTA % (WarpsOfGroup * D.WarpSize))
    return fail("setmaxnreg is executed by groups of " +
                    std::to_string(WarpsOfGroup) +
                    " warps: expected CTAs of whole ones, found " +
                    std::to_string(K.Resources.ThreadsPerCTA) + " threads",
                ErrorKind::DoesNotFit);
  KernelNeeds Launched = K;
  Launched.Resources = atLaunch(K.Resources, K.Facts);
  return SchemeModel::residency(D, Launched, Values);
}

static const SchemeModelOf<SetmaxnregScheme, SetmaxnregModel> Setmaxnreg;

static const ModelFamily::Member Members[] = {
    {schemes::Setmaxnreg, Setmaxnreg}};
extern const ModelFamily SetmaxnregModels;
const ModelFamily SetmaxnregModels = {Members};

} // namespace regshare::sim
