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
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/RFC/RFC.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Warpman/Warpman.h"

namespace regshare::sim {

/// Schemes in which only active warps have registers at hand.
inline bool hasRegisterCache(Scheme S) {
  return usesIntervals(S) || S == schemes::RFC || S == schemes::SHRF;
}

/// Calls \p F with the class of a scheme as its template argument.
template <typename Function>
auto forScheme(Scheme S, Function F)
    -> decltype(F.template operator()<BaselineScheme>()) {
  if (S == schemes::Ideal)
    return F.template operator()<IdealScheme>();
  if (S == schemes::RegMutex)
    return F.template operator()<RegMutexScheme>();
  if (S == schemes::RegMutexPaired)
    return F.template operator()<RegMutexPairedScheme>();
  if (S == schemes::RFV)
    return F.template operator()<RFVScheme>();
  if (S == schemes::LTRF || S == schemes::LTRFStrand)
    return F.template operator()<LTRFScheme>();
  if (S == schemes::RFC)
    return F.template operator()<RFCScheme>();
  if (S == schemes::SHRF)
    return F.template operator()<SHRFScheme>();
  if (S == schemes::LTRFPlus)
    return F.template operator()<LTRFPlusScheme>();
  if (S == schemes::EXPARS)
    return F.template operator()<EXPARSScheme>();
  if (S == schemes::Warpman)
    return F.template operator()<WarpmanScheme>();
  if (S == schemes::RegisterSharing)
    return F.template operator()<RegisterSharingScheme>();
  if (S == schemes::ScratchpadSharing)
    return F.template operator()<ScratchpadSharingScheme>();
  return F.template operator()<BaselineScheme>();
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SCHEMES_H
