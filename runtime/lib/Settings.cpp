//===- Settings.cpp - What the environment says about a run -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "regshare/Base/SchemeLoader.h"
#include "regshare/Base/SharedSpilling.h"
#include "regshare/Base/Variables.h"

#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace regshare::cudart {

/// Who can do with more needs no timing.
static constexpr unsigned MostSamplePercent = 50;

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

static Result<void> readCode(Settings &S, const std::string &Value) {
  Result<CodeForm> Form = parseCodeForm(Value);
  if (!Form)
    return fail(Form.error());
  S.OtherCode = *Form;
  return {};
}

static Result<void> readLaunches(Settings &S, const std::string &Value) {
  Result<LaunchChoice> Choice = LaunchChoice::parse(Value);
  if (!Choice)
    return tl::make_unexpected(Choice.error());
  S.Launches = std::move(*Choice);
  return {};
}

static Result<void> readSample(Settings &S, const std::string &Value) {
  unsigned Percent = 0;
  const char *End = Value.data() + Value.size();
  auto [Stop, Error] = std::from_chars(Value.data(), End, Percent);
  if (Stop != End || Error != std::errc() || Percent > MostSamplePercent)
    return fail("expected a number of percent from 1 to " +
                std::to_string(MostSamplePercent) + ", or 0, got '" + Value +
                "'");
  S.SamplePercent = Percent;
  return {};
}

template <bool Settings::*Member>
static Result<void> readBool(Settings &S, const std::string &Value) {
  if (Value != "0" && Value != "1")
    return fail("expected 0 or 1, got '" + Value + "'");
  S.*Member = Value == "1";
  return {};
}

