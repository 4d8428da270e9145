//===- WarpmanModel.cpp - Registers given out by warps -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModelOf.h"
#include "WarpmanScheme.h"
#include "regshare/Base/Warpman/Warpman.h"

namespace regshare::sim {

class WarpmanModel : public SchemeModel {
public:
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override {
    Result<Residency> R = SchemeModel::residency(D, K, Values);
    if (!R)
      return R;
    WarpmanResidency Of = warpmanResidency(D, K.Resources, !K.WaitsForOthers);
    R->Limits.CTAs = Of.ctas();
    R->Limits.Warps = Of.warps();
    R->Limits.Limiters = Of.Limiters;
    R->Limits.RegsLeft = D.Registers - Of.warps() * Of.RegsPerWarp;
    R->MostCtas = Of.MostCTAs;
    return R;
  }
  bool countsStorage() const override { return false; }
};

static const SchemeModelOf<WarpmanScheme, WarpmanModel> Warpman;

static const ModelFamily::Member Members[] = {{schemes::Warpman, Warpman}};
extern const ModelFamily WarpmanModels;
const ModelFamily WarpmanModels = {Members};

} // namespace regshare::sim
