//===- TagArrayTest.cpp - Tags of a sectored cache ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/TagArray.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace regshare::sim {
namespace {

constexpr unsigned Sets = 4;

/// Looks at all lines of a set each time.
class SlowTags {
public:
  struct Line {
    uint64_t Number = TagArray::None, LastUse = 0;
    bool IsPending = false, IsDirty = false;
  };

  explicit SlowTags(unsigned Ways) : Lines(size_t(Sets) * Ways), Ways(Ways) {}

  int find(uint64_t Number) const {
    for (unsigned N = first(Number); N != first(Number) + Ways; ++N)
      if (Lines[N].Number == Number)
        return int(N);
    return -1;
  }
  /// The least recently used, of an empty one the first.
  int victim(uint64_t Number) const {
    int Oldest = -1;
    for (unsigned N = first(Number); N != first(Number) + Ways; ++N) {
      if (Lines[N].Number == TagArray::None)
        return int(N);
      if (!Lines[N].IsPending && isOlder(N, Oldest))
        Oldest = int(N);
    }
    return Oldest;
  }
  int oldestDirty(uint64_t Number, unsigned Count) const {
    int Oldest = -1;
    unsigned Dirty = 0;
    for (unsigned N = first(Number); N != first(Number) + Ways; ++N) {
      Dirty += Lines[N].IsDirty;
      if (Lines[N].IsDirty && isOlder(N, Oldest))
        Oldest = int(N);
    }
    return Dirty < Count ? -1 : Oldest;
  }
  void use(int N) { Lines[size_t(N)].LastUse = ++Clock; }

  std::vector<Line> Lines;

private:
  unsigned first(uint64_t Number) const {
    return unsigned(Number % Sets) * Ways;
  }
  bool isOlder(unsigned N, int Than) const {
    return Than < 0 || Lines[N].LastUse < Lines[size_t(Than)].LastUse;
  }

  unsigned Ways;
  uint64_t Clock = 0;
};

/// Both, which have to agree, with a number of ways.
class TagArrayTest : public testing::TestWithParam<unsigned> {
protected:
  int indexOf(const CacheLine *Line) {
    return Line ? int(Tags.indexOf(*Line)) : -1;
  }
  unsigned random(unsigned Below) { return unsigned(Random() % Below); }

  void look(uint64_t Number) {
    CacheLine *Line = Tags.find(Number);
    ASSERT_EQ(indexOf(Line), Slow.find(Number));
    if (Line) {
      Tags.use(*Line);
      Slow.use(indexOf(Line));
      change(*Line);
      return;
    }
    CacheLine *Victim = Tags.victim(Number);
    ASSERT_EQ(indexOf(Victim), Slow.victim(Number));
    if (!Victim)
      return;
    Tags.replace(*Victim, Number);
    Slow.Lines[size_t(indexOf(Victim))] = {Number};
    Slow.use(indexOf(Victim));
    change(*Victim);
  }

  /// A fetch begins or ends, or the line is written, or given up.
  void change(CacheLine &Line) {
    SlowTags::Line &Other = Slow.Lines[size_t(indexOf(&Line))];
    Line.Pending = Other.IsPending = random(3) == 0;
    Line.Dirty = Other.IsDirty = random(2);
    if (Line.Pending || random(8))
      return;
    Tags.drop(Line);
    Other = {};
  }

  unsigned Ways = GetParam();
  TagArray Tags{Sets, Ways, SetIndex::Linear};
  SlowTags Slow{Ways};
  std::mt19937 Random{1};
};

TEST_P(TagArrayTest, EqualsASlowSearch) {
  for (unsigned N = 0; N != 20'000 && !HasFatalFailure(); ++N) {
    // Now more lines than there is room for, now fewer.
    uint64_t Number = random(Sets * Ways * (N % 2'000 < 1'000 ? 3 : 1));
    look(Number);
    unsigned Count = 1 + random(Ways);
    EXPECT_EQ(indexOf(Tags.oldestDirty(Number, Count)),
              Slow.oldestDirty(Number, Count));
  }
}

TEST_P(TagArrayTest, AClearedOneIsAsNew) {
  for (uint64_t Number = 0; Number != 3; ++Number)
    Tags.replace(*Tags.victim(Number), Number);
  Tags.clear();
  for (uint64_t Number = 0; Number != Sets * Ways; ++Number) {
    EXPECT_EQ(Tags.find(Number), nullptr);
    Tags.replace(*Tags.victim(Number), Number);
  }
  for (uint64_t Number = 0; Number != Sets * Ways; ++Number)
    EXPECT_EQ(indexOf(Tags.find(Number)),
              int(Number % Sets * Ways + Number / Sets));
}

INSTANTIATE_TEST_SUITE_P(Ways, TagArrayTest, testing::Values(1, 6, 24),
                         testing::PrintToStringParamName());

} // namespace
} // namespace regshare::sim
