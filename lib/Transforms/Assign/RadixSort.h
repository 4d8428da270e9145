//===- RadixSort.h - Sorting by a number --------------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A stable sort in linear time, for the places of a function, which are
/// numbers and many. Private to register assignment.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_RADIXSORT_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_RADIXSORT_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace regshare {

/// Sorts \p Items by \p Key(item), a uint32_t. Equal ones keep their order.
template <typename T, typename KeyFn>
void sortByNumber(std::vector<T> &Items, KeyFn Key) {
  uint32_t Most = 0;
  for (const T &Item : Items)
    Most = std::max(Most, Key(Item));
  std::vector<T> Other(Items.size());
  for (unsigned Shift = 0; Shift < 32 && Most >> Shift; Shift += 8) {
    std::array<uint32_t, 256> Next{};
    for (const T &Item : Items)
      ++Next[Key(Item) >> Shift & 255];
    uint32_t Sum = 0;
    for (uint32_t &Count : Next)
      Sum += std::exchange(Count, Sum);
    for (const T &Item : Items)
      Other[Next[Key(Item) >> Shift & 255]++] = Item;
    Items.swap(Other);
  }
}

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_RADIXSORT_H
