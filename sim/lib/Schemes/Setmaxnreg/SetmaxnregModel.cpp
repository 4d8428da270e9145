//===- SetmaxnregModel.cpp - CTAs with a pool of registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModelOf.h"
#include "SetmaxnregScheme.h"

namespace regshare::sim {

class SetmaxnregModel : public SchemeModel {
public:
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override;
};

Result<Residency>
SetmaxnregModel::residency(const DeviceDescription &D, const KernelNeeds &K,
                           const SettingValues &Values) const {
  if (!K.Facts.get<LaunchRegisters>())
    return SchemeModel::residency(D, K, Values);
  if (std::string Why = whyNotOn(D); !Why.empty())
    return fail(Why, ErrorKind::NotForDevice);
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
