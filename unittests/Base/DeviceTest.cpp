//===- DeviceTest.cpp - Tests of the device loader ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Device.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace regshare;
namespace fs = std::filesystem;

namespace {

/// Writes devices into a folder of its own, which goes with the test.
class DeviceLoader : public testing::Test {
protected:
  void SetUp() override {
    unsetenv("REGSHARE_CONFIG_PATH");
    std::string Template = (fs::temp_directory_path() / "regshareXXXXXX");
    ASSERT_TRUE(mkdtemp(Template.data()));
    Dir = Template;
  }
  void TearDown() override {
    unsetenv("REGSHARE_CONFIG_PATH");
    std::error_code EC;
    fs::remove_all(Dir, EC);
  }

  std::string write(const std::string &Text) {
    std::string Path = (Dir / "dev.yaml").string();
    std::ofstream(Path) << Text;
    return Path;
  }

  /// A device in which every figure is 32, one a line from line 4.
  static std::string valid() {
    std::string Text = "name: dev\ndescription: a test\ntarget: sm_75\n";
    for (const DeviceField &F : deviceFields())
      Text += line(F.Key, "{value: 32, source: here}");
    return Text;
  }
  static std::string line(const std::string &Key, const std::string &Value) {
    return Key + ": " + Value + "\n";
  }
  /// valid() with the line of \p Key replaced.
  static std::string with(const std::string &Key, const std::string &Line) {
    std::string Text = valid();
    size_t Begin = Text.find("\n" + Key + ":") + 1;
    return Text.replace(Begin, Text.find('\n', Begin) + 1 - Begin, Line);
  }
  /// The message without its folder and column.
  std::string errorOf(const std::string &Text) {
    Result<DeviceDescription> D = loadDevice(write(Text));
    if (D)
      return "loaded";
    EXPECT_EQ(D.error().File, (Dir / "dev.yaml").string());
    return std::to_string(D.error().Line) + ": " + D.error().Message;
  }

  fs::path Dir;
};

TEST_F(DeviceLoader, ChangesFigures) {
  std::string Path = write(valid() + "timing:\n  l1:\n"
                                     "    hit: {value: 35, source: here}\n");
  Result<DeviceDescription> D =
      loadDevice(Path + ",registers=16384,timing.l1.hit=20,shared_unit=1");
  ASSERT_TRUE(D) << D.error().str();
  EXPECT_EQ(D->Registers, 16384u);
  EXPECT_EQ(D->SharedUnit, 1u);
  EXPECT_EQ(D->NumSMs, 32u);
  ASSERT_EQ(D->Timing.size(), 1u);
  EXPECT_EQ(D->Timing[0].Value, "20");
  EXPECT_EQ(D->Name, "dev,registers=16384,timing.l1.hit=20,shared_unit=1");
  setenv("REGSHARE_CONFIG_PATH", Dir.c_str(), 1);
  D = loadDevice("dev,sms=2");
  ASSERT_TRUE(D) << D.error().str();
  EXPECT_EQ(D->NumSMs, 2u);
}

TEST_F(DeviceLoader, RefusesChangesThatMakeNoSense) {
  std::string Path = write(valid());
  auto ErrorOf = [&](const std::string &Changes) {
    Result<DeviceDescription> D = loadDevice(Path + "," + Changes);
    return D ? "none" : D.error().str();
  };
  auto Expect = [&](const std::string &Changes, const std::string &Message) {
    EXPECT_NE(ErrorOf(Changes).find(Message), std::string::npos)
        << Changes << ": " << ErrorOf(Changes);
    EXPECT_NE(ErrorOf(Changes).find(Changes), std::string::npos) << Changes;
  };
  Expect("registers", "expected figure=value, got 'registers'");
  Expect("", "expected figure=value, got ''");
  Expect("sms=1,", "expected figure=value, got ''");
  Expect("=3", "expected figure=value, got '=3'");
  Expect("regs=3", "'dev' has no figure 'regs'; it has sms, warp_size");
  Expect("timing.l1.hit=3", "'dev' has no figure 'timing.l1.hit'");
  Expect("name=x", "'dev' has no figure 'name'");
  std::string Range = "; expected a whole number from 1 to 16777216";
  for (std::string Value : {"many", "-1", "16384x", "99999999999999999999", "0",
                            "16777217", "", "1.5", " 3"})
    Expect("registers=" + Value, "'registers' is '" + Value + "'" + Range);
  Expect("registers=4194304,regfile.design=6",
         "'registers' is '33554432'" + Range);
  Expect("max_regs_per_thread=300",
         "'300'; expected a whole number from 1 to 255");
  Expect("sms=1000000000", "'sms' is '1000000000'; expected a whole number "
                           "from 1 to 1024 (streaming multiprocessors)");
  Expect("max_shared_per_cta=64", "more shared memory than the SM");
}

} // namespace

