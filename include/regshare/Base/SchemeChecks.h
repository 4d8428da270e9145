//===- regshare/Base/SchemeChecks.h - Descriptions that hold -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMECHECKS_H
#define REGSHARE_BASE_SCHEMECHECKS_H

#include "regshare/Base/Scheme.h"

namespace regshare {

/// Fails on a description that cannot be one, whatever other schemes there are:
/// names that are none, are repeated or are taken by RegShare, among others as
/// fields of reports, settings whose default is no value of theirs, statements
/// that nobody reads, claims to what is no Domain. The error begins with the
/// scheme's name.
Result<void> checkDescription(const SchemeDescription &D);
/// The same for one setting.
Result<void> checkSetting(const Setting &S);
/// The same for what \p D shows of a kernel. Scheme::show() does it, since the
/// facts are known then.
Result<void> checkShown(const SchemeDescription &D, const ShownFacts &Shown);

} // namespace regshare

#endif // REGSHARE_BASE_SCHEMECHECKS_H
