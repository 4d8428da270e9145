//===- ReuseTest.cpp - The register-file cache ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native/NativeCode.h"
#include "Timing/Core/Modern/ReuseCache.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

TEST(ReuseCache, IsOfAWarpARegisterAndASlot) {
  ReuseCache C(2);
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Miss);
  EXPECT_EQ(C.read(5, 1, 3, false), ReuseCache::Miss) << "another slot";
  EXPECT_EQ(C.read(4, 0, 3, false), ReuseCache::Miss) << "another bank";
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Hit);
  EXPECT_EQ(C.read(5, 0, 4, false), ReuseCache::Miss) << "another warp";
  EXPECT_EQ(C.read(5, 0, 3, false), ReuseCache::Miss) << "which ended it";
}

TEST(ReuseCache, AReadEndsWhatItDoesNotKeep) {
  ReuseCache C(2);
  C.read(5, 0, 3, true);
  EXPECT_EQ(C.read(5, 0, 3, false), ReuseCache::Hit);
  EXPECT_EQ(C.read(5, 0, 3, false), ReuseCache::Miss);
}

TEST(ReuseCache, KnowsWhatHasBeenWrittenSince) {
  ReuseCache C(2);
  C.read(5, 0, 3, true);
  C.write(4, 5);
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Hit) << "of another warp";
  C.write(3, 5);
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Stale);
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Hit) << "it was read anew";
  C.forget(3);
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Miss);
  C.clear();
  EXPECT_EQ(C.read(5, 0, 3, true), ReuseCache::Miss);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A sub-core issues a multiply-addition every cycle, and a bank has one read.
DeviceDescription device() {
  DeviceDescription D = deviceNamed("h100");
  std::erase_if(D.Timing, [](const TimingFigure &F) {
    return F.Key.starts_with("core.fetch.");
  });
  return D;
}

struct Ran {
  std::string Error; ///< Empty: it ended well.
  uint64_t Cycles = 0, Reused = 0, Reads = 0;
  uint32_t Word = 0; ///< That the first thread has stored.
};

/// One CTA executes \p Body and stores %r9; its words begin with 100.
Ran run(const std::string &Body, unsigned Threads = 32,
        const DeviceDescription &D = device()) {
  TestProgram T(nativeKernel().around("mov.u32 %r6, 5;\n" + Body +
                                      "st.global.u32 [%rd0], %r9;\n"));
  if (!T.P)
    return {T.Error};
  uint64_t Out = T.upload(std::vector<uint32_t>(Threads, 100));
  Result<std::vector<uint8_t>> Bytes =
      packArguments(*T.P->findKernel("k"), {Out});
  TimedLaunchOptions Launch;
  Launch.RegsPerThread = 24;
  Launch.CycleLimit = 100'000;
  Result<TimingStats> S = machine(D, {})->run(
      *T.P, T.Memory, "k", {{1}, {Threads}, 0, *Bytes}, Launch);
  if (!S)
    return {S.error().Message};
  return {"", S->Cycles, S->ReusedOperands, S->BankReads,
          T.download<uint32_t>(Out, Threads)[0]};
}

std::string reuse(const std::string &Slots) {
  return pragma("reuse slots=" + Slots);
}

/// Multiply-additions whose sources are all in bank 0.
std::string products(unsigned Count, const std::string &Before) {
  std::string Text;
  for (unsigned N = 0; N != Count; ++N)
    Text += (N + 1 == Count ? "" : Before) + "fma.rn.f32 %r" +
            std::to_string(9 + N % 8) + ", %r2, %r4, %r6;\n";
  return Text;
}

TEST(Reuse, TakesNoPort) {
  constexpr unsigned Count = 40;
  Ran Plain = run(products(Count, "")), Kept = run(products(Count, reuse("0"))),
      AllKept = run(products(Count, reuse("0,1")));
  ASSERT_EQ(Plain.Error + Kept.Error + AllKept.Error, "");
  EXPECT_EQ(Plain.Reused, 0u);
  EXPECT_EQ(Kept.Reused, Count - 1);
  EXPECT_EQ(AllKept.Reused, 2 * (Count - 1));
  EXPECT_EQ(Plain.Reads, AllKept.Reads) << "reads are counted all the same";
  EXPECT_EQ(Plain.Word, AllKept.Word);
  // Three reads of a bank take three cycles of it, two two, one one.
  EXPECT_NEAR(double(Plain.Cycles - Kept.Cycles), Count, 4);
  EXPECT_NEAR(double(Kept.Cycles - AllKept.Cycles), Count, 4);
}

TEST(Reuse, IsNotLookedForByWhatHasNoFixedLatency) {
  Ran R = run(reuse("0") + "add.u32 %r9, %r2, 1;\n" + "popc.b32 %r8, %r2;\n" +
              "add.u32 %r9, %r2, %r8;\n");
  EXPECT_EQ(R.Error, "");
  EXPECT_EQ(R.Reused, 0u);
}

TEST(Reuse, AStaleOperandEndsTheLaunch) {
  std::string Body = reuse("0") + "add.u32 %r2, %r2, 1;\n";
  EXPECT_EQ(run(Body + "add.u32 %r9, %r3, %r2;\n").Error, "")
      << "in another slot it is read anew";
  Ran Stale = run(Body + "add.u32 %r9, %r2, %r3;\n");
  EXPECT_THAT(Stale.Error, HasSubstr("regshare.reuse: register R2 has been "
                                     "written since it was kept in operand "
                                     "slot 0, and is read there"));
}

TEST(Reuse, OlderCoresDoNotLookAtIt) {
  std::string Body =
      reuse("0") + "add.u32 %r2, %r2, 1;\n" + "add.u32 %r9, %r2, %r3;\n";
  for (const char *Name : {"gtx480", "hopper"})
    EXPECT_EQ(run(Body, 32, deviceNamed(Name)).Error, "") << Name;
}

std::string loadError(const std::string &Body) {
  return TestProgram(nativeKernel().around(Body)).Error;
}

TEST(Reuse, StandsBeforeWhatComputes) {
  EXPECT_THAT(loadError(reuse("2") + "add.u32 %r9, %r2, %r3;\n"),
              HasSubstr("regshare.reuse: expected slots below 2, the registers "
                        "that the instruction reads, found 2"));
  EXPECT_THAT(loadError(reuse("0") + "st.global.u32 [%rd0], %r9;\n"),
              HasSubstr("regshare.reuse: only what computes, in one issue "
                        "slot, keeps operands"));
  EXPECT_THAT(
      loadError(reuse("0") + issueSlots(3) + "add.u32 %r9, %r2, %r3;\n"),
      HasSubstr("in one issue slot"));
  EXPECT_THAT(
      loadError(issueSlots(1) + reuse("0") + "add.u32 %r9, %r2, %r3;\n"),
      HasSubstr("regshare.reuse: stands once before an instruction, "
                "and before regshare.issue and regshare.scratch"));
  EXPECT_THAT(loadError(reuse("0") + reuse("1") + "add.u32 %r9, %r2, %r3;\n"),
              HasSubstr("regshare.reuse: stands once"));
}

TEST(Reuse, AFoldedInstructionsOperandsComeLast) {
  // Slot 0: %r2 of the addition; then those of what is folded.
  Ran R = run(reuse("0,1,2") + "mul.lo.u32 %f0, %r4, %r6;\n" +
              "add.u32 %r9, %f0, %r2;\n" + "mad.lo.u32 %r9, %r2, %r4, %r6;\n");
  EXPECT_EQ(R.Error, "");
  EXPECT_EQ(R.Reused, 3u);
}

} // namespace
} // namespace regshare::sim