TEST_F(DeviceLoader, ReadsEveryFigure) {
  Result<DeviceDescription> D = loadDevice(write(valid()));
  ASSERT_TRUE(D) << D.error().str();
  EXPECT_EQ(D->Name, "dev");
  EXPECT_EQ(D->Target, "sm_75");
  for (const DeviceField &F : deviceFields())
    EXPECT_EQ((*D).*F.Member, 32u) << F.Key;
  EXPECT_TRUE(D->Timing.empty());
}

TEST_F(DeviceLoader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errorOf("name: [\n").substr(0, 3), "2: ");
  EXPECT_EQ(errorOf("- 1\n"), "1: a device is a map of its figures");
  EXPECT_EQ(errorOf(with("sms", "")),
            "1: missing 'sms' (streaming multiprocessors)");
  EXPECT_EQ(errorOf(with("target", "")), "1: missing 'target'");
  EXPECT_EQ(errorOf(with("target", "target: [sm_75]\n")),
            "3: 'target' is not a text");
  EXPECT_EQ(errorOf(with("sms", "smss: {value: 1, source: here}\n")),
            "4: unknown key 'smss'");
  EXPECT_EQ(errorOf(with("warp_size", "sms: {value: 1, source: here}\n")),
            "5: 'sms' is given twice");
  EXPECT_EQ(errorOf(with("sms", "sms: 15\n")),
            "4: 'sms' needs the form {value: n, source: …}");
  EXPECT_EQ(errorOf(with("sms", "sms: {source: here}\n")),
            "4: 'sms' needs the form {value: n, source: …}");
  EXPECT_EQ(errorOf(with("sms", "sms: {value: 15}\n")),
            "4: 'sms' has no source");
  EXPECT_EQ(errorOf(with("sms", "sms: {value: 15, source: ''}\n")),
            "4: 'sms' has no source");
  EXPECT_EQ(errorOf(with("sms", "sms: {value: 15, source: a, unit: b}\n")),
            "4: 'sms' has more than a value and a source");
  for (std::string Value : {"-1", "many", "1.5", "99999999999", "0"})
    EXPECT_EQ(errorOf(with("sms", "sms: {value: " + Value + ", source: a}\n")),
              "4: 'sms' is '" + Value +
                  "'; expected a whole number from 1 to 1024 (streaming "
                  "multiprocessors)");
}

TEST_F(DeviceLoader, SaysWhichCodeItRuns) {
  auto With = [](const std::string &Value) {
    return with("sms",
                line("sms", "{value: 32, source: here}") + line("code", Value));
  };
  for (auto [Value, Form] : {std::pair("ptx", CodeForm::PTX),
                             std::pair("native", CodeForm::Native)}) {
    Result<DeviceDescription> D = loadDevice(
        write(With("{value: " + std::string(Value) + ", source: here}")));
    ASSERT_TRUE(D) << D.error().str();
    EXPECT_EQ(D->Code, Form);
  }
  Result<DeviceDescription> Silent = loadDevice(write(valid()));
  ASSERT_TRUE(Silent);
  EXPECT_EQ(Silent->Code, CodeForm::PTX);
  EXPECT_EQ(errorOf(With("{value: sass, source: here}")),
            "5: unknown form of code 'sass'; there are ptx and native");
  EXPECT_EQ(errorOf(With("{value: native}")), "5: 'code' has no source");
  EXPECT_EQ(errorOf(With("native")),
            "5: 'code' needs the form {value: n, source: …}");
}

TEST_F(DeviceLoader, RejectsFiguresThatContradict) {
  EXPECT_EQ(errorOf(with("max_regs_per_thread",
                         "max_regs_per_thread: {value: 256, source: a}\n")),
            "11: 'max_regs_per_thread' is '256'; expected a whole number from "
            "1 to 255 (registers a thread can name)");
  EXPECT_EQ(errorOf(with("max_shared_per_cta",
                         "max_shared_per_cta: {value: 33, source: a}\n")),
            "16: a CTA cannot have more shared memory than the SM");
}

TEST_F(DeviceLoader, KeepsTiming) {
  std::string Text = valid() + "timing:\n"
                               "  issue_width: {value: 1, source: a}\n"
                               "  l1d:\n"
                               "    hit: {value: 35.5, source: b}\n";
  Result<DeviceDescription> D = loadDevice(write(Text));
  ASSERT_TRUE(D) << D.error().str();
  ASSERT_EQ(D->Timing.size(), 2u);
  EXPECT_EQ(D->Timing[0].Key, "issue_width");
  EXPECT_EQ(D->Timing[1].Key, "l1d.hit");
  EXPECT_EQ(D->Timing[1].Value, "35.5");
  EXPECT_EQ(D->Timing[1].Source, "b");
  EXPECT_EQ(D->Timing[1].Line, 23u);
  EXPECT_EQ(errorOf(valid() + "timing:\n  l1d:\n    hit: {value: 35}\n"),
            "22: 'timing.l1d.hit' has no source");
  EXPECT_EQ(errorOf(valid() + "timing: 3\n"),
            "20: 'timing' is not a map of figures");
}

