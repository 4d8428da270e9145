//===- DeviceModule.cpp - Options that clang does not have ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"

#include "regshare/CodeGen/SharedSpilling.h"
#include "regshare/Frontend/KernelAnnotations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regshare {

/// Gives the kernels that have no bound of their own the one of -maxrregcount.
static void boundRegisters(Module &M, unsigned MaxRegisters) {
  constexpr char Bound[] = "nvvm.maxnreg";
  for (Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel &&
        !F.hasFnAttribute(Bound))
      F.addFnAttr(Bound, utostr(MaxRegisters));
}

/// NVPTX's function that computes \p I with less accuracy, or not_intrinsic.
static Intrinsic::ID approximationOf(const Instruction &I,
                                     const CommandLine &C) {
  if (!I.getType()->isFloatTy())
    return Intrinsic::not_intrinsic;
  bool Flushes =
      I.getFunction()->getDenormalMode(APFloat::IEEEsingle()).Output ==
      DenormalMode::PreserveSign;
  if (I.getOpcode() == Instruction::FDiv && !C.PreciseDivision)
    return Flushes ? Intrinsic::nvvm_div_full_ftz : Intrinsic::nvvm_div_full;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && Call->getIntrinsicID() == Intrinsic::sqrt && !C.PreciseSquareRoot)
    return Flushes ? Intrinsic::nvvm_sqrt_approx_ftz_f
                   : Intrinsic::nvvm_sqrt_approx_f;
  return Intrinsic::not_intrinsic;
}

/// -prec-div=false and -prec-sqrt=false, where the code does not ask for less
/// accuracy itself.
static void relaxPrecision(Function &F, const CommandLine &C) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Intrinsic::ID Approximation = approximationOf(I, C);
    if (Approximation == Intrinsic::not_intrinsic || I.hasApproxFunc())
      continue;
    IRBuilder<> B(&I);
    SmallVector<Value *, 2> Operands{I.getOperand(0)};
    if (I.getOpcode() == Instruction::FDiv)
      Operands.push_back(I.getOperand(1));
    I.replaceAllUsesWith(B.CreateIntrinsic(Approximation, {}, Operands));
    I.eraseFromParent();
  }
}

/// -restrict: as if every pointer among a kernel's parameters said so.
static void restrictPointers(Module &M) {
  for (Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      for (llvm::Argument &A : F.args())
        if (A.getType()->isPointerTy() && !A.hasByValAttr())
          A.addAttr(Attribute::NoAlias);
}

namespace {
/// Finds functions with something in them, or in what they call, that the
/// pragma for shared spilling does not go with.
class PragmaCheck {
public:
  bool isAgainst(const Function &F) {
    if (F.isDeclaration() || OnPath.contains(&F))
      return true; // Nobody inlines what is not there, or calls itself.
    if (!Seen.insert(&F).second)
      return false;
    OnPath.insert(&F);
    bool Found = any_of(instructions(F),
                        [&](const Instruction &I) { return isAgainst(I); });
    OnPath.erase(&F);
    return Found;
  }

private:
  /// An indirect call, a call of such a function, or dynamic shared memory.
  bool isAgainst(const Instruction &I) {
    if (const auto *Call = dyn_cast<CallBase>(&I);
        Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm())
      if (!Call->getCalledFunction() || isAgainst(*Call->getCalledFunction()))
        return true;
    return any_of(I.operands(), [&](const Use &U) { return isDynamic(U); });
  }

  static bool isDynamic(const Value *V) {
    if (const auto *G = dyn_cast<GlobalVariable>(V))
      return G->getAddressSpace() == 3 && G->isDeclaration();
    const auto *C = dyn_cast<ConstantExpr>(V);
    return C &&
           any_of(C->operands(), [](const Use &U) { return isDynamic(U); });
  }

  SmallPtrSet<const Function *, 8> Seen, OnPath;
};
} // namespace

/// --smem-spilling: as if every kernel said so, but those for which ptxas ends
/// with an error then.
static void spillToShared(Module &M) {
  LLVMContext &Context = M.getContext();
  InlineAsm *Pragma =
      InlineAsm::get(FunctionType::get(Type::getVoidTy(Context), false),
                     (".pragma \"" + SharedSpillingPragma + "\";").str(), "",
                     /*hasSideEffects=*/true);
  for (Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel &&
        !PragmaCheck().isAgainst(F))
      IRBuilder<>(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca())
          .CreateCall(Pragma);
}

Expected<std::string> readDeviceModule(const std::string &Path,
                                       const CommandLine &C) {
  auto Buffer = MemoryBuffer::getFile(Path, false, false, /*Volatile=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  bool Relaxed = !C.PreciseDivision || !C.PreciseSquareRoot;
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile((*Buffer)->getMemBufferRef(), Context);
  if (!M)
    return M.takeError();
  bool HasChanged = takeKernelAnnotations(**M);
  if (!HasChanged && !C.MaxRegisters && !Relaxed && !C.Restrict &&
      !C.SharedSpilling)
    return (*Buffer)->getBuffer().str();
  if (C.MaxRegisters)
    boundRegisters(**M, C.MaxRegisters);
  if (C.Restrict)
    restrictPointers(**M);
  if (C.SharedSpilling)
    spillToShared(**M);
  if (Relaxed)
    for (Function &F : **M)
      relaxPrecision(F, C);
  std::string Contents;
  raw_string_ostream OS(Contents);
  WriteBitcodeToFile(**M, OS, /*ShouldPreserveUseListOrder=*/true);
  return Contents;
}

Expected<std::string> ptxVersionOf(StringRef Bitcode) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "device code"), Context);
  if (!M)
    return M.takeError();
  for (const Function &F : **M) {
    StringRef Features = F.getFnAttribute("target-features").getValueAsString();
    for (StringRef Feature : split(Features, ','))
      if (Feature.consume_front("+") && Feature.starts_with("ptx"))
        return Feature.str();
  }
  return std::string();
}

Error writeFile(const std::string &Path, StringRef Contents) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (EC)
    return createFileError(Path, EC);
  OS << Contents;
  OS.close();
  return OS.has_error() ? createFileError(Path, OS.error()) : Error::success();
}

} // namespace regshare
