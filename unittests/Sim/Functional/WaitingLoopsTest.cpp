//===- WaitingLoopsTest.cpp - Loops that another CTA may end --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"

namespace regshare::sim {
namespace {

/// Loops that another CTA may have to end.
TEST(SimWaitingLoops, KernelsThatMayWaitForOthers) {
  auto Waits = [](const std::string &Body, const std::string &Scope = "") {
    AnnotatedKernel K = virtualised();
    K.ModuleScope = Scope;
    TestProgram T(K.around(Body));
    EXPECT_TRUE(T.P) << T.Error;
    return T.P && T.P->findKernel("k")->WaitsForOthers;
  };
  auto Loop = [](const std::string &Body) {
    return "mov.u32 %r8, 9;\nL:\n" + Body +
           "sub.u32 %r8, %r8, 1;\nsetp.ne.u32 %p1, %r8, 0;\n@%p1 bra L;\n";
  };
  const std::string Add = "atom.global.add.u32 %r6, [%rd0], 1;\n";
  EXPECT_TRUE(Waits(Loop(Add)));
  EXPECT_TRUE(Waits(Loop("ld.volatile.global.u32 %r6, [%rd0];\n")));
  EXPECT_TRUE(Waits(Loop("ld.acquire.gpu.global.u32 %r6, [%rd0];\n")));
  EXPECT_TRUE(Waits(Loop("ld.volatile.u32 %r6, [%rd0];\n")));
  EXPECT_TRUE(Waits(Loop("membar.gl;\nld.global.u32 %r6, [%rd0];\n")));
  EXPECT_FALSE(Waits(Add + Loop("ld.global.u32 %r6, [%rd0];\n") + Add));
  EXPECT_FALSE(Waits(Loop("red.global.add.u32 [%rd0], 1;\n")));
  EXPECT_FALSE(Waits(Loop("st.volatile.global.u32 [%rd0], %r2;\n")));
  // Laid out so that the atomic is after the last jump back.
  EXPECT_TRUE(Waits("mov.u32 %r8, 9;\nbra B;\nA:\nadd.u32 %r8, %r8, 1;\n"
                    "bra C;\nB:\nbra A;\nC:\n" +
                    Add + "setp.eq.u32 %p1, %r6, 9;\n@%p1 bra B;\n"));
  // What a called function does counts, wherever it is called.
  const std::string Called =
      ".func f(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<2>;\n"
      ".reg .b64 %rd<1>;\nld.param.u64 %rd0, [p];\nL:\n"
      "ld.volatile.global.u32 %r1, [%rd0];\nsetp.eq.u32 %p1, %r1, 0;\n"
      "@%p1 bra L;\nret;\n}\n";
  const std::string Call = "{\n.param .b64 a;\nst.param.b64 [a], %rd0;\n"
                           "call.uni f, (a);\n}\n";
  EXPECT_TRUE(Waits(Call, Called));
  EXPECT_FALSE(Waits("", Called));
}

} // namespace
} // namespace regshare::sim
