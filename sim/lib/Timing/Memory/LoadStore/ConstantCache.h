//===- ConstantCache.h - The nearest cache of constants ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The cache nearest to an SM that serves loads of constants and kernel
/// parameters. Its port gives one address at a time to all lanes that name it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_CONSTANTCACHE_H
#define REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_CONSTANTCACHE_H

#include "Timing/Memory/MemoryConfig.h"
#include "Timing/Memory/MemoryPort.h"

#include <unordered_set>
#include <vector>

namespace regshare::sim {

/// Bytes of a line (Jia et al., Dissecting the NVIDIA Volta GPU Architecture
/// via Microbenchmarking, 2018, V100).
inline constexpr unsigned ConstantLineBytes = 64;

class ConstantCache {
public:
  explicit ConstantCache(const ConstantConfig &Config);

  struct Outcome {
    unsigned Passes;  ///< Of the port; at least 1.
    unsigned Cycles;  ///< Of a pass.
    unsigned Latency; ///< Of the access, if it took one cycle of the port.
  };

  /// Looks up the lines of \p Access, and fetches those that are not there.
  /// A later access to a line that is being fetched counts as a hit.
  Outcome access(const MemoryAccess &Access);

  /// Forgets all lines: a kernel begins.
  void invalidate();

private:
  const ConstantConfig &Config;
  std::vector<uint64_t> Lines; ///< The most recently used first.
  /// Lines that have been read, if the L2 was empty; and whether the last
  /// access was the first to one.
  std::unordered_set<uint64_t> Known;
  bool IsFirst = false;

  bool touch(uint64_t Line);
  bool touchLinesOf(const MemoryAccess &Access);
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_CONSTANTCACHE_H
