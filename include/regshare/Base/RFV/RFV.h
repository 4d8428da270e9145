//===- regshare/Base/RFV/RFV.h - Registers freed when dead ---- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Register file virtualisation, as far as Khorasani et al. (ISCA
/// 2018) describe it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_RFV_RFV_H
#define REGSHARE_BASE_RFV_RFV_H

#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"

namespace regshare {

namespace settings {
extern const Setting ThrottleCtas;
} // namespace settings

namespace schemes {
extern const SchemeDescription RFV;
} // namespace schemes

/// What RFV stores on an SM, in bits.
struct RFVStorage {
  unsigned RenamingTable = 0; ///< A row number for each register of each warp.
  unsigned Availability = 0;  ///< A bit a row.
  unsigned total() const { return RenamingTable + Availability; }
};
/// As Khorasani et al. count it (§III-B1): 30,240 and
/// 1,024 bits on Fermi.
RFVStorage rfvStorage(const DeviceDescription &D);

} // namespace regshare

#endif // REGSHARE_BASE_RFV_RFV_H
