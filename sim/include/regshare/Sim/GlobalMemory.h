//===- regshare/Sim/GlobalMemory.h - Device memory -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Global memory of the simulated device: an allocation map with bounds and
/// use-after-free checks over host storage. Device addresses are the same in
/// every run. Where the host allows it they equal host addresses, so that
/// managed memory needs no copies.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_GLOBALMEMORY_H
#define REGSHARE_SIM_GLOBALMEMORY_H

#include "regshare/Base/Result.h"
#include "regshare/Sim/Texture.h"

#include <cstdint>
#include <map>
#include <string>

namespace regshare::sim {

/// The memory of a device: allocations, and access to them.
class GlobalMemory {
public:
  /// A live range of device addresses; add Delta to get the host address.
  struct Range {
    uint64_t Begin = 0, End = 0;
    uint64_t Delta = 0;
    bool ReadOnly = false;
    bool contains(uint64_t Lo, uint64_t Hi) const {
      return Lo >= Begin && Hi <= End;
    }
    uint8_t *host(uint64_t Address) const {
      return reinterpret_cast<uint8_t *>(Address + Delta);
    }
  };

  /// \p Capacity in bytes bounds what allocate() hands out.
  explicit GlobalMemory(uint64_t Capacity = uint64_t(1) << 32);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;

  /// Zeroed memory, aligned to 256 bytes. 0 when the capacity is exhausted, or
  /// what the host lets the process reserve.
  uint64_t allocate(uint64_t Size, const std::string &What = "allocation");
  /// False if \p Address is not the start of a live allocation.
  bool free(uint64_t Address);
  /// Addresses that are no memory until allocateAt() makes them so, after
  /// every free() again. 0 when there are none left.
  uint64_t reserve(uint64_t Size, const std::string &What);
  /// Memory, as allocate() gives it, at an address of reserve(). False if it is
  /// memory already, or when the capacity is exhausted.
  bool allocateAt(uint64_t Address);
  /// Makes host memory visible to kernels at its own address.
  bool mapHost(void *Host, uint64_t Size);
  bool unmapHost(void *Host);
  void setReadOnly(uint64_t Address);

  /// The live range around \p Address; null if there is none.
  const Range *find(uint64_t Address) const;
  /// Why an access of \p Size bytes at \p Address is wrong: names the nearest
  /// allocation, or the freed one it falls into.
  std::string explain(uint64_t Address, uint64_t Size) const;
  /// "variable 'limit' of 4 bytes": the live allocation around \p Address, or
  /// an empty string.
  std::string nameOf(uint64_t Address) const;
  /// At most \p Reach bytes lie between \p Address and a live allocation.
  bool isNear(uint64_t Address, uint64_t Reach) const;
  /// The address was part of an allocation that has been freed.
  bool isFreed(uint64_t Address) const;

  /// Copies from the host's side. False if the range is not one live
  /// allocation's.
  bool read(uint64_t Address, void *To, uint64_t Size) const;
  bool write(uint64_t Address, const void *From, uint64_t Size);

  /// True for every address that allocate() may deliver, live or not.
  bool isDeviceAddress(uint64_t Address) const {
    return Address - ReserveBegin < ReserveSize;
  }
  /// Device addresses equal host addresses.
  bool isIdentityMapped() const { return ReserveDelta == 0; }
  /// The texture objects that kernels can name.
  TextureTable &textures() { return Textures; }
  const TextureTable &textures() const { return Textures; }
  uint64_t bytesInUse() const { return InUse; }
  uint64_t capacity() const { return Capacity; }
  /// Bytes of the host's address space that allocations lie in: less than the
  /// capacity where the host limits the process.
  uint64_t reserved() const { return ReserveSize; }
  /// Changes with every allocation and free; cached ranges go stale then.
  uint64_t epoch() const { return Epoch; }

private:
  struct Block : Range {
    std::string What;
    uint64_t Reserved = 0;
    bool Mapped = false;
    std::string name() const; ///< "allocation of 64 bytes".
  };
  uint64_t takeAddresses(uint64_t Size);
  /// A block at fresh addresses; it begins at 0 when there are none.
  Block place(uint64_t Size, const std::string &What);

  uint64_t Capacity;
  uint64_t InUse = 0;
  uint64_t Epoch = 1;
  uint64_t ReserveBegin = 0, ReserveSize = 0, ReserveDelta = 0, Next = 0;
  std::map<uint64_t, Block> Live;
  std::map<uint64_t, Block> Freed;
  TextureTable Textures;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_GLOBALMEMORY_H
