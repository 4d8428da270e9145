//===- cooperative_groups/memcpy_async.h - Copies by a group --*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The group's threads copy at once, with loads and stores as wide as the
/// addresses allow; to wait is a barrier of the group.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

#if defined(CCCL_VERSION) || defined(_CUDA__CCCL_CONFIG)
// CCCL's aligned_size_t. Its cuda/barrier is an error for processors before
// sm_70, where CUB includes this header all the same.
#if __has_include(<cuda/__barrier/aligned_size.h>)
#include <cuda/__barrier/aligned_size.h>
#else
#include <cuda/barrier>
#endif
#else
#define REGSHARE_CUDA_ALIGNED_SIZE_T
namespace cuda {
/// A size, of what the addresses are aligned to a multiple of.
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  inline __host__ __device__ explicit constexpr aligned_size_t(size_t Bytes)
      : value(Bytes) {}
  inline __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda
#endif

namespace cooperative_groups {

namespace regshare_groups {

template <typename Word, typename Group>
inline __device__ void copyWords(const Group &G, void *To, const void *From,
                                 size_t Bytes) {
  typedef Word __attribute__((may_alias)) Any;
  for (size_t At = G.thread_rank(); At < Bytes / sizeof(Word); At += G.size())
    static_cast<Any *>(To)[At] = static_cast<const Any *>(From)[At];
}

template <typename Group>
inline __device__ void copyBytes(const Group &G, void *To, const void *From,
                                 size_t Bytes, size_t Aligned) {
  size_t All = Aligned ? Aligned
                       : reinterpret_cast<size_t>(To) |
                             reinterpret_cast<size_t>(From) | Bytes;
  if (All % 16 == 0)
    copyWords<uint4>(G, To, From, Bytes);
  else if (All % 8 == 0)
    copyWords<uint2>(G, To, From, Bytes);
  else if (All % 4 == 0)
    copyWords<unsigned int>(G, To, From, Bytes);
  else
    copyWords<unsigned char>(G, To, From, Bytes);
}

} // namespace regshare_groups

/// Copies \p Bytes.
template <typename Group, typename To, typename From>
inline __device__ void memcpy_async(const Group &G, To *Dst, const From *Src,
                                    size_t Bytes) {
  regshare_groups::copyBytes(G, Dst, Src, Bytes, 0);
}

template <typename Group, typename To, typename From, size_t Alignment>
inline __device__ void
memcpy_async(const Group &G, To *Dst, const From *Src,
             const cuda::aligned_size_t<Alignment> &Bytes) {
  regshare_groups::copyBytes(G, Dst, Src, Bytes.value, Alignment);
}

/// Copies as many elements as both sides have.
template <typename Group, typename T>
inline __device__ void memcpy_async(const Group &G, T *Dst, size_t DstCount,
                                    const T *Src, size_t SrcCount) {
  regshare_groups::copyBytes(
      G, Dst, Src, sizeof(T) * (DstCount < SrcCount ? DstCount : SrcCount), 0);
}

template <typename Group, typename T, size_t DstAlignment, size_t SrcAlignment>
inline __device__ void
memcpy_async(const Group &G, T *Dst,
             const cuda::aligned_size_t<DstAlignment> &DstCount, const T *Src,
             const cuda::aligned_size_t<SrcAlignment> &SrcCount) {
  regshare_groups::copyBytes(
      G, Dst, Src,
      sizeof(T) *
          (DstCount.value < SrcCount.value ? DstCount.value : SrcCount.value),
      DstAlignment < SrcAlignment ? DstAlignment : SrcAlignment);
}

template <typename Group> inline __device__ void wait(const Group &G) {
  G.sync();
}

/// All copies have been done, the last \p Stages too.
template <unsigned int Stages, typename Group>
inline __device__ void wait_prior(const Group &G) {
  G.sync();
}

} // namespace cooperative_groups

#endif

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
