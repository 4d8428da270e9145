//===- regshare/Base/RFC/RFC.h - A register cache that hardware fills - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The register file cache, as far as Sadrosadati et al. (ASPLOS
/// 2018) describe it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_RFC_RFC_H
#define REGSHARE_BASE_RFC_RFC_H

#include "regshare/Base/Scheme.h"

namespace regshare {

namespace schemes {
extern const SchemeDescription RFC;
} // namespace schemes

} // namespace regshare

#endif // REGSHARE_BASE_RFC_RFC_H
