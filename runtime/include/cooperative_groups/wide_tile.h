//===- cooperative_groups/wide_tile.h - Tiles of warps --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tiles of more than a warp, whose threads meet and exchange values in shared
/// memory that the program sets apart: block_tile_memory, which
/// this_thread_block is given. Part of cooperative_groups.h.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_WIDE_TILE_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_WIDE_TILE_H

namespace cooperative_groups {

namespace regshare_groups {

/// What the tiles of a block share.
struct TileMemory {
  static constexpr unsigned int MaxWarps = 32, SlotWords = 8;
  /// How many warps have come to barriers of the tile that a warp is the first
  /// of, for tiles of 64, 128, 256, 512 and 1,024 threads.
  unsigned int Arrived[5][MaxWarps / 2];
  /// A value of each warp.
  unsigned int Slots[MaxWarps][SlotWords];
};

template <unsigned int Size> class WideTile {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two of at most 1,024");
  static constexpr unsigned int Warps = Size / 32;

public:
  REGSHARE_MEMBER void sync() const {
    __syncwarp();
    if (lane() == 0) {
      unsigned int *At = &Memory->Arrived[level()][rankInBlock() / Size];
      __threadfence_block();
      unsigned int Own = atomicAdd(At, 1u);
      unsigned int Last = (Own / Warps + 1) * Warps;
      while (int(*static_cast<volatile unsigned int *>(At) - Last) < 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
        asm volatile("nanosleep.u32 20;" ::: "memory");
#endif
      }
      __threadfence_block();
    }
    __syncwarp();
  }
  static constexpr REGSHARE_MEMBER unsigned int num_threads() { return Size; }
  static constexpr REGSHARE_MEMBER unsigned int size() { return Size; }
  static REGSHARE_MEMBER unsigned int thread_rank() {
    return rankInBlock() & (Size - 1);
  }
  REGSHARE_MEMBER unsigned int meta_group_rank() const { return MetaRank; }
  REGSHARE_MEMBER unsigned int meta_group_size() const { return MetaSize; }

  /// All threads name the same \p Source.
  template <typename T>
  REGSHARE_MEMBER T shfl(const T &Value, int Source) const {
    unsigned int From = unsigned(Source) & (Size - 1);
    if (thread_rank() == From)
      put(Value);
    sync();
    T Result = get<T>(firstWarp() + From / 32);
    sync();
    return Result;
  }
  REGSHARE_MEMBER int any(int Predicate) const {
    return exchange(__any_sync(0xffffffffu, Predicate),
                    [](int A, int B) { return A | B; });
  }
  REGSHARE_MEMBER int all(int Predicate) const {
    return exchange(__all_sync(0xffffffffu, Predicate),
                    [](int A, int B) { return A & B; });
  }

  /// \p Value of each warp, which all of its lanes have, joined by \p Op in the
  /// order of warps.
  template <typename T, typename Operator>
  REGSHARE_MEMBER T exchange(const T &Value, Operator &&Op) const {
    if (lane() == 0)
      put(Value);
    sync();
    T Result = get<T>(firstWarp());
#pragma unroll 1
    for (unsigned int Warp = 1; Warp != Warps; ++Warp)
      Result = Op(Result, get<T>(firstWarp() + Warp));
    sync();
    return Result;
  }

protected:
  REGSHARE_MEMBER WideTile(unsigned int MetaRank, unsigned int MetaSize,
                           TileMemory *Memory)
      : MetaRank(MetaRank), MetaSize(MetaSize), Memory(Memory) {
    // this_thread_block was not given any.
    if (!Memory)
      __trap();
  }

  unsigned int MetaRank, MetaSize;
  TileMemory *Memory;

private:
  static constexpr REGSHARE_MEMBER unsigned int level() {
    return Size == 64    ? 0
           : Size == 128 ? 1
           : Size == 256 ? 2
           : Size == 512 ? 3
                         : 4;
  }
  static REGSHARE_MEMBER unsigned int firstWarp() {
    return rankInBlock() / Size * Warps;
  }
  template <typename T> REGSHARE_MEMBER void put(const T &Value) const {
    static_assert(std::is_trivially_copyable<T>::value,
                  "threads exchange values that can be copied bit by bit");
    static_assert(sizeof(T) <= 4 * TileMemory::SlotWords,
                  "threads exchange values of at most 32 bytes");
    __builtin_memcpy(Memory->Slots[rankInBlock() / 32], &Value, sizeof(T));
  }
  template <typename T> REGSHARE_MEMBER T get(unsigned int Warp) const {
    T Value;
    __builtin_memcpy(&Value, Memory->Slots[Warp], sizeof(T));
    return Value;
  }
};

template <unsigned int Size> class Tile;

} // namespace regshare_groups

/// To be declared in shared memory, for blocks of at most \p MaxBlockSize
/// threads.
template <unsigned int MaxBlockSize = 1024>
class block_tile_memory : regshare_groups::TileMemory {
  static_assert(MaxBlockSize <= 1024, "a block has at most 1,024 threads");
  friend __device__ thread_block
  this_thread_block<MaxBlockSize>(block_tile_memory<MaxBlockSize> &);
};

} // namespace cooperative_groups

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_WIDE_TILE_H
