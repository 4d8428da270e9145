//===- DeviceLink.h - Device code of several sources -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The device image that the runtime reads, and how images of several objects
/// become one: with relocatable device code (-rdc=true, -dc) an object has its
/// image in LLVM's section for offloading, and the link makes a last object
/// that registers all of them as one module.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_CLANG_DEVICELINK_H
#define REGSHARE_TOOLS_REGSHARE_CLANG_DEVICELINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace regshare {

/// The image with the module's bitcode for both forms of code. The runtime is
/// given its address and no size. LLVM's own wrapper for bitcode says it, and
/// where the module begins, so that there is room in front of that to say where
/// native code's is.
std::string makeImage(llvm::StringRef PTX, llvm::StringRef Native);

/// What clang's -fembed-offload-object is to embed for an image.
std::string makeOffloadObject(llvm::StringRef Image, llvm::StringRef Arch);

/// Host code in LLVM's bitcode that registers the device code of all the
/// objects and archives among \p Files that have some; empty if none has. Fails
/// on what cannot be linked, such as a function that is there twice.
llvm::Expected<std::string> linkDeviceCode(llvm::ArrayRef<std::string> Files);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_CLANG_DEVICELINK_H
