//===- Schemes.cpp - Baseline and Ideal -----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheme.h"

namespace regshare::sim {

Result<Residency> BaselineScheme::residency(const DeviceDescription &D,
                                            const KernelNeeds &K,
                                            const SchemeOptions &) {
  Residency R;
  R.Limits = occupancy(D, K.Resources);
  if (!R.Limits.CTAs)
    return fail("not even one CTA fits into an SM of '" + D.Name +
                "': " + std::to_string(K.Resources.RegsPerThread) +
                " registers a thread, " +
                std::to_string(K.Resources.ThreadsPerCTA) + " threads, " +
                std::to_string(K.Resources.SharedPerCTA) +
                " bytes of shared memory");
  return R;
}

Result<Residency> IdealScheme::residency(const DeviceDescription &D,
                                         const KernelNeeds &K,
                                         const SchemeOptions &Options) {
  DeviceDescription Larger = D;
  Larger.Registers *= Options.IdealCapacity;
  return BaselineScheme::residency(Larger, K, Options);
}

} // namespace regshare::sim
