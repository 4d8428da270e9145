//===- LenienceTest.cpp - Faults that lenient mode lets pass --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accesses around an allocation, against an array that has nothing outside of
/// its bounds, and shuffles among lanes that do not all come; with timing and
/// without.
///
//===----------------------------------------------------------------------===//

#include "../Timing/TimingTest.h"

#include "gmock/gmock.h"

#include <cstring>
#include <random>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

/// Runs `k` and leaves what it let pass, without timing and with it.
struct LenientRun {
  TestProgram T;
  LenienceLog Log;
  std::string Error;
  explicit LenientRun(const std::string &Text) : T(Text) {
    EXPECT_TRUE(T.P) << T.Error;
    T.Options.Lenient = &Log;
  }

  bool run(bool Timed, Dim3 Block, const std::vector<uint64_t> &Arguments) {
    if (!Timed) {
      bool Ran = T.run("k", {1}, Block, Arguments);
      Error = T.Error;
      return Ran;
    }
    auto Bytes = packArguments(*T.P->findKernel("k"), Arguments);
    TimedLaunchOptions Options;
    Options.RegsPerThread = 20;
    Options.Functional = T.Options;
    Result<TimingStats> S =
        machine(deviceNamed("gtx480"))
            ->run(*T.P, T.Memory, "k", {{1}, Block, 0, *Bytes}, Options);
    if (!S)
      Error = S.error().str();
    return S.has_value();
  }
};

class Lenience : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Both, Lenience, testing::Bool(), [](const auto &I) {
  return std::string(I.param ? "Timed" : "Functional");
});

/// What an instruction does to memory at one lane's address, and what the lane
/// gets: its words, at most four.
struct AccessKind {
  const char *Text; ///< Address %rd5, source %r5 to %r8, result %r9 to %r12.
  unsigned Bytes;
  char Does; ///< 'l'oad, 's'tore, 'a'dd, 'c'opy to shared memory.
};

const AccessKind Kinds[] = {
    {"ld.global.u32 %r9, [%rd5];", 4, 'l'},
    {"ld.u32 %r9, [%rd5];", 4, 'l'},
    {"ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%rd5];", 16, 'l'},
    {"ld.global.u64 %rd6, [%rd5];\nmov.b64 {%r9, %r10}, %rd6;", 8, 'l'},
    {"st.global.u32 [%rd5], %r5;", 4, 's'},
    {"st.v2.u32 [%rd5], {%r5, %r6};", 8, 's'},
    {"atom.global.add.u32 %r9, [%rd5], %r5;", 4, 'a'},
    {"red.global.add.u32 [%rd5], %r5;", 4, 'r'},
    {"mul.lo.u32 %r13, %r1, 16;\nmov.u32 %r14, tile;\n"
     "add.u32 %r13, %r13, %r14;\n"
     "cp.async.ca.shared.global [%r13], [%rd5], 16;\ncp.async.wait_all;\n"
     "ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [%r13];",
     16, 'c'},
};

std::string kernelOf(const AccessKind &Kind) {
  return std::string(Header) +
         ".visible .entry k(.param .u64 to, .param .u64 at, .param .u64 in)\n"
         "{\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
         ".shared .align 16 .b8 tile[512];\n"
         "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [at];\n"
         "ld.param.u64 %rd3, [in];\nmov.u32 %r1, %tid.x;\n"
         // Where each lane goes; a lane whose address is 0 stays out.
         "mul.wide.u32 %rd4, %r1, 8;\nadd.s64 %rd4, %rd2, %rd4;\n"
         "ld.global.u64 %rd5, [%rd4];\nsetp.eq.u64 %p1, %rd5, 0;\n"
         "mul.wide.u32 %rd7, %r1, 16;\nadd.s64 %rd8, %rd3, %rd7;\n"
         "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd8];\n"
         "mov.u32 %r9, 7;\nmov.u32 %r10, 7;\nmov.u32 %r11, 7;\n"
         "mov.u32 %r12, 7;\n@%p1 bra DONE;\n" +
         Kind.Text +
         "\nDONE:\nadd.s64 %rd9, %rd1, %rd7;\n"
         "st.global.v4.u32 [%rd9], {%r9, %r10, %r11, %r12};\nret;\n}\n";
}

