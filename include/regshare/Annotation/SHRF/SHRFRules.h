//===- regshare/Annotation/SHRF/SHRFRules.h - Rules -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What annotations of SHRF are proven to keep;
/// docs/annotation-verifier.md has the rules at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_SHRF_SHRFRULES_H
#define REGSHARE_ANNOTATION_SHRF_SHRFRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// What is said to be in the cache is an operand.
inline constexpr AnnotationRule CachedOperand{"cached-operand"};
/// What is read from a slot of the cache is there.
inline constexpr AnnotationRule InCache{"in-cache"};
/// What is read from the main register file is there.
inline constexpr AnnotationRule InMain{"in-main"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_SHRF_SHRFRULES_H
