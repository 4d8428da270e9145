//===- Launch.h - One random kernel's launch -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel is given and what it leaves behind, on either side.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_LAUNCH_H
#define REGSHARE_UNITTESTS_FUZZ_LAUNCH_H

#include "FuzzKernel.h"
#include "Generator/KernelGenerator.h"

#include <string>
#include <vector>

namespace regshare::fuzz {

/// All memory that kernels write.
struct Image {
  std::vector<u32> Out; ///< FuzzStride words for each thread of the grid.
  std::vector<u32> Acc; ///< FuzzAccumulators words.
  bool operator==(const Image &) const = default;
};

struct Launch {
  std::string Name;
  u32 Grid = 1, BlockX = 32, BlockY = 1;
  std::vector<u32> In; ///< FuzzInputs words.
  FuzzParams P = {};

  u32 numThreads() const { return Grid * BlockX * BlockY; }
  /// The memory before the launch.
  Image before() const;
};

/// Inputs are a function of the kernel's seed: small numbers, random ones, and
/// the values around which arithmetic goes wrong.
Launch launchOf(const Kernel &K);

/// "thread 3 word 20 (f0): host 0x… device 0x…", for the first few words that
/// differ, a line each.
std::string describeDifference(const Launch &L, const Image &Host,
                               const Image &Device);

} // namespace regshare::fuzz

#endif // REGSHARE_UNITTESTS_FUZZ_LAUNCH_H
