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

#include "Runtime.h"

#include <set>
#include <string_view>

using namespace regshare::cudart;

/// Says once for each call what is missing.
static cudaError_t unsupported(std::string_view Name) {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  static auto *Said = new std::set<std::string_view>;
  if (Said->insert(Name).second)
    printError(std::string(Name) +
                   " is not implemented; it returns cudaErrorNotSupported",
               regshare::ErrorKind::Unsupported);
  return recordError(cudaErrorNotSupported);
}

#define REGSHARE_UNSUPPORTED(NAME)                                             \
  extern "C" cudaError_t NAME() { return unsupported(#NAME); }
#include "UnsupportedCalls.def"
