//===- WarpmanSchemeTest.cpp - Slots that partitions have room for --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/Warpman/WarpmanScheme.h"
#include "Timing/SchemeBench.h"
#include "regshare/Base/Warpman/Warpman.h"

namespace regshare::sim {
namespace {

TEST(WarpmanScheme, WarpsTakeWhatPartitionsHave) {
  // 16,384 registers of a partition are 16 warps of 1,024.
  SchemeBench<WarpmanScheme> B(schemes::Warpman, "hopper",
                               {{32, 12 * 32, 0}, {}});
  EXPECT_EQ(B.Resident.Limits.CTAs, 6u);
  EXPECT_EQ(B.Resident.Limits.Warps, 64u);
  uint64_t Free = ~uint64_t(0);
  EXPECT_EQ(B.S->warpsThatFit(Free), 12u);
  EXPECT_EQ(B.S->warpsThatFit(0b10111), 4u);
  EXPECT_EQ(B.S->warpsThatFit(0), 0u);

  // Eleven of 1,472.
  SchemeBench<WarpmanScheme> C(schemes::Warpman, "hopper",
                               {{46, 12 * 32, 0}, {}});
  EXPECT_EQ(C.Resident.Limits.CTAs, 4u);
  EXPECT_EQ(C.Resident.Limits.Warps, 40u);
}

TEST(WarpmanScheme, FullPartitionsGetNoWarp) {
  // Ten warps of 48 registers in each of four partitions.
  SchemeBench<WarpmanScheme> B(schemes::Warpman, "hopper",
                               {{48, 12 * 32, 0}, {}});
  uint64_t Free = ~uint64_t(0), Mine = 0;
  for (unsigned N = 0; N != 40; ++N) {
    std::optional<unsigned> Slot = B.S->slotFor(Free, Mine, 0, N % 12);
    ASSERT_EQ(Slot, N);
    Free &= ~(uint64_t(1) << *Slot);
    Mine |= uint64_t(1) << *Slot;
    if (N % 12 == 11)
      Mine = 0;
  }
  EXPECT_FALSE(B.S->slotFor(Free, 0, 3, 4));
  EXPECT_EQ(B.S->warpsThatFit(Free), 0u);
  // A warp of partition 2 ends: the next one comes there.
  Free |= uint64_t(1) << 6;
  EXPECT_EQ(B.S->warpsThatFit(Free), 1u);
  EXPECT_EQ(B.S->slotFor(Free, 0, 3, 4), 6u);
}

TEST(WarpmanScheme, NoPartOfACtaThatMayWaitForOthers) {
  KernelNeeds K{{48, 12 * 32, 0}, {}};
  K.WaitsForOthers = true;
  SchemeBench<WarpmanScheme> B(schemes::Warpman, "hopper", K);
  EXPECT_EQ(B.Resident.Limits.CTAs, 3u);
  EXPECT_EQ(B.S->warpsThatFit(~uint64_t(0)), 12u);
  // Slots 0 to 31 are taken; eight more warps have registers.
  EXPECT_EQ(B.S->warpsThatFit(~uint64_t(0) << 32), 0u);
  // From 28 on, it is twelve.
  EXPECT_EQ(B.S->warpsThatFit(~uint64_t(0) << 28), 12u);
}

} // namespace
} // namespace regshare::sim
