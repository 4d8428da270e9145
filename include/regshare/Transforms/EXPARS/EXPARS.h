//===- regshare/Transforms/EXPARS.h - PREFs of bundles  ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's side of EXPARS (§3.2) on architected code: numbers registers
/// by how often they are referenced, divides the code into bundles, and puts a
/// PREF in front of each. See docs/expars.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_EXPARS_EXPARS_H
#define REGSHARE_TRANSFORMS_EXPARS_EXPARS_H

#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/CodeGrowth.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {

struct FlowFacts;

/// What EXPARS did to one kernel. Registers are 32-bit units of a thread.
struct EXPARSResult final : SchemeResult, CodeGrowth {
  OperandCache Cache;
  unsigned Registers = 0;
  unsigned KeptByTau = 0; ///< What τ leaves in the register file.
  /// What has to be there: more, if an instruction names registers that exclude
  /// each other in the operand cache.
  unsigned Kept = 0;
  /// What Kept was with the numbers before.
  unsigned KeptBefore = 0;
  unsigned Bundles = 0;
  unsigned EmptyBundles = 0; ///< None of whose registers can be in scratchpad.
  /// For each entry, as LLVM expects them: PREFs, bits that are set in their
  /// vectors, and all references to registers and to those among them that can
  /// be in scratchpad.
  double PrefsExecuted = 0, BitsExecuted = 0;
  double References = 0, ScratchpadReferences = 0;

  llvm::StringRef key() const override;
  llvm::json::Object toJSON(const ReportedLaunch &Launch) const override;
  void print(llvm::raw_ostream &OS,
             const ReportedLaunch &Launch) const override;
  std::optional<unsigned> renumbered() const override { return Registers; }
};

/// Renumbers the registers of \p MF, an architected kernel, and divides it into
/// bundles. Changes no other code. Fails where the code cannot be read.
llvm::Expected<EXPARSResult> applyEXPARS(llvm::MachineFunction &MF,
                                         const FlowFacts &Facts,
                                         const CompilerOptions &Options);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_EXPARS_EXPARS_H
