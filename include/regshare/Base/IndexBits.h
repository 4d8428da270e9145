//===- regshare/Base/IndexBits.h - Bits of an index ---------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the accounts of hardware storage count with.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_INDEXBITS_H
#define REGSHARE_BASE_INDEXBITS_H

#include <bit>

namespace regshare {

/// Bits that tell \p N things apart; 0 for one thing or none.
constexpr unsigned indexBits(unsigned N) {
  return N > 1 ? unsigned(std::bit_width(N - 1)) : 0;
}

} // namespace regshare

#endif // REGSHARE_BASE_INDEXBITS_H
