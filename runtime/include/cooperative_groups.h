//===- cooperative_groups.h - Groups of threads ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cooperative groups as the CUDA C++ programming guide describes them: blocks,
/// tiles, clusters, and the threads of a warp that are active together.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_H
// By which programs tell that CUDA's header is there.
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#include <type_traits>
#include <utility>

#define REGSHARE_GROUPS static inline __device__
#define REGSHARE_MEMBER inline __device__

namespace cooperative_groups {

class thread_block;
class coalesced_group;
class grid_group;
template <unsigned int Size, typename Parent = void> class thread_block_tile;

namespace regshare_groups {

REGSHARE_GROUPS unsigned int lane() {
  unsigned int Lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(Lane));
  return Lane;
}

REGSHARE_GROUPS unsigned int lanesBelow() {
  unsigned int Mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(Mask));
  return Mask;
}

REGSHARE_GROUPS unsigned int rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

REGSHARE_GROUPS unsigned int blockSize() {
  return blockDim.x * blockDim.y * blockDim.z;
}

/// The lane that has \p Rank among those of \p Mask, by halves.
REGSHARE_GROUPS unsigned int laneOf(unsigned int Mask, unsigned int Rank) {
  if (Mask == 0xffffffffu)
    return Rank;
  unsigned int Lane = 0;
#pragma unroll
  for (unsigned int Half = 16; Half; Half /= 2) {
    unsigned int Lower = __popc((Mask >> Lane) & ((1u << Half) - 1));
    if (Rank >= Lower) {
      Rank -= Lower;
      Lane += Half;
    }
  }
  return Lane;
}

/// The bits of \p Lanes by rank in \p Mask.
REGSHARE_GROUPS unsigned int byRank(unsigned int Mask, unsigned int Lanes) {
  if (Mask == 0xffffffffu)
    return Lanes;
  unsigned int Ranks = 0, Rank = 0;
  for (unsigned int Rest = Mask; Rest; Rest &= Rest - 1, ++Rank)
    if (Lanes & Rest & -Rest)
      Ranks |= 1u << Rank;
  return Ranks;
}

/// What \p Exchange makes of every word of \p Value.
template <typename T, typename Function>
REGSHARE_GROUPS T byWords(const T &Value, Function Exchange) {
  static_assert(std::is_trivially_copyable<T>::value,
                "threads exchange values that can be copied bit by bit");
  constexpr unsigned int Count = (sizeof(T) + 3) / 4;
  static_assert(Count <= 8, "threads exchange values of at most 32 bytes");
  unsigned int Words[Count] = {};
  __builtin_memcpy(Words, &Value, sizeof(T));
#pragma unroll
  for (unsigned int At = 0; At != Count; ++At)
    Words[At] = Exchange(Words[At]);
  typename std::remove_const<T>::type Result = Value;
  __builtin_memcpy(&Result, Words, sizeof(T));
  return Result;
}

} // namespace regshare_groups

template <unsigned int MaxBlockSize> class block_tile_memory;
template <unsigned int MaxBlockSize>
REGSHARE_MEMBER thread_block
this_thread_block(block_tile_memory<MaxBlockSize> &Memory);

} // namespace cooperative_groups

#include "cooperative_groups/wide_tile.h"

namespace cooperative_groups {

/// Any group: a block, or lanes of a warp.
class thread_group {
public:
  REGSHARE_MEMBER void sync() const;
  REGSHARE_MEMBER unsigned long long num_threads() const {
    return Lanes ? __popc(Lanes) : regshare_groups::blockSize();
  }
  REGSHARE_MEMBER unsigned long long size() const { return num_threads(); }
  REGSHARE_MEMBER unsigned long long thread_rank() const {
    return Lanes ? __popc(Lanes & regshare_groups::lanesBelow())
                 : regshare_groups::rankInBlock();
  }

protected:
  REGSHARE_MEMBER explicit thread_group(unsigned int Lanes,
                                        unsigned int MetaRank = 0,
                                        unsigned int MetaSize = 1)
      : Lanes(Lanes), MetaRank(MetaRank), MetaSize(MetaSize) {}

  /// Of the warp; none if the group is the block.
  unsigned int Lanes;
  /// This group's number, and how many there are, where a group was parted.
  unsigned int MetaRank, MetaSize;

  friend __device__ thread_group tiled_partition(const thread_group &,
                                                 unsigned int);
};

class thread_block : public thread_group {
public:
  /// For barrier_wait: this thread has arrived.
  class arrival_token {};

