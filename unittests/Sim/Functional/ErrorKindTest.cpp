//===- ErrorKindTest.cpp - What kind of error stops a launch --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/LTRF/LTRF.h"

#include "Timing/TimingTest.h"

#include <set>

using namespace regshare;
using namespace regshare::sim;

namespace {

struct FaultCase {
  ErrorKind Kind;
  const char *Body;
  const char *ModuleScope = "";
  unsigned Threads = 32;
  Dim3 Grid = {1};
};

const FaultCase Faults[] = {
    {ErrorKind::IllegalAddress, "st.global.u32 [%rd2+4], %r1;"},
    {ErrorKind::IllegalAddress, "mov.u64 %rd3, 0; ld.u32 %r2, [%rd3];"},
    {ErrorKind::IllegalAddress,
     "mov.u64 %rd3, c; cvta.const.u64 %rd3, %rd3; st.u32 [%rd3], %r1;",
     ".const .b32 c = 1;"},
    {ErrorKind::IllegalAddress, ".shared .b32 x; ld.shared.u64 %rd3, [x];"},
    {ErrorKind::MisalignedAddress, "ld.global.u32 %r2, [%rd1+2];"},
    {ErrorKind::Assertion,
     "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d;\n"
     ".param .b64 e; st.param.b64 [a], %rd1; st.param.b64 [b], %rd1;\n"
     "st.param.b32 [c], 1; st.param.b64 [d], %rd1; st.param.b64 [e], 1;\n"
     "call.uni __assertfail, (a, b, c, d, e); }",
     ".extern .func __assertfail(.param .b64 a, .param .b64 b,\n"
     ".param .b32 c, .param .b64 d, .param .b64 e);\n"},
    {ErrorKind::Trap, "trap;"},
    {ErrorKind::StackOverflow, "call.uni f, ();",
     ".func f()\n{\n.local .align 8 .b8 a[65536];\ncall.uni f, ();\nret;\n}\n"},
    {ErrorKind::InvalidCall,
     "mov.u64 %rd3, 64;\n{ P: .callprototype () _ ();\ncall %rd3, (), P; }"},
    {ErrorKind::KernelFault, "setp.gt.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, 1;\n"
                             "add.u32 %r3, %r2, 1;"},
    {ErrorKind::Deadlock,
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra L;\nbar.sync 1, 64;\n"
     "L:\nbar.sync 0;",
     "", 64},
    {ErrorKind::Livelock, "S: ld.volatile.global.u32 %r2, [%rd1];\n"
                          "setp.eq.u32 %p1, %r2, 0; @%p1 bra S;\n"},
    {ErrorKind::Limit, "S: add.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0;\n"
                       "@%p1 bra S;\n"},
    {ErrorKind::BadInput, "", "", 32, {0}},
    {ErrorKind::DoesNotFit, "", "", 4096},
};

/// What kind of error a launch of \p Case ends with, with timing or without.
ErrorKind kindOf(const FaultCase &Case, bool Timed) {
  TestProgram T(kernelAround(Case.Body, Case.ModuleScope));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(Case.Threads));
  LaunchConfig Config{Case.Grid,
                      {Case.Threads},
                      0,
                      *packArguments(*T.P->findKernel("k"), {Out})};
  // Both modes look for livelocks before they come to a limit.
  bool IsEndless = Case.Kind == ErrorKind::Limit;
  if (!Timed) {
    LaunchOptions Options;
    Options.InstructionLimit = IsEndless ? 1000 : 200'000'000;
    auto R = runKernel(*T.P, T.Memory, "k", Config, Options);
    EXPECT_FALSE(R);
    return R ? ErrorKind::Other : R.error().Kind;
  }
  TimedLaunchOptions Options;
  Options.RegsPerThread = 20;
  Options.CycleLimit = IsEndless ? 1000 : 20'000'000;
  auto R =
      machine(deviceNamed("gtx480"))->run(*T.P, T.Memory, "k", Config, Options);
  EXPECT_FALSE(R);
  return R ? ErrorKind::Other : R.error().Kind;
}

} // namespace

TEST(ErrorKind, Faults) {
  for (const FaultCase &Case : Faults)
    for (bool Timed : {false, true})
      EXPECT_EQ(errorKindName(kindOf(Case, Timed)), errorKindName(Case.Kind))
          << Case.Body << (Timed ? ", timed" : "");
}

TEST(ErrorKind, InstructionLimit) {
  TestProgram T(kernelAround("S: bra S;"));
  TimedLaunchOptions Options;
  Options.RegsPerThread = 20;
  Options.Functional.InstructionLimit = 100;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  auto R =
      machine(deviceNamed("gtx480"))
          ->run(*T.P, T.Memory, "k",
                {{1}, {32}, 0, *packArguments(*T.P->findKernel("k"), {Out})},
                Options);
  ASSERT_FALSE(R);
  EXPECT_EQ(R.error().Kind, ErrorKind::Limit);
}

/// Code that was not made for the scheme, a device that cannot have it, and one
/// that holds not even one CTA.
TEST(ErrorKind, Schemes) {
  auto KindOn = [](const char *Device, const TimingOptions &Options,
                   unsigned Regs) {
    Result<std::unique_ptr<Machine>> M =
        Machine::create(deviceNamed(Device), Options);
    if (!M)
      return errorKindName(M.error().Kind);
    TestProgram T(kernelAround(""));
    TimedLaunchOptions Launch;
    Launch.RegsPerThread = Regs;
    uint64_t Out = T.upload(std::vector<uint32_t>(1024));
    auto R = (*M)->run(
        *T.P, T.Memory, "k",
        {{1}, {1024}, 0, *packArguments(*T.P->findKernel("k"), {Out})}, Launch);
    EXPECT_FALSE(R);
    return R ? "" : errorKindName(R.error().Kind);
  };
  TimingOptions LTRF;
  LTRF.Applied = schemes::LTRF;
  EXPECT_EQ(KindOn("gtx480", LTRF, 20), "not-for-scheme");
  EXPECT_EQ(KindOn("maxwell", {}, 20), "not-for-device");
  EXPECT_EQ(KindOn("gtx480", {}, 63), "does-not-fit");
  EXPECT_EQ(KindOn("gtx480", {}, 64), "does-not-fit");
  TimingOptions Unknown;
  Unknown.Scheduler = "first";
  EXPECT_EQ(KindOn("gtx480", Unknown, 20), "bad-input");
}

/// Each kind has a name of its own, which programs decide by.
TEST(ErrorKind, Names) {
  std::set<std::string_view> Names;
  for (unsigned K = 0; K <= unsigned(ErrorKind::Limit); ++K)
    EXPECT_TRUE(Names.insert(errorKindName(ErrorKind(K))).second) << K;
  EXPECT_EQ(errorKindName(ErrorKind::IllegalAddress), "illegal-address");
}
