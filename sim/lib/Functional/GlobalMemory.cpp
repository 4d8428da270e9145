//===- GlobalMemory.cpp - Device memory -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/GlobalMemory.h"

#include "regshare/Sim/Types.h"

#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace regshare::sim {

static constexpr uint64_t Granule = 256;
static constexpr uint64_t MostReserved = uint64_t(1) << 40;
static constexpr uint64_t LeastReserved = uint64_t(1) << 24;

/// Half of the address space that a limit on this process (ulimit -v) leaves:
/// the other half is for the program and the simulator.
static uint64_t addressesToReserve() {
  rlimit Limit;
  if (getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY)
    return MostReserved;
  uint64_t UsedPages = 0;
  std::ifstream("/proc/self/statm") >> UsedPages;
  uint64_t Used = UsedPages * uint64_t(sysconf(_SC_PAGESIZE));
  return Limit.rlim_cur > Used ? (Limit.rlim_cur - Used) / 2 : 0;
}

GlobalMemory::GlobalMemory(uint64_t Capacity) : Capacity(Capacity) {
  const uint64_t Most = addressesToReserve();
  for (uint64_t Size = MostReserved; Size >= LeastReserved; Size /= 2) {
    if (Size > Most)
      continue;
    int Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *Wanted = reinterpret_cast<void *>(DeviceBase);
    void *P = mmap(Wanted, Size, PROT_READ | PROT_WRITE,
                   Flags | MAP_FIXED_NOREPLACE, -1, 0);
    // A second device of the process: same addresses, storage elsewhere.
    if (P == MAP_FAILED || P != Wanted) {
      if (P != MAP_FAILED)
        munmap(P, Size);
      P = mmap(nullptr, Size, PROT_READ | PROT_WRITE, Flags, -1, 0);
    }
    if (P == MAP_FAILED)
      continue;
    ReserveBegin = Next = DeviceBase;
    ReserveSize = Size;
    ReserveDelta = reinterpret_cast<uint64_t>(P) - DeviceBase;
    return;
  }
}

GlobalMemory::~GlobalMemory() {
  if (ReserveSize)
    munmap(reinterpret_cast<void *>(ReserveBegin + ReserveDelta), ReserveSize);
}

/// Fresh addresses as long as they last: a freed address stays invalid, which
/// is what finds its late uses. Then freed blocks are used again.
uint64_t GlobalMemory::takeAddresses(uint64_t Size) {
  if (Next + Size <= ReserveBegin + ReserveSize) {
    uint64_t Address = Next;
    Next += Size;
    return Address;
  }
  for (auto It = Freed.begin(); It != Freed.end(); ++It)
    if (It->second.Reserved >= Size) {
      uint64_t Address = It->first;
      Freed.erase(It);
      return Address;
    }
  return 0;
}

GlobalMemory::Block GlobalMemory::place(uint64_t Size,
                                        const std::string &What) {
  // One granule stays free after each block so that overruns are seen.
  uint64_t Reserved = (Size / Granule + 2) * Granule;
  Block B;
  B.Begin = takeAddresses(Reserved);
  B.End = B.Begin + Size;
  B.Delta = ReserveDelta;
  B.What = What;
  B.Reserved = Reserved;
  return B;
}

uint64_t GlobalMemory::allocate(uint64_t Size, const std::string &What) {
  if (Size > Capacity || InUse + Size > Capacity)
    return 0;
  Block B = place(Size, What);
  uint64_t Address = B.Begin;
  if (!Address)
    return 0;
  Live.emplace(Address, std::move(B));
  InUse += Size;
  ++Epoch;
  return Address;
}

uint64_t GlobalMemory::reserve(uint64_t Size, const std::string &What) {
  if (Size > Capacity)
    return 0;
  Block B = place(Size, What);
  uint64_t Address = B.Begin;
  if (Address)
    Freed.insert_or_assign(Address, std::move(B));
  return Address;
}

bool GlobalMemory::allocateAt(uint64_t Address) {
  auto It = Freed.find(Address);
  if (It == Freed.end())
    return false;
  uint64_t Size = It->second.End - It->second.Begin;
  if (InUse + Size > Capacity)
    return false;
  Live.insert(Freed.extract(It));
  InUse += Size;
  ++Epoch;
  return true;
}

