//===- regshare/Base/EXPARS/EXPARSStatements.h - Its statements - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of EXPARS says: bundles and their PREFs.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_EXPARS_EXPARSSTATEMENTS_H
#define REGSHARE_BASE_EXPARS_EXPARSSTATEMENTS_H

#include "regshare/Base/Annotation.h"
#include "regshare/Base/EXPARS/EXPARS.h"

#include <optional>

namespace regshare {

/// What EXPARS's bundles were made for: `regshare.bundles`.
struct BundleBounds {
  OperandCache Cache;
  /// R0 to R<Kept-1> are in the register file, whatever Start_Reg would be, and
  /// take no line of the operand cache. 32-bit units.
  unsigned Kept = 0;

  friend bool operator==(const BundleBounds &, const BundleBounds &) = default;
};

/// `.pragma "regshare.bundles cache=2048 kept=4";`: bytes of the operand cache,
/// and registers that stay in the register file.
std::string printBundlesPragma(const BundleBounds &Bounds);
/// `.pragma "regshare.pref regs=R16,R21";`: a bundle begins, of whose registers
/// these \p Units may be in scratchpad. Ascending; without any there is no
/// `regs`.
std::string printPrefPragma(std::span<const unsigned> Units);

/// Fails on a missing, unknown or repeated key and on what is no number in
/// range.
Result<BundleBounds> parseBundles(const Statement &D);
/// The units of a `regshare.pref`, which may be none. Fails unless they ascend.
Result<std::vector<unsigned>> parsePref(const Statement &D);
/// The first of \p Units, ascending, that takes the line of another one.
std::optional<unsigned> sharesLine(std::span<const unsigned> Units,
                                   const OperandCache &Cache);

} // namespace regshare

#endif // REGSHARE_BASE_EXPARS_EXPARSSTATEMENTS_H
