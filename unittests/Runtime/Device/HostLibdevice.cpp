//===- HostLibdevice.cpp - Device math on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLibdevice.h"

#include <cmath>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

using namespace llvm;
using namespace llvm::orc;

static long long roundToNearest(double X) { return std::llrint(X); }
static long long roundToNearestF(float X) { return std::llrint(X); }
static long long roundToZero(double X) { return (long long)X; }
static long long roundToZeroF(float X) { return (long long)X; }
static float product(float X, float Y) { return X * Y; }
static double productD(double X, double Y) { return X * Y; }
static float reciprocal(float X) { return 1.0f / X; }
static float exp2Rounded(float X) { return (float)std::exp2((double)X); }

/// PTX instructions, as LLVM intrinsics, that functions of more than one
/// instruction use.
static const std::pair<StringRef, void *> Replacements[] = {
    {"llvm.nvvm.d2ll.rn", (void *)roundToNearest},
    {"llvm.nvvm.f2ll.rn", (void *)roundToNearestF},
    {"llvm.nvvm.d2ll.rz", (void *)roundToZero},
    {"llvm.nvvm.f2ll.rz", (void *)roundToZeroF},
    {"llvm.nvvm.mul.rn.f", (void *)product},
    {"llvm.nvvm.mul.rn.d", (void *)productD},
    {"llvm.nvvm.rcp.approx.ftz.f", (void *)reciprocal},
    {"llvm.nvvm.ex2.approx.f32", (void *)exp2Rounded},
};

static std::string hostName(StringRef Intrinsic) {
  return "host." + Intrinsic.str();
}

static bool isReplaced(StringRef Name) {
  return llvm::any_of(Replacements,
                      [&](const auto &R) { return R.first == Name; });
}

/// Makes calls of replaced intrinsics calls of host functions, and drops the
/// functions that need any other intrinsic of the device.
static void adaptToHost(Module &M) {
  M.setTargetTriple(Triple());
  M.setDataLayout("");
  for (Function &F : llvm::make_early_inc_range(M)) {
    if (!F.getName().starts_with("llvm.nvvm."))
      continue;
    if (isReplaced(F.getName())) {
      F.replaceAllUsesWith(
          M.getOrInsertFunction(hostName(F.getName()), F.getFunctionType())
              .getCallee());
      continue;
    }
    SmallVector<Function *> Users;
    for (User *U : F.users())
      Users.push_back(cast<Instruction>(U)->getFunction());
    for (Function *User : Users)
      User->deleteBody();
  }
}

static std::unique_ptr<LLJIT> makeJIT(StringRef Path) {
  ExitOnError Check("device math for the host: ");
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Context = std::make_unique<LLVMContext>();
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(Path, Diagnostic, *Context);
  if (!M)
    Check(createStringError(Diagnostic.getMessage()));
  adaptToHost(*M);

  std::unique_ptr<LLJIT> JIT = Check(LLJITBuilder().create());
  M->setDataLayout(JIT->getDataLayout());
  SymbolMap Symbols;
  for (const auto &[Name, Function] : Replacements)
    Symbols[JIT->mangleAndIntern(hostName(Name))] = {
        ExecutorAddr::fromPtr(Function), JITSymbolFlags::Exported};
  Check(JIT->getMainJITDylib().define(absoluteSymbols(std::move(Symbols))));
  // What LLVM makes of its own intrinsics may be a call of the C library.
  JIT->getMainJITDylib().addGenerator(
      Check(DynamicLibrarySearchGenerator::GetForCurrentProcess(
          JIT->getDataLayout().getGlobalPrefix())));
  Check(JIT->addIRModule(ThreadSafeModule(std::move(M), std::move(Context))));
  return JIT;
}

HostLibdevice::HostLibdevice(StringRef Path) : JIT(makeJIT(Path)) {}
HostLibdevice::~HostLibdevice() = default;

HostLibdevice &HostLibdevice::get() {
  static HostLibdevice Library(REGSHARE_LIBDEVICE);
  return Library;
}

HostLibdevice &HostLibdevice::getNative() {
  static HostLibdevice Library(REGSHARE_NATIVE_LIBDEVICE);
  return Library;
}

void *HostLibdevice::address(const std::string &Name) {
  ExitOnError Check("device math for the host: ");
  return Check(JIT->lookup(Name)).toPtr<void *>();
}
