//===- SchemeModel.cpp - The models of schemes ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchemeModel.h"

#include "ComposedModel.h"

#include <algorithm>

namespace regshare::sim {

#define REGSHARE_SCHEMES(Folder) extern const ModelFamily Folder##Models;
#include "regshare/Base/Schemes.def"

static SchemeRegistry<SchemeModel> &registry() {
  static SchemeRegistry<SchemeModel> All("a model", {
#define REGSHARE_SCHEMES(Folder) Folder##Models,
#include "regshare/Base/Schemes.def"
                                                    });
  return All;
}

const SchemeModel *findModel(Scheme S) {
  return S.isComposed() ? composedModel(S) : registry().find(S);
}

Result<void> registerModel(Scheme S, const SchemeModel &Model) {
  return registry().add(S, Model);
}

std::vector<const Function *> LaunchCode::reachable() const {
  std::vector<const Function *> Found = {&Kernel};
  auto Add = [&](const Function *F) {
    if (F->Kind == DeviceCall::None &&
        std::ranges::find(Found, F) == Found.end())
      Found.push_back(F);
  };
  for (size_t N = 0; N != Found.size(); ++N)
    for (const CallSite &Site : Found[N]->Calls) {
      if (Site.Callee != NoTarget) {
        Add(P.Functions[Site.Callee].get());
        continue;
      }
      for (const auto &F : P.Functions)
        if (!F->IsEntry)
          Add(F.get());
    }
  return Found;
}

Result<SchemeFacts> SchemeModel::factsOf(const LaunchCode &Code) const {
  return Code.Kernel.Facts;
}

Result<Residency> SchemeModel::residency(const DeviceDescription &D,
                                         const KernelNeeds &K,
                                         const SettingValues &) const {
  Residency R;
  R.Limits = occupancy(D, K.Resources);
  if (!R.Limits.CTAs)
    return fail("not even one CTA fits into an SM of '" + D.Name +
                    "': " + std::to_string(K.Resources.RegsPerThread) +
                    " registers a thread, " +
                    std::to_string(K.Resources.ThreadsPerCTA) + " threads, " +
                    std::to_string(K.Resources.SharedPerCTA) +
                    " bytes of shared memory",
                ErrorKind::DoesNotFit);
  return R;
}

Result<CoreConfig> SchemeModel::coreFor(const CoreConfig &C,
                                        const KernelNeeds &) const {
  return C;
}

uint64_t SchemeModel::fileRegisters(const DeviceDescription &D,
                                    const SettingValues &) const {
  return D.Registers;
}

} // namespace regshare::sim
