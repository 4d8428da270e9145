//===- ViewsTest.cpp - Views of hand-made statistics ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Views.h"

#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace regshare;
using namespace regshare::sim;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

static DeviceDescription twoSMs() {
  DeviceDescription D;
  D.Name = "two";
  D.Description = "two SMs";
  D.NumSMs = 2;
  D.MaxWarps = 48;
  D.MaxCTAs = 8;
  D.Registers = 32768;
  D.CoreClockMHz = 500;
  D.Timing = {{"dram.channels", "4", "", 0},
              {"dram.burst_bytes", "32", "", 0},
              {"dram.burst_cycles", "2", "", 0},
              {"dram.clock_mhz", "1000", "", 0}};
  return D;
}

/// 1,000 cycles on two SMs with two schedulers each: 4,000 slots.
static TimingStats thousandCycles() {
  TimingStats S;
  S.Kernel = "say \"hi\"";
  S.Functional = {1500, 1500 * 24, 6};
  S.Cycles = 1000;
  S.Seconds = 2e-6;
  S.NumSMs = 2;
  S.SlotsPerCycle = 2;
  S.SlotsOfSM.resize(2);
  for (CpiStack &Slots : S.SlotsOfSM) {
    Slots[SlotUse::Issued] = 750;
    Slots[SlotUse::Barrier] = 250;
    Slots[SlotUse::DependencyMemory] = 1000;
    S.Slots.add(Slots);
  }
  S.Resident = {3, 24, {Limiter::SharedMemory, Limiter::CTAs}, 5376, 1024, 0};
  S.RegsPerThread = 21;
  S.WarpCycles = 1000 * 2 * 18;
  S.LoadStore.LoadHits = 600;
  S.LoadStore.LoadMerges = 100;
  S.LoadStore.LoadMisses = 300;
  S.LoadStore.SharedAccesses = 100;
  S.LoadStore.SharedPasses = 150;
  S.LoadStore.StallCycles[1] = 77;
  S.Memory.L2Hits = 75;
  S.Memory.L2Misses = 225;
  // 2,000 bursts of 32 bytes in 2 us: 32 GB/s of 4 * 16 bytes * 1 GHz.
  S.Memory.DramReads = 1500;
  S.Memory.DramWrites = 500;
  S.Memory.DramRowHits = 1800;
  S.Memory.DramBusyCycles = 4000;
  S.Memory.BytesToSMs = 96000;
  return S;
}

static RunDescription runOn(const DeviceDescription &D) {
  return {D, schemes::Ideal, {3, 2}, {256}, 128};
}

template <typename Print> static std::string printed(Print View) {
  std::ostringstream OS;
  View(OS);
  return OS.str();
}

TEST(Views, SummaryHasTheFiguresThatMatter) {
  DeviceDescription D = twoSMs();
  std::string Text =
      printed([&](auto &OS) { printSummary(OS, runOn(D), thousandCycles()); });
  EXPECT_THAT(
      Text, AllOf(HasSubstr("6 CTAs (3x2) of 256 threads (256)"),
                  HasSubstr("scheme ideal"), HasSubstr("1,000 cycles, 2.0 us"),
                  HasSubstr("24.0 of 32 lanes"),
                  HasSubstr("1.500 warp instructions a cycle, 0.750 an SM"),
                  HasSubstr("21 a thread"), HasSubstr("3 CTAs, 24 of 48 warps"),
                  HasSubstr("limited by shared memory, CTA slots"),
                  HasSubstr("18.0 warps on average")));
  EXPECT_THAT(Text, AllOf(HasSubstr("1.50 passes each"),
                          HasSubstr("60.0% hit, 10.0% joined a miss, 30.0% "
                                    "missed"),
                          HasSubstr("25.0% hit"), HasSubstr("90.0% in an open"),
                          HasSubstr("32.0 GB/s of 64.0 GB/s"),
                          HasSubstr("(50.0%), data bus busy 50.0%"),
                          HasSubstr("48.0 GB/s to the SMs")));
}

TEST(Views, SummaryWithoutMemoryFiguresLeavesPeaksOut) {
  DeviceDescription D = twoSMs();
  D.Timing.clear();
  std::string Text =
      printed([&](auto &OS) { printSummary(OS, runOn(D), thousandCycles()); });
  EXPECT_THAT(Text, AllOf(HasSubstr("DRAM"), Not(HasSubstr("peak"))));
}

