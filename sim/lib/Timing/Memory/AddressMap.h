//===- AddressMap.h - Addresses to slices, banks and rows ----- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where an address lives: the slice of the L2 that serves it, and the bank and
/// row of the DRAM channel behind. Addresses go round the channels by 256 bytes
/// and, of what a channel gets, round its slices by 256 bytes. Each slice has
/// banks of its own; a slice fills a row, then the row of its next bank.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_ADDRESSMAP_H
#define REGSHARE_SIM_TIMING_MEMORY_ADDRESSMAP_H

#include "MemoryConfig.h"
#include "MemoryPort.h"

#include <bit>

namespace regshare::sim {

class AddressMap {
public:
  static constexpr unsigned ChunkBytes = 256;
  static constexpr unsigned LinesPerChunk = ChunkBytes / LineBytes;

  explicit AddressMap(const MemoryConfig &C)
      : Channels(C.Dram.Channels), SliceBits(log2(C.L2.SlicesPerChannel)),
        BankBits(log2(C.Dram.Banks) - SliceBits),
        RowBits(log2(C.Dram.RowBytes)),
        Hashed(C.Dram.Mapping == Interleave::Hashed) {}

  struct SliceLine {
    unsigned Slice = 0; ///< Of the machine.
    uint64_t Line = 0;  ///< Counted in the slice.
  };
  SliceLine slice(uint64_t Address) const {
    uint64_t Chunk = Address / ChunkBytes;
    uint64_t Round = Chunk / Channels;
    uint64_t Channel = Chunk - Round * Channels;
    uint64_t Slice = Round & mask(SliceBits);
    uint64_t InSlice = Round >> SliceBits;
    if (Hashed) {
      // Rotating by what changes from round to round keeps every round on all
      // channels, and the map one to one.
      Channel = (Channel + scramble(Round) % Channels) % Channels;
      Slice ^= scramble(InSlice) & mask(SliceBits);
    }
    return {unsigned(Channel << SliceBits | Slice),
            InSlice * LinesPerChunk + Address / LineBytes % LinesPerChunk};
  }

  struct RowOfBank {
    unsigned Bank = 0; ///< Of the channel.
    uint64_t Row = 0;
  };
  RowOfBank row(unsigned Slice, uint64_t Line) const {
    uint64_t Place = Line * LineBytes >> RowBits;
    uint64_t Row = Place >> BankBits;
    uint64_t Bank = Place & mask(BankBits);
    if (Hashed)
      Bank ^= scramble(Row) & mask(BankBits);
    return {unsigned(Bank << SliceBits | (Slice & mask(SliceBits))), Row};
  }
  unsigned channel(unsigned Slice) const { return Slice >> SliceBits; }

private:
  static unsigned log2(unsigned N) { return unsigned(std::countr_zero(N)); }
  static uint64_t mask(unsigned Bits) { return (uint64_t(1) << Bits) - 1; }
  /// Multiplicative hashing: the upper half of a product with 2^64 over the
  /// golden ratio.
  static uint64_t scramble(uint64_t N) {
    return (N * 0x9e3779b97f4a7c15u) >> 32;
  }

  unsigned Channels;
  unsigned SliceBits; ///< Of a slice's number in its channel.
  unsigned BankBits;  ///< Of a bank's number in its slice.
  unsigned RowBits;
  bool Hashed;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_ADDRESSMAP_H
