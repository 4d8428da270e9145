//===- EnergyTest.cpp - What a launch took in energy ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Energy.h"
#include "regshare/Base/RFC/RFC.h"

#include "AnnotatedTest.h"
#include "regshare/Sim/Views.h"

#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace regshare::sim {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

EnergyAccount accountOf(const DeviceDescription &D, const TimingStats &S) {
  Result<EnergyFigures> Figures = readEnergyFigures(D);
  EXPECT_TRUE(Figures) << (Figures ? "" : Figures.error().str());
  return Figures ? energyOf(S, *Figures) : EnergyAccount();
}

std::map<std::string, EnergyEntry> entriesOf(const EnergyAccount &A) {
  std::map<std::string, EnergyEntry> All;
  for (const EnergyEntry &E : A.Entries)
    EXPECT_TRUE(All.emplace(E.Event, E).second) << E.Event;
  return All;
}

std::map<std::string, double> partsOf(const EnergyAccount &A) {
  std::map<std::string, double> All;
  for (const EnergyPart &P : A.parts())
    EXPECT_TRUE(All.emplace(P.Name, P.Total).second) << P.Name;
  return All;
}

using Counts = std::map<std::string, uint64_t>;

/// The events that there were.
Counts countsOf(const EnergyAccount &A) {
  Counts All;
  for (const EnergyEntry &E : A.Entries)
    if (E.Count)
      All[E.Event] = E.Count;
  return All;
}

/// What holds of every account.
void checkSums(const EnergyAccount &A) {
  double Entries = 0, Parts = 0;
  for (const EnergyEntry &E : A.Entries) {
    EXPECT_GT(E.Each, 0) << E.Event;
    Entries += double(E.Count) * E.Each;
  }
  for (const EnergyPart &P : A.parts())
    Parts += P.Total;
  EXPECT_NEAR(A.total(), Entries, 1e-9 * Entries);
  EXPECT_NEAR(A.total(), Parts, 1e-9 * Entries);
}

DeviceDescription oneSM(const char *Name = "gtx480") {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 1;
  return D;
}

/// After kernelAround()'s prologue, which reads 5 rows and writes 7: rows read
/// and written beside each instruction.
const char *const HandKernel = R"(
mov.u32 %r2, 3;                     // 0, 1
mad.lo.u32 %r3, %r1, %r2, %r2;      // 2, 1
add.f32 %r4, %r3, %r2;              // 2, 1
fma.rn.f32 %r5, %r4, %r4, %r2;      // 2, 1
div.rn.f32 %r6, %r5, %r4;           // 2, 1
sin.approx.f32 %r6, %r5;            // 1, 1
add.f64 %rd4, %rd1, %rd2;           // 4, 2
setp.lt.u32 %p1, %r1, 8;            // 1, 0
@%p1 add.u32 %r2, %r2, %r1;         // 2, 1
mov.u32 %r7, buffer;                // 0, 1
mad.lo.u32 %r7, %r1, 4, %r7;        // 2, 1
st.shared.u32 [%r7], %r5;           // 2, 0
ld.shared.u32 %r9, [%r7];           // 1, 1
st.global.u32 [%rd2], %r9;          // 3, 0
)";
const char *const Buffer = ".shared .align 4 .b8 buffer[384];\n";

TimingStats runHandKernel(const DeviceDescription &D,
                          const TimingOptions &Options = {}) {
  return runBody(D, HandKernel, {1}, {32}, Options, Buffer);
}

