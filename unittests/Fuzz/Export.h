//===- Export.h - Random kernels for other machines -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_EXPORT_H
#define REGSHARE_UNITTESTS_FUZZ_EXPORT_H

#include "Launch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace regshare::fuzz {

/// A launch, and the memory that it has to leave.
struct ExportedLaunch {
  const fuzz::Launch *Launch;
  const Image *After;
};

/// Writes a module and launches of its kernels below \p Folder: \p Stem.ptx,
/// \p Stem.json with each launch's shape and arguments, and \p Stem.bin with
/// what buffers contain before and after. docs/fuzzing.md has the format.
llvm::Error exportModule(llvm::StringRef Folder, llvm::StringRef Stem,
                         llvm::StringRef PTX,
                         llvm::ArrayRef<ExportedLaunch> Launches);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_EXPORT_H
