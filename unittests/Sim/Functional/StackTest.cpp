//===- StackTest.cpp - alloca, stacksave, stackrestore -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <gmock/gmock.h>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

TEST(SimStack, EachLaneHasItsOwn) {
  // Lane T puts T, T-1, … 1 on its stack, linked, and adds them up again.
  std::vector<uint32_t> Out = runWords(R"(
    .local .align 4 .b8 fixed[20];
    mov.u64 %rd7, fixed; st.local.u32 [%rd7+16], 77;
    mov.u64 %rd5, 0; mov.u32 %r2, %r1;
    stacksave.u64 %rd6;
  PUSH:
    setp.eq.u32 %p1, %r2, 0; @%p1 bra PUSHED;
    alloca.u64 %rd4, 12, 16;
    st.local.u32 [%rd4], %r2; st.local.u32 [%rd4+4], %rd5;
    mov.u64 %rd5, %rd4; sub.u32 %r2, %r2, 1;
    bra PUSH;
  PUSHED:
    mov.u32 %r3, 0;
  POP:
    setp.eq.u64 %p1, %rd5, 0; @%p1 bra POPPED;
    ld.local.u32 %r4, [%rd5]; add.u32 %r3, %r3, %r4;
    mov.u64 %rd4, %rd5; ld.local.u32 %rd5, [%rd5+4];
    stackrestore.u64 %rd4;
    bra POP;
  POPPED:
    stacksave.u64 %rd4; setp.ne.u64 %p1, %rd4, %rd6;
    @%p1 trap;
    ld.local.u32 %r4, [%rd7+16]; add.u32 %r3, %r3, %r4;
    st.global.u32 [%rd2], %r3;
  )",
                                       32);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], T * (T + 1) / 2 + 77);
}

TEST(SimStack, SizesAndAlignments) {
  // A size of each lane's own, in 32-bit addresses; the next place is aligned.
  std::vector<uint32_t> Out = runWords(R"(
    alloca.u32 %r2, %r1, 1; alloca.u32 %r3, 0, 32; alloca.u32 %r4, 4;
    sub.u32 %r5, %r3, %r2; and.b32 %r4, %r4, 7; and.b32 %r3, %r3, 31;
    or.b32 %r3, %r3, %r4; setp.ne.u32 %p1, %r3, 0; @%p1 trap;
    st.global.u32 [%rd2], %r5;
  )",
                                       64);
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Out[T], (T + 31) / 32 * 32);
}

TEST(SimStack, ACallHasAStackOfItsOwn) {
  const char *const Sum = R"(
.func (.param .b32 ret0) sum(.param .b32 arg0)
{
  .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %a;
  .local .align 8 .b8 own[8];
  ld.param.b32 %r1, [arg0];
  alloca.u64 %a, 16; st.local.u32 [%a+12], %r1;
  mov.u32 %r4, 0;
  setp.eq.u32 %p, %r1, 0; @%p bra END;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; .param .b32 v;
    st.param.b32 [a], %r2; call.uni (v), sum, (a); ld.param.b32 %r4, [v]; }
END:
  ld.local.u32 %r3, [%a+12];
  add.u32 %r4, %r4, %r3; st.param.b32 [ret0], %r4;
  ret;
})";
  std::vector<uint32_t> Out = runWords(R"(
    alloca.u64 %rd4, 8; st.local.u32 [%rd4], %r1; and.b32 %r2, %r1, 7;
    { .param .b32 a; .param .b32 v;
      st.param.b32 [a], %r2; call.uni (v), sum, (a); ld.param.b32 %r3, [v]; }
    alloca.u64 %rd5, 8; st.local.u32 [%rd5], %r3;
    ld.local.u32 %r4, [%rd4]; ld.local.u32 %r3, [%rd5];
    mad.lo.u32 %r3, %r4, 100, %r3; st.global.u32 [%rd2], %r3;
  )",
                                       32, Sum);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], T * 100 + (T & 7) * ((T & 7) + 1) / 2);
}

TEST(SimStack, WhatDoesNotFit) {
  const char *const Full =
      "stack overflow: no room for 25 bytes, 1000 of the 1024 of a thread's "
      "stack are in use";
  EXPECT_THAT(runError("alloca.u64 %rd4, 1000; alloca.u64 %rd4, 25;"),
              HasSubstr(Full));
  EXPECT_THAT(runError("alloca.u64 %rd4, -8;"), HasSubstr("stack overflow"));
  EXPECT_EQ(runWords("alloca.u64 %rd4, 1000; alloca.u64 %rd4, 24;", 1).size(),
            1u);
  EXPECT_THAT(runError("alloca.u64 %rd4, 8; ld.local.u64 %rd5, [%rd4+16];"),
              HasSubstr("out-of-bounds read of 8 bytes"));
}

TEST(SimStack, WhatIsNoPlaceOfTheStack) {
  EXPECT_THAT(runError(".local .b8 fixed[32]; mov.u64 %rd4, 16;\n"
                       "stackrestore.u64 %rd4;"),
              HasSubstr("stackrestore to byte 16 of local memory: expected a "
                        "place in the frame's stack, which is from 32 to 32"));
  EXPECT_THAT(runError("alloca.u64 %rd4, 8, 3;"),
              HasSubstr("alloca aligns to a power of two, at most 8388608"));
  EXPECT_THAT(runError("alloca.b64 %rd4, 8;"),
              HasSubstr("expected alloca.u32 or .u64"));
}
