//===- RegMutexModels.cpp - Extended sets from pools ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/RegMutex/RegMutex.h"

namespace regshare::sim {

template <typename PoolT> class ExtendedSetModel : public SchemeModel {
public:
  Result<SchemeFacts> factsOf(const LaunchCode &Code) const override {
    SchemeFacts Facts;
    if (const auto *Split = Code.Kernel.Facts.get<RegMutexSplit>())
      Facts.set(*Split);
    return Facts;
  }
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override;
};

template <typename PoolT>
Result<Residency>
ExtendedSetModel<PoolT>::residency(const DeviceDescription &D,
                                   const KernelNeeds &K,
                                   const SettingValues &Values) const {
  const auto *Split = K.Facts.get<RegMutexSplit>();
  if (!Split)
    return SchemeModel::residency(D, K, Values);
  Result<RegMutexResidency> Fits =
      regMutexResidency(PoolT::Kind, D, K.Resources, *Split);
  if (!Fits)
    return tl::make_unexpected(Fits.error());
  if (!Fits->CTAs)
    return fail("not even one CTA fits into an SM of '" + D.Name +
                    "': " + inRegs(*Split) + ", " +
                    std::to_string(K.Resources.ThreadsPerCTA) + " threads, " +
                    std::to_string(K.Resources.SharedPerCTA) +
                    " bytes of shared memory",
                ErrorKind::DoesNotFit);
  Residency R;
  R.Limits = occupancy(D, K.Resources);
  R.Limits.CTAs = Fits->CTAs;
  R.Limits.Warps = Fits->Warps;
  R.Limits.Limiters = Fits->Limiters;
  R.Limits.RegsPerCTA = Fits->Warps / Fits->CTAs * Split->Base * D.WarpSize;
  unsigned InSections = Fits->SrpSections * Split->Extended * D.WarpSize;
  R.Limits.RegsLeft =
      D.Registers - Fits->CTAs * R.Limits.RegsPerCTA - InSections;
  R.Layout.set(SectionCounts{Fits->PartitionSections});
  return R;
}

static const SchemeModelOf<RegMutexScheme, ExtendedSetModel<SharedPool>> Pooled;
static const SchemeModelOf<RegMutexPairedScheme, ExtendedSetModel<PairedPool>>
    Paired;

static const ModelFamily::Member Members[] = {
    {schemes::RegMutex, Pooled}, {schemes::RegMutexPaired, Paired}};
extern const ModelFamily RegMutexModels;
const ModelFamily RegMutexModels = {Members};

} // namespace regshare::sim
