//===- regshare/Annotation/VerifierRun.h - One function verified -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the rules of a scheme are given, and what they report to.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_VERIFIERRUN_H
#define REGSHARE_ANNOTATION_VERIFIERRUN_H

#include "regshare/Analysis/WaitPoints.h"
#include "regshare/Annotation/LostValues.h"
#include "regshare/Annotation/SchemeRules.h"
#include "regshare/Annotation/Verifier.h"
#include "regshare/Annotation/WarpFlow.h"
#include "regshare/Base/Annotation.h"

namespace regshare {

/// A statement of the scheme, which can be read without errors.
struct PlacedStatement : Statement {
  const llvm::MachineInstr *MI = nullptr;
};

/// The code that is verified, and what is found.
struct VerifierRun {
  const llvm::MachineFunction &MF;
  const RegisterAssignment &Assignment;
  const Reconvergence &Meetings;
  const VerifierOptions &Options;
  const WarpFlow &Flow;
  /// Of the scheme whose rules these are, in a composition without those of the
  /// other part, in layout order.
  std::vector<PlacedStatement> Statements = {};
  SchemeFacts Facts = {}; ///< What the kernel says once, under either part.
  std::vector<AnnotationViolation> Found = {};

  void report(AnnotationRule Rule, const llvm::MachineInstr &MI,
              const RegSet &Units, std::string What, std::string Path = {});
  /// Violations of \p Rule by reads of what \p Given gives back, \p How it
  /// does.
  void reportBadReads(AnnotationRule Rule, const GivenBack &Given,
                      AtBarriers Waiting = AtBarriers::Kept,
                      llvm::StringRef How = "given back");
};

/// "bb.3, instruction 2".
std::string instrPlace(const llvm::MachineInstr &MI);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_VERIFIERRUN_H
