//===- WarpSpeed.h - What more warps are worth ---------------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether room for more warps pays for instructions that are added for it.
/// Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_WARPSPEED_H
#define REGSHARE_LIB_TRANSFORMS_WARPSPEED_H

#include <cmath>

namespace regshare {

/// How fast warps get on together that execute \p Executed instructions each
/// if \p Warps are under way. Doubling the warps of the suite's kernels where
/// registers limit them makes them 1.1 to 1.4 times as fast.
inline double warpSpeed(double Warps, double Executed) {
  constexpr double Gain = 0.3;
  return std::pow(Warps, Gain) / Executed;
}

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_WARPSPEED_H
