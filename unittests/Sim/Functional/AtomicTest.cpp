//===- AtomicTest.cpp - Atomics of vectors and of 128 bits ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <algorithm>
#include <numeric>

using namespace regshare;
using namespace regshare::sim;

namespace {

/// The word at the buffer's start after a vector of two halves met \p Then
/// there, by \p Instruction with {%rs1, %rs2}.
uint32_t afterVector(const char *Instruction, uint32_t First, uint32_t Then) {
  TestProgram M(kernelAround("mov.b32 {%rs1, %rs2}, " + std::to_string(Then) +
                             ";\n" + Instruction));
  EXPECT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<uint32_t>{First});
  EXPECT_TRUE(M.run("k", {1}, {1}, {At})) << M.Error;
  return M.download<uint32_t>(At, 1)[0];
}

TEST(SimAtomic, VectorsOfHalvesHaveBounds) {
  const char *Least = "red.global.min.noftz.v2.f16 [%rd1], {%rs1, %rs2};";
  const char *Most = "red.global.max.noftz.v2.f16 [%rd1], {%rs1, %rs2};";
  // 1 and -2 meet 2 and -1.
  EXPECT_EQ(afterVector(Least, 0xC000'3C00, 0xBC00'4000), 0xC000'3C00u);
  EXPECT_EQ(afterVector(Most, 0xC000'3C00, 0xBC00'4000), 0xBC00'4000u);
  // Zeros of both signs, and a number and a NaN.
  EXPECT_EQ(afterVector(Least, 0x7E00'0000, 0x3C00'8000), 0x3C00'8000u);
  EXPECT_EQ(afterVector(Most, 0x7E00'0000, 0x3C00'8000), 0x3C00'0000u);
  EXPECT_EQ(afterVector(Most, 0x7E00'8000, 0x7E00'0000), 0x7FFF'0000u);
  // 0x4000 is 2 as bf16, too, and 0x3F80 is 1.
  EXPECT_EQ(afterVector("red.global.max.noftz.v2.bf16 [%rd1], {%rs1, %rs2};",
                        0x3F80'BF80, 0x4000'C000),
            0x4000'BF80u);
}

/// Of packed elements, each thread raises one bound and lowers another.
TEST(SimAtomic, VectorsOfPairsHaveBounds) {
  TestProgram M(kernelAround(R"(
    cvt.rn.f16.u32 %rs1, %r1;
    mov.b32 %r2, {%rs1, %rs1};
    atom.global.max.noftz.v2.f16x2 {%r3, %r4}, [%rd1], {%r2, %r2};
    neg.f16 %rs1, %rs1;
    mov.b32 %r2, {%rs1, %rs1};
    red.global.min.noftz.v2.f16x2 [%rd1+8], {%r2, %r2};
    st.global.b32 [%rd2+16], %r4;
  )"));
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<uint32_t>(36));
  ASSERT_TRUE(M.run("k", {1}, {32}, {At})) << M.Error;
  std::vector<uint32_t> Out = M.download<uint32_t>(At, 36);
  for (int I = 0; I != 4; ++I)
    EXPECT_EQ(Out[I], I < 2 ? 0x4FC0'4FC0u : 0xCFC0'CFC0u) << "31 and -31";
  EXPECT_EQ(Out[4], 0u);
  EXPECT_EQ(Out[5], 0u);
  EXPECT_EQ(Out[6], 0x3C00'3C00u) << "what the thread before has left";
}

const char Pairs[] = R"(
    .reg .b128 %q<4>;
    add.u32 %r2, %r1, 1; cvt.u64.u32 %rd3, %r2; shl.b64 %rd4, %rd3, 40;
    mov.b128 %q1, {%rd3, %rd4};
)";

/// 64 threads put their number into one place. Each of the values put is got
/// by one thread, or remains.
TEST(SimAtomic, ExchangesOf128BitsLoseNothing) {
  TestProgram M(kernelAround(std::string(Pairs) + R"(
    atom.global.exch.b128 %q2, [%rd1], %q1;
    mov.b128 {%rd5, %rd6}, %q2;
    mul.wide.u32 %rd7, %r2, 16;
    add.s64 %rd7, %rd1, %rd7;
    st.global.v2.b64 [%rd7], {%rd5, %rd6};
  )"));
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<uint64_t>(130));
  ASSERT_TRUE(M.run("k", {1}, {64}, {At})) << M.Error;
  std::vector<uint64_t> Out = M.download<uint64_t>(At, 130), Low;
  for (int I = 0; I != 65; ++I) {
    EXPECT_EQ(Out[2 * I + 1], Out[2 * I] << 40);
    Low.push_back(Out[2 * I]);
  }
  std::sort(Low.begin(), Low.end());
  std::vector<uint64_t> Want(65);
  std::iota(Want.begin(), Want.end(), 0);
  EXPECT_EQ(Low, Want);
}

/// Only the thread that finds both halves of what it expects writes.
TEST(SimAtomic, Of128BitsBothHalvesAreCompared) {
  TestProgram M(kernelAround(std::string(Pairs) + R"(
    mov.b64 %rd5, 0; mov.b64 %rd6, 7;
    setp.eq.u32 %p1, %r1, 1;
    selp.b64 %rd6, 0, %rd6, %p1;
    mov.b128 %q2, {%rd5, %rd6};
    atom.global.cas.b128 %q3, [%rd1], %q2, %q1;
  )"));
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<uint64_t>(2));
  ASSERT_TRUE(M.run("k", {1}, {32}, {At})) << M.Error;
  EXPECT_EQ(M.download<uint64_t>(At, 2),
            (std::vector<uint64_t>{2, uint64_t(2) << 40}));
}

} // namespace
