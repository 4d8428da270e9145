//===- Recursion.cpp - Recursive functions inside of kernels -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recursion.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace regshare;

RecursiveFunctions::RecursiveFunctions(Module &M) {
  CallGraph Graph(M);
  for (auto It = scc_begin(&Graph); !It.isAtEnd(); ++It) {
    if (!It.hasCycle())
      continue;
    for (const CallGraphNode *Node : *It)
      if (Function *F = Node->getFunction())
        Numbers[F] = Cycles.size();
    Cycles.emplace_back();
  }
  for (Function &F : M)
    if (auto It = Numbers.find(&F); It != Numbers.end())
      Cycles[It->second].push_back(&F);
}

const RecursiveFunctions::Cycle *
RecursiveFunctions::cycleOf(const Function &F) const {
  auto It = Numbers.find(&F);
  return It == Numbers.end() ? nullptr : &Cycles[It->second];
}

namespace {

/// Which values are alive after an instruction, of those that a function
/// computes. Its own variables, which have an address, are none of them.
class LiveValues {
public:
  explicit LiveValues(Function &F);

  /// In the order of the function.
  SmallVector<Instruction *, 8> after(const Instruction &At) const;

private:
  /// \p Live after the block becomes what is alive before it.
  void passUp(const BasicBlock &BB, BitVector &Live,
              const Instruction *Until = nullptr) const;
  BitVector aliveAtEnd(const BasicBlock &BB) const;

  SmallVector<Instruction *, 0> Values;
  DenseMap<const Value *, unsigned> Numbers;
  DenseMap<const BasicBlock *, BitVector> AtStart;
};

/// A function of the cycle, as a part of the host. Its arguments and its result
/// are in variables, which become values at the end.
struct Body {
  Function *F;
  BasicBlock *Entry = nullptr;
  SmallVector<AllocaInst *, 4> Arguments;
  AllocaInst *Result = nullptr; ///< Null if it returns nothing.
  bool HasVariables = false;    ///< It takes more of the stack than its calls.
};

/// A call that becomes a branch.
struct Site {
  CallBase *Call;
  bool IsInside; ///< The caller is of the cycle, too.
  SmallVector<Instruction *, 8> Live;
};

class Merger {
public:
  Merger(Function &Host, const RecursiveFunctions::Cycle &Cycle);
  InlineResult run(CallBase &Outside, const RecursiveFunctions::Cycle &Cycle);

private:
  InlineResult mergeBody(Function &F, const DILocation *Place);
  void moveToStack(ArrayRef<AllocaInst *> Own);
  SmallVector<CallBase *, 4> callsOfCycle() const;
  void keepInVariables(MutableArrayRef<Site> Sites);
  AllocaInst *demote(Instruction *I);
  void replace(const Site &S, unsigned Number);
  void push(IRBuilder<> &B, const Site &S);
  void pop(IRBuilder<> &B, const Site &S);
  StructType *frameOf(const Site &S) const;
  Value *allocate(IRBuilder<> &B, uint64_t Bytes, Align Alignment) const;
  Value *top(IRBuilder<> &B) const;
  void restore(IRBuilder<> &B, Value *Pointer) const;
  AllocaInst *variable(Type *T, const Twine &Name);

  Function &Host;
  const DataLayout &DL;
  LLVMContext &Context;
  PointerType *LocalPointer;

  MapVector<Function *, Body> Bodies;
  /// Chooses the body that is called; null if there is but one.
  SwitchInst *Callees = nullptr;
  SwitchInst *Returns = nullptr; ///< Chooses the place after the call.
  BasicBlock *CallBlock = nullptr, *ReturnBlock;

  AllocaInst *CalleeNumber = nullptr, *ReturnNumber, *FramePointer;
  /// Of the stack before a call from outside; null if the bodies have no
  /// variables on it.
  AllocaInst *Top = nullptr;
  SmallVector<AllocaInst *, 16> Variables;
  DenseMap<const Instruction *, AllocaInst *> Homes; ///< Of values kept.
};

} // namespace

