//===- regshare/Analysis/Passes.h - Machine passes that look - -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Legacy pass-manager wrappers of the analyses: printers for people and
/// tests, and the computation alone for measurements.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_PASSES_H
#define REGSHARE_ANALYSIS_PASSES_H

namespace regshare {

/// Registers, by name: regshare-print-thread-liveness, -warp-liveness,
/// -divergence, -pressure, -weights and -first-use, which print to standard
/// output, and regshare-compute-analyses, which prints nothing. All take
/// architected code.
void initializeAnalysisPasses();

} // namespace regshare

#endif // REGSHARE_ANALYSIS_PASSES_H