  static REGSHARE_MEMBER void sync() { __syncthreads(); }
  static REGSHARE_MEMBER unsigned int thread_rank() {
    return regshare_groups::rankInBlock();
  }
  static REGSHARE_MEMBER unsigned int num_threads() {
    return regshare_groups::blockSize();
  }
  static REGSHARE_MEMBER unsigned int size() { return num_threads(); }
  static REGSHARE_MEMBER dim3 group_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  static REGSHARE_MEMBER dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  static REGSHARE_MEMBER dim3 dim_threads() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  static REGSHARE_MEMBER dim3 group_dim() { return dim_threads(); }

  /// Every thread that arrives waits as well, where all of it happens.
  static REGSHARE_MEMBER arrival_token barrier_arrive() { return {}; }
  static REGSHARE_MEMBER void barrier_wait(arrival_token &&) { sync(); }

private:
  REGSHARE_MEMBER explicit thread_block(
      regshare_groups::TileMemory *Memory = nullptr)
      : thread_group(0), Memory(Memory) {}

  /// Of tiles that are wider than a warp.
  regshare_groups::TileMemory *Memory;

  friend __device__ thread_block this_thread_block();
  template <unsigned int MaxBlockSize>
  friend __device__ thread_block
  this_thread_block(block_tile_memory<MaxBlockSize> &);
  template <unsigned int Size>
  friend __device__ thread_block_tile<Size, thread_block>
  tiled_partition(const thread_block &);
};

REGSHARE_MEMBER thread_block this_thread_block() { return thread_block(); }

/// All threads of the block call this before they make wide tiles.
template <unsigned int MaxBlockSize>
REGSHARE_MEMBER thread_block
this_thread_block(block_tile_memory<MaxBlockSize> &Memory) {
  regshare_groups::TileMemory &Own = Memory;
  for (unsigned int At = regshare_groups::rankInBlock();
       At < sizeof(Own.Arrived) / sizeof(unsigned int);
       At += regshare_groups::blockSize())
    (&Own.Arrived[0][0])[At] = 0;
  __syncthreads();
  return thread_block(&Own);
}

REGSHARE_MEMBER void thread_group::sync() const {
  if (Lanes)
    __syncwarp(Lanes);
  else
    __syncthreads();
}

/// The CTAs of a launch by cudaLaunchCooperativeKernel, which the runtime
/// writes there, 0 otherwise; and how many have come to barriers of the grid.
extern "C" __device__
    __attribute__((weak)) unsigned int regshare_grid_barrier[2];

class grid_group {
public:
  static REGSHARE_MEMBER bool is_valid() {
    return *static_cast<volatile unsigned int *>(regshare_grid_barrier) != 0;
  }
  static REGSHARE_MEMBER void sync() {
    // All threads ask: a trap on the way of one thread alone would keep it from
    // meeting the others of its warp again.
    if (!is_valid())
      __trap();
    __syncthreads();
    if (regshare_groups::rankInBlock() == 0) {
      unsigned int All =
          *static_cast<volatile unsigned int *>(regshare_grid_barrier);
      __threadfence();
      unsigned int Own = atomicAdd(&regshare_grid_barrier[1], 1u);
      unsigned int Last = (Own / All + 1) * All;
      while (
          int(static_cast<volatile unsigned int *>(regshare_grid_barrier)[1] -
              Last) < 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
        asm volatile("nanosleep.u32 100;" ::: "memory");
#endif
      }
      __threadfence();
    }
    __syncthreads();
  }
  static REGSHARE_MEMBER unsigned long long num_blocks() {
    return 1ull * gridDim.x * gridDim.y * gridDim.z;
  }
  static REGSHARE_MEMBER unsigned long long block_rank() {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static REGSHARE_MEMBER unsigned long long num_threads() {
    return num_blocks() * regshare_groups::blockSize();
  }
  static REGSHARE_MEMBER unsigned long long size() { return num_threads(); }
  static REGSHARE_MEMBER unsigned long long thread_rank() {
    return block_rank() * regshare_groups::blockSize() +
           regshare_groups::rankInBlock();
  }
  static REGSHARE_MEMBER dim3 dim_blocks() {
    return dim3(gridDim.x, gridDim.y, gridDim.z);
  }
  static REGSHARE_MEMBER dim3 group_dim() { return dim_blocks(); }
  static REGSHARE_MEMBER dim3 block_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }

private:
  REGSHARE_MEMBER grid_group() {}
  friend __device__ grid_group this_grid();
};

REGSHARE_MEMBER grid_group this_grid() { return grid_group(); }

} // namespace cooperative_groups