TEST(Energy, OfAKernelCountedByHand) {
  DeviceDescription D = oneSM();
  TimingStats S = runHandKernel(D);
  EnergyAccount A = accountOf(D, S);
  checkSums(A);
  // Four instructions of the prologue, fourteen, and the return. Integers are a
  // load of a parameter, three moves, an addition of 64 bits, one of eight
  // lanes, a comparison and three accesses to memory. The line goes
  // to the L2 with 8 bytes before it in flits of 40, and is acknowledged; it
  // stays there.
  EXPECT_EQ(countsOf(A), (Counts{{"register_read", 5 + 24},
                                 {"register_write", 7 + 12},
                                 {"scratchpad_pass", 2},
                                 {"constant_pass", 1},
                                 {"l1_access", 1},
                                 {"flit", 4 + 1},
                                 {"l2_sector", 4},
                                 {"instruction", 4 + 14 + 1},
                                 {"lanes.integer", 9 * 32 + 8},
                                 {"lanes.integer_multiply", 3 * 32},
                                 {"lanes.float", 32},
                                 {"lanes.float_multiply", 32},
                                 {"lanes.double", 32},
                                 {"lanes.special", 32},
                                 {"lanes.divide", 32},
                                 {"sm_cycle", S.Cycles}}));
  // The figures of gtx480.
  std::map<std::string, double> Parts = partsOf(A);
  EXPECT_DOUBLE_EQ(Parts["registers"], 29 + 19);
  EXPECT_DOUBLE_EQ(Parts["scratchpad"], 2 * 1.19);
  EXPECT_DOUBLE_EQ(Parts["interconnect"], 5 * 1.75);
  EXPECT_DOUBLE_EQ(Parts["L2"], 4 * 0.58);
  EXPECT_DOUBLE_EQ(Parts["DRAM"], 0);
  EXPECT_DOUBLE_EQ(Parts["pipes"],
                   9.25 * 0.0145 + 3 * 0.464 + 0.13 + 0.667 + 2.88 + 2 + 6.67);
  EXPECT_DOUBLE_EQ(Parts["constant"], double(S.Cycles) * 10.3);
}

/// A load that misses brings a line through everything, the next one finds it.
TEST(Energy, OfAMissAndAHit) {
  DeviceDescription D = oneSM();
  auto Count = [&](const char *Body) {
    return countsOf(accountOf(D, runBody(D, Body)));
  };
  Counts None = Count("");
  Counts Miss = Count("ld.global.u32 %r2, [%rd2];");
  Counts Hit = Count("ld.global.u32 %r2, [%rd2];\n"
                     "add.u32 %r3, %r2, 1;\n@!%p0 ld.global.u32 %r4, [%rd2];");
  EXPECT_EQ(None.count("l1_access"), 0u);
  // Looked up and filled; four sectors to the SM, four from the DRAM.
  EXPECT_EQ(Miss["l1_access"], 2u);
  EXPECT_EQ(Miss["l2_sector"], 8u);
  EXPECT_EQ(Miss["dram_sector"], 4u);
  EXPECT_EQ(Miss["flit"], 1u + 4);
  EXPECT_EQ(Hit["l1_access"], 3u);
  EXPECT_EQ(Hit["l2_sector"], 8u);
  EXPECT_EQ(Hit["dram_sector"], 4u);
}

/// Rows of the instructions of straight code, each once.
std::pair<uint64_t, uint64_t> rowsOf(const Function &F) {
  uint64_t Reads = 0, Writes = 0;
  for (const Inst &I : F.Code) {
    auto First = F.Accesses.begin() + I.FirstAccess;
    auto Rows = [&](auto From, unsigned Count) {
      std::set<uint32_t> Rows(From, From + Count);
      return uint64_t(std::ranges::count_if(
          Rows, [&](uint32_t Row) { return Row < F.NumRows; }));
    };
    Reads += Rows(First, I.NumReads);
    Writes += Rows(First + I.NumReads, I.NumWrites);
  }
  return {Reads, Writes};
}

TEST(Energy, RegistersAreThoseThatTheCodeNames) {
  for (const char *Name : TimedPresets) {
    DeviceDescription D = deviceNamed(Name);
    TestProgram T(kernelAround(HandKernel, Buffer));
    ASSERT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(16384));
    // The functional mode counts instructions and lanes by itself.
    const Dim3 Grid = {40}, Block = {96};
    ASSERT_TRUE(T.run("k", Grid, Block, {Out})) << T.Error;
    TimingStats S = runTimed(*machine(D), T, "k", Grid, Block, {Out});
    EnergyAccount A = accountOf(D, S);
    checkSums(A);
    auto [Reads, Writes] = rowsOf(*T.P->findKernel("k"));
    Counts C = countsOf(A);
    EXPECT_EQ(C["register_read"], Reads * 120) << Name;
    EXPECT_EQ(C["register_write"], Writes * 120) << Name;
    EXPECT_EQ(C["instruction"], 19u * 120) << Name;
    EXPECT_EQ(C["sm_cycle"], S.Cycles * D.NumSMs) << Name;
    // All instructions but the return go to a pipe.
    uint64_t Lanes = 0;
    for (const auto &[Event, Count] : C)
      Lanes += Event.starts_with("lanes.") ? Count : 0;
    EXPECT_EQ(Lanes, S.Functional.ThreadInstructions - 32 * 120) << Name;
  }
}

