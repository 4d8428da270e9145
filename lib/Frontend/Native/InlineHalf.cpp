//===- InlineHalf.cpp - Half precision written as inline PTX --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CUDA's header has an addition or a multiplication of half precision as
/// inline PTX, which nobody looks into before ptxas: that makes one
/// multiply-addition of both. So it becomes LLVM's here. What names its
/// rounding (`mul.rn`) is not contracted, and stays as it is; and so does what
/// has a constant, with which LLVM computes another NaN than PTX.
///
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "regshare/CodeGen/InlinePTX.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/ADCE.h"

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regshare {

namespace {
struct HalfOperation {
  Instruction::BinaryOps Opcode = Instruction::BinaryOpsEnd;
  bool IsPair = false;
  SmallVector<unsigned, 2> Sources; ///< Of the call's arguments.
};
} // namespace

/// The arguments of the call that the operands `$0,$1,$2` name; fails unless
/// the first is the result.
static bool readOperands(StringRef Text, HalfOperation &Op) {
  SmallVector<StringRef, 4> Operands;
  Text.split(Operands, ',');
  for (unsigned N = 0; N != Operands.size(); ++N) {
    unsigned Number = 0;
    StringRef Name = Operands[N].trim();
    if (!Name.consume_front("$") || Name.getAsInteger(10, Number) ||
        (N == 0) != (Number == 0))
      return false;
    if (N)
      Op.Sources.push_back(Number - 1);
  }
  return Op.Sources.size() == 2;
}

static std::optional<HalfOperation> operationOf(const InlineAsm &Asm) {
  std::vector<StringRef> All = inlinePTXInstructions(Asm.getAsmString());
  if (All.size() != 1)
    return std::nullopt;
  auto [Name, Operands] = All.front().split(' ');
  HalfOperation Op;
  Op.IsPair = Name.ends_with(".f16x2");
  StringRef Stem = Name.drop_back(Op.IsPair ? 6 : 4);
  if (!Op.IsPair && !Name.ends_with(".f16"))
    return std::nullopt;
  Op.Opcode = StringSwitch<Instruction::BinaryOps>(Stem)
                  .Case("add", Instruction::FAdd)
                  .Case("sub", Instruction::FSub)
                  .Case("mul", Instruction::FMul)
                  .Default(Instruction::BinaryOpsEnd);
  bool IsKnown = Op.Opcode != Instruction::BinaryOpsEnd;
  return IsKnown && readOperands(Operands, Op) ? std::optional(Op)
                                               : std::nullopt;
}

/// The value of \p Op, or null where the call's types are not those of it.
static Value *expand(CallInst &Call, const HalfOperation &Op) {
  IRBuilder<> B(&Call);
  Type *Half = B.getHalfTy();
  Type *Ty = Op.IsPair ? FixedVectorType::get(Half, 2) : Half;
  Type *Bits = Op.IsPair ? B.getInt32Ty() : B.getInt16Ty();
  if (Call.getType() != Bits)
    return nullptr;
  SmallVector<Value *, 2> Sources;
  for (unsigned N : Op.Sources) {
    Value *Source = N < Call.arg_size() ? Call.getArgOperand(N) : nullptr;
    if (!Source || Source->getType() != Bits || isa<Constant>(Source))
      return nullptr;
    Sources.push_back(B.CreateBitCast(Source, Ty));
  }
  Value *Result = B.CreateBinOp(Op.Opcode, Sources[0], Sources[1]);
  return B.CreateBitCast(Result, Bits);
}

/// The two halves that \p V packs into 32 bits, if they come around a loop, or
/// from several blocks, by themselves: the low one first.
static std::optional<std::pair<PHINode *, PHINode *>> packedPhis(Value *V) {
  Value *Low = nullptr, *High = nullptr;
  if (!match(V, m_c_Or(m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(16)),
                       m_ZExt(m_Value(Low)))) ||
      !V->getType()->isIntegerTy(32))
    return std::nullopt;
  auto *LowPhi = dyn_cast<PHINode>(Low), *HighPhi = dyn_cast<PHINode>(High);
  if (!LowPhi || !HighPhi || LowPhi->getParent() != HighPhi->getParent() ||
      !Low->getType()->isIntegerTy(16) || !High->getType()->isIntegerTy(16))
    return std::nullopt;
  return std::pair(LowPhi, HighPhi);
}

/// Both halves in one register: the one that they were taken from, if it is
/// one.
static Value *packed(IRBuilder<> &B, Value *Low, Value *High) {
  Value *Whole = nullptr;
  if (match(Low, m_Trunc(m_Value(Whole))) &&
      Whole->getType()->isIntegerTy(32) &&
      match(High, m_Trunc(m_LShr(m_Specific(Whole), m_SpecificInt(16)))))
    return Whole;
  return B.CreateOr(B.CreateShl(B.CreateZExt(High, B.getInt32Ty()), 16),
                    B.CreateZExt(Low, B.getInt32Ty()));
}

/// A pair of halves goes around a loop in one register, as it is used there.
static void packPhis(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto Halves = packedPhis(&I);
    if (!Halves)
      continue;
    auto [Low, High] = *Halves;
    auto *Whole = PHINode::Create(I.getType(), Low->getNumIncomingValues(), "",
                                  Low->getIterator());
    SmallDenseMap<BasicBlock *, Value *> Incoming; // a switch comes twice
    for (BasicBlock *From : Low->blocks()) {
      IRBuilder<> B(From->getTerminator());
      Value *&V = Incoming[From];
      if (!V)
        V = packed(B, Low->getIncomingValueForBlock(From),
                   High->getIncomingValueForBlock(From));
      Whole->addIncoming(V, From);
    }
    I.replaceAllUsesWith(Whole);
  }
}

void expandInlineHalf(Function &F, NativeAnalyses &A) {
  // Then LLVM would flush what is subnormal, which this PTX does not.
  if (F.getFnAttribute("denormal-fp-math-f32")
          .getValueAsString()
          .starts_with("preserve-sign"))
    return;
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    std::optional<HalfOperation> Op =
        Asm ? operationOf(*Asm) : std::optional<HalfOperation>();
    if (Value *Result = Op ? expand(*Call, *Op) : nullptr) {
      Call->replaceAllUsesWith(Result);
      Call->eraseFromParent();
      Changed = true;
    }
  }
  if (!Changed)
    return;
  packPhis(F);
  FunctionPassManager FPM;
  FPM.addPass(ADCEPass());
  A.FAM.invalidate(F, FPM.run(F, A.FAM));
}

} // namespace regshare
