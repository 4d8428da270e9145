//===- UnsupportedDriver.cpp - Calls of the driver that fail by name ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As Unsupported.cpp has it for the runtime. cuda.h is not included: it gives
/// some of these names to others.
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
                   " is not implemented; it returns CUDA_ERROR_NOT_SUPPORTED",
               regshare::ErrorKind::Unsupported);
  return cudaErrorNotSupported;
}

#define REGSHARE_UNSUPPORTED(NAME)                                             \
  extern "C" cudaError_t NAME() { return unsupported(#NAME); }
#include "UnsupportedDriverCalls.def"
