//===- cooperative_groups/reduce.h - Reductions ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_REDUCE_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_REDUCE_H

#include "operators.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

namespace regshare_groups {

/// The result goes to all, each time between lanes that are half as far apart.
template <unsigned int Size, typename T, typename Operator>
inline __device__ T reduce(const Tile<Size> &G, T Value, Operator &Op) {
#pragma unroll
  for (unsigned int Distance = Size / 2; Distance; Distance /= 2)
    Value = Op(Value, G.shfl_xor(Value, Distance));
  return Value;
}

/// By ranks: the first one has the result in the end, and tells it.
template <typename T, typename Operator>
inline __device__ T reduce(const coalesced_group &G, T Value, Operator &Op) {
  unsigned int Rank = G.thread_rank(), Size = G.size();
  for (unsigned int Distance = 1; Distance < Size; Distance *= 2) {
    T Other = G.shfl_down(Value, Distance);
    if (Rank + Distance < Size)
      Value = Op(Value, Other);
  }
  return G.shfl(Value, 0);
}

/// In each warp first.
template <unsigned int Size, typename T, typename Operator>
inline __device__ T reduce(const WideTile<Size> &G, T Value, Operator &Op) {
  for (unsigned int Distance = 16; Distance; Distance /= 2)
    Value = Op(Value, byWords(Value, [&](unsigned int Word) {
                 return __shfl_xor_sync(0xffffffffu, Word, int(Distance), 32);
               }));
  return G.exchange(Value, Op);
}

} // namespace regshare_groups

/// \p Value of all threads of \p G, joined by \p Op, which has to be
/// associative and commutative.
template <typename Group, typename T, typename Operator>
inline __device__ auto reduce(const Group &G, T &&Value, Operator &&Op) {
  typename std::decay<T>::type Own = Value;
  return regshare_groups::reduce(G, Own, Op);
}

} // namespace cooperative_groups

#endif

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_REDUCE_H
