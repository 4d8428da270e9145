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

#include "regshare/Base/Scheme.h"

namespace regshare {

namespace settings {
extern const Setting ThrottleCtas;
} // namespace settings

namespace schemes {
extern const SchemeDescription RFV;
} // namespace schemes

} // namespace regshare

#endif // REGSHARE_BASE_RFV_RFV_H
