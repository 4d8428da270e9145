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
/// directly, clang and llc through the plugin (`-mllvm` for clang). Those of
/// the schemes are made from the declarations of their settings; the others are
/// declared once, in Options.cpp, with their help texts.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_OPTIONS_H
#define REGSHARE_CODEGEN_OPTIONS_H

#include "regshare/Base/CodeForm.h"
#include "regshare/Base/Result.h"
#include "regshare/Base/Setting.h"

#include "llvm/Support/CommandLine.h"

#include <array>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regshare {

/// What a user asked of the compiler.
struct CompilerOptions {
  /// Scheme to apply; empty: analyse only, change nothing.
  std::string Scheme;
  /// Device whose limits hold; empty: those of no particular one.
  std::string Device;
  /// Form of the code; nothing: the device's, and PTX without one.
  std::optional<CodeForm> Code;
  /// Registers per thread at most; 0: what device and kernel allow.
  unsigned MaxRegs = 0;
  /// Beyond these, spill to shared memory first (settings::SharedSpilling).
  bool SharedSpilling = false;
  /// Compute constants and kernel parameters again at their uses where that
  /// lowers the peak of live registers.
  bool Rematerialize = true;
  /// Threads of a CTA, for choices that depend on the occupancy; 0: what the
  /// launch bounds say, else 256.
  unsigned ThreadsPerCTA = 0;
  /// The extents of that CTA; zeros: not known.
  std::array<unsigned, 3> Block = {};
  /// Dynamic shared memory of a CTA in bytes, for the same choices.
  unsigned DynamicSharedBytes = 0;
  /// Put native code in an order that hides latency.
  bool Schedule = true;
  /// CTAs on an SM that the scheduler leaves registers for; 0: as many as there
  /// are with the code's own order.
  unsigned ScheduleCTAs = 0;
  /// Say in native code when results are there (regshare-control).
  bool Control = false;
  /// Say in native code which operands are kept (regshare-reuse).
  bool Reuse = true;
  SettingValues Settings; ///< Of the scheme, and perhaps of others.
  /// Machine pass to run after; empty: the placement table decides.
  std::string Anchor;
};

/// The values of the command-line options as they stand.
CompilerOptions compilerOptions();

/// The form of code that \p Options ask for: their own, else that of their
/// device, which can be loaded, else PTX.
CodeForm chosenCode(const CompilerOptions &Options);

/// Makes an option `-regshare-<name>` of every setting of a scheme that the
/// compiler acts on and that has none yet. Done when the program or the plug-in
/// is loaded; again after schemes are, before the command line is parsed. With
/// \p OfMachine also an option `--<name>`, in that category, of every one that
/// the SM alone acts on. Fails on a setting whose option there is already, and
/// leaves that one as it is.
Result<void> addSettingOptions(llvm::cl::OptionCategory *OfMachine = nullptr);

/// The settings that the command line has.
SettingValues givenSettings();

/// Says on \p OS, once in a process, which settings the command line has that
/// the scheme of \p Options does not have. \p Program is what says so.
void warnOfOtherSettings(const CompilerOptions &Options, llvm::raw_ostream &OS,
                         llvm::StringRef Program = "regshare");

/// For tools that offer the options under shorter names and list them.
llvm::cl::opt<std::string> &schemeOption();
/// The option -regshare-device.
llvm::cl::opt<std::string> &deviceOption();

/// Reads "ptx" or "native"; an error names the option that was typed.
struct CodeFormParser : llvm::cl::parser<CodeForm> {
  using parser::parser;
  bool parse(llvm::cl::Option &O, llvm::StringRef Name, llvm::StringRef Text,
             CodeForm &Value);
};
/// The option -regshare-code.
llvm::cl::opt<CodeForm, false, CodeFormParser> &codeOption();
/// What all of these are listed under.
llvm::cl::OptionCategory &optionCategory();

} // namespace regshare

#endif // REGSHARE_CODEGEN_OPTIONS_H
