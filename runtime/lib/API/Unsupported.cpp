//===- Unsupported.cpp - Calls that fail by their names -*- C++ -*---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A definition for every call of CUDA's runtime that this library does not
/// implement, so that a program that makes one is told which. Arguments do not
/// matter, so one kind of function serves for all.
///
//===----------------------------------------------------------------------===//

#include "RefusedCalls.h"
#include "Runtime.h"

#include <set>

using namespace regshare;
using namespace regshare::cudart;

void regshare::cudart::sayRefused(std::string_view Name,
                                  std::string_view Code) {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  static auto *Said = new std::set<std::string_view>;
  if (!Said->insert(Name).second)
    return;
  const RefusedCall &Call = *refusedCall(Name);
  printError(std::string(Name) + " " + std::string(Call.Does) + ": " +
                 std::string(Call.Lack) + "; it returns " + std::string(Code),
             ErrorKind::Unsupported);
}

#define REGSHARE_UNSUPPORTED(NAME)                                             \
  static_assert(refusedCall(#NAME));                                           \
  extern "C" cudaError_t NAME() {                                              \
    sayRefused(#NAME, "cudaErrorNotSupported");                                \
    return recordError(cudaErrorNotSupported);                                 \
  }
#include "UnsupportedCalls.def"
