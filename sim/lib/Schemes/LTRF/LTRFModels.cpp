//===- LTRFModels.cpp - Register caches that PREFETCHes fill -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LTRFScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/LTRF/LTRF.h"

namespace regshare::sim {

class LTRFModel : public SchemeModel {
public:
  /// The intervals of a kernel and of all that it may call, the largest
  /// deciding. Fails if some of that code has none.
  Result<SchemeFacts> factsOf(const LaunchCode &Code) const override {
    const Function &Kernel = Code.Kernel;
    const std::string Scheme(Code.Scheme);
    const auto *Own = Kernel.Facts.get<IntervalBounds>();
    if (!Own)
      return fail(
          "kernel '" + Kernel.Name +
              "' is not divided into intervals; compile it with --scheme=" +
              Scheme,
          ErrorKind::NotForScheme);
    IntervalBounds Largest = *Own;
    for (const Function *F : Code.reachable()) {
      const auto *Its = F->Facts.get<IntervalBounds>();
      if (!Its)
        return fail(
            "kernel '" + Kernel.Name + "' may call '" + F->Name +
                "', which is not divided into intervals: under scheme '" +
                Scheme + "' functions have to be inlined",
            ErrorKind::NotForScheme);
      Largest.Registers = std::max(Largest.Registers, Its->Registers);
    }
    SchemeFacts Facts;
    Facts.set(Largest);
    return Facts;
  }

  /// The core with the cache's banks, and as many active warps as have a place
  /// in it. Fails if intervals are too large for even one.
  Result<CoreConfig> coreFor(const CoreConfig &C,
                             const KernelNeeds &K) const override {
    Result<CoreConfig> Of =
        withCachePlaces(C, K.Facts.get<IntervalBounds>()->Registers);
    if (Of)
      Of->Banks = std::min(Of->CacheRows, MaxBanks);
    return Of;
  }
  bool needsActiveSets() const override { return true; }
};

static const SchemeModelOf<LTRFScheme, LTRFModel> LTRF;
static const SchemeModelOf<LTRFPlusScheme, LTRFModel> LTRFPlus;

static const ModelFamily::Member Members[] = {{schemes::LTRF, LTRF},
                                              {schemes::LTRFStrand, LTRF},
                                              {schemes::LTRFPlus, LTRFPlus}};
extern const ModelFamily LTRFModels;
const ModelFamily LTRFModels = {Members};

} // namespace regshare::sim
