//===- Registrations.h - What a refused library takes back ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_BASE_REGISTRATIONS_H
#define REGSHARE_LIB_BASE_REGISTRATIONS_H

#include <cstddef>

namespace regshare {

/// What has been registered besides the schemes of Schemes.def, in all
/// registries: descriptions, passes, models.
size_t numRegistrations();
/// Takes all but the first \p Kept back, of a library that is refused.
void undoRegistrations(size_t Kept);

} // namespace regshare

#endif // REGSHARE_LIB_BASE_REGISTRATIONS_H
