//===- RFC.cpp - What RFC is ----------------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/RFC/RFC.h"

namespace regshare {

static constexpr Claim Claims[] = {
    {Domain::Operands, "has the last results in a register cache"}};

const SchemeDescription schemes::RFC = {
    .Name = "rfc",
    .Summary = "a register cache that hardware fills, without prefetches",
    .Page = "ltrf",
    .Claims = Claims};

static const SchemeDescription *const Members[] = {&schemes::RFC};
extern const SchemeFamily RFCFamily;
const SchemeFamily RFCFamily = {Members};

} // namespace regshare
