//===- DeviceModule.h - Options that clang does not have -*- C++ -*--------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Carries out the options of nvcc about device code that clang has no word
/// for, on the bitcode that clang has written.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_CLANG_DEVICEMODULE_H
#define REGSHARE_TOOLS_REGSHARE_CLANG_DEVICEMODULE_H

#include "CommandLine.h"

namespace regshare {

/// The module in the file \p Path with what \p C asks of it done; without such
/// options the file's bytes.
llvm::Expected<std::string> readDeviceModule(const std::string &Path,
                                             const CommandLine &C);

/// The version of PTX that the module \p Bitcode was compiled for, as LLVM
/// calls the feature: "ptx87". Empty if it does not say.
llvm::Expected<std::string> ptxVersionOf(llvm::StringRef Bitcode);

/// Makes \p Contents all that is in the file \p Path.
llvm::Error writeFile(const std::string &Path, llvm::StringRef Contents);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_CLANG_DEVICEMODULE_H
