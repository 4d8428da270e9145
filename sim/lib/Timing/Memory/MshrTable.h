//===- MshrTable.h - Fetches under way, and who waits ------------*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Miss status holding registers: one for each request under way, with those
/// that wait for it. The registers of a line form a list.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_MSHRTABLE_H
#define REGSHARE_SIM_TIMING_MEMORY_MSHRTABLE_H

#include "TagArray.h"

#include <cassert>
#include <span>
#include <vector>

namespace regshare::sim {

class MshrTable {
public:
  static constexpr uint32_t NoLine = ~uint32_t(0);

  struct Entry {
    uint32_t Line = NoLine; ///< In the tag array.
    int32_t Next = -1;      ///< Of the line's list, or of the free ones.
    uint8_t Sectors = 0;
    uint16_t NumWaiting = 0;
  };

  MshrTable(unsigned Entries, unsigned Merges)
      : Merges(Merges), All(Entries), Waiting(size_t(Entries) * Merges) {
    for (unsigned N = Entries; N-- != 0;) {
      All[N].Next = FirstFree;
      FirstFree = int32_t(N);
    }
  }

  bool isFull() const { return FirstFree < 0; }
  unsigned inUse() const { return Used; }
  bool hasRoom(int32_t Id) const { return All[Id].NumWaiting < Merges; }
  Entry &operator[](int32_t Id) { return All[Id]; }

  /// A register for \p Sectors of \p Line, which becomes pending for them.
  int32_t allocate(CacheLine &Line, uint32_t Index, uint8_t Sectors) {
    int32_t Id = allocate();
    All[Id].Line = Index;
    All[Id].Sectors = Sectors;
    All[Id].Next = Line.FirstMshr;
    Line.FirstMshr = Id;
    Line.Pending |= Sectors;
    return Id;
  }
  /// A register for a request that no line is lent to.
  int32_t allocate() {
    assert(!isFull());
    int32_t Id = FirstFree;
    FirstFree = All[Id].Next;
    All[Id] = Entry();
    ++Used;
    return Id;
  }
  void wait(int32_t Id, uint32_t Who) {
    assert(hasRoom(Id));
    Waiting[size_t(Id) * Merges + All[Id].NumWaiting++] = Who;
  }
  std::span<const uint32_t> waiting(int32_t Id) const {
    return {&Waiting[size_t(Id) * Merges], All[Id].NumWaiting};
  }
  /// Takes the register out of the list of its line, whose sectors are no
  /// longer pending.
  void unlink(int32_t Id, CacheLine &Line) {
    Line.Pending &= uint8_t(~All[Id].Sectors);
    int32_t *At = &Line.FirstMshr;
    while (*At != Id)
      At = &All[*At].Next;
    *At = All[Id].Next;
  }
  void release(int32_t Id) {
    All[Id].Next = FirstFree;
    FirstFree = Id;
    --Used;
  }

private:
  unsigned Merges;
  unsigned Used = 0;
  int32_t FirstFree = -1;
  std::vector<Entry> All;
  std::vector<uint32_t> Waiting; ///< Merges of each register.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_MSHRTABLE_H
