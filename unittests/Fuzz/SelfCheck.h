//===- SelfCheck.h - Does the comparison notice mistakes? -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_SELFCHECK_H
#define REGSHARE_UNITTESTS_FUZZ_SELFCHECK_H

#include <cstdint>

namespace regshare::fuzz {

/// Makes one mistake after the other, on the device's side and on the host's,
/// and prints which kernels notice. True if each is noticed, and nothing is
/// without any.
bool selfCheck(uint64_t Seed, unsigned NumKernels);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_SELFCHECK_H