//===----------------------------------------------------------------------===//
// What is alive
//===----------------------------------------------------------------------===//

/// A variable of the function as a whole has the same address all the time, and
/// tokens cannot be kept.
static bool isKept(const Instruction &I) {
  auto *Variable = dyn_cast<AllocaInst>(&I);
  return !I.getType()->isVoidTy() && !I.getType()->isTokenTy() &&
         !(Variable && Variable->isStaticAlloca());
}

LiveValues::LiveValues(Function &F) {
  for (Instruction &I : instructions(F))
    if (isKept(I)) {
      Numbers[&I] = Values.size();
      Values.push_back(&I);
    }
  for (const BasicBlock &BB : F)
    AtStart[&BB].resize(Values.size());
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const BasicBlock &BB : reverse(F)) {
      BitVector Live = aliveAtEnd(BB);
      passUp(BB, Live);
      BitVector &Known = AtStart[&BB];
      Changed |= Known != Live;
      Known = std::move(Live);
    }
}

BitVector LiveValues::aliveAtEnd(const BasicBlock &BB) const {
  BitVector Live(Values.size());
  for (const BasicBlock *Next : successors(&BB)) {
    Live |= AtStart.find(Next)->second;
    for (const PHINode &Phi : Next->phis())
      if (auto It = Numbers.find(Phi.getIncomingValueForBlock(&BB));
          It != Numbers.end())
        Live.set(It->second);
  }
  return Live;
}

void LiveValues::passUp(const BasicBlock &BB, BitVector &Live,
                        const Instruction *Until) const {
  for (const Instruction &I : reverse(BB)) {
    if (&I == Until)
      return;
    if (auto It = Numbers.find(&I); It != Numbers.end())
      Live.reset(It->second);
    if (isa<PHINode>(I))
      continue; // It reads where its predecessors end.
    for (const Value *Operand : I.operands())
      if (auto It = Numbers.find(Operand); It != Numbers.end())
        Live.set(It->second);
  }
}

