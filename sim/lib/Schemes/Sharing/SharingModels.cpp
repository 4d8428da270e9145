//===- SharingModels.cpp - CTAs that share in pairs ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterSharingScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "ScratchpadSharingScheme.h"

namespace regshare::sim {

/// Baseline's residency, and pairs where the kernel's CTAs may share. They may
/// not if one may wait for another: a later CTA could hold what an earlier one
/// needs.
template <SharedResource What> class PairedModel : public SchemeModel {
public:
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override {
    Result<Residency> R = SchemeModel::residency(D, K, Values);
    if (!R || K.WaitsForOthers)
      return R;
    SharingResidency S = sharingResidency(
        What, D, K.Resources, Values.get<unsigned>(settings::PrivateShare));
    unsigned OfPartner = What == SharedResource::Registers
                             ? S.WarpsPerCTA * S.Private * D.WarpSize
                             : R->Limits.RegsPerCTA;
    R->Limits.CTAs = S.ctas();
    R->Limits.Warps = S.warps();
    R->Limits.Limiters = S.Limiters;
    R->Limits.RegsLeft -= S.Pairs * OfPartner;
    R->Layout.set(std::move(S));
    return R;
  }
};

class ScratchpadModel : public PairedModel<SharedResource::Scratchpad> {
public:
  Result<SchemeFacts> factsOf(const LaunchCode &Code) const override {
    SchemeFacts Facts;
    Result<Scheme> Of = parseScheme(Code.Kernel.Scheme);
    if (Of && Of->includes(schemes::ScratchpadSharing))
      Facts.set(ScratchpadReleases());
    return Facts;
  }
};

static const SchemeModelOf<RegisterSharingScheme,
                           PairedModel<SharedResource::Registers>>
    Registers;
static const SchemeModelOf<ScratchpadSharingScheme, ScratchpadModel> Scratchpad;

static const ModelFamily::Member Members[] = {
    {schemes::RegisterSharing, Registers},
    {schemes::ScratchpadSharing, Scratchpad}};
extern const ModelFamily SharingModels;
const ModelFamily SharingModels = {Members};

} // namespace regshare::sim
