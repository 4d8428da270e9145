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

#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class MachinePostDominatorTree;
class PassRegistry;
} // namespace llvm

namespace regshare {

enum class AnnotationRule {
  Statement,     ///< A statement is well-formed, known, and in its place.
  Split,         ///< The split holds all registers that the code names.
  Section,       ///< The device has at least one section for this split.
  HeldAtUse,     ///< Where an extended register is named, the set is acquired.
  HeldAtWait,    ///< Where warps wait for each other, it is released.
  LostByRelease, ///< What a release gives back nobody reads.
  LostByFree,    ///< What a free gives back nobody reads.
  IntervalSize,  ///< No interval has more registers than there is room for.
  InVector,      ///< What an instruction names is in its interval's vector.
  Prefetched,    ///< Intervals are entered by their PREFETCH alone.
  DeadOperand,   ///< Whole operands of the instruction before are marked.
  LostByDead,    ///< What is marked dead nobody reads.
  Strand,        ///< Strands have no long latencies and no loops inside.
  CacheSize,     ///< A warp has no more cache registers than there are.
  CachedOperand, ///< What is said to be in the cache is an operand.
  InCache,       ///< What is read from a slot of the cache is there.
  InMain,        ///< What is read from the main register file is there.
  CacheLine,     ///< No two registers of a PREF share a line.
  BundleBlock,   ///< A bundle stays within a block.
  BundleEnd,     ///< A bundle ends where the warp may wait.
  LateResult,    ///< What comes late is not named in the same bundle.
  Kept,          ///< No more registers than needed stay in the register file.
  PrivateShare,  ///< As many registers are private as t says.
  UsedReleased,  ///< What is shared is not used behind a release.
  IdleRelease,   ///< A release gives back what the warp may have used.
};
/// "held-at-use": what messages, documentation and tests call it.
const char *ruleName(AnnotationRule R);

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

struct VerifierOptions {
  /// The scheme that the annotations have to be of; nothing: whichever they
  /// are of.
  std::optional<Scheme> Asked;
  /// Registers of a warp in the cache. LTRF: an interval has so many at most,
  /// or as many as some instruction names. 0: whatever the code says.
  unsigned CacheRegisters = 0;
  /// EXPARS: bytes of the operand cache that there is; 0: whatever the code
  /// says.
  unsigned OperandCacheBytes = 0;
  /// EXPARS: τ, by which registers have to be able to move to scratchpad;
  /// nothing: whichever the code says.
  std::optional<unsigned> TauPerMille;
  /// Register sharing: t, by which so many registers are private; nothing:
  /// whichever the code says.
  std::optional<unsigned> PrivatePerMille;
  /// With a device, that it has a section for the split.
  std::optional<DeviceDescription> Device;
  KernelResources Resources; ///< Without registers, which the code tells.
};

/// All violations, in layout order. A function without annotations of a scheme
/// has none, unless Options ask for a scheme of a register cache.
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
