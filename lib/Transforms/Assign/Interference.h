//===- Interference.h - From stretches to a colouring problem -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns live stretches into colouring problems, one for the units and one for
/// the predicates. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_INTERFERENCE_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_INTERFERENCE_H

#include "LiveValues.h"

#include "regshare/Transforms/Coloring.h"

namespace regshare {

/// The two problems; node i of a problem is value Node…[i].
struct Interference {
  ColoringProblem Units, Preds;
  std::vector<uint32_t> NodeOf; ///< By value, in the problem of its kind.

  /// \p Peak is that of \p Live.
  Interference(const LiveValues &Live, const PeakPressure &Peak);
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_INTERFERENCE_H
