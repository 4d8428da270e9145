//===- regshare/Frontend/TextureReferences.h --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CUDA's texture and surface references (`texture<float, 2> Picture;`), which
/// clang marks in !nvvm.annotations. On the simulated device each is a variable
/// of 64 bits in constant memory with the handle of what is bound, so that a
/// fetch is the instruction that a texture object has.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_TEXTUREREFERENCES_H
#define REGSHARE_FRONTEND_TEXTUREREFERENCES_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace regshare {

/// Those of \p M, as long as they have not been lowered.
llvm::SmallVector<llvm::GlobalVariable *, 8>
textureReferencesOf(llvm::Module &M);

/// Makes every reference of \p M such a variable, of the same name, and every
/// use of one a load.
void lowerTextureReferences(llvm::Module &M);

} // namespace regshare

#endif // REGSHARE_FRONTEND_TEXTUREREFERENCES_H
