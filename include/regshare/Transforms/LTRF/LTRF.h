//===- regshare/Transforms/LTRF.h - PREFETCHes of intervals - -*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's side of LTRF and LTRF+ (§3.3) on architected code: divides a
/// kernel into register-intervals, or strands, puts a PREFETCH where each is
/// entered, and marks dead operands. See docs/ltrf.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_LTRF_LTRF_H
#define REGSHARE_TRANSFORMS_LTRF_LTRF_H

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/FreePoints.h"
#include "regshare/Analysis/LTRF/IntervalCode.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/CodeGrowth.h"
#include "regshare/Transforms/SchemeResult.h"

#include <optional>

namespace regshare {

struct FlowFacts;

/// What LTRF did to one kernel.
struct LTRFResult final : SchemeResult, CodeGrowth {
  PartitionKind Kind = PartitionKind::Intervals;
  unsigned AskedRegisters = 0; ///< N as the options have it.
  /// N as used: more if one instruction names more.
  unsigned MaxRegisters = 0;
  unsigned Intervals = 0; ///< Those without registers too.
  PrefetchCost Cost;
  double ExecutedAtHeads = 0; ///< Without blocks in front of loops.
  /// What the published algorithm comes to, where another was used.
  std::optional<PrefetchCost> Published;
  unsigned Preheaders = 0;   ///< Blocks made for PREFETCHes of loops.
  unsigned DeadOperands = 0; ///< LTRF+.
  /// With -regshare-renumber-banks: the sum over PREFETCHes executed of the
  /// registers that come from the bank that most come from.
  struct Banks {
    unsigned Count = 0;
    double Before = 0, After = 0;
  };
  std::optional<Banks> Renumbered;

  llvm::StringRef key() const override;
  llvm::json::Object toJSON(const ReportedLaunch &Launch) const override;
  void print(llvm::raw_ostream &OS,
             const ReportedLaunch &Launch) const override;
};

/// How the options and the scheme want \p Code divided.
IntervalPartition divideIntoIntervals(const IntervalCode &Code, Scheme S,
                                      const CompilerOptions &Options);

/// Divides \p MF, an architected kernel, for \p S, which usesIntervals.
/// Invalidates everything known about it. Fails where the code cannot be read.
llvm::Expected<LTRFResult> applyLTRF(llvm::MachineFunction &MF,
                                     const FlowFacts &Facts, Scheme S,
                                     const CompilerOptions &Options);

/// The operands that no lane of the warp needs after the instruction that reads
/// them, which LTRF+ marks with a bit each: those of \p Frees that an operand
/// stands for as a whole.
std::vector<FreePoint> deadOperands(const std::vector<FreePoint> &Frees,
                                    const RegisterAssignment &Assignment);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_LTRF_LTRF_H
