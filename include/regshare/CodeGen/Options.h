//===- regshare/CodeGen/Options.h - Options of the compiler half - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options that every door of the compiler shares: regshare-opt takes them
/// directly, clang and llc through the plugin (`-mllvm` for clang). Each is
/// declared once, in Options.cpp, with its help text.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_OPTIONS_H
#define REGSHARE_CODEGEN_OPTIONS_H

#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/Setting.h"
#include "regshare/Base/Sharing/RegisterOrder.h"
#include "regshare/Base/Sharing/Sharing.h"

#include "llvm/Support/CommandLine.h"

#include <string>

namespace regshare {

struct CompilerOptions {
  /// Sharing system to apply; empty: analyse only, change nothing.
  std::string Scheme;
  /// Device whose limits hold; empty: those of no particular one.
  std::string Device;
  /// Registers per thread at most; 0: what device and kernel allow.
  unsigned MaxRegs = 0;
  /// Compute constants and kernel parameters again at their uses where that
  /// lowers the peak of live registers.
  bool Rematerialize = true;
  /// RegMutex's |Es|, in 32-bit units; 0: chosen for the kernel.
  unsigned ExtendedSet = 0;
  /// RegMutex: choose |Es| as the published policy does, whatever comes of it.
  bool PublishedPolicy = false;
  /// LTRF's N: registers of an interval at most, in 32-bit units; SHRF:
  /// registers of a warp in the register cache.
  unsigned IntervalRegisters = DefaultIntervalRegisters;
  /// LTRF: the published algorithm's intervals, not those with fewest
  /// PREFETCHes.
  bool PublishedIntervals = false;
  /// LTRF: banks of the register file to spread each PREFETCH over by giving
  /// registers new numbers; 0: leave the numbers.
  unsigned RenumberBanks = 0;
  /// EXPARS: the operand cache that bundles have to fit, in bytes.
  unsigned OperandCacheBytes = OperandCache().Bytes;
  /// EXPARS: τ, how many thousandths of a thread's registers scratchpad may
  /// hold. The others need no line of the operand cache.
  unsigned TauPerMille = DefaultTauPerMille;
  /// EXPARS: weigh references by how often they are expected to execute.
  bool ExpectedWeights = false;
  /// Register sharing: t, how many thousandths of a thread's registers a warp
  /// has of its own.
  unsigned PrivatePerMille = DefaultPrivatePerMille;
  /// Register sharing: which registers those are.
  RegisterOrder Order = RegisterOrder::FirstUse;
  /// Register and scratchpad sharing: say where a warp no longer needs what it
  /// shares.
  bool EarlyRelease = false;
  /// Threads of a CTA, for choices that depend on the occupancy; 0: what the
  /// launch bounds say, else 256.
  unsigned ThreadsPerCTA = 0;
  /// Dynamic shared memory of a CTA in bytes, for the same choices.
  unsigned DynamicSharedBytes = 0;
  /// Of the scheme; those with a field above are not read from here yet.
  SettingValues Settings;
  /// Machine pass to run after; empty: the placement table decides.
  std::string Anchor;
};

/// The values of the command-line options as they stand.
CompilerOptions compilerOptions();

/// For tools that offer the options under shorter names and list them.
llvm::cl::opt<std::string> &schemeOption();
llvm::cl::opt<std::string> &deviceOption();
llvm::cl::OptionCategory &optionCategory();

} // namespace regshare

#endif // REGSHARE_CODEGEN_OPTIONS_H
