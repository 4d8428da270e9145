//===- UnsetArguments.cpp - Arguments that only some lanes have set -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plug-in of clang for device code in the form of PTX; see
/// regshare/Frontend/UnsetArguments.h. It runs before LLVM's own passes.
///
//===----------------------------------------------------------------------===//

#include "regshare/Base/Version.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

/// The values of a module that are undefined on some way to them, followed
/// through calls. Variables have to be values already, not memory.
class UnsetValues {
public:
  explicit UnsetValues(Module &M) {
    for (Function &F : M)
      if (!F.isDeclaration())
        Changed.insert(&F);
    while (!Changed.empty())
      visit(*Changed.pop_back_val());
  }

  bool contains(const Value *V) const {
    return isa<UndefValue>(V) || Unset.contains(V);
  }
  bool isResultOf(const Function *F) const { return Results.contains(F); }

private:
  void visit(Function &F);
  bool isUnset(const Instruction &I) const;
  void pass(const CallBase &Call);
  void returnFrom(Function &F);

  DenseSet<const Value *> Unset;
  DenseSet<const Function *> Results;
  /// Functions with an argument or a call that was not known to be unset when
  /// they were visited last.
  SetVector<Function *> Changed;
};

} // namespace

/// Whether \p I hands on what its operands lack. What lanes exchange is set
/// where the program is right.
static bool handsOn(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return !Call->getCalledFunction()->getName().starts_with("llvm.nvvm.");
  return !isa<CallBase, LoadInst, FreezeInst>(I) && !I.getType()->isVoidTy();
}

bool UnsetValues::isUnset(const Instruction &I) const {
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (const Function *Callee = Call->getCalledFunction();
        Callee && Results.contains(Callee))
      return true;
  if (!handsOn(I))
    return false;
  // A structure is put together from one that has nothing yet.
  bool IsBuilt = isa<InsertValueInst, InsertElementInst, ShuffleVectorInst>(I);
  return any_of(I.operands(), [&](const Use &U) {
    return Unset.contains(U) || (!IsBuilt && isa<UndefValue>(U));
  });
}

/// Tells the function that \p Call calls what it is given.
void UnsetValues::pass(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration())
    return;
  for (Argument &Parameter : Callee->args())
    if (contains(Call.getArgOperand(Parameter.getArgNo())) &&
        Unset.insert(&Parameter).second)
      Changed.insert(Callee);
}

/// Tells the functions that call \p F what they get.
void UnsetValues::returnFrom(Function &F) {
  if (!Results.insert(&F).second)
    return;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      Changed.insert(Call->getFunction());
}

void UnsetValues::visit(Function &F) {
  bool IsNew = true;
  while (IsNew) {
    IsNew = false;
    for (Instruction &I : instructions(F))
      if (isUnset(I))
        IsNew |= Unset.insert(&I).second;
  }
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      pass(*Call);
    else if (auto *Return = dyn_cast<ReturnInst>(&I))
      if (Value *Result = Return->getReturnValue(); Result && contains(Result))
        returnFrom(F);
  }
}

/// Makes values of the variables of \p M whose addresses are not taken.
static void promoteVariables(Module &M) {
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  SROAPass Promote(SROAOptions::PreserveCFG);
  for (Function &F : M)
    if (!F.isDeclaration())
      Promote.run(F, FAM);
}

static bool allowUnset(CallBase &Call, const CallBase &Copy,
                       const UnsetValues &Unset) {
  bool Any = false;
  for (unsigned I = 0, E = Call.arg_size(); I != E; ++I)
    if (Unset.contains(Copy.getArgOperand(I)) &&
        Call.getAttributes().hasParamAttr(I, Attribute::NoUndef)) {
      Call.removeParamAttr(I, Attribute::NoUndef);
      Any = true;
    }
  if (const Function *Callee = Copy.getCalledFunction();
      Callee && Unset.isResultOf(Callee) &&
      Call.getAttributes().hasRetAttr(Attribute::NoUndef)) {
    Call.removeRetAttr(Attribute::NoUndef);
    Any = true;
  }
  return Any;
}

namespace {

/// Takes `noundef` from what UnsetValues finds in a copy of the module.
struct UnsetArgumentsPass : PassInfoMixin<UnsetArgumentsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    ValueToValueMapTy Copies;
    std::unique_ptr<Module> Copy = CloneModule(M, Copies);
    promoteVariables(*Copy);
    const UnsetValues Unset(*Copy);
    bool Any = false;
    for (Function &F : M)
      if (!F.isDeclaration())
        Any |= change(F, Copies, Unset);
    return Any ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

private:
  static bool change(Function &F, const ValueToValueMapTy &Copies,
                     const UnsetValues &Unset) {
    bool Any = false;
    auto *Copy = cast<Function>(Copies.lookup(&F));
    for (Argument &A : F.args())
      if (A.hasAttribute(Attribute::NoUndef) &&
          Unset.contains(Copy->getArg(A.getArgNo()))) {
        A.removeAttr(Attribute::NoUndef);
        Any = true;
      }
    if (Unset.isResultOf(Copy) && F.hasRetAttribute(Attribute::NoUndef)) {
      F.removeRetAttr(Attribute::NoUndef);
      Any = true;
    }
    for (Instruction &I : instructions(F))
      // Promotion takes some calls away, such as those about lifetimes.
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (auto *Copied = dyn_cast_if_present<CallBase>(Copies.lookup(Call)))
          Any |= allowUnset(*Call, *Copied, Unset);
    return Any;
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK ::llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  llvm::PassPluginLibraryInfo Info;
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "RegShareUnsetArguments";
  Info.PluginVersion = REGSHARE_VERSION;
  Info.RegisterPassBuilderCallbacks = [](PassBuilder &PB) {
    PB.registerPipelineStartEPCallback(
        [](ModulePassManager &PM, OptimizationLevel) {
          PM.addPass(UnsetArgumentsPass());
        });
  };
  Info.PreCodeGenCallback = nullptr;
  return Info;
}
