//===- regshare/Base/SchemeLoader.h - Loading schemes -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loads schemes from shared libraries, which regshare/Base/SchemeLibrary.h
/// says how to write.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMELOADER_H
#define REGSHARE_BASE_SCHEMELOADER_H

#include "regshare/Base/Result.h"

#include <span>
#include <string>

namespace regshare {

struct SchemeDescription;

/// What a library exports as RegShareSchemeLibrary, and its compiler half as
/// RegShareSchemeCompilers.
struct SchemeLibrary {
  std::span<const SchemeDescription *const> Schemes; ///< Empty in the second.
  /// Called once, when the schemes are known. What it fails with is why the
  /// library is refused. May be null.
  Result<void> (*Register)();
};

/// How messages of this process begin, "regshare-opt: error: " of a tool: a
/// library whose code ends the process is told here. Else it is "regshare: ",
/// as in programs. \p Start lives as long as the process.
void setErrorStart(const char *Start);

/// Loads a library and makes its schemes known; without '/' it is looked for in
/// the working directory. Fails on what is no library of schemes, was built for
/// another interface, misses symbols, repeats a name, fails to register
/// something or throws, with a message of one line; then nothing of it is
/// known. One that ends the process or the thread is told, and the exit code
/// is 1. A library that is there already is left alone.
Result<void> loadSchemeLibrary(const std::string &Path);
/// Loads those that REGSHARE_LOAD names, with ':' between them. Only the first
/// call does anything; others return what came of it.
Result<void> loadSchemesOfEnvironment();
/// Loads the compiler halves of the libraries that are loaded and have one,
/// unless that has been done. Fails as above, with nothing known of the half
/// that is refused.
Result<void> loadSchemeCompilers();

/// The path of the library that describes \p Described, as it was named, from
/// the root; empty for what is described in the tree.
std::string libraryOf(const SchemeDescription &Described);
/// Where the compiler half of such a library is, or is expected if there is
/// none.
std::string compilerHalfOf(const SchemeDescription &Described);

/// REGSHARE_SCHEME_INTERFACE of this build, which a library is to have been
/// built against. It is defined by a library of its own, so that a header that
/// changes has only that built anew.
const char *schemeInterface();

} // namespace regshare

#endif // REGSHARE_BASE_SCHEMELOADER_H