/// The lanes one after the other, on a plain array.
struct Plain {
  std::vector<uint32_t> Words; ///< Of the allocation.
  uint64_t Begin;
  unsigned Strays = 0;

  /// Null: nothing is there.
  uint32_t *at(uint64_t Address, unsigned Bytes) {
    bool Inside =
        Address >= Begin && Address + Bytes <= Begin + 4 * Words.size();
    Strays += !Inside;
    return Inside ? Words.data() + (Address - Begin) / 4 : nullptr;
  }

  void access(const AccessKind &Kind, uint64_t Address, const uint32_t *In,
              uint32_t *Got) {
    uint32_t *P = at(Address, Kind.Bytes);
    unsigned Count = Kind.Bytes / 4;
    switch (Kind.Does) {
    case 's':
      if (P)
        std::copy_n(In, Count, P);
      return;
    case 'r':
      if (P)
        *P += In[0];
      return;
    case 'a':
      Got[0] = P ? *P : 0;
      if (P)
        *P += In[0];
      return;
    default:
      for (unsigned K = 0; K != Count; ++K)
        Got[K] = P ? P[K] : 0;
    }
  }
};

TEST_P(Lenience, AccessesAroundAnAllocation) {
  std::mt19937 Random(21);
  for (const AccessKind &Kind : Kinds)
    for (unsigned Round = 0; Round != 12; ++Round) {
      SCOPED_TRACE(std::string(Kind.Text) + ", round " + std::to_string(Round));
      LenientRun R(kernelOf(Kind));
      GlobalMemory &M = R.T.Memory;
      uint64_t Freed = M.allocate(64);
      std::vector<uint32_t> Words(61), In(128);
      for (uint32_t &W : Words)
        W = Random();
      for (uint32_t &W : In)
        W = Random();
      Plain Expected{Words, R.T.upload(Words)};
      M.free(Freed);
      std::vector<uint64_t> At(32);
      for (uint64_t &A : At) {
        int64_t Offset = int64_t(Random() % 860) - 400;
        if (Random() % 16 == 0)
          Offset = Random() % 2 ? -int64_t(LenientReach) + 1024
                                : int64_t(LenientReach);
        A = Expected.Begin + uint64_t(Offset) / Kind.Bytes * Kind.Bytes;
        if (Random() % 8 == 0)
          A = Random() % 2 ? 0 : Freed;
      }
      std::vector<uint32_t> Got(128, 7);
      for (unsigned L = 0; L != 32; ++L)
        if (At[L])
          Expected.access(Kind, At[L], &In[4 * L], &Got[4 * L]);
      uint64_t To = R.T.upload(std::vector<uint32_t>(128));
      uint64_t Where = R.T.upload(At), From = R.T.upload(In);
      ASSERT_TRUE(R.run(GetParam(), {32}, {To, Where, From})) << R.Error;
      EXPECT_EQ(R.T.download<uint32_t>(To, 128), Got);
      EXPECT_EQ(R.T.download<uint32_t>(Expected.Begin, 61), Expected.Words);
      EXPECT_EQ(R.Log.total(), Expected.Strays ? 1u : 0u);
    }
}

const AccessKind Load = Kinds[0], Store = Kinds[4];

TEST_P(Lenience, FarFromAllAllocationsIsAnError) {
  for (uint64_t Where : {uint64_t(16), uint64_t(1) << 50}) {
    LenientRun R(kernelOf(Load));
    std::vector<uint64_t> At(32, Where);
    uint64_t Out = R.T.upload(std::vector<uint32_t>(128));
    uint64_t From = R.T.upload(At);
    EXPECT_FALSE(R.run(GetParam(), {32}, {Out, From, Out}));
    EXPECT_THAT(R.Error,
                HasSubstr(Where == 16 ? "null pointer" : "out-of-bounds read"));
    EXPECT_THAT(R.Log.faults(), SizeIs(0));
  }
}

