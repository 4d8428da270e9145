//===- regshare/Transforms/Session.h - Options in, results out -- -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the passes of one compilation share: the options they run under and
/// what they found out about each kernel. An immutable pass, so that legacy
/// machine passes made by ID can reach it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SESSION_H
#define REGSHARE_TRANSFORMS_SESSION_H

#include "regshare/CodeGen/Options.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/Pass.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace regshare {

/// What the passes did to one kernel.
struct KernelResult {
  AssignStats Stats;
  unsigned CopiesRemoved = 0;
  /// Where its spilled values may go; without a Limit nobody asked for it.
  SharedSpillRoom SharedRoom;
  /// In the order of their passes; none under a scheme whose passes have
  /// nothing to tell.
  std::vector<std::shared_ptr<const SchemeResult>> OfScheme;
};

/// Options and findings of one compilation.
class SessionPass : public llvm::ImmutablePass {
public:
  static char ID;

  SessionPass();
  explicit SessionPass(CompilerOptions Options);

  const CompilerOptions &options() const { return Options; }
  /// By kernel name.
  std::map<std::string, KernelResult> Results;

private:
  CompilerOptions Options;
};

/// Reports \p E as an error of the compilation, unless it has one already that
/// explains this one: code without registers, after their assignment failed.
void reportUnlessFailed(llvm::LLVMContext &Context, llvm::Error E);

} // namespace regshare

namespace llvm {
void initializeSessionPassPass(PassRegistry &);
} // namespace llvm

#endif // REGSHARE_TRANSFORMS_SESSION_H
