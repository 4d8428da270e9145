//===- EXPARSModel.cpp - Registers that live in scratchpad ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EXPARSScheme.h"
#include "Schemes/SchemeModelOf.h"

namespace regshare::sim {

class EXPARSModel : public SchemeModel {
public:
  /// The bundles of a kernel and of all that it may call. Fails if some of that
  /// code has none, or was made for another operand cache.
  Result<SchemeFacts> factsOf(const LaunchCode &Code) const override;
  /// Without mixed CTAs if the grid has no more for an SM than fit without.
  Result<Residency> residency(const DeviceDescription &D, const KernelNeeds &K,
                              const SettingValues &Values) const override;
  /// The core with the operand cache's banks after those of the register file.
  /// Fails if that are too many.
  Result<CoreConfig> coreFor(const CoreConfig &C,
                             const KernelNeeds &K) const override;
};

Result<SchemeFacts> EXPARSModel::factsOf(const LaunchCode &Code) const {
  const Function &Kernel = Code.Kernel;
  const auto *Own = Kernel.Facts.get<BundleBounds>();
  if (!Own)
    return fail("kernel '" + Kernel.Name +
                    "' is not divided into bundles; "
                    "compile it with --scheme=expars",
                ErrorKind::NotForScheme);
  BundleBounds All = *Own;
  for (const Function *F : Code.reachable()) {
    const auto *Its = F->Facts.get<BundleBounds>();
    if (!Its || Its->Cache != All.Cache)
      return fail(
          "kernel '" + Kernel.Name + "' may call '" + F->Name +
              "', which is not divided into bundles for its operand cache: "
              "under scheme 'expars' functions have to be inlined",
          ErrorKind::NotForScheme);
    All.Kept = std::max(All.Kept, Its->Kept);
  }
  SchemeFacts Facts;
  Facts.set(All);
  return Facts;
}

Result<CoreConfig> EXPARSModel::coreFor(const CoreConfig &C,
                                        const KernelNeeds &) const {
  CoreConfig Of = C;
  Of.Banks = C.MainBanks + OperandCache::Banks;
  if (Of.Banks > MaxBanks)
    return fail("a register file of " + std::to_string(C.MainBanks) +
                    " banks leaves none for the operand cache",
                ErrorKind::NotForDevice);
  return Of;
}

static Occupancy occupancyOf(const DeviceDescription &D,
                             const EXPARSResidency &R) {
  Occupancy O;
  O.CTAs = R.ctas();
  O.Warps = R.warps();
  O.Limiters = R.Limiters;
  O.RegsPerCTA = regsPerWarp(D, R.RegsPerThread) * R.WarpsPerCTA;
  O.SharedPerCTA = R.SharedPerCTA;
  O.RegsLeft = unsigned(D.Registers - R.FileRegisters);
  return O;
}

Result<Residency> EXPARSModel::residency(const DeviceDescription &D,
                                         const KernelNeeds &K,
                                         const SettingValues &Values) const {
  uint64_t CTAsForSM = (K.GridCTAs - 1) / D.NumSMs + 1;
  bool FitsWithout = CTAsForSM <= occupancy(D, K.Resources).CTAs;
  const auto *Bundles = K.Facts.get<BundleBounds>();
  unsigned Kept = Bundles ? Bundles->Kept : 0;
  Result<EXPARSResidency> R = exparsResidency(
      D, K.Resources, FitsWithout ? 0 : Values.get<unsigned>(settings::Tau),
      Kept);
  if (!R)
    return tl::make_unexpected(R.error());
  if (!R->ctas())
    return fail("not even one CTA fits into an SM of '" + D.Name +
                    "', with registers in scratchpad either: " +
                    std::to_string(K.Resources.RegsPerThread) +
                    " registers a thread, " +
                    std::to_string(K.Resources.ThreadsPerCTA) + " threads, " +
                    std::to_string(K.Resources.SharedPerCTA) +
                    " bytes of shared memory",
                ErrorKind::DoesNotFit);
  Residency Of;
  Of.Limits = occupancyOf(D, *R);
  Of.Layout.set(std::move(*R));
  return Of;
}

static const SchemeModelOf<EXPARSScheme, EXPARSModel> EXPARS;

static const ModelFamily::Member Members[] = {{schemes::EXPARS, EXPARS}};
extern const ModelFamily EXPARSModels;
const ModelFamily EXPARSModels = {Members};

} // namespace regshare::sim
