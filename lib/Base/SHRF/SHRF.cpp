//===- SHRF.cpp - Arithmetic of SHRF --------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SHRF/SHRF.h"

#include "regshare/Base/IndexBits.h"

namespace regshare {

SHRFStorage shrfStorage(const SHRFShape &Shape) {
  uint64_t Slots = uint64_t(Shape.ActiveWarps) * Shape.Slots;
  return {uint64_t(Shape.Warps) * indexBits(Shape.ActiveWarps), Slots, Slots};
}

} // namespace regshare
