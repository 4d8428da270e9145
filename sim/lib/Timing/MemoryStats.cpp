//===- MemoryStats.cpp - Counters of the memory ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/MemoryStats.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace regshare::sim {

/// Combines two structs that hold counters and nothing else.
template <typename Stats, typename Function>
static void combine(Stats &To, const Stats &Other, Function F) {
  static_assert(std::is_trivially_copyable_v<Stats>);
  constexpr size_t Count = sizeof(Stats) / sizeof(uint64_t);
  static_assert(sizeof(Stats) == Count * sizeof(uint64_t));
  uint64_t A[Count], B[Count];
  std::memcpy(A, &To, sizeof(Stats));
  std::memcpy(B, &Other, sizeof(Stats));
  for (size_t N = 0; N != Count; ++N)
    A[N] = F(A[N], B[N]);
  std::memcpy(&To, A, sizeof(Stats));
}

void LoadStoreStats::add(const LoadStoreStats &Other) {
  combine(*this, Other, [](uint64_t A, uint64_t B) { return A + B; });
}

void MemoryStats::subtract(const MemoryStats &Before) {
  combine(*this, Before, [](uint64_t A, uint64_t B) { return A - B; });
}

} // namespace regshare::sim
