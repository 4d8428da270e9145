//===- InlineDeviceFunctions.cpp - Kernels without calls -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/InlineDeviceFunctions.h"

#include "Recursion.h"
#include "regshare/Base/DeviceCalls.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/ExpandVariadics.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace regshare;

bool regshare::isKernel(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel;
}

SmallVector<Function *, 4> regshare::kernelsOf(Module &M) {
  SmallVector<Function *, 4> Kernels;
  for (Function &F : M)
    if (isKernel(F))
      Kernels.push_back(&F);
  return Kernels;
}

/// What the device's own runtime provides: calls that stay calls. The reflect
/// functions are resolved by NVPTX's code generation.
static bool isDeviceRuntime(StringRef Name) {
  return deviceCallOf(Name) != DeviceCall::None || Name == "__nvvm_reflect" ||
         Name == "__nvvm_reflect_ocl";
}

static std::string quoted(const Function &F) {
  return "'" + demangle(F.getName()) + "'";
}

/// The callee, through casts and aliases; null for an indirect call.
static Function *calleeOf(const CallBase &CB) {
  return dyn_cast<Function>(
      CB.getCalledOperand()->stripPointerCastsAndAliases());
}

static bool isIndirect(const CallBase &CB) {
  return !CB.isInlineAsm() && !calleeOf(CB);
}

static SmallVector<CallBase *, 8> callsIn(Function &F) {
  SmallVector<CallBase *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      Calls.push_back(CB);
  return Calls;
}

namespace {

/// Functions that a call through a pointer is compared with, and how often what
/// they call through pointers is looked at in turn.
constexpr unsigned MostTargets = 32, MostRounds = 4;

/// alloca came with PTX 7.3 (PTX ISA, release notes).
constexpr unsigned StackPTX = 73;

class DeviceInliner {
public:
  DeviceInliner(Module &M, unsigned OptLevel, TargetMachine *TM)
      : M(M), OptLevel(OptLevel), TM(TM), PB(TM) {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  Error run();

private:
  Error visit(Function &F);
  Error inlineInto(Function &F, const RecursiveFunctions &Recursive);
  Error mergeCyclesInto(Function &F, const RecursiveFunctions &Recursive);
  Error inlineAll();
  Error checkCalls(Function &Kernel);
  void resolveIndirectCalls();
  unsigned numIndirectCalls();
  Error inlineWhatIsKnown();
  bool compareTargets(CallBase &CB);
  void compareTargetsOfTargets();
  Error compareAllTargets();
  void cleanUp();
  void dropDeadFunctions();

  Error errorAt(const CallBase &CB, const Twine &Message) const;
  /// "kernel 'k'" or "'f', which kernel 'k' calls".
  std::string whereIs(const CallBase &CB) const;

  Module &M;
  unsigned OptLevel;
  TargetMachine *TM; ///< May be null.
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;

  Function *Kernel = nullptr; ///< Whose callees are being visited.
  SetVector<Function *> Path; ///< From Kernel to the function being visited.
  SetVector<Function *> Done; ///< Callees before callers.
  SmallPtrSet<Function *, 8> Changed; ///< Kernels that something went into.
};

} // namespace

Error DeviceInliner::errorAt(const CallBase &CB, const Twine &Message) const {
  SourcePlace Place = SourcePlace::of(CB.getDebugLoc());
  if (Place.File.empty())
    Place.File = M.getModuleIdentifier();
  return inputError(std::move(Place), Message);
}

std::string DeviceInliner::whereIs(const CallBase &CB) const {
  const Function *F = CB.getFunction();
  if (F == Kernel)
    return "kernel " + quoted(*F);
  return "device function " + quoted(*F) + ", called from kernel " +
         quoted(*Kernel);
}

/// Makes calls through an alias, or with another signature than the callee's,
/// ordinary direct calls.
static void makeCallsDirect(Module &M) {
  for (Function &F : M)
    for (CallBase *CB : callsIn(F)) {
      Function *Callee = calleeOf(*CB);
      if (!Callee || CB->getCalledFunction() == Callee)
        continue;
      if (isLegalToPromote(*CB, Callee))
        promoteCall(*CB, Callee);
    }
}

/// Depth first over the calls of \p F: appends to Done what is reached, callees
/// first.
Error DeviceInliner::visit(Function &F) {
  Path.insert(&F);
  for (CallBase *CB : callsIn(F)) {
    Function *Callee = calleeOf(*CB);
    if (!Callee || Callee->isDeclaration())
      continue;
    if (isKernel(*Callee))
      return errorAt(*CB, whereIs(*CB) + " calls kernel " + quoted(*Callee) +
                              ": a kernel can only be launched");
    if (Path.contains(Callee) || Done.contains(Callee))
      continue;
    if (Error E = visit(*Callee))
      return E;
  }
  Path.remove(&F);
  Done.insert(&F);
  return Error::success();
}

/// Leaves calls of functions that reach themselves.
Error DeviceInliner::inlineInto(Function &F,
                                const RecursiveFunctions &Recursive) {
  for (CallBase *CB : callsIn(F)) {
    Function *Callee = CB->getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Recursive.cycleOf(*Callee))
      continue;
    InlineFunctionInfo IFI;
    InlineResult Result = isInlineViable(*Callee);
    if (Result.isSuccess())
      Result = InlineFunction(*CB, IFI, /*MergeAttributes=*/true,
                              /*CalleeAAR=*/nullptr,
                              /*InsertLifetime=*/OptLevel > 0);
    if (!Result.isSuccess())
      return errorAt(*CB, "cannot inline " + quoted(*Callee) + " into " +
                              whereIs(*CB) + ": " + Result.getFailureReason());
    Changed.insert(&F);
  }
  return Error::success();
}

