//===- Settings.cpp - What the environment says about a run -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace regshare::cudart {

std::string libraryDirectory() {
  static const char Anchor = 0;
  Dl_info Info;
  if (!dladdr(&Anchor, &Info) || !Info.dli_fname)
    return "";
  std::error_code EC;
  auto Path = fs::canonical(Info.dli_fname, EC);
  return EC ? "" : Path.parent_path().string();
}

/// loadDevice looks beside the running program, which is the user's; ours is
/// the installation that this library is part of, in a library directory whose
/// depth depends on the system.
static std::string locateDevice(const std::string &Name) {
  // Changes to its figures may follow the name.
  std::string Device = Name.substr(0, Name.find(','));
  if (std::getenv("REGSHARE_CONFIG_PATH") || fs::path(Device).has_extension())
    return Name;
  fs::path Directory = libraryDirectory();
  for (unsigned Level = 0; Level != 2; ++Level) {
    Directory = Directory.parent_path();
    fs::path File = Directory / "share/regshare/configs" / (Device + ".yaml");
    std::error_code EC;
    if (fs::exists(File, EC))
      return File.string() + Name.substr(Device.size());
  }
  return Name;
}

static Result<void> readDevice(Settings &S, const std::string &Value) {
  S.DeviceName = locateDevice(Value);
  Result<DeviceDescription> Device = loadDevice(S.DeviceName);
  if (!Device)
    return fail(Device.error().str());
  S.Device = std::move(*Device);
  return {};
}

static Result<void> readScheme(Settings &S, const std::string &Value) {
  Result<Scheme> TheScheme = parseScheme(Value);
  if (!TheScheme)
    return fail(TheScheme.error().str());
  S.TheScheme = *TheScheme;
  return {};
}

template <bool Settings::*Member>
static Result<void> readBool(Settings &S, const std::string &Value) {
  if (Value != "0" && Value != "1")
    return fail("must be 0 or 1");
  S.*Member = Value == "1";
  return {};
}

template <auto Member, unsigned Least = 0>
static Result<void> readNumber(Settings &S, const std::string &Value) {
  const char *End = Value.data() + Value.size();
  auto [Stop, Error] = std::from_chars(Value.data(), End, S.*Member);
  if (Stop != End || Error != std::errc() || S.*Member < Least)
    return fail("must be a number, " + std::to_string(Least) + " or more");
  return {};
}

static Result<void> readTau(Settings &S, const std::string &Value) {
  Result<int64_t> Tau = settings::Tau.parse(Value);
  if (!Tau)
    return fail(Tau.error().Message);
  S.TauPerMille = unsigned(*Tau);
  return {};
}

static Result<void> readPrivateShare(Settings &S, const std::string &Value) {
  Result<int64_t> Share = settings::PrivateShare.parse(Value);
  if (!Share)
    return fail(Share.error().Message);
  S.PrivatePerMille = unsigned(*Share);
  return {};
}

static Result<void> readOrder(Settings &S, const std::string &Value) {
  Result<RegisterOrder> Order = parseRegisterOrder(Value);
  if (!Order)
    return fail(Order.error().Message);
  S.Order = *Order;
  return {};
}

static Result<void> readOperandCache(Settings &S, const std::string &Value) {
  if (Result<void> Read = readNumber<&Settings::OperandCacheBytes>(S, Value);
      !Read)
    return Read;
  Result<OperandCache> Cache = OperandCache::create(S.OperandCacheBytes);
  if (!Cache)
    return fail(Cache.error().Message);
  return {};
}

static Result<void> readMapping(Settings &S, const std::string &Value) {
  Result<int64_t> Mapping = settings::OperandCacheMapping.parse(Value);
  if (!Mapping)
    return fail(Mapping.error().Message);
  S.Mapping = OperandMapping(*Mapping);
  return {};
}

/// A file that is written at the end: whether it can be is better known now.
template <std::string Settings::*Member>
static Result<void> readOutput(Settings &S, const std::string &Value) {
  std::ofstream File(Value, std::ios::app);
  if (!File)
    return fail("cannot write this file");
  S.*Member = Value;
  return {};
}

static Result<void> readDirectory(Settings &S, const std::string &Value) {
  std::error_code EC;
  fs::create_directories(Value, EC);
  if (!fs::is_directory(Value, EC))
    return fail("cannot make this directory");
  S.PTXPath = Value;
  return {};
}

