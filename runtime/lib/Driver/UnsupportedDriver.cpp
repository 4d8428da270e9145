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

#include "API/RefusedCalls.h"
#include "Runtime.h"

using namespace regshare::cudart;

#define REGSHARE_UNSUPPORTED(NAME)                                             \
  static_assert(refusedCall(#NAME));                                           \
  extern "C" cudaError_t NAME() {                                              \
    sayRefused(#NAME, "CUDA_ERROR_NOT_SUPPORTED");                             \
    return cudaErrorNotSupported;                                              \
  }
#include "UnsupportedDriverCalls.def"
