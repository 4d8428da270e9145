//===- SchemeCompiler.cpp - The passes of schemes -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Base/SchemeLoader.h"

#include "llvm/Support/FileSystem.h"

namespace regshare {

#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) extern const CompilerFamily Folder##Compilers;
#include "regshare/Base/Schemes.def"

static SchemeRegistry<SchemeCompiler> &registry() {
  static SchemeRegistry<SchemeCompiler> All("a compiler", {
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) Folder##Compilers,
#include "regshare/Base/Schemes.def"
                                                          });
  return All;
}

const SchemeCompiler *compilerOf(Scheme S) { return registry().find(S); }

Result<void> checkCompilerOf(Scheme S) {
  for (const SchemeDescription *Part : S.parts()) {
    if (Part->Statements.empty() || compilerOf(*Part))
      continue;
    const std::string Half = compilerHalfOf(*Part);
    std::string Where;
    if (!Half.empty())
      Where = "; expected them in '" + Half + "'" +
              (llvm::sys::fs::exists(Half) ? "" : ", which is not there");
    return fail("scheme '" + std::string(Part->Name) +
                    "': no passes are known that write its statements into "
                    "code" +
                    Where,
                ErrorKind::BadInput);
  }
  return {};
}

std::vector<const SchemeCompiler *> allSchemeCompilers() {
  std::vector<const SchemeCompiler *> All;
  for (const auto &Each : registry().entries())
    All.push_back(Each.Value);
  return All;
}

Result<void> registerSchemeCompiler(Scheme S, const SchemeCompiler &Compiler) {
  return registry().add(S, Compiler);
}

} // namespace regshare
