//===- DropWarnings.h - Compiles without warnings -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_DROPWARNINGS_H
#define REGSHARE_UNITTESTS_SUPPORT_DROPWARNINGS_H

namespace llvm {
class LLVMContext;
} // namespace llvm

namespace regshare::test {

/// Has \p Context tell no warnings from now on: that a random kernel cannot
/// have what a scheme was asked for is no news. All else goes where it went.
void dropWarnings(llvm::LLVMContext &Context);

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_DROPWARNINGS_H