/// Other functions than kernels, and those of another cycle, become a part of
/// their callers first.
Error DeviceInliner::mergeCyclesInto(Function &F,
                                     const RecursiveFunctions &Recursive) {
  const RecursiveFunctions::Cycle *Own = Recursive.cycleOf(F);
  if (!Own && !isKernel(F))
    return Error::success();
  for (CallBase *CB : callsIn(F)) {
    Function *Callee = CB->getCalledFunction();
    const RecursiveFunctions::Cycle *Called =
        Callee ? Recursive.cycleOf(*Callee) : nullptr;
    if (!Called || Called == Own)
      continue;
    std::string Name = quoted(*Callee), Where = whereIs(*CB);
    if (unsigned Version = TM ? ptxVersion(*TM) : StackPTX; Version < StackPTX)
      return errorAt(*CB, Where + " calls " + Name +
                              ", which calls itself: expected +ptx" +
                              Twine(StackPTX) +
                              " or later, where PTX has a stack, found +ptx" +
                              Twine(Version));
    if (InlineResult Result = mergeRecursion(*CB, *Called); !Result.isSuccess())
      return errorAt(*CB, "cannot make " + Name +
                              ", which calls itself, a part of " + Where +
                              ": " + Result.getFailureReason());
    Changed.insert(&F);
  }
  return Error::success();
}

Error DeviceInliner::inlineAll() {
  makeCallsDirect(M);
  RecursiveFunctions Recursive(M);
  Done.clear();
  for (Function *K : kernelsOf(M)) {
    Kernel = K;
    Path.clear();
    unsigned First = Done.size();
    if (Error E = visit(*K))
      return E;
    for (Function *F : drop_begin(Done, First)) {
      if (Error E = inlineInto(*F, Recursive))
        return E;
      if (Error E = mergeCyclesInto(*F, Recursive))
        return E;
    }
  }
  return Error::success();
}

/// After inlining, only the device's runtime may still be called.
Error DeviceInliner::checkCalls(Function &F) {
  Kernel = &F;
  for (CallBase *CB : callsIn(F)) {
    if (CB->isInlineAsm())
      continue;
    Function *Callee = calleeOf(*CB);
    if (!Callee)
      return errorAt(*CB, "indirect call in " + whereIs(*CB) +
                              ": the function it reaches is not known when "
                              "registers are assigned");
    if (!Callee->isDeclaration())
      return errorAt(*CB, whereIs(*CB) + " calls " + quoted(*Callee) +
                              " with another signature than it has");
    if (!Callee->isIntrinsic() && !isDeviceRuntime(Callee->getName()))
      return errorAt(*CB, whereIs(*CB) + " calls " + quoted(*Callee) +
                              ", which the module does not define");
  }
  return Error::success();
}

/// Once a function pointer has met its call in one kernel, propagating
/// constants makes the call direct. This much is done at -O0 too, where the
/// alternative is an error.
void DeviceInliner::resolveIndirectCalls() {
  FunctionPassManager FPM;
  if (OptLevel > 0) {
    FPM = PB.buildFunctionSimplificationPipeline(OptimizationLevel::O1,
                                                 ThinOrFullLTOPhase::None);
  } else {
    FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
    FPM.addPass(EarlyCSEPass());
    FPM.addPass(InstSimplifyPass());
    FPM.addPass(SimplifyCFGPass());
  }
  for (Function *K : kernelsOf(M))
    if (any_of(callsIn(*K), [](CallBase *CB) { return isIndirect(*CB); }))
      FPM.run(*K, FAM);
  FAM.clear();
}

unsigned DeviceInliner::numIndirectCalls() {
  unsigned N = 0;
  for (Function *K : kernelsOf(M))
    N += count_if(callsIn(*K), [](CallBase *CB) { return isIndirect(*CB); });
  return N;
}

/// A function pointer may lead to another one: again while it helps.
Error DeviceInliner::inlineWhatIsKnown() {
  if (Error E = inlineAll())
    return E;
  for (unsigned Left = numIndirectCalls(), Last = Left + 1;
       Left && Left < Last;) {
    resolveIndirectCalls();
    if (Error E = inlineAll())
      return E;
    Last = std::exchange(Left, numIndirectCalls());
  }
  return Error::success();
}

