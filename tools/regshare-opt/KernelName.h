//===- KernelName.h - Kernels as users name them -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_OPT_KERNELNAME_H
#define REGSHARE_TOOLS_REGSHARE_OPT_KERNELNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace regshare {

/// True if \p Wanted means the kernel \p Name: mangled, or demangled with or
/// without its parameters.
bool namesKernel(llvm::StringRef Wanted, llvm::StringRef Name);

/// The one of \p Names that \p Wanted means. If it means none or several, or
/// if it is empty and there is more than one, fails with their names; \p Place
/// is where they are from.
llvm::Expected<std::string> chooseKernel(llvm::ArrayRef<std::string> Names,
                                         llvm::StringRef Wanted,
                                         llvm::StringRef Place);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_OPT_KERNELNAME_H
