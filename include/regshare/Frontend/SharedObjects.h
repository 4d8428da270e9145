//===- SharedObjects.h - Constructors in shared memory ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc leaves a variable in shared memory as it is if its type has a
/// constructor, and warns; `__shared__ cuda::barrier<…> B;` is written so. To
/// clang it is an error. Sources are changed where clang says so, and are
/// compiled again.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_SHAREDOBJECTS_H
#define REGSHARE_FRONTEND_SHAREDOBJECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace regshare {

/// The name in a declaration; both count from 1.
struct SharedObject {
  std::string File; ///< As clang names it.
  unsigned Line = 0, Column = 0;
};

/// A declaration in shared memory of a type that may have a constructor.
bool mayHaveSharedObjects(llvm::StringRef Source);

/// The variables of which \p Messages, clang's, say that they cannot be
/// initialised.
std::vector<SharedObject> sharedObjectsIn(llvm::StringRef Messages);

/// The source without the constructions at those places, lines as they are;
/// nothing if a declaration is not a simple one.
std::optional<std::string>
leaveUnconstructed(llvm::StringRef Source,
                   llvm::ArrayRef<SharedObject> Objects);

/// Says of each what nvcc says.
void warnOfUnconstructed(llvm::ArrayRef<SharedObject> Objects);

/// Runs \p Program and keeps what it writes to standard error in \p Said.
/// Returns its exit status; negative, with \p Message, if it cannot be run.
int executeHoldingErrors(llvm::StringRef Program,
                         llvm::ArrayRef<llvm::StringRef> Command,
                         std::string &Said, std::string &Message);

} // namespace regshare

#endif // REGSHARE_FRONTEND_SHAREDOBJECTS_H
