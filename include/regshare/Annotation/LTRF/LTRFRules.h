//===- regshare/Annotation/LTRF/LTRFRules.h - Rules -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What annotations of LTRF and its variants are proven to keep;
/// docs/annotation-verifier.md has the rules at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_LTRF_LTRFRULES_H
#define REGSHARE_ANNOTATION_LTRF_LTRFRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// No interval has more registers than there is room for.
inline constexpr AnnotationRule IntervalSize{"interval-size"};
/// Intervals are entered by their PREFETCH alone.
inline constexpr AnnotationRule Prefetched{"prefetched"};
/// Whole operands of the instruction before are marked.
inline constexpr AnnotationRule DeadOperand{"dead-operand"};
/// What is marked dead nobody reads.
inline constexpr AnnotationRule LostByDead{"lost-by-dead"};
/// Strands have no long latencies and no loops inside.
inline constexpr AnnotationRule Strand{"strand"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_LTRF_LTRFRULES_H