#include "cooperative_groups/cluster.h"

namespace cooperative_groups {

/// Threads of a warp, whichever.
class coalesced_group : public thread_group {
public:
  REGSHARE_MEMBER void sync() const { __syncwarp(Lanes); }
  REGSHARE_MEMBER unsigned int num_threads() const { return __popc(Lanes); }
  REGSHARE_MEMBER unsigned int size() const { return num_threads(); }
  REGSHARE_MEMBER unsigned int thread_rank() const {
    return __popc(Lanes & regshare_groups::lanesBelow());
  }
  REGSHARE_MEMBER unsigned int meta_group_rank() const { return MetaRank; }
  REGSHARE_MEMBER unsigned int meta_group_size() const { return MetaSize; }

  template <typename T>
  REGSHARE_MEMBER T shfl(const T &Value, unsigned int Source) const {
    return fromLane(Value, regshare_groups::laneOf(Lanes, Source % size()));
  }
  template <typename T>
  REGSHARE_MEMBER T shfl_up(const T &Value, unsigned int Delta) const {
    unsigned int Rank = thread_rank();
    return fromLane(Value, regshare_groups::laneOf(
                               Lanes, Rank < Delta ? Rank : Rank - Delta));
  }
  template <typename T>
  REGSHARE_MEMBER T shfl_down(const T &Value, unsigned int Delta) const {
    unsigned int Rank = thread_rank();
    unsigned int Source = Delta < size() - Rank ? Rank + Delta : Rank;
    return fromLane(Value, regshare_groups::laneOf(Lanes, Source));
  }
  REGSHARE_MEMBER int any(int Predicate) const {
    return __ballot_sync(Lanes, Predicate) != 0;
  }
  REGSHARE_MEMBER int all(int Predicate) const {
    return __all_sync(Lanes, Predicate);
  }
  REGSHARE_MEMBER unsigned int ballot(int Predicate) const {
    return regshare_groups::byRank(Lanes, __ballot_sync(Lanes, Predicate));
  }
  template <typename T> REGSHARE_MEMBER unsigned int match_any(T Value) const {
    return regshare_groups::byRank(Lanes, __match_any_sync(Lanes, Value));
  }
  template <typename T>
  REGSHARE_MEMBER unsigned int match_all(T Value, int &Predicate) const {
    return regshare_groups::byRank(Lanes,
                                   __match_all_sync(Lanes, Value, &Predicate));
  }

private:
  REGSHARE_MEMBER explicit coalesced_group(unsigned int Lanes,
                                           unsigned int MetaRank = 0,
                                           unsigned int MetaSize = 1)
      : thread_group(Lanes, MetaRank, MetaSize) {}

  template <typename T>
  REGSHARE_MEMBER T fromLane(const T &Value, unsigned int Lane) const {
    return regshare_groups::byWords(Value, [&](unsigned int Word) {
      return __shfl_sync(Lanes, Word, int(Lane), 32);
    });
  }

