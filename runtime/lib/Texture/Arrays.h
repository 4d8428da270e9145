//===- Arrays.h - Places in arrays ------------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_TEXTURE_ARRAYS_H
#define REGSHARE_RUNTIME_TEXTURE_ARRAYS_H

#include "API/Copies.h"

namespace regshare::cudart {

/// A texel's place.
struct ArrayPosition {
  size_t X = 0, Y = 0, Z = 0;
};

/// A part of an array, of \p E bytes, rows and slices. Fails if there is no
/// such array or it is smaller.
Result<Region> regionOf(Runtime &R, const cudaArray *Array,
                        const ArrayPosition &At, const Extent &E);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_TEXTURE_ARRAYS_H
