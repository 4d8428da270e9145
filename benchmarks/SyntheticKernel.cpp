//===- SyntheticKernel.cpp - Kernels of any size --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntheticKernel.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <random>

using namespace llvm;

namespace regshare {

namespace {

class Generator {
public:
  Generator(Module &M, uint64_t Seed)
      : M(M), C(M.getContext()), B(C), Random(Seed) {}

  void run(unsigned Instructions) {
    Type *Ptr = PointerType::get(C, 1);
    F = Function::Create(
        FunctionType::get(B.getVoidTy(), {Ptr, Ptr, B.getInt32Ty()}, false),
        Function::ExternalLinkage, "synthetic", M);
    F->setCallingConv(CallingConv::PTX_Kernel);
    B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
    Tid = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
    for (unsigned I = 0; I != MaxValues; ++I)
      Floats.push_back(load(I));
    Integers.assign({Tid, F->getArg(2)});
    while (Made < Instructions)
      statement(/*Depth=*/0);
    for (Value *V : Floats)
      store(V);
    B.CreateRetVoid();
  }

private:
  static constexpr unsigned MaxValues = 24;

  unsigned pick(unsigned N) { return Random() % N; }
  Value *anyFloat() { return Floats[pick(Floats.size())]; }
  Value *anyInteger() { return Integers[pick(Integers.size())]; }
  void push(std::deque<Value *> &To, Value *V, unsigned Most) {
    To.push_back(V);
    if (To.size() > Most)
      To.pop_front();
  }

  Value *address(Value *Index, unsigned Array) {
    Value *Wide = B.CreateSExt(Index, B.getInt64Ty());
    Made += 2;
    return B.CreateGEP(B.getFloatTy(), F->getArg(Array), Wide);
  }
  Value *load(unsigned Offset) {
    ++Made;
    return B.CreateLoad(B.getFloatTy(),
                        address(B.CreateAdd(Tid, B.getInt32(Offset)), 0));
  }
  void store(Value *V) {
    ++Made;
    B.CreateStore(V, address(anyInteger(), 1));
  }

  void arithmetic() {
    ++Made;
    switch (pick(6)) {
    case 0:
      push(Integers, B.CreateAdd(anyInteger(), anyInteger()), 8);
      break;
    case 1:
      push(Integers, B.CreateXor(anyInteger(), B.getInt32(pick(1 << 20))), 8);
      break;
    case 2:
      push(Floats, load(pick(1 << 16)), MaxValues);
      break;
    case 3:
      push(Floats, B.CreateFAdd(anyFloat(), anyFloat()), MaxValues);
      break;
    case 4:
      push(Floats, B.CreateFMul(anyFloat(), anyFloat()), MaxValues);
      break;
    default:
      store(anyFloat());
      break;
    }
  }

  /// A branch around some statements; what it computes meets in PHIs.
  void conditional(unsigned Depth) {
    BasicBlock *Head = B.GetInsertBlock();
    BasicBlock *Then = BasicBlock::Create(C, "then", F);
    BasicBlock *Join = BasicBlock::Create(C, "join", F);
    B.CreateCondBr(B.CreateICmpSLT(anyInteger(), anyInteger()), Then, Join);
    Made += 2;
    std::deque<Value *> Before = Floats, Integral = Integers;
    B.SetInsertPoint(Then);
    body(Depth);
    BasicBlock *End = B.GetInsertBlock();
    B.CreateBr(Join);
    B.SetInsertPoint(Join);
    for (unsigned I = 0; I != 3; ++I) {
      PHINode *Phi = B.CreatePHI(B.getFloatTy(), 2);
      Phi->addIncoming(Before[I], Head);
      Phi->addIncoming(Floats[Floats.size() - 1 - I], End);
      Before[I] = Phi;
    }
    Floats = std::move(Before);
    Integers = std::move(Integral);
  }

  /// A counted loop with two accumulators.
  void loop(unsigned Depth) {
    BasicBlock *Head = B.GetInsertBlock();
    BasicBlock *Body = BasicBlock::Create(C, "loop", F);
    BasicBlock *Exit = BasicBlock::Create(C, "exit", F);
    B.CreateBr(Body);
    B.SetInsertPoint(Body);
    PHINode *Counter = B.CreatePHI(B.getInt32Ty(), 2);
    PHINode *Sum = B.CreatePHI(B.getFloatTy(), 2);
    Counter->addIncoming(B.getInt32(0), Head);
    Sum->addIncoming(Floats.front(), Head);
    std::deque<Value *> Before = Floats, Integral = Integers;
    Integers.push_back(Counter);
    body(Depth);
    Value *Next = B.CreateAdd(Counter, B.getInt32(1));
    Value *Total = B.CreateFAdd(Sum, anyFloat());
    Counter->addIncoming(Next, B.GetInsertBlock());
    Sum->addIncoming(Total, B.GetInsertBlock());
    B.CreateCondBr(B.CreateICmpSLT(Next, F->getArg(2)), Body, Exit);
    Made += 4;
    B.SetInsertPoint(Exit);
    Floats = std::move(Before);
    Integers = std::move(Integral);
    Floats.front() = Total;
  }

  void body(unsigned Depth) {
    for (unsigned I = 0, E = 4 + pick(8); I != E; ++I)
      statement(Depth + 1);
  }

  void statement(unsigned Depth) {
    unsigned Kind = pick(12);
    if (Depth < 3 && Kind == 0)
      loop(Depth);
    else if (Depth < 3 && Kind < 3)
      conditional(Depth);
    else
      arithmetic();
  }

  Module &M;
  LLVMContext &C;
  IRBuilder<> B;
  std::mt19937_64 Random;
  Function *F = nullptr;
  Value *Tid = nullptr;
  std::deque<Value *> Floats, Integers;
  unsigned Made = 0;
};

} // namespace

std::unique_ptr<Module> makeSyntheticKernel(LLVMContext &Context,
                                            unsigned Instructions,
                                            uint64_t Seed) {
  auto M = std::make_unique<Module>("synthetic", Context);
  Generator(*M, Seed).run(Instructions);
  return M;
}

} // namespace regshare
