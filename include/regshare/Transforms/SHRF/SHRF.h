//===- regshare/Transforms/SHRF/SHRF.h - A cache code manages ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's side of the software-managed hierarchical register file
/// (SHRF) on architected code: decides for each strand which values are in a
/// warp's register cache, and says so at each operand. See docs/shrf.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SHRF_SHRF_H
#define REGSHARE_TRANSFORMS_SHRF_SHRF_H

#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {

struct FlowFacts;

/// What SHRF did to one kernel. Accesses are to rows of 32-bit registers, as
/// LLVM expects them for each entry into the kernel.
struct SHRFResult final : SchemeResult {
  unsigned Slots = 0; ///< Of a warp's place in the register cache.
  unsigned Strands = 0;
  unsigned Alone = 0;   ///< Results that are in the cache alone.
  unsigned Both = 0;    ///< Results that are in the main file as well.
  unsigned Fetched = 0; ///< Sources brought at their first read in a strand.
  double CacheReads = 0, CacheWrites = 0;
  double MainReads = 0, MainWrites = 0;
  double InstrsExecuted = 0;

  /// The main file's accesses if there were no cache.
  double accesses() const { return mainAccesses() + Saved; }
  double mainAccesses() const { return MainReads + MainWrites; }
  double Saved = 0; ///< Accesses to the main file.

  llvm::StringRef key() const override;
  llvm::json::Object toJSON(const ReportedLaunch &Launch) const override;
  void print(llvm::raw_ostream &OS,
             const ReportedLaunch &Launch) const override;
};

/// Divides \p MF, an architected kernel, into strands and writes which operands
/// are in the cache. Changes no other code. Fails where the code cannot be
/// read.
llvm::Expected<SHRFResult> applySHRF(llvm::MachineFunction &MF,
                                     const FlowFacts &Facts,
                                     const CompilerOptions &Options);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_SHRF_SHRF_H
