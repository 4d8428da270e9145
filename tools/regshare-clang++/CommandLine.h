//===- CommandLine.h - The options of a CUDA compile -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Understands as much of clang's and nvcc's options as it takes to split one
/// compile into its device half, its host half and its link (Options.td). What
/// it does not know is clang's to understand, which is asked before anything is
/// compiled.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_CLANG_COMMANDLINE_H
#define REGSHARE_TOOLS_REGSHARE_CLANG_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace regshare {

/// The processor that device code is written for unless the user says which:
/// every device can run it.
inline constexpr char DefaultArch[] = "sm_75";
/// The oldest processor, as a number, that CUDA 12's headers are for.
inline constexpr unsigned OldestArch = 50;

/// What the command is to come to.
enum class Action {
  Link,       ///< An executable or a shared library.
  Compile,    ///< -c: objects.
  Image,      ///< -fatbin: device code in both forms.
  PTX,        ///< -ptx: device code as text.
  Preprocess, ///< -E, -M, -MM: clang's output for the host half.
  CheckSyntax,
};

enum class Language { CUDA, Other, Object };

struct Argument {
  enum Kind {
    Both,   ///< An option for every step.
    Host,   ///< An option that the device half must not see.
    Device, ///< One that only the device half must see.
    Input,
  };
  Kind K = Both;
  std::vector<std::string> Words;
  /// Of an input.
  Language Lang = Language::Object;
  /// What -x said of it; empty: by its name.
  std::string LanguageName;
};

struct CommandLine {
  Action What = Action::Link;
  /// Options and inputs in the order given, in clang's words.
  std::vector<Argument> Arguments;
  std::string Output;
  std::string OutputDirectory; ///< Of objects; empty: the working directory.
  std::string Arch = DefaultArch;
  /// Registers of a thread at most, for kernels that say nothing; 0: no limit.
  unsigned MaxRegisters = 0;
  /// Kernels ask for registers to be spilled to shared memory first.
  bool SharedSpilling = false;
  /// Native code is optimised, too.
  bool OptimiseDevice = true;
  /// Divisions and square roots in single precision are rounded correctly.
  bool PreciseDivision = true, PreciseSquareRoot = true;
  /// Kernels call functions of other sources, which the link brings together.
  bool Relocatable = false;
  /// No two pointer parameters of a kernel lead to the same memory.
  bool Restrict = false;
  /// Directory of the CUDA headers; empty: our own.
  std::string CudaPath;
  /// Directory of Thrust, CUB and libcu++; empty: an installed toolkit's.
  std::string LibraryPath;
  bool Verbose = false; ///< Print the steps.
  bool DryRun = false;  ///< Print the steps and do none.
  bool Help = false;
  /// Ask clang this instead: --version, -print-….
  std::vector<std::string> Question;
  /// Words that are not in our table of options, and perhaps in clang's.
  std::vector<std::string> Unknown;

  unsigned numInputs() const;
  bool writesDeviceCode() const {
    return What == Action::Image || What == Action::PTX;
  }
};

/// Fails on an option that is known and cannot be had, naming it, and on what
/// does not fit together.
llvm::Expected<CommandLine>
parseCommandLine(llvm::ArrayRef<const char *> Arguments);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_CLANG_COMMANDLINE_H
