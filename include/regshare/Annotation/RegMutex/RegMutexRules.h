//===- regshare/Annotation/RegMutex/RegMutexRules.h - Rules -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What annotations of RegMutex are proven to keep;
/// docs/annotation-verifier.md has the rules at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_REGMUTEX_REGMUTEXRULES_H
#define REGSHARE_ANNOTATION_REGMUTEX_REGMUTEXRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// The split holds all registers that the code names.
inline constexpr AnnotationRule Split{"split"};
/// The device has at least one section for this split.
inline constexpr AnnotationRule Section{"section"};
/// Where an extended register is named, the set is acquired.
inline constexpr AnnotationRule HeldAtUse{"held-at-use"};
/// Where warps wait for each other, it is released.
inline constexpr AnnotationRule HeldAtWait{"held-at-wait"};
/// What a release gives back nobody reads.
inline constexpr AnnotationRule LostByRelease{"lost-by-release"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_REGMUTEX_REGMUTEXRULES_H
