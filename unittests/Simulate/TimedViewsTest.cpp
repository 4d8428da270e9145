//===- TimedViewsTest.cpp - Views of what the machine did -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulateTest.h"

#include "regshare/Sim/Views.h"

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace regshare;
using namespace regshare::sim;
using nlohmann::json;

/// Reverses the 128 words of each CTA through shared memory, with a barrier.
static const char *const Reverse = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry reverse(.param .u64 p)
{
  .reg .b32 %r<7>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 s[512];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 128, %r1;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r4, [%rd1];
  shl.b32 %r5, %r1, 2;
  mov.u32 %r6, s;
  add.u32 %r5, %r5, %r6;
  st.shared.u32 [%r5], %r4;
  bar.sync 0;
  shl.b32 %r5, %r1, 2;
  sub.u32 %r5, %r6, %r5;
  ld.shared.u32 %r4, [%r5+508];
  st.global.u32 [%rd1], %r4;
  ret;
}
)";

/// More CTAs than the device holds at a time, so that slots are used again.
static SimulationRequest reverseMany(unsigned Ctas) {
  SimulationRequest R;
  R.Kernel = "reverse";
  R.Grid = {Ctas};
  R.Block = Dim3{128};
  R.Arguments = {"buf:u32*" + std::to_string(128 * Ctas) + "=iota"};
  R.Checks = {"0=127,126,125"};
  R.Machine.Device = testDevice();
  R.Machine.Timing.SampleCycles = 100;
  R.Machine.Timing.RecordTimeline = true;
  return R;
}

TEST(TimedViews, TheTimelineNests) {
  constexpr unsigned Ctas = 300;
  SimulationRequest Request = reverseMany(Ctas);
  Simulated S(Reverse, Request);
  ASSERT_EQ(S.Error, "");
  const TimingStats &T = *S.R.Launches[0].Timing;
  std::ostringstream OS;
  PerfettoWriter(OS, Request.Machine.Device).add(T);
  json Trace = json::parse(OS.str());
  std::map<std::pair<int, int>, std::vector<std::string>> Open;
  std::map<std::pair<int, int>, double> Last;
  std::map<std::string, unsigned> Begun;
  for (const json &E : Trace["traceEvents"]) {
    if (E["ph"] != "B" && E["ph"] != "E")
      continue;
    std::pair<int, int> Track = {E["pid"], E["tid"]};
    EXPECT_GE(E["ts"].get<double>(), Last[Track]);
    Last[Track] = E["ts"];
    std::vector<std::string> &Slices = Open[Track];
    if (E["ph"] == "E") {
      ASSERT_FALSE(Slices.empty());
      Slices.pop_back();
      continue;
    }
    std::string Name = E["name"];
    // A barrier lies within its warp, and nothing else within anything.
    EXPECT_EQ(Slices.size(), Name == "barrier" ? 1u : 0u) << Name;
    Slices.push_back(Name);
    ++Begun[Name == "barrier"                        ? "barrier"
            : Name.find("warp") != std::string::npos ? "warp"
            : Name.starts_with("CTA")                ? "CTA"
                                                     : "kernel"];
  }
  for (const auto &[Track, Slices] : Open)
    EXPECT_TRUE(Slices.empty());
  EXPECT_EQ(Begun["kernel"], 1u);
  EXPECT_EQ(Begun["CTA"], Ctas);
  EXPECT_EQ(Begun["warp"], Ctas * 4);
  // The last warp of a CTA opens the barrier and does not wait.
  EXPECT_GE(Begun["barrier"], Ctas * 3);
  EXPECT_LE(Begun["barrier"], Ctas * 4);
}

TEST(TimedViews, SlotsSumToTheTotal) {
  SimulationRequest Request = reverseMany(50);
  Simulated S(Reverse, Request);
  ASSERT_EQ(S.Error, "");
  json J = json::parse(
      simulationJson(S.R, Request.Machine))["launches"][0]["timing"];
  uint64_t Total = J["cycles"].get<uint64_t>() * J["sms"].get<uint64_t>() *
                   J["issue_slots"]["per_sm_cycle"].get<uint64_t>();
  EXPECT_EQ(J["issue_slots"]["total"], Total);
  uint64_t OfSMs = 0;
  for (const json &SM : J["issue_slots"]["per_sm"])
    for (const json &Slots : SM)
      OfSMs += Slots.get<uint64_t>();
  EXPECT_EQ(OfSMs, Total);
  EXPECT_EQ(J["issue_slots"]["uses"]["issued"], J["warp_instructions"]);
}

TEST(TimedViews, SamplesCountEveryInstruction) {
  Simulated S(Reverse, reverseMany(50));
  ASSERT_EQ(S.Error, "");
  const TimingStats &T = *S.R.Launches[0].Timing;
  ASSERT_GE(T.Samples.size(), 2u);
  uint64_t Issued = 0, Last = 0;
  for (const OccupancySample &Sample : T.Samples) {
    EXPECT_GE(Sample.When, Last);
    EXPECT_EQ(Sample.ResidentWarps <= Sample.ResidentCtas * 4, true);
    Last = Sample.When;
    Issued += Sample.Issued;
  }
  EXPECT_LE(Issued, T.Functional.WarpInstructions);
  EXPECT_GE(Issued, T.Functional.WarpInstructions / 2);
}

TEST(TimedViews, ProgressReachesTheEnd) {
  SimulationRequest Request = reverseMany(2000);
  Progress Last;
  unsigned Calls = 0;
  Request.Machine.Timing.OnProgress = [&](const Progress &P) {
    EXPECT_GE(P.Cycles, Last.Cycles);
    EXPECT_GE(P.CtasDone, Last.CtasDone);
    EXPECT_EQ(P.Ctas, 2000u);
    Last = P;
    ++Calls;
  };
  EXPECT_EQ(Simulated(Reverse, Request).Error, "");
  EXPECT_GE(Calls, 3u);
  EXPECT_GT(Last.CtasDone, 1000u);
}

TEST(TimedViews, AParameterIsOneAddressWhateverWasAccessedBefore) {
  std::string Text = Reverse;
  Text.replace(Text.find("  ret;"), 0,
               "  ld.param.u64 %rd3, [p];\n  st.global.u64 [%rd3], %rd3;\n");
  SimulationRequest Request = reverseMany(1);
  Request.Checks.clear();
  Simulated S(Text, Request);
  ASSERT_EQ(S.Error, "");
  const TimingStats &T = *S.R.Launches[0].Timing;
  EXPECT_EQ(T.LoadStore.ConstantAccesses, 2u * 4);
  EXPECT_EQ(T.LoadStore.ConstantPasses, T.LoadStore.ConstantAccesses);
  // No branch, nothing to go back to.
  EXPECT_EQ(T.DivergentPops, 0u);
}
