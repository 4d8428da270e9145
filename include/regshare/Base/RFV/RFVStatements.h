//===- regshare/Base/RFV/RFVStatements.h - Its statements ----- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of RFV says: where registers are free.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_RFV_RFVSTATEMENTS_H
#define REGSHARE_BASE_RFV_RFVSTATEMENTS_H

#include "regshare/Base/Annotation.h"

namespace regshare {

/// `.pragma "regshare.free regs=R3,R4";`: from here on no lane of the warp
/// needs what these \p Units hold. Ascending, not empty.
std::string printFreePragma(std::span<const unsigned> Units);

/// The units of a `regshare.free`. Fails unless they ascend.
Result<std::vector<unsigned>> parseFree(const Statement &D);

} // namespace regshare

#endif // REGSHARE_BASE_RFV_RFVSTATEMENTS_H