bool GlobalMemory::free(uint64_t Address) {
  auto It = Live.find(Address);
  if (It == Live.end() || It->second.Mapped)
    return false;
  Block &B = It->second;
  InUse -= B.End - B.Begin;
  // Drops the pages; whoever gets the addresses next finds zeros.
  uint64_t Page = 4096;
  uint64_t First = B.Begin + B.Delta;
  uint64_t Last = First + B.Reserved;
  uint64_t Lo = (First + Page - 1) / Page * Page, Hi = Last / Page * Page;
  std::memset(B.host(B.Begin), 0, std::min(Last, std::max(Lo, First)) - First);
  if (Hi > Lo)
    madvise(reinterpret_cast<void *>(Lo), Hi - Lo, MADV_DONTNEED);
  if (Hi >= Lo)
    std::memset(reinterpret_cast<void *>(Hi), 0, Last - Hi);
  Freed.insert_or_assign(Address, std::move(B));
  Live.erase(It);
  ++Epoch;
  return true;
}

bool GlobalMemory::mapHost(void *Host, uint64_t Size) {
  uint64_t Address = reinterpret_cast<uint64_t>(Host);
  auto Next = Live.lower_bound(Address);
  if (Next != Live.end() && Next->second.Begin < Address + Size)
    return false;
  Block B;
  B.Begin = Address;
  B.End = Address + Size;
  B.What = "mapped host memory";
  B.Mapped = true;
  Live.emplace(Address, std::move(B));
  ++Epoch;
  return true;
}

bool GlobalMemory::unmapHost(void *Host) {
  auto It = Live.find(reinterpret_cast<uint64_t>(Host));
  if (It == Live.end() || !It->second.Mapped)
    return false;
  Live.erase(It);
  ++Epoch;
  return true;
}

void GlobalMemory::setReadOnly(uint64_t Address) {
  if (auto It = Live.find(Address); It != Live.end())
    It->second.ReadOnly = true;
}

const GlobalMemory::Range *GlobalMemory::find(uint64_t Address) const {
  auto It = Live.upper_bound(Address);
  if (It == Live.begin())
    return nullptr;
  const Block &B = std::prev(It)->second;
  return Address < B.End ? &B : nullptr;
}

std::string GlobalMemory::Block::name() const {
  return What + " of " + std::to_string(End - Begin) +
         (End - Begin == 1 ? " byte" : " bytes");
}

static std::string bytes(uint64_t Count) {
  return Count == 1 ? "1 byte" : std::to_string(Count) + " bytes";
}

std::string GlobalMemory::nameOf(uint64_t Address) const {
  auto It = Live.upper_bound(Address);
  if (It == Live.begin() || Address >= std::prev(It)->second.End)
    return {};
  return std::prev(It)->second.name();
}

bool GlobalMemory::isNear(uint64_t Address, uint64_t Reach) const {
  auto It = Live.upper_bound(Address);
  if (It != Live.end() && It->second.Begin - Address <= Reach)
    return true;
  if (It == Live.begin())
    return false;
  uint64_t End = std::prev(It)->second.End;
  return Address < End || Address - End <= Reach;
}

bool GlobalMemory::isFreed(uint64_t Address) const {
  auto It = Freed.upper_bound(Address);
  return It != Freed.begin() && Address < std::prev(It)->second.End;
}

std::string GlobalMemory::explain(uint64_t Address, uint64_t Size) const {
  if (auto It = Freed.upper_bound(Address); It != Freed.begin()) {
    const Block &B = std::prev(It)->second;
    if (Address < B.End)
      return "the address lies " + bytes(Address - B.Begin) + " into a freed " +
             B.name();
  }
  auto It = Live.upper_bound(Address);
  if (It != Live.begin()) {
    const Block &B = std::prev(It)->second;
    if (Address < B.End)
      return "the access runs " + bytes(Address + Size - B.End) +
             " over the end of the " + B.name();
    if (Address - B.End < 1 << 20)
      return "the address lies " +
             (Address == B.End ? "just" : bytes(Address - B.End)) +
             " past the end of the " + B.name();
  }
  if (It != Live.end() && It->second.Begin - Address < 1 << 20)
    return "the address lies " + bytes(It->second.Begin - Address) +
           " before the " + It->second.name();
  if (Address < 4096)
    return "the address is null or near it";
  return "no allocation is near the address";
}

bool GlobalMemory::read(uint64_t Address, void *To, uint64_t Size) const {
  if (!Size)
    return true;
  const Range *R = find(Address);
  if (!R || !R->contains(Address, Address + Size))
    return false;
  std::memcpy(To, R->host(Address), Size);
  return true;
}

bool GlobalMemory::write(uint64_t Address, const void *From, uint64_t Size) {
  if (!Size)
    return true;
  const Range *R = find(Address);
  if (!R || !R->contains(Address, Address + Size))
    return false;
  std::memcpy(R->host(Address), From, Size);
  return true;
}

} // namespace regshare::sim
