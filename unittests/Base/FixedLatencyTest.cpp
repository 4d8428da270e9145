//===- FixedLatencyTest.cpp - Dependent latencies -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/FixedLatency.h"

#include <gmock/gmock.h>

namespace regshare {
namespace {

constexpr IssueClass Writers[] = {IssueClass::Alu,  IssueClass::Fma,
                                  IssueClass::Wide, IssueClass::Vote,
                                  IssueClass::Half, IssueClass::Double};

/// As published (docs/validation.md): within a pipe 4, across 5, to what has no
/// fixed latency 6, a predicate to a guard 12.
TEST(FixedLatency, OfTuring) {
  FixedLatencies L = *FixedLatencies::get("sm_75");
  using enum IssueClass;
  EXPECT_EQ(L.cycles(Alu, Alu, false), 4u);
  EXPECT_EQ(L.cycles(Fma, Fma, false), 4u);
  EXPECT_EQ(L.cycles(Alu, Fma, false), 5u);
  EXPECT_EQ(L.cycles(Fma, Alu, false), 5u);
  EXPECT_EQ(L.cycles(Fma, Decoupled, false), 6u);
  EXPECT_EQ(L.cycles(Half, Half, false), 6u);
  EXPECT_EQ(L.cycles(Half, Alu, false), 8u);
  EXPECT_EQ(L.cycles(Alu, Alu, true), 4u);
  EXPECT_EQ(L.cycles(Alu, Guard, true), 12u);
  EXPECT_EQ(L.cycles(Alu, Vote, true), 12u);
  EXPECT_EQ(L.cycles(Vote, Alu, false), 4u);
  EXPECT_EQ(L.cycles(Uniform, Uniform, false), 4u);
  EXPECT_EQ(L.cycles(Uniform, Fma, false), 6u);
  EXPECT_EQ(L.cycles(Uniform, Decoupled, false), 9u);
  EXPECT_EQ(L.longest(Alu, false), 6u);
  EXPECT_EQ(L.longest(Alu, true), 12u);
}

TEST(FixedLatency, EveryWriterHasThem) {
  for (const char *Architecture : {"sm_70", "sm_75", "sm_80", "sm_90"}) {
    FixedLatencies L = *FixedLatencies::get(Architecture);
    for (IssueClass W : Writers)
      for (unsigned R = 0; R != NumIssueClasses; ++R)
        for (bool IsPredicate : {false, true}) {
          // They read nothing that others have written.
          if (IssueClass(R) == IssueClass::Uniform)
            continue;
          unsigned Cycles = L.cycles(W, IssueClass(R), IsPredicate);
          EXPECT_GE(Cycles, 4u) << Architecture << ' ' << unsigned(W) << R;
          EXPECT_LE(Cycles, 15u) << Architecture << ' ' << unsigned(W) << R;
        }
    // What has no fixed latency is waited for in other ways.
    EXPECT_EQ(L.longest(IssueClass::Decoupled, false), 0u);
  }
}

TEST(FixedLatency, UnknownArchitecture) {
  Result<FixedLatencies> L = FixedLatencies::get("sm_20");
  ASSERT_FALSE(L);
  EXPECT_EQ(L.error().Message,
            "no latencies of 'sm_20' are known; there are "
            "those of sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90");
}

} // namespace
} // namespace regshare
