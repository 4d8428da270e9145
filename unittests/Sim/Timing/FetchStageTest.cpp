//===- FetchStageTest.cpp - Instruction buffers and their cache -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Core/FetchStage.h"

#include <gtest/gtest.h>

using namespace regshare::sim;

namespace {

/// One set of two lines, one line under way for two warps, two instructions of
/// 8 bytes.
constexpr FetchStageConfig Small = {1, 2, 1, 2, 2, 8};

class FetchStageTest : public testing::Test {
protected:
  FetchStageTest() : Cache(Small), Stage(Small, Cache, 3, 4) {}

  void begin(unsigned Warp, uint64_t Address) {
    Stage.arrive(Warp);
    EXPECT_FALSE(Stage.wants(Warp, Address, Now));
  }
  int tick() { return Stage.tick(Now++, Requests); }
  void answer() { Stage.receive({Now, Requests.back().Id, 3}); }

  CodeCache Cache;
  FetchStage Stage;
  std::vector<MemoryRequest> Requests;
  Cycle Now = 0;
};

TEST_F(FetchStageTest, StraightOnTwoInThreeCycles) {
  Cache.fill(0);
  begin(0, 0);
  EXPECT_EQ(tick(), -1);
  EXPECT_EQ(tick(), 0); // Fetched in one cycle, decoded in the next.
  EXPECT_TRUE(Stage.wants(0, 0, Now));
  Stage.take(0, 1);
  EXPECT_TRUE(Stage.wants(0, 8, Now));
  EXPECT_EQ(tick(), -1);
  Stage.take(0, 1);
  EXPECT_FALSE(Stage.wants(0, 16, Now));
  EXPECT_EQ(tick(), -1);
  EXPECT_EQ(tick(), 0);
  EXPECT_TRUE(Stage.wants(0, 16, Now));
  EXPECT_TRUE(Requests.empty());
  EXPECT_EQ(Stage.misses(), 0u);
}

TEST_F(FetchStageTest, ABranchLosesTheBuffer) {
  Cache.fill(0);
  begin(0, 0);
  tick();
  tick();
  Stage.take(0, 1);
  EXPECT_FALSE(Stage.wants(0, 64, Now));
  EXPECT_EQ(tick(), -1); // The branch's own cycle.
  EXPECT_EQ(tick(), -1); // Seen and fetched.
  EXPECT_EQ(tick(), 0);
  EXPECT_TRUE(Stage.wants(0, 64, Now));
}

TEST_F(FetchStageTest, WarpsTakeTurns) {
  Cache.fill(0);
  for (unsigned Warp = 0; Warp != 4; ++Warp)
    begin(Warp, 0);
  EXPECT_EQ(tick(), -1);
  for (int Warp : {1, 2, 3, 0})
    EXPECT_EQ(tick(), Warp);
  EXPECT_EQ(Stage.nextEvent(), Now);
  EXPECT_EQ(tick(), -1);
  EXPECT_EQ(Stage.nextEvent(), Never);
}

TEST_F(FetchStageTest, MissesGoToTheL2) {
  begin(1, 256);
  begin(2, 264);
  begin(3, 256);
  tick();
  ASSERT_EQ(Requests.size(), 1u);
  EXPECT_EQ(Requests[0].Bytes, 128);
  EXPECT_EQ(Requests[0].Sectors, 15);
  EXPECT_EQ(Requests[0].SM, 3);
  EXPECT_EQ(Requests[0].Address % 4096, 256u);
  tick();
  EXPECT_FALSE(Stage.isIdle());
  // The third warp finds that two wait already, again and again.
  tick();
  tick();
  EXPECT_EQ(Requests.size(), 1u);
  EXPECT_EQ(Stage.misses(), 2u);
  answer();
  EXPECT_EQ(tick(), -1);
  EXPECT_TRUE(Stage.isIdle());
  EXPECT_EQ(tick(), 1);
  EXPECT_EQ(tick(), 2);
  EXPECT_EQ(tick(), 3); // A hit.
  EXPECT_EQ(Stage.misses(), 2u);
  EXPECT_TRUE(Stage.wants(2, 264, Now));
}

TEST_F(FetchStageTest, TheLineUsedLastTheLongestAgoGivesWay) {
  Cache.fill(0);
  Cache.fill(1);
  EXPECT_TRUE(Cache.touch(0));
  Cache.fill(2);
  EXPECT_TRUE(Cache.touch(0));
  EXPECT_FALSE(Cache.touch(1));
  EXPECT_TRUE(Cache.touch(2));
}

TEST_F(FetchStageTest, WithoutMshrsItHasAllLines) {
  FetchStageConfig Perfect = Small;
  Perfect.Mshrs = 0;
  FetchStage All(Perfect, Cache, 0, 1);
  All.arrive(0);
  EXPECT_FALSE(All.wants(0, 1 << 20, 0));
  EXPECT_EQ(All.tick(0, Requests), -1);
  EXPECT_EQ(All.tick(1, Requests), 0);
  EXPECT_TRUE(Requests.empty());
}

TEST_F(FetchStageTest, WhoHasLeftAsksForNothing) {
  begin(0, 0);
  Stage.leave(0);
  tick();
  EXPECT_TRUE(Requests.empty());
  EXPECT_EQ(Stage.nextEvent(), Never);
}

} // namespace