  friend __device__ coalesced_group coalesced_threads();
  friend __device__ coalesced_group tiled_partition(const coalesced_group &,
                                                    unsigned int);
  template <typename Group, typename Label>
  friend __device__ coalesced_group labeled_partition(const Group &, Label);
  template <typename Group>
  friend __device__ coalesced_group binary_partition(const Group &, bool);
};

REGSHARE_MEMBER coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

namespace regshare_groups {

/// Neighbours, as many as a power of two, in a warp.
template <unsigned int Size> class Tile : public thread_group {
  static_assert(Size && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two");
  static_assert(Size <= 32, "a tile has at most the 32 threads of a warp");

public:
  REGSHARE_MEMBER void sync() const { __syncwarp(mask()); }
  static constexpr REGSHARE_MEMBER unsigned int num_threads() { return Size; }
  static constexpr REGSHARE_MEMBER unsigned int size() { return Size; }
  static REGSHARE_MEMBER unsigned int thread_rank() {
    return rankInBlock() & (Size - 1);
  }
  REGSHARE_MEMBER unsigned int meta_group_rank() const { return MetaRank; }
  REGSHARE_MEMBER unsigned int meta_group_size() const { return MetaSize; }

  template <typename T>
  REGSHARE_MEMBER T shfl(const T &Value, int Source) const {
    return byWords(Value, [&](unsigned int Word) {
      return __shfl_sync(mask(), Word, Source, Size);
    });
  }
  template <typename T>
  REGSHARE_MEMBER T shfl_up(const T &Value, unsigned int Delta) const {
    return byWords(Value, [&](unsigned int Word) {
      return __shfl_up_sync(mask(), Word, Delta, Size);
    });
  }
  template <typename T>
  REGSHARE_MEMBER T shfl_down(const T &Value, unsigned int Delta) const {
    return byWords(Value, [&](unsigned int Word) {
      return __shfl_down_sync(mask(), Word, Delta, Size);
    });
  }
  template <typename T>
  REGSHARE_MEMBER T shfl_xor(const T &Value, unsigned int Mask) const {
    return byWords(Value, [&](unsigned int Word) {
      return __shfl_xor_sync(mask(), Word, int(Mask), Size);
    });
  }
  REGSHARE_MEMBER int any(int Predicate) const {
    return __ballot_sync(mask(), Predicate) != 0;
  }
  REGSHARE_MEMBER int all(int Predicate) const {
    return __all_sync(mask(), Predicate);
  }
  REGSHARE_MEMBER unsigned int ballot(int Predicate) const {
    return __ballot_sync(mask(), Predicate) >> first();
  }
  template <typename T> REGSHARE_MEMBER unsigned int match_any(T Value) const {
    return __match_any_sync(mask(), Value) >> first();
  }
  template <typename T>
  REGSHARE_MEMBER unsigned int match_all(T Value, int &Predicate) const {
    return __match_all_sync(mask(), Value, &Predicate) >> first();
  }

protected:
  REGSHARE_MEMBER Tile(unsigned int MetaRank, unsigned int MetaSize,
                       TileMemory * = nullptr)
      : thread_group(mask(), MetaRank, MetaSize) {}

  static REGSHARE_MEMBER unsigned int first() {
    return Size == 32 ? 0 : lane() & ~(Size - 1);
  }
  static REGSHARE_MEMBER unsigned int mask() {
    return Size == 32 ? 0xffffffffu : ((1ull << Size) - 1) << first();
  }

  template <typename Group, typename Label>
  friend __device__ coalesced_group
  cooperative_groups::labeled_partition(const Group &, Label);
  template <typename Group>
  friend __device__ coalesced_group
  cooperative_groups::binary_partition(const Group &, bool);
};

template <unsigned int Size>
using TileOf =
    typename std::conditional<(Size > 32), WideTile<Size>, Tile<Size>>::type;

} // namespace regshare_groups

template <unsigned int Size, typename Parent>
class thread_block_tile : public regshare_groups::TileOf<Size> {
  REGSHARE_MEMBER
  thread_block_tile(unsigned int MetaRank, unsigned int MetaSize,
                    regshare_groups::TileMemory *Memory = nullptr)
      : regshare_groups::TileOf<Size>(MetaRank, MetaSize, Memory) {}

