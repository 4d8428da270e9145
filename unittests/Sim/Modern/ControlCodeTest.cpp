//===- ControlCodeTest.cpp - Warps that wait as their code says -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Control statements on a modern core. Cycles with the shortest stalls and
/// the fewest waits that are right are those of a scoreboard; one less of
/// anything is found.
///
//===----------------------------------------------------------------------===//

#include "Native/NativeCode.h"
#include "Timing/Core/Modern/ControlState.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

/// Code is at hand.
DeviceDescription device(const char *Dependences = "control") {
  DeviceDescription D = deviceNamed("rtx6000");
  std::erase_if(D.Timing, [](const TimingFigure &F) {
    return F.Key.starts_with("core.fetch.");
  });
  D.Timing.push_back({"core.dependences", Dependences, "", 0});
  return D;
}

/// Of the instruction that follows; none if \p Text is empty.
std::string control(const std::string &Text) {
  return Text.empty() ? "" : pragma("control " + Text);
}

/// The seven instructions before the body wait for each other, and the body
/// for them.
AnnotatedKernel kernel(bool HasControl = true) {
  AnnotatedKernel K = nativeKernel();
  if (HasControl)
    K.Begin += control("serial=7");
  return K;
}

/// A launch of one CTA, of which each thread has 100 and its number at its
/// word.
struct Ran {
  std::string Error; ///< Empty: it ended well.
  uint64_t Cycles = 0;
  std::vector<uint32_t> Words;
};

Ran run(const AnnotatedKernel &K, const std::string &Body,
        const DeviceDescription &D = device(), unsigned Threads = 32,
        const TimingOptions &Options = {}) {
  std::string Text = K.around(Body);
  for (size_t At; (At = Text.find("sm_80")) != std::string::npos;)
    Text.replace(At, 5, "sm_75");
  TestProgram T(Text);
  if (!T.P)
    return {T.Error, 0, {}};
  std::vector<uint32_t> In(Threads);
  for (unsigned N = 0; N != Threads; ++N)
    In[N] = 100 + N;
  uint64_t Out = T.upload(In);
  Result<std::vector<uint8_t>> Bytes =
      packArguments(*T.P->findKernel("k"), {Out});
  TimedLaunchOptions Launch;
  Launch.RegsPerThread = 24;
  Launch.CycleLimit = 100'000;
  Result<TimingStats> S =
      machine(D, Options)
          ->run(*T.P, T.Memory, "k", {{1}, {Threads}, 0, *Bytes}, Launch);
  if (!S)
    return {S.error().Message, 0, {}};
  return {"", S->Cycles, T.download<uint32_t>(Out, Threads)};
}

/// \p Right and \p Wrong: what an instruction of a body says, and what is too
/// little. \p What of the message, and the first thread's word.
struct Case {
  std::string Right, Wrong;
  std::string Before, After;
  const char *What;
  uint32_t Word;
};

const std::string Store = "st.global.u32 [%rd0], %r9;\n";

std::vector<Case> cases() {
  std::string Add = "add.u32 %r8, %r2, 1;\n", Use = "add.u32 %r9, %r8, 1;\n";
  std::string Load = "ld.global.u32 %r8, [%rd0];\n";
  std::string StoreNow = "st.global.u32 [%rd0], %r2;\n";
  return {
      // A result of fixed latency.
      {"stall=4", "stall=3", "", Add + control("stall=6") + Use + Store,
       "used 1 cycles before it is there; expected a longer stall", 2},
      // The unit of both takes one every other cycle.
      {"stall=4", "", "", Add + control("stall=6") + Use + Store,
       "used 2 cycles before it is there", 2},
      // The last instruction before it may have the stall.
      {"stall=3", "stall=2", Add,
       "mul.lo.u32 %r11, %r3, 6;\n" + control("stall=6") + Use + Store,
       "used 1 cycles before it is there", 2},
      // One that memory delivers: nobody waits for it, or too soon to see it.
      {"stall=6 wait=0", "stall=6", control("stall=2 write=0") + Load,
       Use + Store,
       "register R8 is read and has not been written yet; expected a wait",
       101},
      {"stall=2 write=0", "write=0", "",
       Load + control("stall=6 wait=0") + Use + Store,
       "register R8 is read and has not been written yet", 101},
      {"stall=2 write=3", "stall=2 write=2", "",
       Load + control("stall=6 wait=3") + Use + Store,
       "register R8 is read and has not been written yet", 101},
      // Its result would come after that of a later instruction.
      {"stall=4 wait=0", "stall=4", control("stall=2 write=0") + Load,
       "add.u32 %r8, %r3, 7;\n" + control("stall=6") + Use + Store,
       "register R8 is overwritten and has not been written yet", 8},
      // What it has yet to read.
      {"wait=5 stall=4", "stall=4", control("stall=2 read=5") + StoreNow,
       "add.u32 %r2, %r3, 7;\n" + control("stall=6") +
           "add.u32 %r9, %r2, 1;\n" + Store,
       "R2 is overwritten and an instruction has yet to read it; expected a "
       "wait",
       8},
  };
}

TEST(ControlCode, WhatIsRightPassesAndOneLessIsFound) {
  for (const Case &C : cases()) {
    SCOPED_TRACE(C.Before + control(C.Right) + C.After);
    Ran Right = run(kernel(), C.Before + control(C.Right) + C.After);
    EXPECT_EQ(Right.Error, "");
    ASSERT_FALSE(Right.Words.empty());
    EXPECT_EQ(Right.Words[0], C.Word);
    Ran Wrong = run(kernel(), C.Before + control(C.Wrong) + C.After);
    EXPECT_THAT(Wrong.Error, HasSubstr("regshare.control: "));
    EXPECT_THAT(Wrong.Error, HasSubstr(C.What));
  }
}

