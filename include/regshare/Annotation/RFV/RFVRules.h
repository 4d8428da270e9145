//===- regshare/Annotation/RFV/RFVRules.h - Rules -*- C++ -*---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What annotations of RFV are proven to keep;
/// docs/annotation-verifier.md has the rules at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_RFV_RFVRULES_H
#define REGSHARE_ANNOTATION_RFV_RFVRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// What a free gives back nobody reads.
inline constexpr AnnotationRule LostByFree{"lost-by-free"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_RFV_RFVRULES_H
