//===- regshare/Transforms/SchemeCompiler.h - A scheme's passes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler's half of a scheme: its machine passes. They run on architected
/// code, after registers are assigned and before the annotations are verified
/// (regshare/Annotation/SchemeRules.h). FlowPass.h has what they have in
/// common.
///
/// A folder of Schemes.def defines its half as
///
///     extern const CompilerFamily FooCompilers;
///     const CompilerFamily FooCompilers = {Members};
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SCHEMECOMPILER_H
#define REGSHARE_TRANSFORMS_SCHEMECOMPILER_H

#include "regshare/Base/SchemeRegistry.h"

#include "llvm/ADT/StringRef.h"

#include <span>
#include <vector>

namespace llvm {
class PassRegistry;
} // namespace llvm

namespace regshare {

/// The passes of a scheme.
struct SchemeCompiler {
  /// The names of the passes that apply the scheme, in order.
  std::span<const llvm::StringRef> Passes;
  /// Makes them known to LLVM by name, and others that only print. May be
  /// called again.
  void (*InitializePasses)(llvm::PassRegistry &Registry);
};

/// The compilers of one folder's schemes.
using CompilerFamily = SchemeFamilyOf<SchemeCompiler>;

/// Null: code of the scheme is as without one. A composition has none; the
/// passes of its parts run one after the other.
const SchemeCompiler *compilerOf(Scheme S);
/// Fails if code of \p S has statements and nobody knows the passes that write
/// them: it would be as without a scheme. Whose statements are written by hand
/// says so with a compiler that has no passes.
Result<void> checkCompilerOf(Scheme S);
/// All, those of Schemes.def first.
std::vector<const SchemeCompiler *> allSchemeCompilers();
/// For a loaded scheme. \p Compiler lives as long as the process. Fails if the
/// scheme has one, or nobody has described it.
Result<void> registerSchemeCompiler(Scheme S, const SchemeCompiler &Compiler);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_SCHEMECOMPILER_H
