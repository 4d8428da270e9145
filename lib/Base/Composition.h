//===- Composition.h - Two schemes at the same time -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_BASE_COMPOSITION_H
#define REGSHARE_LIB_BASE_COMPOSITION_H

#include "regshare/Base/Scheme.h"

namespace regshare {

/// Reads "foo+bar", in either order.
Result<Scheme> parseComposition(std::string_view Name);

/// "which rows of the register file a warp has"; empty for what is no Domain.
std::string_view domainName(Domain What);

} // namespace regshare

#endif // REGSHARE_LIB_BASE_COMPOSITION_H
