//===- regshare/Base/SchemeLibrary.h - Schemes from outside -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a library of schemes says of itself. It is loaded with `--load=` or
/// REGSHARE_LOAD (regshare/Base/SchemeLoader.h), describes its schemes and
/// makes the SM's half of them known:
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
#include "regshare/Base/SchemeInterface.h"
#include "regshare/Base/SchemeLoader.h"

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
