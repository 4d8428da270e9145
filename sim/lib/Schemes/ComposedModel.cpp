//===- ComposedModel.cpp - What a composition decides ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComposedModel.h"

#include "ComposedScheme.h"
#include "SchemeModelOf.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

namespace regshare::sim {

namespace {

class PartsModel : public SchemeModel {
public:
  explicit PartsModel(const ComposedParts &Parts) : Parts(Parts) {}

  Result<SchemeFacts> factsOf(const LaunchCode &Code) const override;
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override;
  Result<CoreConfig> coreFor(const CoreConfig &C,
                             const KernelNeeds &K) const override;
  bool needsActiveSets() const override {
    return Parts.Models[0]->needsActiveSets() ||
           Parts.Models[1]->needsActiveSets();
  }
  uint64_t fileRegisters(const DeviceDescription &D,
                         const SettingValues &Values) const override;
  bool countsStorage() const override {
    return Parts.Models[0]->countsStorage() && Parts.Models[1]->countsStorage();
  }

private:
  Result<Residency> residencyOf(unsigned Part, const DeviceDescription &D,
                                const KernelNeeds &K,
                                const SettingValues &Values,
                                unsigned MostCTAs) const;
  unsigned deciding() const;

  ComposedParts Parts;
};

} // namespace

/// Code of another family would have its statements passed over.
Result<SchemeFacts> PartsModel::factsOf(const LaunchCode &Code) const {
  const CodeFamily *Own = findCode(Code.Scheme);
  for (const Function *F : Code.reachable())
    if (F->Rules && &F->Rules->family() != Own)
      return fail("'" + F->Name + "' was compiled for scheme '" + F->Scheme +
                      "', whose statements scheme '" +
                      std::string(Code.Scheme) +
                      "' does not execute; compile it with --scheme=" +
                      std::string(Code.Scheme),
                  ErrorKind::NotForScheme);
  SchemeFacts All;
  for (const SchemeModel *Model : Parts.Models) {
    Result<SchemeFacts> Its = Model->factsOf(Code);
    if (!Its)
      return Its;
    All.merge(*Its);
  }
  return All;
}

/// Of \p Part, on a device on which what the other part gives out is no limit
/// beyond \p MostCTAs, which is as many as that has room for.
Result<Residency> PartsModel::residencyOf(unsigned Part,
                                          const DeviceDescription &D,
                                          const KernelNeeds &K,
                                          const SettingValues &Values,
                                          unsigned MostCTAs) const {
  const SchemeDescription *Its = Parts.Of.parts()[Part];
  DeviceDescription Seen = Parts.Of.deviceFor(*Its, D, K.Resources, Values);
  Seen.MaxCTAs = std::min(Seen.MaxCTAs, MostCTAs);
  const SchemeDescription *OfRows = Parts.Of.claimantOf(Domain::Rows);
  KernelNeeds Needs = K;
  if (OfRows && OfRows != Its)
    Needs.Resources.RegsPerThread = 0;
  return Parts.Models[Part]->residency(Seen, Needs, Values);
}

/// The part whose limits are those of the SM: the other one sees no registers,
/// or changes nothing.
unsigned PartsModel::deciding() const {
  for (Domain What : {Domain::Rows, Domain::Scratchpad})
    if (const SchemeDescription *Part = Parts.Of.claimantOf(What))
      return Part == Parts.Of.parts()[0] ? 0 : 1;
  return 0;
}

/// Each part has as many CTAs as both have room for.
Result<Residency> PartsModel::residency(const DeviceDescription &D,
                                        const KernelNeeds &K,
                                        const SettingValues &Values) const {
  unsigned Most = D.MaxCTAs, Own = deciding();
  while (true) {
    Result<Residency> Of = residencyOf(Own, D, K, Values, Most);
    if (!Of)
      return Of;
    Result<Residency> Other =
        residencyOf(1 - Own, D, K, Values, Of->Limits.CTAs);
    if (!Other)
      return Other;
    if (Other->Limits.CTAs < Of->Limits.CTAs) {
      unsigned Before = std::exchange(Most, Other->Limits.CTAs);
      if (Most < Before)
        continue;
      return fail("scheme '" + std::string(Parts.Of.parts()[Own]->Name) +
                  "': its model's residency() says " +
                  std::to_string(Of->Limits.CTAs) +
                  " CTAs an SM; expected at most " + std::to_string(Before) +
                  ", as many as the device that it was asked about may hold");
    }
    Of->Layout.merge(Other->Layout);
    Of->Layout.set(Parts);
    return Of;
  }
}

Result<CoreConfig> PartsModel::coreFor(const CoreConfig &C,
                                       const KernelNeeds &K) const {
  Result<CoreConfig> First = Parts.Models[0]->coreFor(C, K);
  return First ? Parts.Models[1]->coreFor(*First, K) : First;
}

uint64_t PartsModel::fileRegisters(const DeviceDescription &D,
                                   const SettingValues &Values) const {
  return std::max(Parts.Models[0]->fileRegisters(D, Values),
                  Parts.Models[1]->fileRegisters(D, Values));
}

namespace {

struct ComposedModel {
  Scheme Of;
  SchemeModelOf<ComposedScheme, PartsModel> Model;
};

} // namespace

const SchemeModel *composedModel(Scheme S) {
  static std::mutex Guard;
  static std::list<ComposedModel> All;
  ComposedParts Parts{S, {}};
  for (unsigned P = 0; P != NumParts; ++P)
    if (!(Parts.Models[P] = findModel(*S.parts()[P])))
      return nullptr;
  std::lock_guard Lock(Guard);
  for (const ComposedModel &Each : All)
    if (Each.Of == S)
      return &Each.Model;
  return &All.emplace_back(S, SchemeModelOf<ComposedScheme, PartsModel>(Parts))
              .Model;
}

} // namespace regshare::sim