static const EnvironmentVariable Variables[] = {
    {"REGSHARE_DEVICE", "gtx480",
     "device to simulate: a name or a .yaml; figures to change may follow, "
     "as "
     "in gtx480,registers=16384",
     readDevice},
    {"REGSHARE_SCHEME", "baseline", "register-sharing system to apply",
     readScheme},
    {"REGSHARE_ES", "0",
     "RegMutex: registers of the extended set; 0: chosen for each kernel and "
     "launch shape",
     readNumber<&Settings::ExtendedSet>},
    {"REGSHARE_PUBLISHED_POLICY", "0",
     "1: RegMutex chooses the extended set by the published policy alone",
     readBool<&Settings::PublishedPolicy>},
    {"REGSHARE_INTERVAL_REGISTERS", "16",
     "LTRF: registers that an interval names at most; SHRF: registers of a "
     "warp in the register cache",
     readNumber<&Settings::IntervalRegisters, 1>},
    {"REGSHARE_TAU", "0.8",
     "EXPARS: which part of a thread's registers may be in scratchpad, 0 to "
     "1",
     readTau},
    {"REGSHARE_OPERAND_CACHE", "2048",
     "EXPARS: bytes of the operand cache: 1024, 2048 or 4096",
     readOperandCache},
    {"REGSHARE_OPERAND_MAPPING", "direct",
     "EXPARS: which lines of its bank a register may have in the operand "
     "cache: direct (one, as published), turned (one, which depends on the "
     "warp as well), associative (any)",
     readMapping},
    {"REGSHARE_EXPECTED_WEIGHTS", "0",
     "1: EXPARS numbers registers by how often they are expected to be "
     "referenced, instead of how often the code names them",
     readBool<&Settings::ExpectedWeights>},
    {"REGSHARE_PRIVATE_SHARE", "0.1",
     "register and scratchpad sharing: which part of its registers, or of a "
     "CTA's shared memory, is not shared with the paired CTA, above 0 to 1",
     readPrivateShare},
    {"REGSHARE_REGISTER_ORDER", "first-use",
     "register sharing: which registers are a thread's own: first-use (those "
     "that the code names first, as published), declared (the numbers as "
     "they are), earliest (those that the fewest instructions lead to), "
     "weight (those with which most instructions are expected to run before "
     "a shared one)",
     readOrder},
    {"REGSHARE_EARLY_RELEASE", "0",
     "1: register and scratchpad sharing give back what is shared where a "
     "warp no longer needs it, instead of at its end",
     readBool<&Settings::EarlyRelease>},
    {"REGSHARE_DYNAMIC_WARPS", "1",
     "0: register sharing lets warps that are no owner's access memory as "
     "they like, without dynamic warp execution",
     readBool<&Settings::DynamicWarps>},
    {"REGSHARE_TIMING", "1", "0: execute without the timing model",
     readBool<&Settings::Timing>},
    {"REGSHARE_REPORT", "",
     "file for a report on every launch: JSON if it ends in .json, else text",
     readOutput<&Settings::ReportPath>},
    {"REGSHARE_TRACE", "", "file for a timeline that opens in Perfetto",
     readOutput<&Settings::TracePath>},
    {"REGSHARE_THREADS", "1",
     "host threads of the timing model; 0: one for each processor",
     readNumber<&Settings::Threads>},
    {"REGSHARE_CYCLE_LIMIT", "0",
     "core cycles after which a launch is given up; 0: never",
     readNumber<&Settings::CycleLimit>},
    {"REGSHARE_INSTRUCTION_LIMIT", "0",
     "warp instructions after which a launch is given up; 0: never",
     readNumber<&Settings::InstructionLimit>},
    {"REGSHARE_KEEP_PTX", "", "directory for the PTX that is executed",
     readDirectory},
    {"CUDA_LAUNCH_BLOCKING", "0",
     "1: a launch returns the faults of its own kernel",
     readBool<&Settings::Blocking>},
};

const std::vector<EnvironmentVariable> &environmentVariables() {
  static const std::vector<EnvironmentVariable> Table(std::begin(Variables),
                                                      std::end(Variables));
  return Table;
}

std::string EnvironmentVariable::value() const {
  const char *Given = std::getenv(Name);
  return Given && *Given ? Given : Default;
}

Result<Settings> readSettings() {
  Settings S;
  for (const EnvironmentVariable &V : environmentVariables()) {
    std::string Value = V.value();
    if (Value.empty())
      continue;
    if (Result<void> Read = V.Read(S, Value); !Read)
      return fail(std::string(V.Name) + "=" + Value + ": " +
                  Read.error().Message);
  }
  return S;
}

} // namespace regshare::cudart
