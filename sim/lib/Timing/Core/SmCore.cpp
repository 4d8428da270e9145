//===- SmCore.cpp - Makes SMs ---------------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmCore.h"

#include "Schemes/Schemes.h"

namespace regshare::sim {

std::unique_ptr<Sm> createSm(Scheme S, const SmContext &Context, unsigned Id) {
  return forScheme(S, [&]<typename SchemeT>() -> std::unique_ptr<Sm> {
    if (Context.Sharing.Core.Organisation == OperandOrganisation::SubCores)
      return std::make_unique<SmCore<SchemeT, SubCorePath>>(Context, Id);
    return std::make_unique<SmCore<SchemeT, CollectorPath>>(Context, Id);
  });
}

} // namespace regshare::sim
