//===- regshare/Annotation/EXPARS/EXPARSRules.h - Rules -*- C++ -*---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What annotations of EXPARS are proven to keep;
/// docs/annotation-verifier.md has the rules at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_EXPARS_EXPARSRULES_H
#define REGSHARE_ANNOTATION_EXPARS_EXPARSRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// No two registers of a PREF share a line.
inline constexpr AnnotationRule CacheLine{"cache-line"};
/// A bundle stays within a block.
inline constexpr AnnotationRule BundleBlock{"bundle-block"};
/// A bundle ends where the warp may wait.
inline constexpr AnnotationRule BundleEnd{"bundle-end"};
/// What comes late is not named in the same bundle.
inline constexpr AnnotationRule LateResult{"late-result"};
/// No more registers than needed stay in the register file.
inline constexpr AnnotationRule Kept{"kept"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_EXPARS_EXPARSRULES_H
