//===- regshare/Analysis/Bundles.h - Bundles of EXPARS ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cuts blocks into bundles (EXPARS §3.2): code whose registers in scratchpad
/// are brought into the operand cache together. Free of LLVM: machine functions
/// and random blocks go through BundleInstr. See docs/expars.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_EXPARS_BUNDLES_H
#define REGSHARE_ANALYSIS_EXPARS_BUNDLES_H

#include "regshare/Base/ArchReg.h"
#include "regshare/Base/EXPARS/EXPARS.h"

#include <span>
#include <vector>

namespace regshare {

/// What an instruction is to bundles. Sets of units and predicates.
struct BundleInstr {
  RegSet Names; ///< Read or written, or temporaries of inline PTX.
  RegSet Late;  ///< Of them those that come late: results of long latencies.
  RegSet Live;  ///< What the warp needs of registers before it.
  /// The warp may wait there for others, which may need the lines of the
  /// operand cache: the bundle ends with it.
  bool Ends = false;
};

/// For which registers bundles have to find lines.
struct BundleRules {
  OperandCache Cache;
  unsigned Kept = 0; ///< R0 to R<Kept-1> are always in the register file.
};

/// Those of \p Names that can be in scratchpad.
RegSet inScratchpad(const RegSet &Names, const BundleRules &Rules);

/// Where the bundles of \p Block begin, instructions by index; nothing for an
/// empty block. Of the divisions in which
/// - no instruction names what comes late from one before it in its bundle,
/// - no two registers of a bundle that can be in scratchpad share a line,
/// - an instruction that Ends is the last of its bundle,
/// one with the fewest bundles, and of these one with the fewest registers live
/// where they are cut, of those that can be in scratchpad; and of these the one
/// that is cut latest, its last cut looked at first. Linear in the
/// instructions. Each must fit by itself: Rules.Kept is at least leastKept() of
/// all.
std::vector<unsigned> cutIntoBundles(std::span<const BundleInstr> Block,
                                     const BundleRules &Rules);

/// The least Kept with which no two of \p Names share a line.
unsigned leastKept(const RegSet &Names, const OperandCache &Cache);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_EXPARS_BUNDLES_H
