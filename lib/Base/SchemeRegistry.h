//===- SchemeRegistry.h - For loading schemes ------------------ -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_BASE_SCHEMEREGISTRY_H
#define REGSHARE_LIB_BASE_SCHEMEREGISTRY_H

#include <cstddef>

namespace regshare {

/// Of allSchemes().
size_t numSchemes();
/// Makes all but the first \p Kept unknown again, of a library that could not
/// be loaded.
void forgetSchemes(size_t Kept);

} // namespace regshare

#endif // REGSHARE_LIB_BASE_SCHEMEREGISTRY_H
