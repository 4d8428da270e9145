//===- regshare/Annotation/Sharing/SharingRules.h - Rules -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What annotations of CTAs that share in pairs are proven to keep;
/// docs/annotation-verifier.md has the rules at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_SHARING_SHARINGRULES_H
#define REGSHARE_ANNOTATION_SHARING_SHARINGRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// As many registers are private as t says.
inline constexpr AnnotationRule PrivateShare{"private-share"};
/// What is shared is not used after a release.
inline constexpr AnnotationRule UsedReleased{"used-released"};
/// A release gives back what the warp may have used.
inline constexpr AnnotationRule IdleRelease{"idle-release"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_SHARING_SHARINGRULES_H