TEST(Views, SummaryOfNothingDividesByNothing) {
  DeviceDescription D = twoSMs();
  std::string Text =
      printed([&](auto &OS) { printSummary(OS, runOn(D), TimingStats()); });
  EXPECT_THAT(Text, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
}

TEST(Views, CpiStackIsSortedAndComplete) {
  std::string Text =
      printed([](auto &OS) { printCpiStack(OS, thousandCycles()); });
  size_t Issued = Text.find("issued"), Memory = Text.find("dependency-memory"),
         Barrier = Text.find("barrier");
  EXPECT_LT(Issued, Memory);
  EXPECT_LT(Memory, Barrier);
  EXPECT_THAT(Text, AllOf(HasSubstr("37.5%    1.000  ###########"),
                          HasSubstr("50.0%    1.333  ###############"),
                          HasSubstr("12.5%    0.333  ####"),
                          Not(HasSubstr("no-warp"))));
}

TEST(Views, CpiStackCsv) {
  TimingStats S = thousandCycles();
  std::istringstream Lines(
      printed([&](auto &OS) { printCpiStackCsv(OS, S, true); }));
  std::string Line;
  ASSERT_TRUE(std::getline(Lines, Line));
  EXPECT_TRUE(Line.starts_with("sm,issued,"));
  EXPECT_EQ(std::count(Line.begin(), Line.end(), ','), NumSlotUses);
  for (const char *Where : {"all", "0", "1"}) {
    ASSERT_TRUE(std::getline(Lines, Line));
    std::istringstream Cells(Line);
    std::string Cell;
    std::getline(Cells, Cell, ',');
    EXPECT_EQ(Cell, Where);
    uint64_t Sum = 0;
    while (std::getline(Cells, Cell, ','))
      Sum += std::stoull(Cell);
    EXPECT_EQ(Sum, *Where == 'a' ? 4000u : 2000u);
  }
  EXPECT_FALSE(std::getline(Lines, Line));
}

TEST(Views, Json) {
  DeviceDescription D = twoSMs();
  TimingStats S = thousandCycles();
  S.Samples = {{500, 40, 5, 800}};
  json J = json::parse(statsJson(runOn(D), S));
  EXPECT_EQ(J["version"], StatsJsonVersion);
  EXPECT_EQ(J["kernel"], "say \"hi\"");
  EXPECT_EQ(J["scheme"], "ideal");
  EXPECT_EQ(J["grid"], json({3, 2, 1}));
  EXPECT_EQ(J["cycles"], 1000);
  EXPECT_EQ(J["ipc"], 1.5);
  EXPECT_EQ(J["residency"]["limited_by"], json({"shared memory", "CTA slots"}));
  EXPECT_EQ(J["residency"]["average_warps_per_sm"], 18);
  uint64_t Sum = 0;
  for (const json &Slots : J["issue_slots"]["uses"])
    Sum += Slots.get<uint64_t>();
  EXPECT_EQ(Sum, J["issue_slots"]["total"]);
  EXPECT_EQ(J["issue_slots"]["per_sm"][1]["barrier"], 250);
  EXPECT_EQ(J["load_store"]["stall_cycles"]["bank_conflict"], 77);
  EXPECT_EQ(J["rates"]["dram_peak_bytes_per_s"], 64e9);
  EXPECT_EQ(J["samples"][0]["issued"], 800);
  EXPECT_THAT(statsJson(runOn(D), S, 0), Not(HasSubstr("\n")));
}

TEST(Views, OccupancyOverTime) {
  DeviceDescription D = twoSMs();
  TimingStats S = thousandCycles();
  EXPECT_THAT(printed([&](auto &OS) { printOccupancy(OS, runOn(D), S); }),
              HasSubstr("no samples"));
  // All 96 warps, then half, then none.
  S.Samples = {{400, 96, 16, 800}, {800, 48, 8, 400}, {1000, 0, 0, 0}};
  EXPECT_THAT(printed([&](auto &OS) { printOccupancy(OS, runOn(D), S); }),
              AllOf(HasSubstr("3 samples"), HasSubstr("warps |█▄ | up to 96"),
                    HasSubstr("CTAs  |█▄ | up to 16 of 16"),
                    HasSubstr("IPC   |▄▂ | up to 2.00 of 4")));
  EXPECT_EQ(printed([&](auto &OS) { printOccupancyCsv(OS, S); }),
            "cycle,resident_warps,resident_ctas,issued,ipc,shared_in_use\n"
            "400,96,16,800,2.0000,0\n800,48,8,400,1.0000,0\n"
            "1000,0,0,0,0.0000,0\n");
}

/// 26 sections of six rows on each SM.
static TimingStats withSections() {
  TimingStats S = thousandCycles();
  S.Pool = {"SRP section", 26, 6, 20, 384, 1000, 600, 600, 600, 375, 12345};
  S.Pool.Holds = "holds extended set";
  S.Samples = {{400, 96, 16, 800, 52}, {1000, 48, 8, 400, 13}};
  return S;
}

TEST(Views, SharingIsShownWhereThereIsSome) {
  DeviceDescription D = twoSMs();
  auto Summary = [&](const TimingStats &S) {
    return printed([&](auto &OS) { printSummary(OS, runOn(D), S); });
  };
  EXPECT_THAT(Summary(thousandCycles()), Not(HasSubstr("sharing  ")));
  EXPECT_THAT(
      Summary(withSections()),
      AllOf(HasSubstr("26 SRP sections an SM of 6 rows, at most 20 in use; "
                      "384 bits of state an SM"),
            HasSubstr("asked for 1,000 times, 600 granted (60.0%); warps "
                      "waited 12,345 cycles"),
            HasSubstr("375 instructions issued while holding (25.0%)")));
  EXPECT_THAT(
      printed([&](auto &OS) { printOccupancy(OS, runOn(D), withSections()); }),
      HasSubstr("shared|█▂| up to 52 of 52"));
  json J = json::parse(statsJson(runOn(D), withSections()));
  EXPECT_EQ(J["sharing"]["unit"], "SRP section");
  EXPECT_EQ(J["sharing"]["units_per_sm"], 26);
  EXPECT_EQ(J["sharing"]["success_rate"], 0.6);
  EXPECT_EQ(J["sharing"]["held_share"], 0.25);
  EXPECT_EQ(J["samples"][1]["shared_in_use"], 13);
  EXPECT_TRUE(
      json::parse(statsJson(runOn(D), thousandCycles()))["sharing"].is_null());
}

TEST(Views, TimelineShowsWhoHoldsAndWhoWaits) {
  DeviceDescription D = twoSMs();
  TimingStats S = withSections();
  using E = TimelineEvent;
  S.Timeline = {{0, E::WarpBegin, 1, 3, 5, 2}, {10, E::WaitBegin, 1, 3, 5, 2},
                {20, E::WaitEnd, 1, 3, 5, 2},  {20, E::HoldBegin, 1, 3, 5, 2},
                {30, E::HoldEnd, 1, 3, 5, 2},  {40, E::WarpEnd, 1, 3, 5, 2}};
  auto Slices = [&](const char *Counter) {
    std::string Text = printed([&](auto &OS) { PerfettoWriter(OS, D).add(S); });
    json J = json::parse(Text);
    int Depth = 0;
    std::vector<std::string> Names;
    for (const json &Event : J["traceEvents"]) {
      if (Event["pid"] != 3)
        continue;
      Depth += Event["ph"] == "B" ? 1 : Event["ph"] == "E" ? -1 : 0;
      if (Event["ph"] == "B")
        Names.push_back(Event["name"]);
    }
    EXPECT_EQ(Depth, 0);
    EXPECT_THAT(Text, HasSubstr(Counter));
    return Names;
  };
  EXPECT_THAT(Slices("\"SRP sections in use\""),
              testing::ElementsAre("CTA 5 warp 2", "waits for registers",
                                   "holds extended set"));
  S.Pool.Unit = "lock";
  S.Pool.Waits = "held back";
  S.Pool.Holds = "holds a lock";
  EXPECT_THAT(
      Slices("\"locks in use\""),
      testing::ElementsAre("CTA 5 warp 2", "held back", "holds a lock"));
}

TEST(Views, ManySamplesFitIntoALine) {
  DeviceDescription D = twoSMs();
  TimingStats S = thousandCycles();
  for (unsigned N = 1; N != 1001; ++N)
    S.Samples.push_back({N, 96, 16, 4});
  std::string Bars;
  for (unsigned N = 0; N != 64; ++N)
    Bars += "█";
  EXPECT_THAT(printed([&](auto &OS) { printOccupancy(OS, runOn(D), S); }),
              HasSubstr("warps |" + Bars + "|"));
}

//===----------------------------------------------------------------------===//
// The timeline
//===----------------------------------------------------------------------===//

/// Fails unless the events of each track nest and are in order. Returns the
/// names of slices with their depth, as "0 CTA 5".
static std::multimap<std::string, std::string> slicesOf(const json &Trace) {
  std::multimap<std::string, std::string> Slices;
  std::map<std::pair<int, int>, std::vector<std::string>> Open;
  std::map<std::pair<int, int>, double> Last;
  for (const json &E : Trace["traceEvents"]) {
    std::string Phase = E["ph"];
    if (Phase != "B" && Phase != "E")
      continue;
    std::pair<int, int> Track = {E["pid"], E["tid"]};
    EXPECT_GE(E["ts"].get<double>(), Last[Track]);
    Last[Track] = E["ts"];
    if (Phase == "B") {
      std::string Where =
          std::to_string(Track.first) + "/" + std::to_string(Track.second);
      Slices.emplace(Where, std::to_string(Open[Track].size()) + " " +
                                E["name"].get<std::string>());
      Open[Track].push_back(E["name"]);
    } else {
      EXPECT_FALSE(Open[Track].empty());
      if (!Open[Track].empty())
        Open[Track].pop_back();
    }
  }
  for (const auto &[Track, Names] : Open)
    EXPECT_TRUE(Names.empty()) << "an open slice in " << Track.first;
  return Slices;
}

TEST(Views, TimelineNests) {
  using E = TimelineEvent;
  TimingStats S = thousandCycles();
  S.Timeline = {
      {0, E::CtaBegin, 1, 0, 5, 0},      {0, E::WarpBegin, 1, 2, 5, 0},
      {10, E::BarrierBegin, 1, 2, 5, 0}, {20, E::BarrierEnd, 1, 2, 5, 0},
      {30, E::WarpEnd, 1, 2, 5, 0},      {30, E::CtaEnd, 1, 0, 5, 0},
      {30, E::CtaBegin, 1, 0, 6, 0},     {31, E::WarpBegin, 1, 2, 6, 0},
      {40, E::WarpEnd, 1, 2, 6, 0},      {40, E::CtaEnd, 1, 0, 6, 0}};
  S.Samples = {{500, 1, 1, 100}, {1000, 0, 0, 0}};
  DeviceDescription D = twoSMs();
  json Trace = json::parse(printed([&](auto &OS) {
    PerfettoWriter Writer(OS, D);
    Writer.add(S);
    Writer.add(S, 5e-6);
  }));
  auto Slices = slicesOf(Trace);
  // Two launches with two CTAs each.
  EXPECT_EQ(Slices.count("3/1"), 4u);
  auto Warps = Slices.equal_range("3/1003");
  std::vector<std::string> Names;
  for (auto It = Warps.first; It != Warps.second; ++It)
    Names.push_back(It->second);
  EXPECT_THAT(Names, testing::ElementsAre("0 CTA 5 warp 0", "1 barrier",
                                          "0 CTA 6 warp 0", "0 CTA 5 warp 0",
                                          "1 barrier", "0 CTA 6 warp 0"));
  EXPECT_EQ(Slices.find("1/1")->second, "0 say \"hi\"");
}

TEST(Views, TimelineTellsSimulatedTime) {
  TimingStats S = thousandCycles();
  S.Timeline = {{250, TimelineEvent::CtaBegin, 0, 0, 0, 0},
                {251, TimelineEvent::CtaEnd, 0, 0, 0, 0}};
  DeviceDescription D = twoSMs();
  json Trace = json::parse(
      printed([&](auto &OS) { PerfettoWriter(OS, D).add(S, 1e-3); }));
  std::vector<double> Times;
  std::map<std::string, int> Named;
  for (const json &E : Trace["traceEvents"]) {
    if (E["ph"] == "M")
      ++Named[E["name"]];
    else if (E["pid"] == 2)
      Times.push_back(E["ts"]);
  }
  // A cycle takes 2 ns.
  EXPECT_EQ(Times, (std::vector<double>{1000.5, 1000.502}));
  EXPECT_EQ(Named["process_name"], 2);
  EXPECT_EQ(Named["thread_name"], 2);
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

TEST(Views, ProgressLineIsRewrittenAndErased) {
  std::ostringstream OS;
  double Now = 100;
  {
    ProgressLine Line("k", OS, [&] { return Now; });
    Line.update({1, 0, 8, 1});
    EXPECT_EQ(OS.str(), "");
    Now = 100.5;
    Line.update({1'000'000, 3, 8, 2'000'000});
    EXPECT_EQ(OS.str(), "\rk: 1,000,000 cycles, 3 of 8 CTAs, 4,000 k warp "
                        "instructions/s");
    Now = 100.6;
    OS.str("");
    Line.update({1'500'000, 3, 8, 2'500'000});
    EXPECT_EQ(OS.str(), "");
  }
  std::string Erased = OS.str();
  EXPECT_EQ(Erased.front(), '\r');
  EXPECT_EQ(Erased.back(), '\r');
  EXPECT_EQ(Erased.find_first_not_of("\r "), std::string::npos);
}

TEST(Views, ProgressLineIsShownFiveTimesASecond) {
  std::ostringstream OS;
  double Now = 0;
  ProgressLine Line("k", OS, [&] { return Now; });
  for (unsigned N = 0; N != 1000; ++N) {
    Now = N / 1000.0;
    Line.update({N, 0, 1, N});
  }
  std::string Text = OS.str();
  auto Shown = std::count(Text.begin(), Text.end(), '\r');
  EXPECT_GE(Shown, 3);
  EXPECT_LE(Shown, 5);
}

TEST(Views, ProgressLineIsSilentWithoutATerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressLine Line("k");
    for (unsigned N = 0; N != 100; ++N)
      Line.update({N, 0, 1, N});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}
