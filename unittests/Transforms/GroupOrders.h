//===- GroupOrders.h - Numbers for groups of registers ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_TRANSFORMS_GROUPORDERS_H
#define REGSHARE_UNITTESTS_TRANSFORMS_GROUPORDERS_H

#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace regshare::test {

/// By unit: its new number.
using Numbers = std::vector<unsigned>;

/// Each number once; groups aligned and in order.
inline void expectKeepsGroups(const Numbers &New,
                              const std::vector<unsigned> &Granules) {
  Numbers Sorted = New;
  std::sort(Sorted.begin(), Sorted.end());
  for (unsigned I = 0; I != Sorted.size(); ++I)
    ASSERT_EQ(Sorted[I], I);
  for (unsigned U = 0; U != New.size(); ++U) {
    unsigned First = U / Granules[U] * Granules[U];
    EXPECT_EQ(New[First] % Granules[U], 0u);
    EXPECT_EQ(New[U], New[First] + U - First);
  }
}

/// All ways to place the groups; what would be of one that is cut off stays
/// empty. Calls \p Visit(places by unit).
inline void forEachOrder(const std::vector<unsigned> &Granules,
                         const std::function<void(const Numbers &)> &Visit) {
  unsigned Units = Granules.size();
  Numbers New(Units);
  std::vector<bool> Taken(Units);
  std::function<void(unsigned)> Place = [&](unsigned U) {
    if (U >= Units)
      return Visit(New);
    unsigned Size = std::min(Granules[U], Units - U);
    for (unsigned At = 0; At + Size <= Units; At += Granules[U]) {
      auto Begin = Taken.begin() + At;
      auto End = Taken.begin() + std::min(At + Granules[U], Units);
      if (std::any_of(Begin, End, [](bool T) { return T; }))
        continue;
      std::fill(Begin, End, true);
      std::iota(New.begin() + U, New.begin() + U + Size, At);
      Place(U + Size);
      std::fill(Begin, End, false);
    }
  };
  Place(0);
}

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_TRANSFORMS_GROUPORDERS_H
