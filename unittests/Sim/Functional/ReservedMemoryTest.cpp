//===- ReservedMemoryTest.cpp - Memory at addresses kept for it ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/GlobalMemory.h"

#include "gtest/gtest.h"

using namespace regshare::sim;

namespace {

TEST(ReservedMemory, IsMemoryOnlyWhileAllocated) {
  GlobalMemory Memory(1024);
  uint64_t Address = Memory.reserve(512, "block");
  ASSERT_NE(Address, 0u);
  uint32_t Value = 7;
  EXPECT_EQ(Memory.bytesInUse(), 0u);
  EXPECT_FALSE(Memory.write(Address, &Value, sizeof(Value)));
  for (int Round = 0; Round != 3; ++Round) {
    uint64_t Epoch = Memory.epoch();
    ASSERT_TRUE(Memory.allocateAt(Address));
    EXPECT_NE(Memory.epoch(), Epoch);
    EXPECT_EQ(Memory.bytesInUse(), 512u);
    EXPECT_FALSE(Memory.allocateAt(Address));
    uint32_t Found = 1;
    ASSERT_TRUE(Memory.read(Address + 508, &Found, sizeof(Found)));
    EXPECT_EQ(Found, 0u) << "the memory of the last round";
    EXPECT_TRUE(Memory.write(Address + 508, &Value, sizeof(Value)));
    EXPECT_FALSE(Memory.write(Address + 510, &Value, sizeof(Value)));
    ASSERT_TRUE(Memory.free(Address));
    EXPECT_FALSE(Memory.read(Address, &Found, sizeof(Found)));
    EXPECT_TRUE(Memory.isFreed(Address));
  }
}

TEST(ReservedMemory, CountsAgainstTheCapacityWhenAllocated) {
  GlobalMemory Memory(1024);
  EXPECT_EQ(Memory.reserve(1025, "block"), 0u);
  uint64_t First = Memory.reserve(1024, "block");
  uint64_t Second = Memory.reserve(1024, "block");
  ASSERT_NE(First, 0u);
  ASSERT_NE(Second, 0u);
  EXPECT_GE(Second, First + 1024);
  EXPECT_TRUE(Memory.allocateAt(First));
  EXPECT_FALSE(Memory.allocateAt(Second));
  EXPECT_EQ(Memory.allocate(1), 0u);
  EXPECT_TRUE(Memory.free(First));
  EXPECT_TRUE(Memory.allocateAt(Second));
  EXPECT_FALSE(Memory.allocateAt(Second + 1)) << "nobody's address";
}

} // namespace
