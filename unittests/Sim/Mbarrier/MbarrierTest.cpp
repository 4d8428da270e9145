//===- MbarrierTest.cpp - Barriers in shared memory -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../SimTest.h"

#include "gmock/gmock.h"

using namespace regshare;
using namespace regshare::sim;
using testing::Each;
using testing::HasSubstr;

namespace {

const char *const Barrier = ".shared .align 8 .b64 bar;\n"
                            ".shared .align 4 .b32 box[256];\n";

/// By thread 0, before the others.
std::string initialised(const std::string &Count) {
  return "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra MADE;\n"
         "mbarrier.init.shared.b64 [bar], " +
         Count + ";\nMADE:\nbar.sync 0;\n";
}

const char *const Store = "\nst.global.u32 [%rd2], %r2;";

/// Each round, a thread writes, all arrive and wait, and each reads what the
/// next thread has written.
TEST(Mbarrier, PhasesOfAllThreads) {
  for (bool ByParity : {false, true}) {
    std::string Wait =
        ByParity ? "mbarrier.arrive.shared.b64 _, [bar];\nWAIT:\n"
                   "mbarrier.test_wait.parity.shared.b64 %p2, [bar], %r6;\n"
                 : "mbarrier.arrive.shared.b64 %rd5, [bar];\nWAIT:\n"
                   "mbarrier.try_wait.shared::cta.b64 %p2, [bar], %rd5, %r7;\n";
    std::string Body =
        initialised("96") +
        "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r7, 20;\n"
        "mov.u32 %r4, box;\nmul.lo.u32 %r5, %r1, 4;\nadd.u32 %r4, %r4, %r5;\n"
        "add.u32 %r8, %r1, 1;\nrem.u32 %r8, %r8, 96;\nmul.lo.u32 %r8, %r8, 4;\n"
        "mov.u32 %r9, box;\nadd.u32 %r9, %r9, %r8;\n"
        "ROUND:\nmad.lo.u32 %r10, %r3, 1000, %r1;\nst.shared.u32 [%r4], %r10;\n"
        "and.b32 %r6, %r3, 1;\n" +
        Wait +
        "@!%p2 bra WAIT;\nld.shared.u32 %r11, [%r9];\nadd.u32 %r2, %r2, %r11;\n"
        "bar.sync 0;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p3, %r3, 5;\n"
        "@%p3 bra ROUND;" +
        Store;
    std::vector<uint32_t> Got = runWords(Body, 96, Barrier);
    for (unsigned T = 0; T != 96; ++T)
      EXPECT_EQ(Got[T], 10000 + 5 * ((T + 1) % 96)) << T;
  }
}

TEST(Mbarrier, CountsAndBytes) {
  // Of three arrivals one is of two, and 8 bytes are still to be copied.
  std::string Body =
      initialised("3") +
      "@%p1 bra END;\n"
      "mbarrier.arrive.shared.b64 %rd5, [bar], 2;\n"
      "mbarrier.pending_count.b64 %r3, %rd5;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %rd6, [bar], 8;\n"
      "mbarrier.pending_count.b64 %r4, %rd6;\n"
      "mbarrier.test_wait.shared.b64 %p2, [bar], %rd6;\n"
      "selp.u32 %r5, 1, 0, %p2;\n"
      "mbarrier.complete_tx.shared::cta.relaxed.cluster.b64 [bar], 8;\n"
      "mbarrier.test_wait.shared.b64 %p2, [bar], %rd6;\n"
      "selp.u32 %r6, 1, 0, %p2;\n"
      // The next phase expects one fewer.
      "mbarrier.arrive_drop.shared.b64 %rd7, [bar];\n"
      "mbarrier.arrive.shared.b64 _, [bar], 2;\n"
      "mbarrier.arrive.shared.b64 %rd8, [bar];\n"
      "mbarrier.pending_count.b64 %r7, %rd8;\n"
      "mad.lo.u32 %r2, %r3, 10, %r4;\nmad.lo.u32 %r2, %r2, 10, %r5;\n"
      "mad.lo.u32 %r2, %r2, 10, %r6;\nmad.lo.u32 %r2, %r2, 10, %r7;" +
      Store + "\nEND:";
  EXPECT_EQ(runWords(Body, 1, Barrier)[0], 31012u);
}

/// Arrivals of copies, which are done at once.
TEST(Mbarrier, OfCopies) {
  std::string Body = initialised("64") +
                     "mov.u32 %r4, box;\nmul.lo.u32 %r5, %r1, 4;\n"
                     "add.u32 %r4, %r4, %r5;\nst.global.u32 [%rd2], %r1;\n"
                     "cp.async.ca.shared.global [%r4], [%rd2], 4;\n"
                     "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n"
                     "mov.u32 %r6, 0;\nWAIT:\n"
                     "mbarrier.try_wait.parity.shared.b64 %p2, [bar], %r6;\n"
                     "@!%p2 bra WAIT;\nld.shared.u32 %r2, [box+252];" +
                     Store;
  EXPECT_THAT(runWords(Body, 64, Barrier), Each(63u));
}

TEST(Mbarrier, ErrorsNameWhatIsWrong) {
  EXPECT_THAT(runError("mbarrier.arrive.shared.b64 %rd5, [bar];", 1, Barrier),
              HasSubstr("there is no mbarrier at"));
  EXPECT_THAT(runError("mbarrier.init.shared.b64 [bar], 1;\n"
                       "mbarrier.arrive.shared.b64 _, [bar], 2;",
                       1, Barrier),
              HasSubstr("none that takes the count"));
  EXPECT_THAT(runError("mbarrier.init.shared.b64 [bar], 1;\n"
                       "mbarrier.inval.shared.b64 [bar];\n"
                       "mbarrier.arrive.shared.b64 _, [bar];",
                       1, Barrier),
              HasSubstr("there is no mbarrier at"));
  EXPECT_THAT(runError("mbarrier.frob.shared.b64 [bar];", 1, Barrier),
              HasSubstr("an operation on a barrier is missing"));
  EXPECT_THAT(runError("mbarrier.init.shared.b64 [box+4], 1;", 1, Barrier),
              HasSubstr("misaligned"));
}

} // namespace
