//===- regshare/Base/SchemeLibrary.h - Schemes from outside ---- -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Schemes that are loaded from shared libraries, with `--load=` or
/// REGSHARE_LOAD. A library describes its schemes and makes the SM's half of
/// them known:
///
///     static const SchemeDescription *const Schemes[] = {&Mine};
///     static Result<void> registerMine() {
///       return sim::registerModel(Mine, TheModel);
///     }
///     REGSHARE_SCHEME_LIBRARY(Schemes, registerMine)
///
/// What needs LLVM is a library of its own, so that programs run without it:
/// beside libmine.so lies libmine-compiler.so, which ends with
///
///     REGSHARE_SCHEME_COMPILERS(registerMyPasses)
///
/// The CMake function regshare_add_scheme() builds both. examples/ has one.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEMELIBRARY_H
#define REGSHARE_BASE_SCHEMELIBRARY_H

#include "regshare/Base/Scheme.h"
#include "regshare/Base/Version.h"

#include <string>

namespace regshare {

/// What a library exports as RegShareSchemeLibrary, and its compiler half as
/// RegShareSchemeCompilers.
struct SchemeLibrary {
  std::span<const SchemeDescription *const> Schemes; ///< Empty in the second.
  /// Called once, when the schemes are known. What it fails with is why the
  /// library is refused. May be null.
  Result<void> (*Register)();
};

/// Loads a library and makes its schemes known; without '/' it is looked for in
/// the working directory. Fails on what is no library of schemes, was built for
/// another interface, misses symbols, repeats a name, fails to register
/// something or throws; then nothing of it is known. A library that is there
/// already is left alone.
Result<void> loadSchemeLibrary(const std::string &Path);
/// Loads those that REGSHARE_LOAD names, with ':' between them. Only the first
/// call does anything; others return what came of it.
Result<void> loadSchemesOfEnvironment();
/// Loads the compiler halves of the libraries that are loaded and have one,
/// unless that has been done. Fails as above, with nothing known of the half
/// that is refused.
Result<void> loadSchemeCompilers();

} // namespace regshare

/// Found in the file before any of its code runs: what it was built against.
#define REGSHARE_SCHEME_INTERFACE_NOTE                                         \
  extern "C" __attribute__((used, visibility("default")))                      \
  const char RegShareSchemeInterface[] =                                       \
      "RegShare scheme interface " REGSHARE_SCHEME_INTERFACE ";";

/// Makes a shared object a library of \p Schemes, a list of their descriptions;
/// \p Register makes their models known.
#define REGSHARE_SCHEME_LIBRARY(Schemes, Register)                             \
  REGSHARE_SCHEME_INTERFACE_NOTE                                               \
  extern "C" __attribute__((visibility("default")))                            \
  const regshare::SchemeLibrary RegShareSchemeLibrary;                         \
  const regshare::SchemeLibrary RegShareSchemeLibrary = {Schemes, Register};

/// The same of the half that compiles: \p Register makes passes and rules
/// known.
#define REGSHARE_SCHEME_COMPILERS(Register)                                    \
  REGSHARE_SCHEME_INTERFACE_NOTE                                               \
  extern "C" __attribute__((visibility("default")))                            \
  const regshare::SchemeLibrary RegShareSchemeCompilers;                       \
  const regshare::SchemeLibrary RegShareSchemeCompilers = {{}, Register};

#endif // REGSHARE_BASE_SCHEMELIBRARY_H
