//===- regshare/Transforms/Passes.h - Machine passes that transform - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Legacy pass-manager wrappers of the transformations.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_PASSES_H
#define REGSHARE_TRANSFORMS_PASSES_H

namespace llvm {
class PassRegistry;
/// regshare-assign-registers: rewrites to architected registers; checks a
/// function that already is.
void initializeAssignRegistersPassPass(PassRegistry &);
/// regshare-analyze-registers: the same assignment, reported in remarks; the
/// code stays as it is.
void initializeAnalyzeRegistersPassPass(PassRegistry &);
/// regshare-annotate-frees: says where registers die, for RFV.
void initializeAnnotateFreesPassPass(PassRegistry &);
/// regshare-regmutex: divides registers into a base and an extended set, and
/// acquires and releases the latter.
void initializeRegMutexPassPass(PassRegistry &);
/// regshare-print-regmutex: the choice that it would make.
void initializePrintRegMutexPassPass(PassRegistry &);
/// regshare-ltrf: divides code into intervals with a PREFETCH each.
void initializeLTRFPassPass(PassRegistry &);
/// regshare-print-intervals: the intervals that it would make.
void initializePrintIntervalsPassPass(PassRegistry &);
/// regshare-shrf: says which operands are in the register cache.
void initializeSHRFPassPass(PassRegistry &);
/// regshare-expars: prefetches the registers of each bundle.
void initializeEXPARSPassPass(PassRegistry &);
/// regshare-register-sharing: numbers registers for register sharing, and says
/// which are private.
void initializeRegisterSharingPassPass(PassRegistry &);
/// regshare-scratchpad-sharing: says where the scratchpad is given back.
void initializeScratchpadSharingPassPass(PassRegistry &);
/// regshare-annotate: writes descriptor and register map as PTX pragmas.
void initializeAnnotatePassPass(PassRegistry &);
} // namespace llvm

namespace regshare {
extern char &AnalyzeRegistersID;
} // namespace regshare

#endif // REGSHARE_TRANSFORMS_PASSES_H