/// `serial` waits where a scoreboard need not; what comes after it is compared.
TEST(ControlCode, TheLeastThatIsRightTakesAsLongAsAScoreboard) {
  for (const Case &C : cases()) {
    SCOPED_TRACE(C.Before + control(C.Right) + C.After);
    // By its end all that comes before has been written.
    std::string Apart =
        repeat(control("stall=4") + "add.u32 %r12, %r12, 1;\n", 20);
    std::string Body = Apart + C.Before + control(C.Right) + C.After;
    DeviceDescription Other = device("scoreboard");
    uint64_t By = run(kernel(), Body).Cycles;
    uint64_t Base = run(kernel(), Apart + Store).Cycles;
    uint64_t ByOther = run(kernel(), Body, Other).Cycles;
    uint64_t BaseOther = run(kernel(), Apart + Store, Other).Cycles;
    EXPECT_EQ(By - Base, ByOther - BaseOther);
  }
}

TEST(ControlCode, AScoreboardNeedsNone) {
  DeviceDescription Other = device("scoreboard");
  for (const Case &C : cases()) {
    Ran Wrong = run(kernel(), C.Before + control(C.Wrong) + C.After, Other);
    EXPECT_EQ(Wrong.Error, "");
    Ran None = run(kernel(false), C.Before + C.After, Other);
    EXPECT_EQ(None.Error, "");
  }
}

/// Nothing is written where code says that a register has some value: nothing
/// has to be waited for there, and nothing waits.
TEST(ControlCode, ARegisterThatHasSomeValueIsNotOverwritten) {
  std::string Read = control("stall=2 read=5") + "st.global.u32 [%rd0], %r2;\n";
  std::string Load =
      control("stall=2 write=0") + "ld.global.u32 %r8, [%rd0];\n";
  std::string Rest =
      control("wait=0,5 stall=6") + "add.u32 %r9, %r8, 1;\n" + Store;
  for (const char *Dependences : {"control", "scoreboard"}) {
    SCOPED_TRACE(Dependences);
    DeviceDescription D = device(Dependences);
    Ran As = run(kernel(), Read + Load + Rest, D);
    Ran Same = run(kernel(),
                   Read + "// implicit-def: %r2\n" + Load +
                       "// implicit-def: %r11\n" + Rest,
                   D);
    EXPECT_EQ(As.Error, "");
    EXPECT_EQ(Same.Error, "");
    EXPECT_EQ(Same.Cycles, As.Cycles);
  }
}

/// The SM executes `set` in two steps.
TEST(ControlCode, SetWaitsAsAWhole) {
  Ran R = run(kernel(), control("stall=2 write=2") +
                            "ld.global.u32 %r8, [%rd0];\n" +
                            control("stall=6 wait=2") +
                            "set.gt.u32.s32 %r9, %r8, %r2;\n" + Store);
  EXPECT_EQ(R.Error, "");
  ASSERT_FALSE(R.Words.empty());
  EXPECT_EQ(R.Words[5], 0xFFFFFFFF);
}

TEST(ControlCode, LatenciesOfAnotherArchitectureDoNotCount) {
  for (const Case &C : cases()) {
    // A Hopper's core has not the latencies that sm_75 was compiled with.
    EXPECT_EQ(run(kernel(), C.Before + control(C.Wrong) + C.After,
                  deviceNamed("hopper"))
                  .Error,
              "");
  }
}

TEST(ControlCode, EveryCycleAndAnyThreadsGiveTheSame) {
  std::string Body = control("stall=2 write=0 read=1") +
                     "ld.global.u32 %r8, [%rd0];\n" +
                     "mul.lo.u32 %r10, %r2, 3;\n" + control("wait=0 stall=4") +
                     "add.u32 %r8, %r8, 1;\n" + control("stall=6") +
                     "add.u32 %r9, %r8, %r10;\n" + Store;
  for (unsigned Threads : {32, 256, 1024}) {
    TimingOptions Every;
    Every.EveryCycle = true;
    Every.Threads = 2;
    Ran One = run(kernel(), Body, device(), Threads);
    Ran Other = run(kernel(), Body, device(), Threads, Every);
    EXPECT_EQ(One.Error, "");
    EXPECT_EQ(One.Cycles, Other.Cycles);
    EXPECT_EQ(One.Words, Other.Words);
  }
}

TEST(ControlState, ARaisedCounterIsSeenAfterTwoCycles) {
  Control Raises, Waits;
  Raises.Write = 2;
  Waits.Wait = 1u << 2;
  ControlState S;
  S.raise(ControlBits(Raises), 10);
  EXPECT_FALSE(S.awaitsCounter(ControlBits(Waits), 11));
  EXPECT_TRUE(S.awaitsCounter(ControlBits(Waits), 12));
  S.raise(ControlBits(Raises), 13);
  EXPECT_TRUE(S.awaitsCounter(ControlBits(Waits), 14));
  S.hasWritten(ControlBits(Raises));
  EXPECT_TRUE(S.awaitsCounter(ControlBits(Waits), 15));
  S.hasWritten(ControlBits(Raises));
  EXPECT_FALSE(S.awaitsCounter(ControlBits(Waits), 15));
}

} // namespace
} // namespace regshare::sim
