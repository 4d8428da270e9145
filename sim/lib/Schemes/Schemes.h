//===- Schemes.h - The schemes that the machine knows -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SCHEMES_H
#define REGSHARE_SIM_SCHEMES_SCHEMES_H

#include "Scheme.h"
#include "Schemes/EXPARS/EXPARSScheme.h"
#include "Schemes/LTRF/LTRFScheme.h"
#include "Schemes/RFC/RFCScheme.h"
#include "Schemes/RFV/RFVScheme.h"
#include "Schemes/RegMutex/RegMutexScheme.h"
#include "Schemes/SHRF/SHRFScheme.h"
#include "Schemes/Sharing/RegisterSharingScheme.h"
#include "Schemes/Sharing/ScratchpadSharingScheme.h"
#include "Schemes/Warpman/WarpmanScheme.h"

namespace regshare::sim {

/// Schemes in which only active warps have registers at hand.
inline bool hasRegisterCache(Scheme S) {
  return usesIntervals(S) || S == Scheme::RFC || S == Scheme::SHRF;
}

/// Calls \p F with the class of a scheme as its template argument.
template <typename Function>
auto forScheme(Scheme S, Function F)
    -> decltype(F.template operator()<BaselineScheme>()) {
  switch (S) {
  case Scheme::Ideal:
    return F.template operator()<IdealScheme>();
  case Scheme::RegMutex:
    return F.template operator()<RegMutexScheme>();
  case Scheme::RegMutexPaired:
    return F.template operator()<RegMutexPairedScheme>();
  case Scheme::RFV:
    return F.template operator()<RFVScheme>();
  case Scheme::LTRF:
  case Scheme::LTRFStrand:
    return F.template operator()<LTRFScheme>();
  case Scheme::RFC:
    return F.template operator()<RFCScheme>();
  case Scheme::SHRF:
    return F.template operator()<SHRFScheme>();
  case Scheme::LTRFPlus:
    return F.template operator()<LTRFPlusScheme>();
  case Scheme::EXPARS:
    return F.template operator()<EXPARSScheme>();
  case Scheme::Warpman:
    return F.template operator()<WarpmanScheme>();
  case Scheme::RegisterSharing:
    return F.template operator()<RegisterSharingScheme>();
  case Scheme::ScratchpadSharing:
    return F.template operator()<ScratchpadSharingScheme>();
  case Scheme::Baseline:
    break;
  }
  return F.template operator()<BaselineScheme>();
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SCHEMES_H