SmallVector<Instruction *, 8> LiveValues::after(const Instruction &At) const {
  BitVector Live = aliveAtEnd(*At.getParent());
  passUp(*At.getParent(), Live, &At);
  if (auto It = Numbers.find(&At); It != Numbers.end())
    Live.reset(It->second);
  SmallVector<Instruction *, 8> Found;
  for (unsigned N : Live.set_bits())
    Found.push_back(Values[N]);
  return Found;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Merger::Merger(Function &Host, const RecursiveFunctions::Cycle &Cycle)
    : Host(Host), DL(Host.getDataLayout()), Context(Host.getContext()),
      LocalPointer(PointerType::get(Context, NVPTXAS::ADDRESS_SPACE_LOCAL)) {
  Type *Number = Type::getInt32Ty(Context);
  ReturnNumber = variable(Number, "return.to");
  FramePointer = variable(LocalPointer, "frame");
  ReturnBlock = BasicBlock::Create(Context, "return", &Host);
  auto *Nowhere = BasicBlock::Create(Context, "return.nowhere", &Host);
  IRBuilder<>(Nowhere).CreateUnreachable();
  IRBuilder<> B(ReturnBlock);
  Returns = B.CreateSwitch(B.CreateLoad(Number, ReturnNumber), Nowhere);
  if (Cycle.size() == 1)
    return;
  CalleeNumber = variable(Number, "callee");
  CallBlock = BasicBlock::Create(Context, "call", &Host);
  B.SetInsertPoint(CallBlock);
  Callees = B.CreateSwitch(B.CreateLoad(Number, CalleeNumber), Nowhere);
}

/// A place for a value that differs by the way one has come.
AllocaInst *Merger::variable(Type *T, const Twine &Name) {
  BasicBlock &Entry = Host.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Variable =
      B.CreateAlloca(T, DL.getAllocaAddrSpace(), nullptr, Name);
  Variables.push_back(Variable);
  return Variable;
}

/// Of PTX itself: NVPTX's code generation takes a constant size for a variable
/// of the function as a whole, which there is one of for all calls.
Value *Merger::allocate(IRBuilder<> &B, uint64_t Bytes, Align Alignment) const {
  bool IsShort = DL.getPointerSize(NVPTXAS::ADDRESS_SPACE_LOCAL) == 4;
  std::string Text =
      (Twine("alloca.") + (IsShort ? "u32" : "u64") + " $0, " +
       Twine(alignTo(Bytes, Alignment)) + ", " + Twine(Alignment.value()) + ";")
          .str();
  auto *T = FunctionType::get(LocalPointer, /*isVarArg=*/false);
  return B.CreateCall(InlineAsm::get(T, Text,
                                     IsShort ? "=r,~{memory}" : "=l,~{memory}",
                                     /*hasSideEffects=*/true));
}

/// The place that the next allocation takes.
Value *Merger::top(IRBuilder<> &B) const {
  bool IsShort = DL.getPointerSize(NVPTXAS::ADDRESS_SPACE_LOCAL) == 4;
  auto *T = FunctionType::get(LocalPointer, /*isVarArg=*/false);
  return B.CreateCall(InlineAsm::get(
      T, IsShort ? "stacksave.u32 $0;" : "stacksave.u64 $0;",
      IsShort ? "=r,~{memory}" : "=l,~{memory}", /*hasSideEffects=*/true));
}

/// Gives back \p Pointer, which allocate() or top() returned, and all that came
/// after.
void Merger::restore(IRBuilder<> &B, Value *Pointer) const {
  bool IsShort = DL.getPointerSize(NVPTXAS::ADDRESS_SPACE_LOCAL) == 4;
  Type *Parameter = LocalPointer;
  auto *T = FunctionType::get(B.getVoidTy(), Parameter, /*isVarArg=*/false);
  B.CreateCall(InlineAsm::get(
                   T, IsShort ? "stackrestore.u32 $0;" : "stackrestore.u64 $0;",
                   IsShort ? "r,~{memory}" : "l,~{memory}",
                   /*hasSideEffects=*/true),
               {Pointer});
}

/// Inlining has made the variables of a function variables of the host, of
/// which there would be one for all calls that have not returned.
void Merger::moveToStack(ArrayRef<AllocaInst *> Own) {
  for (AllocaInst *Variable : Own) {
    for (User *U : make_early_inc_range(Variable->users()))
      if (auto *Marker = dyn_cast<LifetimeIntrinsic>(U))
        Marker->eraseFromParent();
    IRBuilder<> B(Variable);
    Value *Place = allocate(B, Variable->getAllocationSize(DL)->getFixedValue(),
                            Variable->getAlign());
    Place = B.CreateAddrSpaceCast(Place, Variable->getType());
    Place->takeName(Variable);
    Variable->replaceAllUsesWith(Place);
    Variable->eraseFromParent();
  }
}

/// LLVM's inliner makes the copy, of a call that nothing reaches yet.
InlineResult Merger::mergeBody(Function &F, const DILocation *Place) {
  Body &Made = Bodies[&F];
  Made.F = &F;
  Made.Entry = BasicBlock::Create(Context, F.getName(), &Host, ReturnBlock);
  IRBuilder<> B(Made.Entry);
  B.SetCurrentDebugLocation(Place);
  SmallVector<Value *, 4> Arguments;
  for (Argument &A : F.args()) {
    Made.Arguments.push_back(variable(A.getType(), A.getName()));
    Arguments.push_back(B.CreateLoad(A.getType(), Made.Arguments.back()));
    // noalias is a promise for one call only; the body serves all of them.
    F.removeParamAttr(A.getArgNo(), Attribute::NoAlias);
  }
  Made.HasVariables = any_of(
      instructions(F), [](const Instruction &I) { return isa<AllocaInst>(I); });
  CallInst *Call = B.CreateCall(&F, Arguments);
  Call->setCallingConv(F.getCallingConv());
  for (Argument &A : F.args())
    if (Type *T = A.getParamByValType())
      Call->addParamAttr(A.getArgNo(), Attribute::getWithByValType(Context, T));
  if (!F.getReturnType()->isVoidTy()) {
    Made.Result = variable(F.getReturnType(), F.getName() + ".result");
    B.CreateStore(Call, Made.Result);
  }
  B.CreateBr(ReturnBlock);

  InlineFunctionInfo Info;
  InlineResult Result =
      InlineFunction(*Call, Info, /*MergeAttributes=*/true,
                     /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
  if (!Result.isSuccess())
    return Result;
  Made.HasVariables |= !Info.StaticAllocas.empty();
  for (AllocaInst *Variable : Info.StaticAllocas)
    Variable->moveBefore(*Made.Entry, Made.Entry->getFirstInsertionPt());
  moveToStack(Info.StaticAllocas);
  return InlineResult::success();
}

SmallVector<CallBase *, 4> Merger::callsOfCycle() const {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(Host))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Bodies.contains(Call->getCalledFunction()))
        Calls.push_back(Call);
  return Calls;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A number that optimisers do not see. If they did, they would make a call and
/// the return from it, or the next call, a way of its own, and with it a loop
/// of several entries, which LLVM is not made for.
static Value *opaque(IRBuilder<> &B, unsigned Number) {
  auto *T = FunctionType::get(B.getInt32Ty(), /*isVarArg=*/false);
  std::string Text = ("mov.b32 $0, " + Twine(Number) + ";").str();
  return B.CreateCall(InlineAsm::get(T, Text, "=r", /*hasSideEffects=*/false));
}

/// What is alive after a call is no longer computed before it on each way that
/// leads there, so it gets a variable.
void Merger::keepInVariables(MutableArrayRef<Site> Sites) {
  LiveValues Live(Host);
  SetVector<Instruction *> All;
  for (Site &S : Sites) {
    S.Live = Live.after(*S.Call);
    All.insert(S.Live.begin(), S.Live.end());
  }
  for (Instruction *I : All)
    Homes[I] = demote(I);
}

/// Makes \p I a variable, which is read at each use.
AllocaInst *Merger::demote(Instruction *I) {
  auto Point = Host.getEntryBlock().begin();
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    // LLVM reads this one where the phi was, once for all uses.
    Variables.push_back(DemotePHIToStack(Phi, Point));
    I = cast<Instruction>(*find_if(Variables.back()->users(),
                                   [](User *U) { return isa<LoadInst>(U); }));
  }
  Variables.push_back(DemoteRegToStack(*I, /*VolatileLoads=*/false, Point));
  return Variables.back();
}

