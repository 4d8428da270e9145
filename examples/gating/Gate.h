//===- Gate.h - Switches empty registers off --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GATING_GATE_H
#define GATING_GATE_H

#include "Gating.h"

#include "regshare/Analysis/FlowFacts.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace gating {

/// What was done with one kernel.
struct GatingResult final : regshare::SchemeResult {
  unsigned Regs = 0;     ///< Per thread.
  unsigned Bound = 0;    ///< 0: the kernel is as it was.
  std::string Untouched; ///< Why, then.
  unsigned Offs = 0, Ons = 0;
  unsigned Instrs = 0, InstrsOff = 0;
  /// Share of the rows and instructions that are expected to be executed.
  double OffShare = 0;

  llvm::StringRef key() const override;
  llvm::json::Object
  toJSON(const regshare::ReportedLaunch &Launch) const override;
  void print(llvm::raw_ostream &OS,
             const regshare::ReportedLaunch &Launch) const override;
};

/// Chooses a bound for \p MF, an architected kernel, unless \p Options have
/// one, and writes the statements. Fails where the registers of the code cannot
/// be read.
llvm::Expected<GatingResult>
applyGating(llvm::MachineFunction &MF, const regshare::FlowFacts &Facts,
            const regshare::CompilerOptions &Options);

} // namespace gating

#endif // GATING_GATE_H
