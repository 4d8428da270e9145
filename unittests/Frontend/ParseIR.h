//===- ParseIR.h - Modules for tests -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FRONTEND_PARSEIR_H
#define REGSHARE_UNITTESTS_FRONTEND_PARSEIR_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace regshare {

inline std::unique_ptr<llvm::Module> parseIR(llvm::LLVMContext &Context,
                                             llvm::StringRef Text) {
  llvm::SMDiagnostic Diagnostic;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(Text, Diagnostic, Context);
  if (!M)
    ADD_FAILURE() << "line " << Diagnostic.getLineNo() << ": "
                  << Diagnostic.getMessage().str();
  return M;
}

} // namespace regshare

#endif // REGSHARE_UNITTESTS_FRONTEND_PARSEIR_H
