//===- SharedMemory.cpp - Shared memory of a kernel -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/SharedMemory.h"

#include "regshare/CodeGen/SharedSpilling.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace regshare {

/// True if \p V is used by \p F, through constant expressions too.
static bool isUsedBy(const Value &V, const Function &F) {
  for (const User *U : V.users()) {
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (I->getFunction() == &F)
        return true;
    } else if (isa<Constant>(U) && isUsedBy(*U, F)) {
      return true;
    }
  }
  return false;
}

SharedMemoryUse sharedMemory(const Function &Kernel) {
  const DataLayout &DL = Kernel.getDataLayout();
  SharedMemoryUse Use;
  for (const GlobalVariable &G : Kernel.getParent()->globals()) {
    if (G.getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED ||
        !isUsedBy(G, Kernel))
      continue;
    uint64_t Bytes = DL.getTypeAllocSize(G.getValueType());
    if (Bytes == 0 || G.isDeclaration()) {
      Use.Dynamic = true;
      continue;
    }
    Align A = G.getAlign().value_or(DL.getABITypeAlign(G.getValueType()));
    Use.StaticBytes = alignTo(Use.StaticBytes, A) + Bytes;
  }
  if (unsigned Spilled = sharedSpillBytes(Kernel))
    Use.StaticBytes = alignTo(Use.StaticBytes, WidestSpill) + Spilled;
  return Use;
}

} // namespace regshare