/// Makes a call through a pointer a call of each function that it can reach,
/// after a comparison: those of its type whose address the module takes.
/// Nothing else has an address, so that the call after all of them traps. False
/// if there are none, or too many.
bool DeviceInliner::compareTargets(CallBase &CB) {
  SmallVector<Function *, 8> Targets;
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) && F.hasAddressTaken() &&
        F.getFunctionType() == CB.getFunctionType() && isLegalToPromote(CB, &F))
      Targets.push_back(&F);
  if (Targets.empty() || Targets.size() > MostTargets)
    return false;
  for (Function *F : Targets)
    promoteCallWithIfThenElse(CB, F);
  // LLVM's own trap ends the way, so that threads with different targets would
  // not meet after the call.
  IRBuilder<> B(&CB);
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "trap;",
                              "", /*hasSideEffects=*/true));
  CB.replaceAllUsesWith(PoisonValue::get(CB.getType()));
  CB.eraseFromParent();
  return true;
}

/// A function that a pointer leads to may call through pointers itself, its own
/// caller among others. So these calls become direct before anything is
/// inlined, and a recursion through pointers becomes one that is direct.
void DeviceInliner::compareTargetsOfTargets() {
  SetVector<Function *> Reached;
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) && F.hasAddressTaken())
      Reached.insert(&F);
  for (unsigned N = 0; N != Reached.size(); ++N)
    for (CallBase *CB : callsIn(*Reached[N])) {
      Function *Callee = calleeOf(*CB);
      if (Callee && !Callee->isDeclaration())
        Reached.insert(Callee);
      else if (isIndirect(*CB))
        compareTargets(*CB);
    }
}

/// What was called may have brought calls through pointers that were not looked
/// at: after some rounds there is no end to it.
Error DeviceInliner::compareAllTargets() {
  if (numIndirectCalls())
    compareTargetsOfTargets();
  for (unsigned Round = 0; Round != MostRounds && numIndirectCalls(); ++Round) {
    bool Helped = false;
    for (Function *K : kernelsOf(M))
      for (CallBase *CB : callsIn(*K))
        if (isIndirect(*CB) && compareTargets(*CB)) {
          Helped = true;
          Changed.insert(K);
        }
    if (!Helped)
      break;
    if (Error E = inlineWhatIsKnown())
      return E;
  }
  return Error::success();
}

void DeviceInliner::cleanUp() {
  OptimizationLevel Level = OptLevel == 1   ? OptimizationLevel::O1
                            : OptLevel == 2 ? OptimizationLevel::O2
                                            : OptimizationLevel::O3;
  FunctionPassManager FPM =
      PB.buildFunctionSimplificationPipeline(Level, ThinOrFullLTOPhase::None);
  for (Function *K : kernelsOf(M))
    if (Changed.contains(K) && !K->hasOptNone())
      FPM.run(*K, FAM);
}

/// A device function that a table still names stays; nothing outside of the
/// module can name one.
void DeviceInliner::dropDeadFunctions() {
  SmallVector<GlobalValue *, 8> Used;
  collectUsedGlobalVariables(M, Used, /*CompilerUsed=*/false);
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) && !is_contained(Used, &F)) {
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
      F.setVisibility(GlobalValue::DefaultVisibility);
    }
  GlobalDCEPass().run(M, MAM);
}

/// LLVM writes these of libdevice's as PTX with a register of its own, which
/// has no architected one. As plain code they are what they are: a half of what
/// is there.
static void splitDoubles(Module &M) {
  for (Intrinsic::ID ID : {Intrinsic::nvvm_d2i_hi, Intrinsic::nvvm_d2i_lo}) {
    Function *F = Intrinsic::getDeclarationIfExists(&M, ID);
    if (!F)
      continue;
    for (User *U : make_early_inc_range(F->users())) {
      auto *Call = cast<CallInst>(U);
      IRBuilder<> B(Call);
      Value *Bits = B.CreateBitCast(Call->getArgOperand(0), B.getInt64Ty());
      if (ID == Intrinsic::nvvm_d2i_hi)
        Bits = B.CreateLShr(Bits, 32);
      Call->replaceAllUsesWith(B.CreateTrunc(Bits, B.getInt32Ty()));
      Call->eraseFromParent();
    }
  }
}

Error DeviceInliner::run() {
  splitDoubles(M);
  if (any_of(M, [](const Function &F) {
        return !F.isDeclaration() && F.isVarArg();
      }))
    ExpandVariadicsPass(ExpandVariadicsMode::Lowering).run(M, MAM);

  if (Error E = inlineWhatIsKnown())
    return E;
  if (Error E = compareAllTargets())
    return E;
  for (Function *K : kernelsOf(M))
    if (Error E = checkCalls(*K))
      return E;

  if (OptLevel > 0 && !Changed.empty())
    cleanUp();
  dropDeadFunctions();
  return Error::success();
}

Error regshare::inlineDeviceFunctions(Module &M, unsigned OptLevel,
                                      TargetMachine *TM) {
  return DeviceInliner(M, OptLevel, TM).run();
}
