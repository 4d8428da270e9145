//===- MemberMaskTest.cpp - Groups of lanes that name themselves ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random partitions of a warp, each group with its own member mask, against
/// what the PTX manual says of one lane at a time.
///
//===----------------------------------------------------------------------===//

#include "../SimTest.h"

#include "gmock/gmock.h"

#include <bit>
#include <functional>
#include <optional>
#include <random>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

namespace {

/// One warp: what each lane brings, and the lanes that come to the instruction.
struct Lanes {
  uint32_t Value[32], Members[32], Amount[32], Turn[32];
  uint32_t Arrive = 0;
};

/// What a lane gets; nothing if the manual leaves it open.
using Expected = std::optional<uint32_t>;

struct Operation {
  const char *Text; ///< %r5: value, %r6: members, %r7: amount, %r8: result.
  std::function<Expected(const Lanes &, unsigned Lane)> Of;
};

template <typename Fn>
uint32_t foldMembers(const Lanes &W, unsigned Lane, Fn Join) {
  std::optional<uint32_t> Sum;
  for (unsigned L = 0; L != 32; ++L)
    if (W.Members[Lane] >> L & 1)
      Sum = Sum ? Join(*Sum, W.Value[L]) : W.Value[L];
  return *Sum;
}

uint32_t ballotOf(const Lanes &W, unsigned Lane) {
  uint32_t Votes = 0;
  for (unsigned L = 0; L != 32; ++L)
    if ((W.Members[Lane] >> L & 1) && (W.Value[L] & 1))
      Votes |= 1u << L;
  return Votes;
}

uint32_t equalsOf(const Lanes &W, unsigned Lane) {
  uint32_t Equal = 0;
  for (unsigned L = 0; L != 32; ++L)
    if ((W.Members[Lane] >> L & 1) && W.Value[L] == W.Value[Lane])
      Equal |= 1u << L;
  return Equal;
}

/// Reads the lane \p From, if that is a member and within the warp.
Expected shuffled(const Lanes &W, unsigned Lane, int From) {
  if (From < 0 || From > 31)
    return W.Value[Lane];
  if (!(W.Members[Lane] >> From & 1))
    return std::nullopt;
  return W.Value[From];
}

const Operation Operations[] = {
    {"shfl.sync.idx.b32 %r8, %r5, %r7, 31, %r6;",
     [](const Lanes &W, unsigned L) {
       return shuffled(W, L, int(W.Amount[L]));
     }},
    {"shfl.sync.bfly.b32 %r8, %r5, %r7, 31, %r6;",
     [](const Lanes &W, unsigned L) {
       return shuffled(W, L, int(L ^ W.Amount[L]));
     }},
    {"shfl.sync.up.b32 %r8, %r5, %r7, 0, %r6;",
     [](const Lanes &W, unsigned L) {
       return shuffled(W, L, int(L) - int(W.Amount[L]));
     }},
    {"shfl.sync.down.b32 %r8|%p9, %r5, %r7, 31, %r6;\n"
     "@!%p9 mov.u32 %r8, %r5;",
     [](const Lanes &W, unsigned L) {
       return shuffled(W, L, int(L + W.Amount[L]));
     }},
    {"vote.sync.ballot.b32 %r8, %p5, %r6;", ballotOf},
    {"vote.sync.any.pred %p9, %p5, %r6;\nselp.u32 %r8, 1, 0, %p9;",
     [](const Lanes &W, unsigned L) -> Expected {
       return ballotOf(W, L) != 0;
     }},
    {"vote.sync.all.pred %p9, %p5, %r6;\nselp.u32 %r8, 1, 0, %p9;",
     [](const Lanes &W, unsigned L) -> Expected {
       return ballotOf(W, L) == W.Members[L];
     }},
    {"vote.sync.uni.pred %p9, %p5, %r6;\nselp.u32 %r8, 1, 0, %p9;",
     [](const Lanes &W, unsigned L) -> Expected {
       return ballotOf(W, L) == W.Members[L] || ballotOf(W, L) == 0;
     }},
    {"match.any.sync.b32 %r8, %r5, %r6;", equalsOf},
    {"match.all.sync.b32 %r8|%p9, %r5, %r6;\n@%p9 add.u32 %r8, %r8, 1;",
     [](const Lanes &W, unsigned L) -> Expected {
       bool All = equalsOf(W, L) == W.Members[L];
       return All ? W.Members[L] + 1 : 0;
     }},
    {"redux.sync.add.u32 %r8, %r5, %r6;",
     [](const Lanes &W, unsigned L) -> Expected {
       return foldMembers(W, L, std::plus<uint32_t>());
     }},
    {"redux.sync.max.s32 %r8, %r5, %r6;",
     [](const Lanes &W, unsigned L) -> Expected {
       return foldMembers(W, L, [](uint32_t A, uint32_t B) {
         return uint32_t(std::max(int32_t(A), int32_t(B)));
       });
     }},
    {"redux.sync.xor.b32 %r8, %r5, %r6;",
     [](const Lanes &W, unsigned L) -> Expected {
       return foldMembers(W, L, std::bit_xor<uint32_t>());
     }},
    // What a lane wrote before the barrier, the next of its group reads after.
    {"st.volatile.shared.u32 [%r9], %r5;\nbar.warp.sync %r6;\n"
     "shl.b32 %r10, %r7, 2;\nadd.u32 %r10, %r10, %r11;\n"
     "ld.volatile.shared.u32 %r8, [%r10];",
     [](const Lanes &W, unsigned L) {
       return shuffled(W, L, int(W.Amount[L]));
     }},
};

/// How lanes come to the instruction. %p1: the lane does; %p2: by which way.
const char *const Ways[] = {
    // All together.
    "%s\n",
    // Those that do not take part are masked off or go elsewhere.
    "@!%p1 bra OUT;\n%s\nOUT:\n",
    // By two ways that meet only at the end.
    "@%p2 bra WAY; bra.uni MEET;\nWAY: @!%p1 bra OUT;\nMEET:\n%s\nOUT:\n",
    // One group or several at a time, in a loop.
    ("@!%p1 bra OUT;\nmov.u32 %r20, 0;\nAGAIN:\n"
     "setp.ne.u32 %p3, %r20, %r12;\n@%p3 bra SKIP;\n%s\nSKIP:\n"
     "add.u32 %r20, %r20, 1;\nsetp.lt.u32 %p3, %r20, 3;\n"
     "@%p3 bra AGAIN;\nOUT:\n"),
};
enum { Together, Guarded, TwoWays, Loop };

std::string kernelOf(const Operation &Op, const char *Way) {
  std::string Text = Way;
  Text.replace(Text.find("%s"), 2, Op.Text);
  std::string Loads;
  for (unsigned K = 0; K != 5; ++K)
    Loads += "ld.global.u32 %r" + std::to_string(K == 4 ? 12 : 5 + K) +
             ", [%rd2+" + std::to_string(128 * (K + 1)) + "];\n";
  return kernelAround(".shared .b32 words[32];\n" + Loads +
                      "mov.u32 %r11, words;\nshl.b32 %r9, %r1, 2;\n"
                      "add.u32 %r9, %r9, %r11;\nmov.u32 %r8, 0xAAAAAAAA;\n"
                      "and.b32 %r13, %r5, 1;\nsetp.eq.u32 %p5, %r13, 1;\n"
                      "ld.global.u32 %r14, [%rd2+768];\n"
                      "and.b32 %r13, %r14, 1;\nsetp.eq.u32 %p1, %r13, 1;\n"
                      "and.b32 %r13, %r14, 2;\nsetp.eq.u32 %p2, %r13, 2;\n" +
                      Text + "st.global.u32 [%rd2], %r8;");
}

/// Lanes in groups of random size and place.
Lanes draw(std::mt19937 &Random, bool AllArrive) {
  Lanes W;
  unsigned NumGroups = 1 + Random() % (Random() % 2 ? 32 : 4);
  uint32_t Groups[32] = {};
  unsigned Of[32];
  for (unsigned L = 0; L != 32; ++L) {
    W.Value[L] = Random() % (Random() % 2 ? 3 : ~0u);
    bool Arrives = AllArrive || Random() % 4;
    W.Arrive |= uint32_t(Arrives) << L;
    Of[L] = Random() % NumGroups;
    if (Arrives)
      Groups[Of[L]] |= 1u << L;
  }
  for (unsigned L = 0; L != 32; ++L) {
    W.Members[L] = Groups[Of[L]];
    W.Turn[L] = Of[L] % 3;
    // Mostly another member.
    W.Amount[L] = Random() % 32;
    for (unsigned N = 0; N != 40 && !(W.Members[L] >> W.Amount[L] & 1); ++N)
      W.Amount[L] = Random() % 32;
  }
  return W;
}

std::vector<uint32_t> inputOf(const Lanes &W, unsigned Way,
                              std::mt19937 &Random) {
  std::vector<uint32_t> In(7 * 32);
  for (unsigned L = 0; L != 32; ++L) {
    bool Arrives = W.Arrive >> L & 1;
    In[32 + L] = W.Value[L];
    In[64 + L] = W.Members[L];
    In[96 + L] = W.Amount[L];
    In[160 + L] = W.Turn[L];
    // The way that leads past the instruction is open to its takers alone.
    bool Takes = !Arrives || Random() % 2;
    In[192 + L] = uint32_t(Arrives) | uint32_t(Way == TwoWays && Takes) << 1;
  }
  return In;
}

TEST(SimMemberMasks, GroupsAsTheManualHasThem) {
  std::mt19937 Random(20260421);
  unsigned Compared = 0;
  for (const Operation &Op : Operations)
    for (unsigned Way = Together; Way <= Loop; ++Way) {
      TestProgram M(kernelOf(Op, Ways[Way]));
      ASSERT_TRUE(M.P) << M.Error;
      for (unsigned Case = 0; Case != 25; ++Case) {
        Lanes W = draw(Random, Way == Together);
        uint64_t At = M.upload(inputOf(W, Way, Random));
        ASSERT_TRUE(M.run("k", {1}, {32}, {At}))
            << Op.Text << " way " << Way << " case " << Case << ": " << M.Error;
        std::vector<uint32_t> Got = M.download<uint32_t>(At, 32);
        for (unsigned L = 0; L != 32; ++L) {
          Expected Want = W.Arrive >> L & 1 ? Op.Of(W, L) : 0xAAAAAAAA;
          if (!Want)
            continue;
          ++Compared;
          ASSERT_EQ(Got[L], *Want)
              << Op.Text << " way " << Way << " case " << Case << " lane " << L;
        }
      }
    }
  EXPECT_GT(Compared, 20000u);
}

/// A lane names others that name another group.
TEST(SimMemberMasks, GroupsThatDisagree) {
  EXPECT_THAT(runError("setp.eq.u32 %p1, %r1, 0;\n"
                       "selp.b32 %r6, 0x0000FFFF, 0x0000FFFE, %p1;\n"
                       "setp.ge.u32 %p2, %r1, 16;\n"
                       "@%p2 mov.b32 %r6, 0xFFFF0000;\n"
                       "vote.sync.any.pred %p9, %p1, %r6;"),
              HasSubstr("the member mask names threads that do not execute"));
  EXPECT_THAT(runError("setp.eq.u32 %p1, %r1, 3;\n"
                       "selp.b32 %r6, 0xFFFFFFF0, 0xFFFFFFF7, %p1;\n"
                       "vote.sync.any.pred %p9, %p1, %r6;"),
              HasSubstr("whose member mask leaves it out"));
}

/// Each group takes an issue slot, and one goes to the parting.
TEST(SimMemberMasks, CountsGroupsAsInstructions) {
  auto Count = [](const char *Members) {
    TestProgram M(kernelAround(std::string("and.b32 %r5, %r1, 3;\n") + Members +
                               "vote.sync.ballot.b32 %r8, %p5, %r6;\n"));
    EXPECT_TRUE(M.run("k", {1}, {32}, {M.upload(std::vector<uint32_t>(32))}))
        << M.Error;
    return M.Stats;
  };
  LaunchStats One = Count("mov.b32 %r6, 0xFFFFFFFF;\n"),
              Four = Count("shl.b32 %r6, 0x11111111, %r5;\n");
  EXPECT_EQ(Four.WarpInstructions, One.WarpInstructions + 4);
  EXPECT_EQ(Four.ThreadInstructions, One.ThreadInstructions);
}

} // namespace
