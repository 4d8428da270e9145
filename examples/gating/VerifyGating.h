//===- VerifyGating.h - What the verifier proves ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GATING_VERIFYGATING_H
#define GATING_VERIFYGATING_H

#include "regshare/Annotation/SchemeRules.h"

namespace gating {

namespace rules {
/// Where a gated register is named, the rows are on, however the warp comes
/// there.
inline constexpr regshare::AnnotationRule GatingOn{"gating-on"};
/// What was in rows that are switched off nobody reads.
inline constexpr regshare::AnnotationRule LostByOff{"lost-by-off"};
} // namespace rules

const regshare::SchemeRules &verifierRules();

} // namespace gating

#endif // GATING_VERIFYGATING_H
