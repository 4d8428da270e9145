//===- SetmaxnregRules.h - Its rules -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of setmaxnreg is proven to keep; docs/setmaxnreg.md has the rules
/// at length.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_SETMAXNREG_SETMAXNREGRULES_H
#define REGSHARE_ANNOTATION_SETMAXNREG_SETMAXNREGRULES_H

#include "regshare/Annotation/Verifier.h"

namespace regshare::rules {

/// Something says how many registers a thread starts with.
inline constexpr AnnotationRule CountAtLaunch{"count-at-launch"};
/// A count is one that hardware has, and is reached in the direction that the
/// instruction says.
inline constexpr AnnotationRule CountReachable{"count-reachable"};
/// No instruction names a register that its thread may not have.
inline constexpr AnnotationRule BelowCount{"below-count"};
/// What is read above an earlier count was written since.
inline constexpr AnnotationRule LostByCount{"lost-by-count"};
/// The pool can come to have what an increase waits for.
inline constexpr AnnotationRule PoolSuffices{"pool-suffices"};

} // namespace regshare::rules

#endif // REGSHARE_ANNOTATION_SETMAXNREG_SETMAXNREGRULES_H