template <auto Member>
static Result<void> readNumber(Settings &S, const std::string &Value) {
  const char *End = Value.data() + Value.size();
  auto [Stop, Error] = std::from_chars(Value.data(), End, S.*Member);
  if (Stop != End || Error != std::errc())
    return fail("expected a number, 0 or more, got '" + Value + "'");
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

static Result<void> readReport(Settings &S, const std::string &Value) {
  if (Value != ReportToError)
    return readOutput<&Settings::ReportPath>(S, Value);
  S.ReportPath = Value;
  return {};
}

static Result<void> readTrace(Settings &S, const std::string &Value) {
  if (Value == ReportToError)
    return fail("expected a file; a report alone can go to standard error");
  return readOutput<&Settings::TracePath>(S, Value);
}

static Result<void> readDirectory(Settings &S, const std::string &Value) {
  std::error_code EC;
  fs::create_directories(Value, EC);
  if (!fs::is_directory(Value, EC))
    return fail("cannot make this directory");
  S.PTXPath = Value;
  return {};
}

/// What every run has to know first.
static std::vector<EnvironmentVariable> machineVariables() {
  return {
      {"REGSHARE_DEVICE", "gtx480",
       "device to simulate: a name or a .yaml; figures to change may follow, "
       "as in gtx480,registers=16384",
       readDevice},
      {"REGSHARE_SCHEME", "baseline", "register-file scheme to apply",
       readScheme},
  };
}

static std::vector<EnvironmentVariable> runVariables() {
  return {
      {"REGSHARE_CODE", "",
       "form of code, ptx or native, instead of the device's", readCode},
      {"REGSHARE_SCHEDULE", "1", "0: native code keeps the order it has",
       readBool<&Settings::Schedule>},
      {"REGSHARE_CONTROL_CODE", "0",
       "1: native code says what its instructions wait for, and a modern core "
       "has no scoreboard",
       readBool<&Settings::ControlCode>},
      {"REGSHARE_REUSE", "1",
       "0: native code does not say which operands a modern core keeps",
       readBool<&Settings::Reuse>},
      {"REGSHARE_MAX_REGISTERS", "0",
       "32-bit registers that a thread has at most, as with -maxrregcount; 0: "
       "as many as the device has",
       readNumber<&Settings::MaxRegisters>},
      {settings::SharedSpilling.variable(), "0",
       "1: " + std::string(settings::SharedSpilling.Help),
       readBool<&Settings::SharedSpilling>},
      {"REGSHARE_TIMING", "1", "0: execute without the timing model",
       readBool<&Settings::Timing>},
      {"REGSHARE_LAUNCHES", "",
       "launches that are timed, as in 3-8 or KERNEL:1; others are executed "
       "without timing",
       readLaunches},
      {"REGSHARE_SAMPLE", "0",
       "percent by which the cycles of the program may be wrong, so that not "
       "all launches need be timed; 0: all are",
       readSample},
      {"REGSHARE_COLD_L2", "0",
       "1: the L2 is empty when a launch begins, as where a profiler flushes "
       "it",
       readBool<&Settings::ColdL2>},
      {"REGSHARE_REPORT", "",
       "file for a report on every launch: JSON if it ends in .json, else "
       "text; -: text on standard error",
       readReport},
      {"REGSHARE_TRACE", "", "file for a timeline that opens in Perfetto",
       readTrace},
      {"REGSHARE_THREADS", "1",
       "host threads of the timing model; 0: one for each processor",
       readNumber<&Settings::Threads>},
      {"REGSHARE_CYCLE_LIMIT", "0",
       "core cycles after which a launch is given up; 0: never",
       readNumber<&Settings::CycleLimit>},
      {"REGSHARE_INSTRUCTION_LIMIT", "0",
       "warp instructions after which a launch is given up; 0: never",
       readNumber<&Settings::InstructionLimit>},
      {"REGSHARE_LENIENT", "0",
       "1: what GPUs let programs do wrong is told once a place, and passes",
       readBool<&Settings::Lenient>},
      {"REGSHARE_KEEP_PTX", "", "directory for the PTX that is executed",
       readDirectory},
      {"CUDA_LAUNCH_BLOCKING", "0",
       "1: a launch returns the faults of its own kernel",
       readBool<&Settings::Blocking>},
  };
}

static EnvironmentVariable variableOf(const Setting &Of) {
  return {Of.variable(), Of.print(Of.Default), settingHelp(Of),
          [&Of](Settings &S, const std::string &Value) {
            return S.SchemeSettings.read(Of, Value);
          },
          &Of};
}

std::vector<EnvironmentVariable> environmentVariables() {
  std::vector<EnvironmentVariable> All = machineVariables();
  for (const Setting *S : allSettings())
    All.push_back(variableOf(*S));
  for (EnvironmentVariable &V : runVariables())
    All.push_back(std::move(V));
  return All;
}

std::string EnvironmentVariable::value() const {
  const char *Given = std::getenv(Name.c_str());
  return Given && *Given ? Given : Default;
}

Result<Settings> readSettings() {
  if (Result<void> Loaded = loadSchemesOfEnvironment(); !Loaded)
    return fail(Loaded.error());
  Settings S;
  for (const EnvironmentVariable &V : environmentVariables()) {
    std::string Value = V.value();
    // What schemes read has its default there.
    if (Value.empty() || (V.OfSchemes && Value == V.Default))
      continue;
    if (Result<void> Read = V.Read(S, Value); !Read)
      return fail(V.Name + "=" + Value + ": " + Read.error().Message);
  }
  return S;
}

/// Nothing if \p Name is no setting, or one of \p Chosen.
static std::string doubtAboutSetting(const std::string &Name,
                                     const Scheme &Chosen) {
  for (const Setting *S : allSettings())
    if (S->variable() == Name && !Chosen->findSetting(S->Name))
      return Name + " is a setting of " + schemeNames(schemesWith(*S)) +
             "; the scheme is " + std::string(Chosen.name());
  return "";
}

std::vector<std::string> doubtsAboutEnvironment(const Scheme *Chosen) {
  std::vector<std::string> Doubts;
  for (const std::string &Name : givenVariables()) {
    std::string Doubt = doubtAboutVariable(Name);
    if (Doubt.empty() && Chosen)
      Doubt = doubtAboutSetting(Name, *Chosen);
    if (!Doubt.empty())
      Doubts.push_back(std::move(Doubt));
  }
  return Doubts;
}

} // namespace regshare::cudart
