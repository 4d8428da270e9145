//===- DeviceMath.cpp - Math functions from libdevice -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontEnds.h"
#include "Toolchain.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace regshare;

/// The stem of the libdevice function that computes \p ID, or nothing for an
/// intrinsic that NVPTX can select itself or that is no such function.
static StringRef libdeviceStem(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "powi";
  default:
    return {};
  }
}

/// PTX has approximations in single precision and below of its own.
static bool isSelectable(const IntrinsicInst &Call) {
  if (Call.getType()->getScalarType()->isDoubleTy())
    return false;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::exp2:
    return true;
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tanh:
    return Call.hasApproxFunc();
  default:
    return false;
  }
}

/// One element of \p Call, of scalar operands \p Args.
static Value *callLibdevice(IRBuilder<> &Builder, Module &M, StringRef Stem,
                            ArrayRef<Value *> Args) {
  Type *Scalar = Args.front()->getType();
  bool Double = Scalar->isDoubleTy();
  Type *Wide = Double ? Scalar : Builder.getFloatTy();
  SmallVector<Value *, 2> Widened;
  SmallVector<Type *, 2> Types;
  for (Value *Arg : Args) {
    Widened.push_back(Arg->getType() == Scalar ? Builder.CreateFPExt(Arg, Wide)
                                               : Arg);
    Types.push_back(Widened.back()->getType());
  }
  FunctionCallee Callee =
      M.getOrInsertFunction(("__nv_" + Stem + (Double ? "" : "f")).str(),
                            FunctionType::get(Wide, Types, false));
  return Builder.CreateFPTrunc(Builder.CreateCall(Callee, Widened), Scalar);
}

static void replaceByLibdevice(IntrinsicInst &Call, StringRef Stem) {
  IRBuilder<> Builder(&Call);
  Module &M = *Call.getModule();
  auto *Vector = dyn_cast<FixedVectorType>(Call.getType());
  Value *Result = Vector ? PoisonValue::get(Vector) : nullptr;
  for (unsigned I = 0, E = Vector ? Vector->getNumElements() : 1; I != E; ++I) {
    SmallVector<Value *, 2> Args;
    for (Value *Arg : Call.args())
      Args.push_back(Arg->getType()->isVectorTy()
                         ? Builder.CreateExtractElement(Arg, I)
                         : Arg);
    Value *Element = callLibdevice(Builder, M, Stem, Args);
    Result = Vector ? Builder.CreateInsertElement(Result, Element, I) : Element;
  }
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

/// clang's headers declare nan() and nanf() for the device, and nobody defines
/// them. Of the tags that tell NaNs apart none is defined either.
static void defineNaNs(Module &M) {
  for (StringRef Name : {"_ZL3nanPKc", "_ZL4nanfPKc", "_Z3nanPKc", "_Z4nanfPKc",
                         "nan", "nanf"}) {
    Function *F = M.getFunction(Name);
    if (!F || !F->isDeclaration() || !F->getReturnType()->isFloatingPointTy())
      continue;
    for (User *U : make_early_inc_range(F->users()))
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == F) {
        Call->replaceAllUsesWith(ConstantFP::getQNaN(Call->getType()));
        Call->eraseFromParent();
      }
  }
}

void regshare::lowerMathIntrinsics(Module &M) {
  defineNaNs(M);
  SmallVector<IntrinsicInst *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        if (!libdeviceStem(Call->getIntrinsicID()).empty() &&
            !isSelectable(*Call))
          Calls.push_back(Call);
  for (IntrinsicInst *Call : Calls)
    replaceByLibdevice(*Call, libdeviceStem(Call->getIntrinsicID()));
}

Error regshare::linkLibdevice(const InputOptions &Options, Module &M) {
  if (none_of(M, [](const Function &F) {
        return F.isDeclaration() && F.getName().starts_with("__nv_") &&
               !F.use_empty();
      }))
    return Error::success();
  Expected<std::string> Path = findLibdevice(Options);
  if (!Path)
    return Path.takeError();
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Library =
      parseIRFile(*Path, Diagnostic, M.getContext());
  if (!Library)
    return inputError(Diagnostic);
  // It is written for every processor; a layout of its own age does no harm.
  Library->setTargetTriple(M.getTargetTriple());
  Library->setDataLayout(M.getDataLayout());
  if (Linker::linkModules(M, std::move(Library), Linker::LinkOnlyNeeded))
    return inputError("cannot link device math from '" + *Path + "'");
  return Error::success();
}
