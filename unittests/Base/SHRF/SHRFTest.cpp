//===- SHRFTest.cpp - What SHRF's hardware costs --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SHRF/SHRF.h"

#include "regshare/Base/LTRF/LTRF.h"

#include "gtest/gtest.h"

using namespace regshare;

namespace {

TEST(SHRF, Storage) {
  SHRFStorage S = shrfStorage({});
  EXPECT_EQ(S.WarpOffset, 64u * 3);
  EXPECT_EQ(S.Results, 8u * 16);
  EXPECT_EQ(S.Fetches, 8u * 16);
  EXPECT_EQ(S.total(), 448u);
  // Fermi has 48 warps.
  EXPECT_EQ(shrfStorage({48, 8, 16}).total(), 400u);
}

/// Things that are counted one by one instead.
TEST(SHRF, StorageOfOtherShapes) {
  for (unsigned Warps = 1; Warps != 65; ++Warps)
    for (unsigned Active = 1; Active != 17; ++Active)
      for (unsigned Slots : {1u, 2u, 8u, 17u, 32u}) {
        SHRFStorage S = shrfStorage({Warps, Active, Slots});
        uint64_t Offsets = 0, Bits = 0;
        for (unsigned Warp = 0; Warp != Warps; ++Warp)
          for (unsigned Told = 1; Told < Active; Told *= 2)
            ++Offsets;
        for (unsigned Place = 0; Place != Active; ++Place)
          for (unsigned Slot = 0; Slot != Slots; ++Slot)
            Bits += 2;
        EXPECT_EQ(S.WarpOffset, Offsets);
        EXPECT_EQ(S.total(), Offsets + Bits);
        // The same warps have the same places under LTRF.
        EXPECT_EQ(S.WarpOffset,
                  ltrfStorage({Warps, 64, Active, Slots}).WarpOffset);
      }
}

} // namespace
