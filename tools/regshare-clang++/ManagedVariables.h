//===- ManagedVariables.h - What clang has for HIP alone ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A __managed__ variable is one variable for host and device. regshare_cuda/
/// nvcc.h makes it a device variable in a section by which it is found in the
/// device code. The host's half gets a definition that gives its shadow of the
/// variable the initial value, and tells the runtime to have kernels use that.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_CLANG_MANAGEDVARIABLES_H
#define REGSHARE_TOOLS_REGSHARE_CLANG_MANAGEDVARIABLES_H

#include "llvm/Support/Error.h"

#include <string>

namespace regshare {

/// C++ to be included at the start of the host's half for the managed variables
/// of the device code in the file \p Bitcode; empty if it has none. Fails for
/// an initial value that contains an address.
llvm::Expected<std::string> managedDefinitions(const std::string &Bitcode);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_CLANG_MANAGEDVARIABLES_H