TEST(Energy, FiguresScaleTheirPart) {
  DeviceDescription D = oneSM();
  TimingStats S = runHandKernel(D);
  std::map<std::string, EnergyEntry> Before = entriesOf(accountOf(D, S));
  for (const auto &[Event, Entry] : Before) {
    DeviceDescription Changed = D;
    auto It = std::ranges::find(Changed.Timing, "energy." + Event,
                                &TimingFigure::Key);
    ASSERT_NE(It, Changed.Timing.end()) << Event;
    It->Value = "100.5";
    for (const auto &[Name, After] : entriesOf(accountOf(Changed, S))) {
      double Each = Name != Event                ? Before[Name].Each
                    : Name.starts_with("lanes.") ? 100.5 / 32
                                                 : 100.5;
      EXPECT_DOUBLE_EQ(After.total(), double(Before[Name].Count) * Each)
          << Name;
    }
  }
}

/// Design 7 of LTRF's Table 2 takes 0.65 of the power, for its reads and writes
/// alone.
TEST(Energy, AnotherRegisterFileTakesItsPower) {
  DeviceDescription D = oneSM("ltrf-maxwell");
  Result<DeviceDescription> Slow = loadDevice("ltrf-maxwell,regfile.design=7");
  ASSERT_TRUE(Slow) << Slow.error().str();
  TimingStats S = runHandKernel(D);
  std::map<std::string, double> Before = partsOf(accountOf(D, S));
  for (const auto &[Part, Total] : partsOf(accountOf(*Slow, S)))
    EXPECT_DOUBLE_EQ(Total,
                     Before[Part] *
                         (Part == "registers" ? Slow->RegisterFile.Power : 1))
        << Part;
  EXPECT_DOUBLE_EQ(Slow->RegisterFile.Power, 0.65);
}

/// Operands that the cache serves are no reads of the main register file.
TEST(Energy, OfARegisterCache) {
  TimingStats S;
  S.BankReads = 1000;
  S.BankWrites = 600;
  RegisterCacheStats &C = S.RegisterCache;
  C.Rows = 128;
  C.Reads = 990;
  C.Writes = 580;
  C.Fetched = 70; // Forty of them in a PREFETCH.
  C.Filled = 40;
  C.WrittenBack = 50;
  C.LateWrites = 15;
  C.MainResults = 5;
  EXPECT_EQ(countsOf(accountOf(deviceNamed("ltrf-maxwell"), S)),
            (Counts{{"register_read", 70},
                    {"register_write", 50 + 15 + 5},
                    {"cache_read", 990 + 50},
                    {"cache_write", 580 + 40}}));
}

TEST(Energy, OfARunWithARegisterCache) {
  DeviceDescription D = oneSM("ltrf-maxwell");
  std::string Body = repeat("add.u32 %r5, %r2, %r3;\nadd.u32 %r6, %r5, %r2;\n"
                            "xor.b32 %r2, %r6, %r5;\n",
                            20) +
                     "st.global.u32 [%rd0], %r2;\n";
  auto Run = [&](Scheme S) {
    TimingOptions Options;
    Options.Applied = S;
    TestProgram T(AnnotatedKernel{"rfc", 40, 0, 0, {}}.around(Body));
    EXPECT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(256));
    return runTimed(*machine(D, Options), T, "k", {1}, {256}, {Out}, 40);
  };
  TimingStats S = Run(schemes::RFC);
  EnergyAccount A = accountOf(D, S);
  checkSums(A);
  Counts C = countsOf(A);
  Counts Baseline = countsOf(accountOf(D, Run(schemes::Baseline)));
  const RegisterCacheStats &Cache = S.RegisterCache;
  EXPECT_GT(Cache.Reads, 0u);
  EXPECT_EQ(C["register_read"] + C["cache_read"] - Cache.WrittenBack,
            Baseline["register_read"]);
  EXPECT_EQ(C["register_write"] + C["cache_write"] - Cache.WrittenBack,
            Baseline["register_write"]);
  // All operands of the additions were results shortly before.
  EXPECT_LT(C["register_read"] * 4, Baseline["register_read"]);
}