/// The caller's frame, where its own call returns to, and what is alive.
StructType *Merger::frameOf(const Site &S) const {
  SmallVector<Type *, 8> Fields{LocalPointer, Type::getInt32Ty(Context)};
  for (const Instruction *I : S.Live)
    Fields.push_back(Homes.lookup(I)->getAllocatedType());
  return StructType::get(Context, Fields);
}

void Merger::push(IRBuilder<> &B, const Site &S) {
  StructType *Frame = frameOf(S);
  Value *Place =
      allocate(B, DL.getTypeAllocSize(Frame), DL.getABITypeAlign(Frame));
  unsigned Field = 0;
  auto Save = [&](AllocaInst *Variable) {
    Value *Now = B.CreateLoad(Variable->getAllocatedType(), Variable);
    B.CreateStore(Now, B.CreateStructGEP(Frame, Place, Field++));
  };
  Save(FramePointer);
  Save(ReturnNumber);
  for (const Instruction *I : S.Live)
    Save(Homes.lookup(I));
  B.CreateStore(Place, FramePointer);
}

void Merger::pop(IRBuilder<> &B, const Site &S) {
  StructType *Frame = frameOf(S);
  Value *Place = B.CreateLoad(LocalPointer, FramePointer);
  unsigned Field = 0;
  auto Load = [&](AllocaInst *Variable) {
    Value *From = B.CreateStructGEP(Frame, Place, Field++);
    B.CreateStore(B.CreateLoad(Variable->getAllocatedType(), From), Variable);
  };
  Load(FramePointer);
  Load(ReturnNumber);
  for (const Instruction *I : S.Live)
    Load(Homes.lookup(I));
  restore(B, Place);
}

