//===- regshare/Frontend/KernelAnnotations.h --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Attributes of kernels that CUDA has and clang has not, or leaves out of code
/// for NVPTX: __cluster_dims__ and __maxnreg__. Our headers write them as
/// annotations, which clang keeps, and this has kernels say what they mean.
///
/// Header only: regshare-clang++ has no front end linked in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_KERNELANNOTATIONS_H
#define REGSHARE_FRONTEND_KERNELANNOTATIONS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace regshare {

/// LLVM's attribute of a function for an annotation of ours; empty for others.
inline llvm::StringRef attributeOfAnnotation(llvm::StringRef Annotation) {
  return llvm::StringSwitch<llvm::StringRef>(Annotation)
      .Case("regshare.cluster_dims", "nvvm.cluster_dim")
      .Case("regshare.maxnreg", "nvvm.maxnreg")
      .Default("");
}

/// Gives functions of \p M the attributes that their annotations stand for.
/// False if none has any.
inline bool takeKernelAnnotations(llvm::Module &M) {
  using namespace llvm;
  GlobalVariable *All = M.getGlobalVariable("llvm.global.annotations");
  if (!All)
    return false;
  bool Any = false;
  for (const Use &U : cast<ConstantArray>(All->getInitializer())->operands()) {
    auto *Entry = cast<ConstantStruct>(U);
    auto *F = dyn_cast<Function>(Entry->getOperand(0));
    auto *Values = dyn_cast<GlobalVariable>(Entry->getOperand(4));
    StringRef Text;
    if (!F || !Values || !getConstantStringInfo(Entry->getOperand(1), Text))
      continue;
    StringRef Attribute = attributeOfAnnotation(Text);
    if (Attribute.empty())
      continue;
    std::vector<std::string> Numbers;
    for (const Use &V : Values->getInitializer()->operands())
      if (auto *Number = dyn_cast<ConstantInt>(V))
        Numbers.push_back(utostr(Number->getZExtValue()));
    F->addFnAttr(Attribute, join(Numbers, ","));
    Any = true;
  }
  return Any;
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_KERNELANNOTATIONS_H
