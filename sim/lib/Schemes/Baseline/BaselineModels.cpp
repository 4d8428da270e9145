//===- BaselineModels.cpp - Points of comparison -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BaselineScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/Baseline/Baseline.h"

namespace regshare::sim {

class IdealModel : public SchemeModel {
public:
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override {
    DeviceDescription Larger = D;
    Larger.Registers = unsigned(fileRegisters(D, Values));
    return SchemeModel::residency(Larger, K, Values);
  }
  uint64_t fileRegisters(const DeviceDescription &D,
                         const SettingValues &Values) const override {
    return D.Registers * Values.get<uint64_t>(settings::IdealCapacity);
  }
  bool countsStorage() const override { return false; }
};

static const SchemeModelOf<BaselineScheme> Baseline;
static const SchemeModelOf<IdealScheme, IdealModel> Ideal;

static const ModelFamily::Member Members[] = {{schemes::Baseline, Baseline},
                                              {schemes::Ideal, Ideal}};
extern const ModelFamily BaselineModels;
const ModelFamily BaselineModels = {Members};

} // namespace regshare::sim
