//===- RFCModel.cpp - A register cache without prefetching ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RFCScheme.h"
#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/RFC/RFC.h"

namespace regshare::sim {

class RFCModel : public SchemeModel {
public:
  /// The core with the cache's banks after those of the main register file.
  Result<CoreConfig> coreFor(const CoreConfig &C,
                             const KernelNeeds &) const override {
    Result<CoreConfig> Of = withCachePlaces(C, C.CacheRows);
    return Of ? withCacheBanks(*Of) : Of;
  }
  bool needsActiveSets() const override { return true; }
};

static const SchemeModelOf<RFCScheme, RFCModel> RFC;

static const ModelFamily::Member Members[] = {{schemes::RFC, RFC}};
extern const ModelFamily RFCModels;
const ModelFamily RFCModels = {Members};

} // namespace regshare::sim
