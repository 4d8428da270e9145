//===- SHRFModel.cpp - A register cache that code manages ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SHRFScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/SHRF/SHRF.h"

namespace regshare::sim {

class SHRFModel : public SchemeModel {
public:
  Result<SchemeFacts> factsOf(const LaunchCode &Code) const override {
    if (!Code.Kernel.Facts.get<CacheSlots>())
      return fail(
          "kernel '" + Code.Kernel.Name +
              "' does not say which operands are in the register cache; "
              "compile it with --scheme=shrf",
          ErrorKind::NotForScheme);
    return Code.Kernel.Facts;
  }

  /// The core with the cache's banks after those of the main register file,
  /// and places as large as the code wants them.
  Result<CoreConfig> coreFor(const CoreConfig &C,
                             const KernelNeeds &K) const override {
    Result<CoreConfig> Of =
        withCachePlaces(C, K.Facts.get<CacheSlots>()->Slots);
    return Of ? withCacheBanks(*Of) : Of;
  }
  bool needsActiveSets() const override { return true; }
};

static const SchemeModelOf<SHRFScheme, SHRFModel> SHRF;

static const ModelFamily::Member Members[] = {{schemes::SHRF, SHRF}};
extern const ModelFamily SHRFModels;
const ModelFamily SHRFModels = {Members};

} // namespace regshare::sim