class EnergyErrors : public testing::Test {
protected:
  DeviceDescription D = deviceNamed("gtx480");

  void set(const std::string &Value) {
    std::ranges::find(D.Timing, "energy.flit", &TimingFigure::Key)->Value =
        Value;
  }
  std::string error() {
    Result<std::unique_ptr<Machine>> M = Machine::create(D, {});
    return M ? "" : M.error().str();
  }
};

TEST_F(EnergyErrors, NameTheFigureAndItsLine) {
  auto It = std::ranges::find(D.Timing, "energy.flit", &TimingFigure::Key);
  std::string Where = "gtx480.yaml:" + std::to_string(It->Line) + ": ";
  EXPECT_EQ(error(), "");
  for (const char *Value :
       {"much", "-0.5", "1e7", "nan", "inf", "", "1,5", "2 J"}) {
    set(Value);
    EXPECT_THAT(error(), AllOf(HasSubstr(Where),
                               HasSubstr("'timing.energy.flit' is '" +
                                         std::string(Value) +
                                         "'; expected a number from 0 to")))
        << Value;
  }
  set("0");
  EXPECT_EQ(error(), "");
}

TEST_F(EnergyErrors, NameWhatIsMissingAndWhatIsUnknown) {
  auto It = std::ranges::find(D.Timing, "energy.flit", &TimingFigure::Key);
  It->Key = "energy.flits";
  EXPECT_THAT(error(), AllOf(HasSubstr("gtx480.yaml:"),
                             HasSubstr("'timing.energy.flits'")));
  D.Timing.erase(It);
  EXPECT_THAT(error(), HasSubstr("has no 'timing.energy.flit'"));
}

TEST(Energy, EveryFigureIsListedAndHasASource) {
  std::set<std::string> Known, Given;
  for (const TimingFigureHelp &F : timingFigures())
    if (F.Key.starts_with("energy.")) {
      EXPECT_FALSE(F.Help.empty());
      Known.insert(F.Key);
    }
  for (const char *Name : TimedPresets) {
    DeviceDescription D = deviceNamed(Name);
    Given.clear();
    for (const TimingFigure &F : D.Timing)
      if (F.Key.starts_with("energy.")) {
        Given.insert(F.Key);
        EXPECT_FALSE(F.Source.empty()) << Name << " " << F.Key;
      }
    EXPECT_EQ(Given, Known) << Name;
    EXPECT_EQ(textFigure(D, "energy.register_read"), "1") << Name;
  }
  EXPECT_FALSE(readEnergyFigures(deviceNamed("ampere")));
}

TEST(Energy, IsInTheViews) {
  DeviceDescription D = oneSM();
  TimingStats S;
  S.NumSMs = 1;
  S.BankReads = 600;
  S.BankWrites = 300;
  S.LoadStore.SharedPasses = 80; // 95.2
  S.LoadStore.ConstantPasses = 10;
  S.Functional.WarpInstructions = 0;
  RunDescription Run{D, schemes::Baseline, {1}, {32}};
  auto Summary = [&] {
    std::ostringstream OS;
    printSummary(OS, Run, S);
    return OS.str();
  };
  EXPECT_THAT(Summary(),
              HasSubstr("energy        998 register-file reads, 0.00 an "
                        "instruction\n              registers 90.2%, "
                        "scratchpad 9.5%\n"));
  S.Functional.WarpInstructions = 200; // 58
  json J = json::parse(statsJson(Run, S))["energy"];
  EXPECT_EQ(J["unit"], "register-file read");
  EXPECT_DOUBLE_EQ(J["total"], 900 + 95.2 + 2.98 + 58);
  EXPECT_DOUBLE_EQ(J["per_warp_instruction"], (900 + 95.2 + 2.98 + 58) / 200);
  EXPECT_EQ(J["parts"]["registers"], 900);
  EXPECT_EQ(J["events"]["register_write"],
            json({{"count", 300}, {"each", 1.0}, {"total", 300.0}}));
  EXPECT_EQ(J["events"].size(), accountOf(D, S).Entries.size());
  D.Timing.clear();
  EXPECT_THAT(Summary(), Not(HasSubstr("energy")));
  EXPECT_TRUE(json::parse(statsJson(Run, S))["energy"].is_null());
}

} // namespace
} // namespace regshare::sim
