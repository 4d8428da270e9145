//===- SimulationTest.cpp - One kernel with arguments as text -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulateTest.h"

#include <nlohmann/json.hpp>

using namespace regshare;
using namespace regshare::sim;
using testing::AllOf;
using testing::HasSubstr;

static const char *const Add = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry add(.param .u32 n, .param .u64 p, .param .align 2 .b8 h[2])
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u32 %r1, [n];
  ld.param.u64 %rd1, [p];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r3, [%rd1];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd1], %r3;
  ret;
}
)";

static SimulationRequest addTo(const char *Buffer) {
  SimulationRequest R;
  R.Kernel = "add";
  R.Block = Dim3{4};
  R.Arguments = {"3", Buffer, "f16:1"};
  R.Machine.Functional = true;
  R.Machine.Device = testDevice();
  return R;
}

TEST(Simulation, RunsAndShowsBuffers) {
  SimulationRequest R = addTo("buf:i32*6=1,2,3,4,5,6");
  R.Prints = {"1"};
  R.Checks = {"1=4,5,6,7,5,6"};
  Simulated S(Add, R);
  EXPECT_EQ(S.Error, "");
  ASSERT_EQ(S.R.Prints.size(), 1u);
  EXPECT_EQ(S.R.Prints[0].Elements, (std::vector<uint64_t>{4, 5, 6, 7, 5, 6}));
}

TEST(Simulation, LaunchesShareTheMemory) {
  SimulationRequest R = addTo("buf:i32*4");
  R.Launches = 3;
  R.Checks = {"1=9,9,9,9"};
  Simulated S(Add, R);
  EXPECT_EQ(S.Error, "");
  EXPECT_EQ(S.R.Launches.size(), 3u);
}

TEST(Simulation, TheKernelSaysHowManyThreads) {
  std::string Text = Add;
  Text.insert(Text.find("{\n"), ".reqntid 2\n");
  SimulationRequest R = addTo("buf:i32*4");
  R.Block.reset();
  R.Checks = {"1=3,3,0,0"};
  EXPECT_EQ(Simulated(Text, R).Error, "");
}

TEST(Simulation, UseOfFreedMemory) {
  for (bool Functional : {true, false}) {
    SimulationRequest R = addTo("freed:i32*4");
    R.Machine.Functional = Functional;
    EXPECT_THAT(Simulated(Add, R).Error,
                AllOf(HasSubstr("use of freed memory"),
                      HasSubstr("buffer (argument 1) of 16 bytes")));
  }
}

TEST(Simulation, AStructWantsItsBytes) {
  SimulationRequest R = addTo("buf:i32*4");
  R.Arguments[2] = "1";
  EXPECT_THAT(Simulated(Add, R).Error,
              AllOf(HasSubstr("argument 2, '1'"), HasSubstr("hex:"),
                    HasSubstr(".param .b8 h[2]")));
  R.Arguments[2] = "hex:003c";
  EXPECT_EQ(Simulated(Add, R).Error, "");
}

TEST(Simulation, TheSameResultsWithTimingOnAnyNumberOfThreads) {
  std::string Texts[2];
  for (unsigned Threads : {1u, 2u}) {
    SimulationRequest R = addTo("buf:i32*4");
    R.Machine.Functional = false;
    R.Machine.Timing.Threads = Threads;
    R.Launches = 2;
    R.Prints = {"1"};
    Simulated S(Add, R);
    EXPECT_EQ(S.Error, "");
    Texts[Threads - 1] = simulationJson(S.R, R.Machine);
  }
  EXPECT_EQ(Texts[0], Texts[1]);
  auto J = nlohmann::json::parse(Texts[0]);
  EXPECT_EQ(J["device"], "gtx480");
  EXPECT_EQ(J["buffers"][0]["elements"], nlohmann::json({6, 6, 6, 6}));
  ASSERT_EQ(J["launches"].size(), 2u);
  uint64_t Cold = J["launches"][0]["timing"]["cycles"],
           Warm = J["launches"][1]["timing"]["cycles"];
  EXPECT_LT(Warm, Cold) << "the second launch finds its data in the L2";
}

TEST(Simulation, Dimensions) {
  Dim3 D = parseDim3("3,4,5", "--grid").value_or(Dim3());
  EXPECT_EQ(D.count(), 60u);
  for (const char *Bad : {"", "0", "1,", "1,2,3,4", "a", "1,-2", "99999999999"})
    EXPECT_THAT(parseDim3(Bad, "--grid").error().Message,
                HasSubstr("--grid: expected X"));
}
