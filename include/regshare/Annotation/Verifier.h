//===- regshare/Annotation/Verifier.h - Proves annotations sound - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves that an architected function with a scheme's annotations computes
/// what it would without sharing, and that no warp waits forever: on every path
/// and in every order in which a warp can run the sides of its branches. It
/// does not know how the annotations were placed, and uses none of the analyses
/// that place them but for which branches part a warp and where warps wait for
/// each other. docs/annotation-verifier.md explains the method and the rules.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_VERIFIER_H
#define REGSHARE_ANNOTATION_VERIFIER_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class MachinePostDominatorTree;
class PassRegistry;
} // namespace llvm

namespace regshare {

/// What annotations have to keep. Schemes declare their own beside their
/// SchemeRules.
struct AnnotationRule {
  /// "held-at-use": what messages, documentation and tests call it.
  std::string_view Name;
  friend bool operator==(AnnotationRule, AnnotationRule) = default;
};

/// Of several schemes.
namespace rules {
/// A statement is well-formed, known, and in its place.
inline constexpr AnnotationRule Statement{"statement"};
/// A warp has no more cache registers than there are.
inline constexpr AnnotationRule CacheSize{"cache-size"};
/// What an instruction names is in the vector that was fetched for it.
inline constexpr AnnotationRule InVector{"in-vector"};
} // namespace rules

/// A rule that an annotation breaks, and where.
struct AnnotationViolation {
  AnnotationRule Rule;
  /// Where; an instruction's block is set too, a function's is neither.
  const llvm::MachineBasicBlock *MBB = nullptr;
  const llvm::MachineInstr *MI = nullptr;
  RegSet Units; ///< That it concerns; may be empty.
  std::string What;
  /// Blocks of an example, as in "bb.0 -> bb.2 ~> bb.3"; empty if none is
  /// needed. After "~>" the warp goes on with other lanes.
  std::string Path;

  /// "bb.3, instruction 2 (…): …; path: … [held-at-use]".
  std::string str() const;
};

/// What annotations have to be fit for, besides being sound.
struct VerifierOptions {
  /// The scheme that the annotations have to be of; nothing: whichever they
  /// are of.
  std::optional<Scheme> Asked;
  /// What the code has to agree with: of a setting that is not here it may say
  /// whatever it does.
  SettingValues Settings;
  /// Which the code has to be able to run on; nothing: any.
  std::optional<DeviceDescription> Device;
  KernelResources Resources; ///< Without registers, which the code tells.
};

/// All violations, in layout order. A function without annotations of a scheme
/// has none, unless Options ask for a scheme whose code has a Required
/// statement.
std::vector<AnnotationViolation>
verifyAnnotations(const llvm::MachineFunction &MF,
                  const RegisterAssignment &Assignment,
                  const llvm::MachinePostDominatorTree &PDT,
                  const VerifierOptions &Options = {});

} // namespace regshare

namespace llvm {
/// regshare-verify-annotations: reports every violation as an error.
void initializeVerifyAnnotationsPassPass(PassRegistry &);
} // namespace llvm

#endif // REGSHARE_ANNOTATION_VERIFIER_H
