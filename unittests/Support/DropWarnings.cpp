//===- DropWarnings.cpp - Compiles without warnings -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DropWarnings.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace regshare::test {

void dropWarnings(LLVMContext &Context) {
  struct Quiet : DiagnosticHandler {
    explicit Quiet(std::unique_ptr<DiagnosticHandler> Inner)
        : Inner(std::move(Inner)) {}
    bool handleDiagnostics(const DiagnosticInfo &Info) override {
      return Info.getSeverity() == DS_Warning || Inner->handleDiagnostics(Info);
    }
    std::unique_ptr<DiagnosticHandler> Inner;
  };
  Context.setDiagnosticHandler(
      std::make_unique<Quiet>(Context.getDiagnosticHandler()));
}

} // namespace regshare::test