TEST_F(DeviceLoader, LooksInTheConfigPathFirst) {
  write(valid());
  EXPECT_FALSE(loadDevice("dev"));
  setenv("REGSHARE_CONFIG_PATH", Dir.c_str(), 1);
  Result<DeviceDescription> D = loadDevice("dev");
  ASSERT_TRUE(D) << D.error().str();
  EXPECT_EQ(D->File, (Dir / "dev.yaml").string());
  std::vector<std::string> Known = knownDevices();
  EXPECT_TRUE(std::count(Known.begin(), Known.end(), "dev"));
}

TEST_F(DeviceLoader, ListsTheDevicesForAnUnknownName) {
  for (const char *Name : {"", "gtx481", "../configs/nothing"}) {
    Result<DeviceDescription> D = loadDevice(Name);
    ASSERT_FALSE(D) << Name;
    std::string Message = D.error().str();
    EXPECT_TRUE(Message.starts_with("unknown device '" + std::string(Name) +
                                    "'; known: "))
        << Message;
    EXPECT_NE(Message.find(", gtx480, gv100, h100, "), Message.npos) << Message;
  }
  Result<DeviceDescription> D = loadDevice((Dir / "none.yaml").string());
  ASSERT_FALSE(D);
  EXPECT_EQ(D.error().str(),
            (Dir / "none.yaml").string() + ": cannot read the device");
}

TEST(Device, ThoseOfTheProjectLoad) {
  for (const std::string &Name : knownDevices()) {
    Result<DeviceDescription> D = loadDevice(Name);
    ASSERT_TRUE(D) << D.error().str();
    EXPECT_EQ(D->Name, Name);
    EXPECT_EQ(D->MaxThreads, D->MaxWarps * D->WarpSize) << Name;
  }
}

/// LTRF (ASPLOS 2018), Table 2.
TEST(Device, RegisterFileDesigns) {
  unsigned Own = loadDevice("ltrf-maxwell")->Registers;
  EXPECT_EQ(Own, 65536u);
  struct Row {
    const char *Design;
    unsigned Capacity;
    double Latency, Power, Area;
  };
  const Row Rows[] = {{"1", 1, 1, 1, 1},        {"2", 8, 1.25, 8, 8},
                      {"3", 8, 1.5, 8, 8},      {"4", 8, 1.6, 3.2, 8},
                      {"5", 8, 2.8, 3.2, 8},    {"6", 8, 5.3, 1.05, 8},
                      {"7", 8, 6.3, 0.65, 0.25}};
  for (const Row &R : Rows) {
    auto D = loadDevice("ltrf-maxwell,regfile.design=" + std::string(R.Design));
    ASSERT_TRUE(D) << D.error().str();
    EXPECT_EQ(D->Registers, Own * R.Capacity) << R.Design;
    EXPECT_EQ(D->RegisterFile.Latency, R.Latency) << R.Design;
    EXPECT_EQ(D->RegisterFile.Power, R.Power) << R.Design;
    EXPECT_EQ(D->RegisterFile.Area, R.Area) << R.Design;
  }
  auto D = loadDevice("ltrf-maxwell,regfile.design=6,regfile.latency=2.5");
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Registers, Own * 8);
  EXPECT_EQ(D->RegisterFile.Latency, 2.5);
  // A design says how much larger the file is, not how much larger it gets.
  D = loadDevice("ltrf-maxwell,regfile.design=2,regfile.design=6,registers=64");
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Registers, 64u * 8);
  EXPECT_EQ(D->RegisterFile.Latency, 5.3);
  for (const char *Wrong :
       {"regfile.design=8", "registers=536870912,regfile.design=6",
        "regfile.design=", "regfile.latency=0.5", "regfile.latency=nan",
        "regfile.latency=2x", "regfile.latency=65", "regfile.cells=1"})
    EXPECT_FALSE(loadDevice("ltrf-maxwell," + std::string(Wrong))) << Wrong;
}

TEST(Device, EveryFigureIsDocumented) {
  std::ifstream In(REGSHARE_DOCS "/devices.md");
  std::stringstream Text;
  Text << In.rdbuf();
  for (const DeviceField &F : deviceFields())
    EXPECT_NE(
        Text.str().find("| `" + std::string(F.Key) + "` | " + F.Help + " |"),
        std::string::npos)
        << F.Key;
}
