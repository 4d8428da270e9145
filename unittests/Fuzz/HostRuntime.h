//===- HostRuntime.h - CTAs of fibers on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_HOSTRUNTIME_H
#define REGSHARE_UNITTESTS_FUZZ_HOSTRUNTIME_H

#include "Launch.h"

namespace regshare::fuzz {

enum class Turns {
  FirstToLast,
  /// Kernels without races do not notice.
  LastToFirst,
};

/// Runs a kernel on \p Memory: CTAs one after the other, each thread a fiber
/// that runs until it waits for others. False if threads wait that nobody will
/// release.
bool runOnHost(FuzzKernelFn Kernel, const Launch &L, Image &Memory,
               Turns Order = Turns::FirstToLast);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_HOSTRUNTIME_H