  template <unsigned int S>
  friend __device__ thread_block_tile<S, thread_block>
  tiled_partition(const thread_block &);
  template <unsigned int S, unsigned int From, typename P>
  friend __device__ thread_block_tile<S, thread_block_tile<From, P>>
  tiled_partition(const thread_block_tile<From, P> &);
};

/// A tile of which its type does not say what it is a part of.
template <unsigned int Size>
class thread_block_tile<Size, void> : public regshare_groups::Tile<Size> {
public:
  template <typename Parent>
  REGSHARE_MEMBER
  thread_block_tile(const thread_block_tile<Size, Parent> &Other)
      : regshare_groups::Tile<Size>(Other) {}

private:
  REGSHARE_MEMBER explicit thread_block_tile()
      : regshare_groups::Tile<Size>(0, 1) {}
  template <unsigned int S>
  friend __device__ thread_block_tile<S> tiled_partition(const thread_group &);
};

template <unsigned int Size>
REGSHARE_MEMBER thread_block_tile<Size, thread_block>
tiled_partition(const thread_block &Block) {
  return {Block.thread_rank() / Size, (Block.size() + Size - 1) / Size,
          Block.Memory};
}

template <unsigned int Size, unsigned int From, typename Parent>
REGSHARE_MEMBER thread_block_tile<Size, thread_block_tile<From, Parent>>
tiled_partition(const thread_block_tile<From, Parent> &Whole) {
  static_assert(Size <= From, "a tile is no larger than what it is part of");
  return {Whole.thread_rank() / Size, From / Size};
}

template <unsigned int Size>
REGSHARE_MEMBER thread_block_tile<Size> tiled_partition(const thread_group &) {
  return thread_block_tile<Size>();
}

/// Parts of \p Size threads each, by rank; the last one may have fewer.
REGSHARE_MEMBER coalesced_group tiled_partition(const coalesced_group &Whole,
                                                unsigned int Size) {
  unsigned int Part = Whole.thread_rank() / Size;
  unsigned int Lanes = 0, Rank = 0;
  for (unsigned int Rest = Whole.Lanes; Rest; Rest &= Rest - 1, ++Rank)
    if (Rank / Size == Part)
      Lanes |= Rest & -Rest;
  return coalesced_group(Lanes, Part, (Whole.size() + Size - 1) / Size);
}

REGSHARE_MEMBER thread_group tiled_partition(const thread_group &Whole,
                                             unsigned int Size) {
  using namespace regshare_groups;
  unsigned int First = lane() & ~(Size - 1);
  unsigned int Lanes = Size >= 32 ? 0xffffffffu : ((1u << Size) - 1) << First;
  // Of a block whose last warp is not full.
  if (!Whole.Lanes && blockSize() % 32 &&
      rankInBlock() / 32 == blockSize() / 32)
    Lanes &= (1u << blockSize() % 32) - 1;
  return thread_group(Whole.Lanes ? Lanes & Whole.Lanes : Lanes,
                      unsigned(Whole.thread_rank()) / Size,
                      (unsigned(Whole.size()) + Size - 1) / Size);
}

/// The threads of \p Whole that have the same label as the caller.
template <typename Group, typename Label>
REGSHARE_MEMBER coalesced_group labeled_partition(const Group &Whole,
                                                  Label Own) {
  unsigned int Same = __match_any_sync(Whole.Lanes, Own);
  bool IsFirst = !(Same & regshare_groups::lanesBelow());
  unsigned int Firsts = __ballot_sync(Whole.Lanes, IsFirst);
  return coalesced_group(Same, __popc(Firsts & ((Same & -Same) - 1)),
                         __popc(Firsts));
}

template <typename Group>
REGSHARE_MEMBER coalesced_group binary_partition(const Group &Whole,
                                                 bool Predicate) {
  unsigned int True = __ballot_sync(Whole.Lanes, Predicate);
  if (True == 0 || True == Whole.Lanes)
    return coalesced_group(Whole.Lanes, 0, 1);
  return Predicate ? coalesced_group(True, 1, 2)
                   : coalesced_group(Whole.Lanes & ~True, 0, 2);
}

/// Its form that takes the tile's size first.
template <unsigned int Size, typename Parent>
REGSHARE_MEMBER coalesced_group
binary_partition(const thread_block_tile<Size, Parent> &Whole, bool Predicate) {
  return binary_partition<thread_block_tile<Size, Parent>>(Whole, Predicate);
}

template <typename Group> REGSHARE_MEMBER void sync(const Group &G) {
  G.sync();
}
template <typename Group>
REGSHARE_MEMBER auto thread_rank(const Group &G) -> decltype(G.thread_rank()) {
  return G.thread_rank();
}
template <typename Group>
REGSHARE_MEMBER auto group_size(const Group &G) -> decltype(G.size()) {
  return G.size();
}

/// One thread of the group, the first one here, calls.
template <typename Group, typename Function, typename... Arguments>
REGSHARE_MEMBER void invoke_one(const Group &G, Function &&F,
                                Arguments &&...Args) {
  if (G.thread_rank() == 0)
    std::forward<Function>(F)(std::forward<Arguments>(Args)...);
}

/// The same, and all get what it returns.
template <typename Group, typename Function, typename... Arguments>
REGSHARE_MEMBER auto invoke_one_broadcast(const Group &G, Function &&F,
                                          Arguments &&...Args) ->
    typename std::remove_cv<
        typename std::remove_reference<decltype(std::forward<Function>(F)(
            std::forward<Arguments>(Args)...))>::type>::type {
  typename std::remove_cv<
      typename std::remove_reference<decltype(std::forward<Function>(F)(
          std::forward<Arguments>(Args)...))>::type>::type Result = {};
  if (G.thread_rank() == 0)
    Result = std::forward<Function>(F)(std::forward<Arguments>(Args)...);
  return G.shfl(Result, 0);
}

} // namespace cooperative_groups

#undef REGSHARE_GROUPS

#endif

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_H