TEST_P(Lenience, OtherFaultsOfTheSameInstructionStay) {
  LenientRun R(kernelOf(Store));
  uint64_t Out = R.T.upload(std::vector<uint32_t>(128));
  std::vector<uint64_t> At(32, Out - 64);
  At[9] = Out + 2;
  uint64_t From = R.T.upload(At);
  EXPECT_FALSE(R.run(GetParam(), {32}, {Out, From, Out}));
  EXPECT_THAT(R.Error, HasSubstr("misaligned"));
  EXPECT_THAT(R.Error, HasSubstr("lane 9"));
}

TEST_P(Lenience, SharedMemoryHasAnEnd) {
  LenientRun R(std::string(Header) +
               ".visible .entry k(.param .u64 to)\n{\n.reg .b32 %r<4>;\n"
               ".shared .b8 tile[64];\nld.shared.u32 %r1, [tile+4096];\n"
               "ret;\n}\n");
  EXPECT_FALSE(R.run(GetParam(), {32}, {R.T.upload(std::vector<int>(4))}));
  EXPECT_THAT(R.Error, HasSubstr("in shared memory"));
}

TEST_P(Lenience, ChecksHoldWithoutIt) {
  LenientRun R(kernelOf(Load));
  R.T.Options.Lenient = nullptr;
  uint64_t Out = R.T.upload(std::vector<uint32_t>(128));
  uint64_t From = R.T.upload(std::vector<uint64_t>(32, Out - 64));
  EXPECT_FALSE(R.run(GetParam(), {32}, {Out, From, Out}));
  EXPECT_THAT(R.Error, HasSubstr("out-of-bounds read"));
}

TEST_P(Lenience, TellsAPlaceOnceAndCounts) {
  LenientRun R(std::string(Header) +
               ".visible .entry k(.param .u64 to)\n{\n.reg .pred %p<2>;\n"
               ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
               "ld.param.u64 %rd1, [to];\nmov.u32 %r1, 5;\nLOOP:\n"
               "ld.global.u32 %r2, [%rd1+-4];\nst.global.u32 [%rd1+-4], %r2;\n"
               "sub.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 0;\n"
               "@%p1 bra LOOP;\nret;\n}\n");
  uint64_t Out = R.T.upload(std::vector<uint32_t>(4));
  ASSERT_TRUE(R.run(GetParam(), {96}, {Out})) << R.Error;
  ASSERT_TRUE(R.run(GetParam(), {96}, {Out})) << R.Error;
  ASSERT_THAT(R.Log.faults(), SizeIs(2));
  const PassedFault &Read = R.Log.faults()[0], &Write = R.Log.faults()[1];
  EXPECT_EQ(Read.Sort, "out-of-bounds read");
  EXPECT_EQ(Read.Place, "PTX line 12");
  EXPECT_EQ(Read.Kernel, "k");
  EXPECT_EQ(Read.Count, 30u);
  EXPECT_THAT(Read.Message, HasSubstr("4 bytes before the allocation of 16"));
  EXPECT_THAT(Read.Message, HasSubstr("lane 0 (thread (0,0,0))"));
  EXPECT_EQ(Write.Sort, "out-of-bounds write");
  EXPECT_EQ(Write.Count, 30u);
  EXPECT_EQ(R.Log.summary(), "lenient mode let 60 faults pass at 2 places");
}

/// Lanes below \p Limit execute \p Text, the others wait for them.
std::string skippedBlock(const std::string &Text) {
  return kernelAround("setp.ge.u32 %p1, %r1, 11;\nadd.u32 %r5, %r1, 100;\n"
                      "mov.u32 %r6, 7;\n@%p1 bra DONE;\n" +
                      Text +
                      "\nDONE:\nbar.warp.sync -1;\nst.global.u32 [%rd2], %r6;");
}

struct Skipped {
  const char *Text;
  uint32_t (*Of)(unsigned Lane); ///< For the lanes below 11.
};

