//===- TagBanksTest.cpp - Loads by banks of tags and of data --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/Interconnect.h"
#include "TimingMemory.h"

namespace regshare::sim {
namespace {

MemoryConfig withTagBanks() {
  MemoryConfig C = smallMemory();
  C.Lsu.Queue = 8;
  C.L1.Sets = 64;
  C.L1.Ways = 8;
  C.L1.Mshrs = 64;
  C.L1.TagBanks = 4;
  C.L1.WordLatency = 2;
  return C;
}

/// A unit whose L1 has the first 64 lines.
class TagBanks : public testing::Test {
protected:
  MemoryConfig C = withTagBanks();
  UnitUnderTest U{C};
  uint32_t Token = 100;

  void SetUp() override {
    for (unsigned Line = 0; Line != 64; ++Line) {
      size_t Before = U.Requests.size();
      U.accept(load(Line * LineBytes), Line);
      while (U.Requests.size() == Before)
        U.tick();
      U.reply(U.Requests.back().Id, U.Now + 1);
      U.tickTo(U.Now + 3);
    }
  }

  MemoryAccess lanes(unsigned Stride, uint8_t Bytes = 4, uint64_t Base = 0) {
    return accessOf(Space::Global, MemoryOp::Load, Base, Stride, Bytes);
  }
  /// Cycles that such a load keeps the next one waiting.
  Cycle taken(const MemoryAccess &A) {
    U.accept(A, Token++);
    Cycle Begin = U.Now;
    U.accept(load(0), Token);
    U.tickTo(Begin + 100);
    return U.Done.at(Token++) - Begin - C.L1.HitLatency;
  }
};

TEST_F(TagBanks, DataTakeThePassesOfTheirBanks) {
  EXPECT_EQ(taken(lanes(0)), 1u);
  EXPECT_EQ(taken(lanes(4)), 1u);
  EXPECT_EQ(taken(lanes(8)), 2u);
  EXPECT_EQ(taken(lanes(16)), 4u);
  EXPECT_EQ(taken(lanes(256)), 32u);
  // Half a warp at a time.
  EXPECT_EQ(taken(lanes(0, 8)), 2u);
  EXPECT_EQ(taken(lanes(8, 8)), 2u);
  EXPECT_EQ(taken(lanes(16, 8)), 4u);
}

/// Lines 0 to 3 are in one bank each, as are 4 to 7, but that 4 is where 1 is.
TEST_F(TagBanks, ABankLooksUpALineInACycle) {
  EXPECT_EQ(taken(lanes(12)), 1u) << "lines 0 to 2";
  EXPECT_EQ(taken(lanes(12, 4, 128)), 1u) << "lines 1 to 3";
  EXPECT_EQ(taken(lanes(12, 4, 140)), 2u) << "lines 1 to 4";
  EXPECT_EQ(taken(lanes(28)), 2u) << "lines 0 to 6";
  EXPECT_EQ(taken(lanes(132)), 8u) << "lines 0 to 31";
  EXPECT_EQ(taken(lanes(132, 4, 128)), 9u) << "lines 1 to 32";
}

TEST_F(TagBanks, FurtherWordsComeLater) {
  auto Latency = [this](const MemoryAccess &A) {
    U.accept(A, Token);
    Cycle Begin = U.Now;
    U.tickTo(Begin + 100);
    return U.Done.at(Token++) - Begin - C.L1.HitLatency;
  };
  EXPECT_EQ(Latency(lanes(4)), 0u);
  EXPECT_EQ(Latency(lanes(0, 8)), 2u);
  EXPECT_EQ(Latency(lanes(8, 8)), 2u);
  EXPECT_EQ(Latency(lanes(16, 16)), 6u);
  EXPECT_EQ(Latency(lanes(16, 8)), 3u) << "four passes";
}

/// Every lane's line is asked for, however the banks order them.
TEST_F(TagBanks, MissesAreThoseOfTheLines) {
  U.Requests.clear();
  U.accept(lanes(132, 4, uint64_t(1) << 20), Token);
  U.tickTo(U.Now + 100);
  EXPECT_EQ(U.Requests.size(), 32u);
  for (const MemoryRequest &R : std::vector(U.Requests))
    U.reply(R.Id, U.Now + 1);
  U.tickTo(U.Now + 3);
  EXPECT_TRUE(U.Done.count(Token));
}

/// 136 bytes at 48 a cycle: two cycles and five sixths.
TEST(Interconnect, PackedPacketsFollowEachOtherWithoutAGap) {
  MemoryConfig C = smallMemory();
  C.Icnt.FlitBytes = 48;
  Interconnect Whole(C, 1);
  MemoryConfig Packed = C;
  Packed.Icnt.IsPacked = 1;
  Interconnect Net(Packed, 1);
  Cycle WithFlits = 0, Last = 0;
  for (unsigned N = 0; N != 12; ++N) {
    WithFlits = Whole.reply(0, 0, Whole.replyPortFree(0), LineBytes);
    Last = Net.reply(0, 0, Net.replyPortFree(0), LineBytes);
  }
  EXPECT_EQ(WithFlits, 12 * 3 + C.Icnt.Latency);
  EXPECT_EQ(Last, 34 + C.Icnt.Latency);
  EXPECT_EQ(Net.leaveSM(0, 5, MemoryOp::Load, 0), 5 + C.Icnt.Latency);
}

/// 32 bytes say what is stored where, and 32 a cycle are moved: a store of a
/// line takes five cycles of a port, one of a sector two. All else is as it
/// was.
TEST(Interconnect, StoresTakeAPortAsLongAsTheySay) {
  MemoryConfig C = smallMemory();
  C.Icnt.FlitBytes = 64;
  MemoryConfig Given = C;
  Given.Icnt.StoreBytes = 32;
  Given.Icnt.StoreHeaderBytes = 32;
  for (unsigned IsPacked : {0, 1}) {
    Given.Icnt.IsPacked = C.Icnt.IsPacked = IsPacked;
    Interconnect Net(Given, 2), Same(C, 2);
    for (Cycle N = 0; N != 10; ++N) {
      EXPECT_EQ(Net.leaveSM(0, 7, MemoryOp::Store, LineBytes),
                7 + 5 * N + C.Icnt.Latency);
      EXPECT_EQ(Net.enterSlice(0, 7, MemoryOp::Store, SectorBytes),
                7 + 2 * (N + 1));
      for (MemoryOp Op : {MemoryOp::Load, MemoryOp::Atomic, MemoryOp::Reduce})
        EXPECT_EQ(Net.leaveSM(1, 7, Op, LineBytes),
                  Same.leaveSM(1, 7, Op, LineBytes));
      EXPECT_EQ(Net.reply(0, 0, Net.replyPortFree(0), LineBytes),
                Same.reply(0, 0, Same.replyPortFree(0), LineBytes));
    }
  }
}

} // namespace
} // namespace regshare::sim
