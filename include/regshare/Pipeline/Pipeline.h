//===- regshare/Pipeline/Pipeline.h - From an input to its output - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs code generation and RegShare's passes over a loaded input, and writes
/// machine code or PTX.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_PIPELINE_H
#define REGSHARE_PIPELINE_PIPELINE_H

#include "regshare/Base/CodeForm.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace regshare {

class SessionPass;
struct KernelReport;
struct LoadedInput;

/// What comes out at the end of a pipeline.
enum class OutputKind {
  None, ///< Only what the passes print or collect.
  MIR,
  PTX,
};

/// The passes that --scheme=\p Scheme stands for, in order.
std::vector<std::string> passesForScheme(llvm::StringRef Scheme,
                                         OutputKind Output,
                                         CodeForm Code = CodeForm::PTX);

/// Splits "a,b,c" and checks that every name is a machine pass of RegShare's
/// or LLVM's.
llvm::Expected<std::vector<std::string>>
parsePassNames(llvm::StringRef Pipeline);

/// Compiles \p Input with its target machine (IR goes through stock code
/// generation, MIR is taken as it is), runs \p Passes over every function and
/// writes to \p OS. Takes over \p Session, which carries the options. Appends a
/// report on every kernel to \p Reports if it is not null.
llvm::Error runPipeline(LoadedInput &Input, SessionPass *Session,
                        llvm::ArrayRef<std::string> Passes, OutputKind Output,
                        llvm::raw_pwrite_stream &OS,
                        std::vector<KernelReport> *Reports = nullptr);

} // namespace regshare

#endif // REGSHARE_PIPELINE_PIPELINE_H
