//===- LibraryFile.h - A library before it is loaded ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_BASE_LIBRARYFILE_H
#define REGSHARE_LIB_BASE_LIBRARYFILE_H

#include "regshare/Base/Result.h"

#include <string>

namespace regshare {

/// Looks into the file before any of its code runs. Fails unless it is a whole
/// shared library of this machine's kind, of schemes, that was built against
/// the headers of this build. The message is why, without the file's name.
Result<void> checkLibraryFile(const std::string &Path);

} // namespace regshare

#endif // REGSHARE_LIB_BASE_LIBRARYFILE_H
