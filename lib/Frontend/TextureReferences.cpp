//===- TextureReferences.cpp - References as handles -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/TextureReferences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

/// The reference that clang's \p Note is about; null if it is about something
/// else.
static GlobalVariable *referenceOf(const MDNode &Note) {
  auto *Kind = Note.getNumOperands() == 3
                   ? dyn_cast<MDString>(Note.getOperand(1))
                   : nullptr;
  if (!Kind ||
      (Kind->getString() != "texture" && Kind->getString() != "surface"))
    return nullptr;
  return mdconst::dyn_extract_or_null<GlobalVariable>(Note.getOperand(0));
}

SmallVector<GlobalVariable *, 8> regshare::textureReferencesOf(Module &M) {
  SmallVector<GlobalVariable *, 8> References;
  if (NamedMDNode *Notes = M.getNamedMetadata("nvvm.annotations"))
    for (MDNode *Note : Notes->operands())
      if (GlobalVariable *V = referenceOf(*Note);
          V && !is_contained(References, V))
        References.push_back(V);
  return References;
}

static void dropNotes(Module &M) {
  NamedMDNode *Notes = M.getNamedMetadata("nvvm.annotations");
  if (!Notes)
    return;
  SmallVector<MDNode *, 8> Others;
  for (MDNode *Note : Notes->operands())
    if (!referenceOf(*Note))
      Others.push_back(Note);
  Notes->clearOperands();
  for (MDNode *Note : Others)
    Notes->addOperand(Note);
}

/// A variable in constant memory that the runtime writes, in place of \p Old.
static GlobalVariable *makeHandle(Module &M, GlobalVariable &Old) {
  Type *Handle = Type::getInt64Ty(M.getContext());
  auto *New = new GlobalVariable(
      M, Handle, /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantInt::get(Handle, 0), "", &Old, GlobalValue::NotThreadLocal,
      NVPTXAS::ADDRESS_SPACE_CONST, /*isExternallyInitialized=*/true);
  New->setAlignment(Align(8));
  New->takeName(&Old);
  return New;
}

void regshare::lowerTextureReferences(Module &M) {
  SmallVector<GlobalVariable *, 8> References = textureReferencesOf(M);
  dropNotes(M);
  SmallVector<GlobalValue *, 8> Handles;
  for (GlobalVariable *Old : References) {
    removeFromUsedLists(
        M, [&](Constant *C) { return C->stripPointerCasts() == Old; });
    GlobalVariable *New = makeHandle(M, *Old);
    Handles.push_back(New);
    for (User *U : make_early_inc_range(Old->users())) {
      auto *Call = dyn_cast<IntrinsicInst>(U);
      if (!Call ||
          Call->getIntrinsicID() != Intrinsic::nvvm_texsurf_handle_internal)
        continue;
      IRBuilder<> Builder(Call);
      LoadInst *Load =
          Builder.CreateAlignedLoad(Call->getType(), New, Align(8));
      Load->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(M.getContext(), {}));
      Call->replaceAllUsesWith(Load);
      Call->eraseFromParent();
    }
    Old->removeDeadConstantUsers();
    if (Old->use_empty())
      Old->eraseFromParent();
  }
  if (!Handles.empty())
    appendToCompilerUsed(M, Handles);
}
