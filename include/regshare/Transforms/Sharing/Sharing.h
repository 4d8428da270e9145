//===- regshare/Transforms/Sharing.h - What paired CTAs share - -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's side of register sharing and scratchpad sharing (resource
/// sharing §III, §IV-B) on architected code: numbers registers so that a warp
/// comes far before it names one that it shares, and, beyond the paper, says
/// where it needs nothing any more of what it shares. See docs/sharing.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SHARING_SHARING_H
#define REGSHARE_TRANSFORMS_SHARING_SHARING_H

#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/Support/Error.h"

#include <optional>

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {

struct FlowFacts;

/// How far a warp comes before it needs what it shares.
struct BeforeShared {
  /// Instructions on the shortest path; nothing if no path needs it.
  std::optional<unsigned> Least;
  double Expected = 0; ///< As LLVM expects branches to be taken.
};

/// What sharing did to one kernel. Registers are 32-bit units of a thread.
struct SharingResult final : SchemeResult {
  /// Nothing under scratchpad sharing: R0 to R<Private-1> are a warp's own.
  std::optional<unsigned> PrivateRegs;
  unsigned Registers = 0;
  RegisterOrder Order = RegisterOrder::Declared;
  BeforeShared Before;
  /// What Before was with the numbers that assignment gave.
  BeforeShared BeforeRenumbering;
  /// Of a run from entry to end.
  double InstrsExecuted = 0;
  unsigned Releases = 0;   ///< Statements.
  unsigned EdgeBlocks = 0; ///< Blocks made for them.

  llvm::StringRef key() const override;
  llvm::json::Object toJSON(const ReportedLaunch &Launch) const override;
  void print(llvm::raw_ostream &OS,
             const ReportedLaunch &Launch) const override;
  std::optional<unsigned> renumbered() const override { return Registers; }
};

/// Renumbers the registers of \p MF, an architected kernel, for register
/// sharing, says how many are private, and with Options.EarlyRelease where the
/// others are given back. Fails where the code cannot be read.
llvm::Expected<SharingResult>
applyRegisterSharing(llvm::MachineFunction &MF, const FlowFacts &Facts,
                     const CompilerOptions &Options);

/// With Options.EarlyRelease says where \p MF, an architected kernel, gives
/// back its scratchpad; else only looks at it. Fails where the code cannot be
/// read.
llvm::Expected<SharingResult>
applyScratchpadSharing(llvm::MachineFunction &MF, const FlowFacts &Facts,
                       const CompilerOptions &Options);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_SHARING_SHARING_H
