//===- ManagedVariables.cpp - What clang has for HIP alone ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ManagedVariables.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regshare {

/// Writes \p C to \p Bytes, which are zero. False if it has an address.
static bool writeValue(const Constant &C, const DataLayout &DL,
                       MutableArrayRef<char> Bytes) {
  if (C.isNullValue() || isa<UndefValue>(C))
    return true;
  if (isa<ConstantInt>(C) || isa<ConstantFP>(C)) {
    auto *Int = dyn_cast<ConstantInt>(&C);
    APInt Bits = Int ? Int->getValue()
                     : cast<ConstantFP>(C).getValueAPF().bitcastToAPInt();
    for (size_t I = 0; I != Bytes.size() && I * 8 < Bits.getBitWidth(); ++I)
      Bytes[I] = char(Bits.lshr(I * 8).getLoBits(8).getZExtValue());
    return true;
  }
  if (auto *Type = dyn_cast<StructType>(C.getType())) {
    const StructLayout &Layout = *DL.getStructLayout(Type);
    for (unsigned I = 0; I != Type->getNumElements(); ++I) {
      const Constant *Part = C.getAggregateElement(I);
      if (!Part ||
          !writeValue(*Part, DL,
                      Bytes.slice(Layout.getElementOffset(I),
                                  DL.getTypeStoreSize(Part->getType()))))
        return false;
    }
    return true;
  }
  Type *Element = nullptr;
  uint64_t Count = 0;
  if (auto *Array = dyn_cast<ArrayType>(C.getType())) {
    Element = Array->getElementType();
    Count = Array->getNumElements();
  } else if (auto *Vector = dyn_cast<FixedVectorType>(C.getType())) {
    Element = Vector->getElementType();
    Count = Vector->getNumElements();
  }
  uint64_t Stride = Element ? DL.getTypeAllocSize(Element) : 0;
  for (uint64_t I = 0; I != Count; ++I) {
    const Constant *Part = C.getAggregateElement(I);
    if (!Part ||
        !writeValue(*Part, DL,
                    Bytes.slice(I * Stride, DL.getTypeStoreSize(Element))))
      return false;
  }
  return Element != nullptr;
}

/// A string literal of \p Bytes; octal digits end by themselves.
static std::string literal(StringRef Bytes) {
  std::string Text = "\"";
  for (unsigned char Byte : Bytes) {
    Text += '\\';
    for (int Shift = 6; Shift >= 0; Shift -= 3)
      Text += char('0' + (Byte >> Shift & 7));
  }
  return Text + '"';
}

Expected<std::string> managedDefinitions(const std::string &Bitcode) {
  auto Buffer = MemoryBuffer::getFile(Bitcode, false, false, /*Volatile=*/true);
  if (!Buffer)
    return createFileError(Bitcode, Buffer.getError());
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M =
      getLazyBitcodeModule((*Buffer)->getMemBufferRef(), Context);
  if (!M)
    return M.takeError();
  std::string Variables, Calls;
  for (const GlobalVariable &G : (*M)->globals()) {
    if (G.getSection() != "regshare.managed" || !G.hasInitializer())
      continue;
    const DataLayout &DL = (*M)->getDataLayout();
    SmallVector<char, 0> Bytes(DL.getTypeAllocSize(G.getValueType()));
    std::string Symbol = G.getName().str();
    if (!writeValue(*G.getInitializer(), DL, Bytes))
      return createStringError("managed variable '" + Symbol +
                               "' is initialised with an address");
    size_t Set = Bytes.size();
    while (Set && !Bytes[Set - 1])
      --Set;
    std::string Name = "regshare_managed_" + utostr(Calls.size());
    Variables +=
        "extern \"C\" char " + Name + " __asm__(\"" + Symbol + "\");\n";
    Calls += "  __cudaRegisterManagedShadow(&" + Name + ", " +
             utostr(Bytes.size()) + ", " +
             literal(StringRef(Bytes.data(), Set)) + ", " + utostr(Set) +
             ");\n";
  }
  if (Calls.empty())
    return std::string();
  return Variables +
         "extern \"C\" void __cudaRegisterManagedShadow(void *, unsigned long, "
         "const char *, unsigned long);\n"
         "__attribute__((constructor(101))) static void "
         "regshare_register_managed() {\n" +
         Calls + "}\n";
}

} // namespace regshare
