//===- link-libdevice.cpp - Links the device math library -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Joins our __nv_* functions with what they need of libclc into one module
/// that clang links into CUDA code as it links the toolkit's libdevice. What
/// libclc was compiled for is dropped from the functions, because a function
/// that names another target is never inlined. Definitions of an input after
/// --over replace earlier ones.
///
//===----------------------------------------------------------------------===//

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

using namespace llvm;

/// Prints \p Message for \p Path and leaves with the exit code for bad input.
[[noreturn]] static void die(StringRef Path, const Twine &Message) {
  errs() << "link-libdevice: " << Path << ": " << Message << "\n";
  exit(1);
}

static std::unique_ptr<Module> read(StringRef Path, LLVMContext &Context) {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(Path, Diagnostic, Context);
  if (!M)
    die(Path, Diagnostic.getMessage());
  return M;
}

/// The library holds no barrier and no shuffle, so nothing in it is
/// convergent, and it serves every target and accuracy setting.
static void neutralize(Function &F) {
  AttributeMask Dropped;
  for (Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute())
      Dropped.addAttribute(A.getKindAsString());
  for (Attribute::AttrKind Kind :
       {Attribute::Convergent, Attribute::NoInline, Attribute::OptimizeNone,
        Attribute::AlwaysInline, Attribute::StackProtect,
        Attribute::StackProtectStrong})
    Dropped.addAttribute(Kind);
  F.removeFnAttrs(Dropped);
  for (Instruction &I : instructions(F)) {
    I.setMetadata(LLVMContext::MD_fpmath, nullptr);
    if (auto *Call = dyn_cast<CallBase>(&I))
      Call->removeFnAttr(Attribute::Convergent);
  }
}

/// Whether \p V comes to a sum, with which code generation could contract it.
/// What an __nv_ function returns may be contracted with what the user adds.
static bool comesToSum(const Value &V, SmallPtrSetImpl<const Value *> &Seen) {
  return any_of(V.users(), [&](const User *U) {
    switch (cast<Instruction>(U)->getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
      return true;
    case Instruction::FNeg:
    case Instruction::FPExt:
    case Instruction::PHI:
    case Instruction::Select:
      return Seen.insert(U).second && comesToSum(*U, Seen);
    case Instruction::Ret:
      return !cast<Instruction>(U)->getFunction()->getName().starts_with(
          "__nv_");
    default:
      return false;
    }
  });
}

/// Makes products of \p F that are added to something PTX's mul.rn. Where
/// CUDA's default asks for that, clang contracts products and sums of a whole
/// module, and what takes the rounding error of a product would be wrong: the
/// reduction of a sine's argument.
static void keepRounding(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Type *T = I.getType();
    SmallPtrSet<const Value *, 8> Seen;
    if (I.getOpcode() != Instruction::FMul ||
        !(T->isFloatTy() || T->isDoubleTy()) || !comesToSum(I, Seen))
      continue;
    Intrinsic::ID ID =
        T->isFloatTy() ? Intrinsic::nvvm_mul_rn_f : Intrinsic::nvvm_mul_rn_d;
    Value *Product = IRBuilder<>(&I).CreateIntrinsic(
        ID, {}, {I.getOperand(0), I.getOperand(1)});
    I.replaceAllUsesWith(Product);
    I.eraseFromParent();
  }
}

static void finish(Module &M) {
  internalizeModule(
      M, [](const GlobalValue &G) { return G.getName().starts_with("__nv_"); });
  ModuleAnalysisManager Analyses;
  GlobalDCEPass().run(M, Analyses);
  for (StringRef Name :
       {"llvm.module.flags", "llvm.ident", "opencl.ocl.version",
        "llvm.errno.tbaa", "opencl.spir.version"})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
  for (Function &F : M) {
    neutralize(F);
    keepRounding(F);
    if (F.isDeclaration() && !F.isIntrinsic())
      die(M.getName(), "unresolved function " + F.getName());
  }
  if (verifyModule(M, &errs()))
    die(M.getName(), "the linked module is broken");
}

int main(int ArgC, char **ArgV) {
  if (ArgC < 4) {
    errs() << "usage: link-libdevice OUTPUT LIBCLC INPUT... [--over INPUT]\n";
    return 1;
  }
  LLVMContext Context;
  std::unique_ptr<Module> Library = read(ArgV[3], Context);
  Library->setModuleIdentifier("regshare-libdevice");
  Linker L(*Library);
  unsigned Flags = Linker::None;
  for (int I = 4; I < ArgC; ++I)
    if (StringRef(ArgV[I]) == "--over")
      Flags = Linker::OverrideFromSrc;
    else if (L.linkInModule(read(ArgV[I], Context), Flags))
      die(ArgV[I], "cannot be linked");
  std::unique_ptr<Module> CLC = read(ArgV[2], Context);
  CLC->setTargetTriple(Library->getTargetTriple());
  CLC->setDataLayout(Library->getDataLayout());
  if (L.linkInModule(std::move(CLC), Linker::LinkOnlyNeeded))
    die(ArgV[2], "cannot be linked");
  finish(*Library);

  std::error_code Error;
  ToolOutputFile Output(ArgV[1], Error, sys::fs::OF_None);
  if (Error)
    die(ArgV[1], Error.message());
  WriteBitcodeToFile(*Library, Output.os());
  Output.keep();
  return 0;
}
