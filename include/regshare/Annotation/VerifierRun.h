//===- VerifierImpl.h - The verifier's parts -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_VERIFIERRUN_H
#define REGSHARE_ANNOTATION_VERIFIERRUN_H

#include "regshare/Annotation/LostValues.h"
#include "regshare/Annotation/WarpFlow.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include "regshare/Analysis/WaitPoints.h"
#include "regshare/Annotation/Verifier.h"
#include "regshare/Base/Annotation.h"

namespace regshare {

/// A statement of a scheme, understood.
struct SchemeStatement {
  const llvm::MachineInstr *MI = nullptr;
  std::string Verb;                 ///< "acquire"
  std::vector<unsigned> Units;      ///< Of free, prefetch, dead, pref.
  std::optional<unsigned> Interval; ///< Of prefetch, and of interval.
  OperandPlaces Places = {};        ///< Of operands.
};

/// The code that is verified, and what is found.
struct VerifierRun {
  const llvm::MachineFunction &MF;
  const RegisterAssignment &Assignment;
  const Reconvergence &Meetings;
  const VerifierOptions &Options;
  const WarpFlow &Flow;
  std::vector<SchemeStatement> Statements = {}; ///< In layout order.
  std::optional<RegMutexSplit> Split = {};
  std::optional<IntervalBounds> Bounds = {};
  std::optional<unsigned> CacheSlots = {};
  std::optional<BundleBounds> Bundles = {};
  std::optional<unsigned> PrivateRegs = {};
  std::vector<AnnotationViolation> Found = {};

  void report(AnnotationRule Rule, const llvm::MachineInstr &MI,
              const RegSet &Units, std::string What, std::string Path = {});
  /// Violations of \p Rule by reads of what \p Given gives back.
  void reportBadReads(AnnotationRule Rule, const GivenBack &Given,
                      AtBarriers Waiting = AtBarriers::Kept);
};

/// "bb.3, instruction 2".
std::string instrPlace(const llvm::MachineInstr &MI);

/// The rules of RegMutex, pooled or paired, for a function with a split.
void verifyRegMutex(VerifierRun &Run);
/// The rule of register file virtualisation.
void verifyFrees(VerifierRun &Run);
/// The rules of LTRF, its strands and LTRF+, for a function with intervals.
void verifyLTRF(VerifierRun &Run);
/// The rules of SHRF, for a function with a register cache.
void verifySHRF(VerifierRun &Run);
/// The rules of EXPARS, for a function with bundles.
void verifyEXPARS(VerifierRun &Run);
/// The rules of register sharing, for a function with private registers, and of
/// scratchpad sharing.
void verifySharing(VerifierRun &Run);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_VERIFIERRUN_H
