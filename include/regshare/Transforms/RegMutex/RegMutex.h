//===- regshare/Transforms/RegMutex.h - Base and extended registers - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's side of RegMutex (§III-A) on architected code: chooses the
/// size of the extended register set, gives registers anew so that it is needed
/// in few and cold places, and puts acquire and release around those. See
/// docs/regmutex.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_REGMUTEX_REGMUTEX_H
#define REGSHARE_TRANSFORMS_REGMUTEX_REGMUTEX_H

#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace llvm {
class MachineFunction;
class raw_ostream;
} // namespace llvm

namespace regshare {

/// What RegMutex did to one kernel, and why.
struct RegMutexResult final : SchemeResult {
  unsigned Regs = 0;      ///< Per thread, base and extended.
  unsigned MinBase = 0;   ///< Most units that are warp-live where warps wait.
  std::string MinBaseAt;  ///< One such place; empty if warps never wait.
  unsigned LeastBase = 0; ///< The same if values can be computed again.
  unsigned Waits = 0;     ///< Instructions at which warps wait for each other.
  /// The policy's; nothing where -regshare-es decided and no device was named.
  std::optional<ExtendedSetChoice> Choice;
  /// Nothing: the kernel is as it was.
  std::optional<RegMutexSplit> Split;
  std::string Untouched; ///< Why, then.

  unsigned Acquires = 0, Releases = 0; ///< Statements.
  unsigned EdgeBlocks = 0;             ///< Blocks made for them.
  unsigned Copies = 0;                 ///< MOVs that compaction added.
  unsigned Recomputed = 0; ///< Instructions added to compute values again.
  unsigned Instrs = 0, HeldInstrs = 0;
  /// Executions for each entry of the kernel, as LLVM expects them.
  double Executed = 0, HeldExecuted = 0, ChangesExecuted = 0;

  /// Share of the instructions executed while holding the extended set.
  double heldShare() const { return Executed ? HeldExecuted / Executed : 0; }

  llvm::StringRef key() const override;
  llvm::json::Object toJSON(const ReportedLaunch &Launch) const override;
  void print(llvm::raw_ostream &OS,
             const ReportedLaunch &Launch) const override;
};

/// Decides on an extended set for \p MF, an architected kernel, and changes
/// nothing. Fails where the code cannot be read, the device is unknown or
/// missing, or the size that \p Options ask for is none that a kernel with so
/// many registers can have.
llvm::Expected<RegMutexResult> chooseRegMutex(const llvm::MachineFunction &MF,
                                              const FlowFacts &Facts,
                                              const CompilerOptions &Options);

/// The same, and transforms \p MF accordingly. Invalidates everything known
/// about it.
llvm::Expected<RegMutexResult> applyRegMutex(llvm::MachineFunction &MF,
                                             const FlowFacts &Facts,
                                             const CompilerOptions &Options);

/// For people: the candidates, the choice, and what came of it.
void printRegMutex(llvm::raw_ostream &OS, const RegMutexResult &R);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_REGMUTEX_REGMUTEX_H
