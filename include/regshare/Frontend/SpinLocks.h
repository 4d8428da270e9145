//===- SpinLocks.h - Critical sections inside of their loops -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Programs take a lock in `while (!done) if (atomicCAS(lock, 0, 1) == 0) { …;
/// atomicExch(lock, 0); done = true; }`, and nvcc leaves the critical section
/// in the loop. LLVM moves it out of there, so that a lane with the lock waits
/// at the loop's exit for those of its warp that try, which never get it. A
/// plug-in of clang puts it back, in both forms of code, and changes no other
/// loop.
///
/// Header only: regshare-clang++ has no front end linked in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_SPINLOCKS_H
#define REGSHARE_FRONTEND_SPINLOCKS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace regshare {

/// Has clang load the plug-in, which is in the directory \p Libraries of a
/// build or an installation.
inline std::string spinLocksOption(llvm::StringRef Libraries) {
  return ("-fpass-plugin=" + Libraries + "/libRegShareSpinLocks.so").str();
}

} // namespace regshare

#endif // REGSHARE_FRONTEND_SPINLOCKS_H
