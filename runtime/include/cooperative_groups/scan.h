//===- cooperative_groups/scan.h - Scans ----------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_SCAN_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_SCAN_H

#include "operators.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

/// \p Value of all threads of \p G up to the caller, joined by \p Op.
template <typename Group, typename T, typename Operator>
inline __device__ auto inclusive_scan(const Group &G, T &&Value,
                                      Operator &&Op) {
  typename std::decay<T>::type Sum = Value;
  unsigned int Rank = G.thread_rank(), Size = G.size();
  for (unsigned int Distance = 1; Distance < Size; Distance *= 2) {
    auto Before = G.shfl_up(Sum, Distance);
    if (Rank >= Distance)
      Sum = Op(Before, Sum);
  }
  return Sum;
}

template <typename Group, typename T>
inline __device__ auto inclusive_scan(const Group &G, T &&Value) {
  return inclusive_scan(G, Value, plus<typename std::decay<T>::type>());
}

/// The same without the caller's own; the first thread has T().
template <typename Group, typename T, typename Operator>
inline __device__ auto exclusive_scan(const Group &G, T &&Value,
                                      Operator &&Op) {
  auto Sum = G.shfl_up(inclusive_scan(G, Value, Op), 1);
  return G.thread_rank() ? Sum : decltype(Sum)();
}

template <typename Group, typename T>
inline __device__ auto exclusive_scan(const Group &G, T &&Value) {
  return exclusive_scan(G, Value, plus<typename std::decay<T>::type>());
}

} // namespace cooperative_groups

#endif

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_SCAN_H