const Skipped SkippedBlocks[] = {
    {"shfl.sync.bfly.b32 %r6, %r5, 4, 31, -1;",
     [](unsigned L) { return (L ^ 4) < 11 ? (L ^ 4) + 100 : 0; }},
    {"shfl.sync.down.b32 %r6, %r5, 3, 31, -1;",
     [](unsigned L) { return L + 3 < 11 ? L + 103 : 0; }},
    {"shfl.sync.up.b32 %r6, %r5, 3, 0, -1;",
     [](unsigned L) { return L < 3 ? L + 100 : L + 97; }},
    {"vote.sync.ballot.b32 %r6, %p1, -1;", [](unsigned) { return 0u; }},
    {"not.pred %p2, %p1;\nvote.sync.ballot.b32 %r6, %p2, -1;",
     [](unsigned) { return (1u << 11) - 1; }},
    {"redux.sync.add.u32 %r6, %r5, -1;",
     [](unsigned) { return 11 * 100 + 55u; }},
    {"match.any.sync.b32 %r6, %r5, -1;", [](unsigned L) { return 1u << L; }},
};

TEST_P(Lenience, ThreadsThatSkipAShuffle) {
  for (const Skipped &S : SkippedBlocks) {
    SCOPED_TRACE(S.Text);
    LenientRun R(skippedBlock(S.Text));
    uint64_t Out = R.T.upload(std::vector<uint32_t>(32));
    ASSERT_TRUE(R.run(GetParam(), {32}, {Out})) << R.Error;
    std::vector<uint32_t> Got = R.T.download<uint32_t>(Out, 32);
    for (unsigned L = 0; L != 32; ++L)
      EXPECT_EQ(Got[L], L < 11 ? S.Of(L) : 7) << "lane " << L;
    ASSERT_THAT(R.Log.faults(), SizeIs(1));
    EXPECT_EQ(R.Log.faults()[0].Sort, "missing threads");
    EXPECT_EQ(R.Log.total(), 1u);
    R.T.Options.Lenient = nullptr;
    EXPECT_FALSE(R.run(GetParam(), {32}, {Out}));
    EXPECT_THAT(R.Error, HasSubstr("the member mask names threads"));
  }
}

/// What a shuffle could not hear once, the next one can.
TEST_P(Lenience, LaterShufflesHearAll) {
  LenientRun R(kernelAround(
      "setp.ge.u32 %p1, %r1, 11;\nadd.u32 %r5, %r1, 100;\n@%p1 bra DONE;\n"
      "vote.sync.ballot.b32 %r6, %p1, -1;\nDONE:\nbar.warp.sync -1;\n"
      "shfl.sync.idx.b32 %r6, %r5, 20, 31, -1;\nst.global.u32 [%rd2], %r6;"));
  uint64_t Out = R.T.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(R.run(GetParam(), {32}, {Out})) << R.Error;
  EXPECT_EQ(R.T.download<uint32_t>(Out, 32), std::vector<uint32_t>(32, 120));
}

/// Both sides of a branch name all lanes, at instructions of their own.
TEST_P(Lenience, TwoSidesThatWaitForEachOther) {
  LenientRun R(kernelAround(
      "setp.ge.u32 %p1, %r1, 11;\nadd.u32 %r5, %r1, 100;\n@%p1 bra ELSE;\n"
      "shfl.sync.idx.b32 %r6, %r5, 3, 31, -1;\nbra DONE;\nELSE:\n"
      "shfl.sync.idx.b32 %r6, %r5, 20, 31, -1;\nDONE:\n"
      "st.global.u32 [%rd2], %r6;"));
  uint64_t Out = R.T.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(R.run(GetParam(), {32}, {Out})) << R.Error;
  std::vector<uint32_t> Got = R.T.download<uint32_t>(Out, 32);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(Got[L], L < 11 ? 103u : 120u) << "lane " << L;
  EXPECT_THAT(R.Log.faults(), SizeIs(2));
}

TEST_P(Lenience, RegistersStayChecked) {
  LenientRun R(kernelAround("setp.ge.u32 %p1, %r1, 11;\n@%p1 mov.u32 %r6, 1;\n"
                            "st.global.u32 [%rd2], %r6;"));
  uint64_t Out = R.T.upload(std::vector<uint32_t>(32));
  EXPECT_FALSE(R.run(GetParam(), {32}, {Out}));
  EXPECT_THAT(R.Error, HasSubstr("never written"));
}

} // namespace