/// A call from outside has nothing to push: what is alive there stays in
/// registers, which the bodies do not write. But nothing else ends the
/// outermost body's variables.
void Merger::replace(const Site &S, unsigned Number) {
  const Body &Callee = Bodies.find(S.Call->getCalledFunction())->second;
  BasicBlock *Before = S.Call->getParent();
  BasicBlock *After =
      Before->splitBasicBlock(std::next(S.Call->getIterator()), "after.call");
  Before->getTerminator()->eraseFromParent();

  IRBuilder<> B(S.Call);
  if (S.IsInside)
    push(B, S);
  else if (Top)
    B.CreateStore(top(B), Top);
  for (auto [Variable, Value] : zip(Callee.Arguments, S.Call->args()))
    B.CreateStore(Value, Variable);
  B.CreateStore(opaque(B, Number), ReturnNumber);
  if (Callees) {
    auto Index = unsigned(Bodies.find(Callee.F) - Bodies.begin());
    B.CreateStore(opaque(B, Index), CalleeNumber);
  }
  B.SetInsertPoint(Before);
  B.SetCurrentDebugLocation(S.Call->getDebugLoc());
  B.CreateBr(Callees ? CallBlock : Callee.Entry);

  Returns->addCase(B.getInt32(Number), After);
  B.SetInsertPoint(After, After->begin());
  if (Callee.Result)
    S.Call->replaceAllUsesWith(B.CreateLoad(S.Call->getType(), Callee.Result));
  if (S.IsInside)
    pop(B, S);
  else if (Top)
    restore(B, B.CreateLoad(LocalPointer, Top));
  S.Call->eraseFromParent();
}

InlineResult Merger::run(CallBase &Outside,
                         const RecursiveFunctions::Cycle &Cycle) {
  for (Function *F : Cycle)
    Bodies[F].F = F;
  const SmallVector<CallBase *, 4> Before = callsOfCycle();
  for (Function *F : Cycle) {
    InlineResult Result = mergeBody(*F, Outside.getDebugLoc().get());
    if (!Result.isSuccess())
      return Result;
    if (Callees)
      Callees->addCase(
          ConstantInt::get(Type::getInt32Ty(Context), Callees->getNumCases()),
          Bodies[F].Entry);
  }
  if (any_of(Bodies, [&](const auto &B) { return B.second.HasVariables; }))
    Top = variable(LocalPointer, "top");
  SmallVector<Site, 4> Sites;
  for (CallBase *Call : callsOfCycle())
    if (Call == &Outside || !is_contained(Before, Call))
      Sites.push_back({Call, Call != &Outside, {}});
  keepInVariables(Sites);
  for (const auto &[Number, S] : enumerate(Sites))
    replace(S, unsigned(Number));

  DominatorTree DT(Host);
  PromoteMemToReg(Variables, DT);
  return InlineResult::success();
}

InlineResult regshare::mergeRecursion(CallBase &Call,
                                      const RecursiveFunctions::Cycle &Cycle) {
  return Merger(*Call.getFunction(), Cycle).run(Call, Cycle);
}
