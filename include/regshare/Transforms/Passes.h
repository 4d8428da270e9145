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
/// regshare-fold: makes native code of virtual registers.
void initializeFoldPassPass(PassRegistry &);
/// regshare-parameter-copies: addresses of parameters get the width that their
/// uses have.
void initializeParameterCopiesPassPass(PassRegistry &);
/// regshare-analyze-registers: the same assignment, reported in remarks; the
/// code stays as it is.
void initializeAnalyzeRegistersPassPass(PassRegistry &);
/// regshare-smem-spilling: has PTX ask ptxas for shared spilling.
void initializeSharedSpillingPassPass(PassRegistry &);
/// regshare-annotate: writes descriptor and register map as statements.
void initializeAnnotatePassPass(PassRegistry &);
} // namespace llvm

namespace regshare {
extern char &AnalyzeRegistersID;
extern char &SharedSpillingID;
extern char &ParameterCopiesID;
} // namespace regshare

#endif // REGSHARE_TRANSFORMS_PASSES_H
