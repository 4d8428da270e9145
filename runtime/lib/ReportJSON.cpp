//===- ReportJSON.cpp - The report and the timeline as JSON -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interruption.h"
#include "Report.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace regshare::cudart {

using Json = nlohmann::ordered_json;

static Json toJson(const sim::Dim3 &D) { return {D.X, D.Y, D.Z}; }

static Json toJson(const LaunchRecord &R) {
  Json J = {{"kernel", R.Kernel},
            {"name", demangle(R.Kernel)},
            {"grid", toJson(R.Grid)},
            {"block", toJson(R.Block)},
            {"stream", R.Stream},
            {"launched_by", R.Parent ? Json(R.Parent) : Json(nullptr)},
            {"begin_s", R.When.Begin},
            {"end_s", R.When.End},
            {"error", cudaGetErrorName(R.Fault)},
            {"error_kind", R.Fault == cudaSuccess
                               ? Json(nullptr)
                               : Json(std::string(errorKindName(R.Kind)))},
            {"registers_per_thread", R.Regs},
            {"local_bytes_per_thread", R.LocalBytes},
            {"static_shared_bytes", R.SharedBytes},
            {"dynamic_shared_bytes", R.DynamicSharedBytes},
            {"baseline_ctas_per_sm", R.ResidentCTAs},
            {"code",
             {{"instructions", R.Code.Instructions},
              {"statements", R.Code.Statements}}},
            {"finished", R.Fault == cudaSuccess && R.Outcome.Stats.IsWhole},
            {"ctas", R.Outcome.Stats.Ctas},
            {"warp_instructions", R.Outcome.Stats.WarpInstructions},
            {"thread_instructions", R.Outcome.Stats.ThreadInstructions}};
  if (R.Outcome.Stats.IsNative)
    J["issue_slots"] = R.Outcome.Stats.issueSlots();
  if (R.Shown)
    for (const auto &[Name, Figure] : R.Shown->Figures)
      J[std::string(R.Shown->Key)][std::string(Name)] = Figure;
  if (R.Descriptor)
    J["peak_live_registers"] = R.Descriptor->Peak;
  return J;
}

static KernelResources resourcesOf(const LaunchRecord &R) {
  KernelResources K;
  K.RegsPerThread = R.Regs;
  K.ThreadsPerCTA = static_cast<unsigned>(R.Block.count());
  K.SharedPerCTA = R.SharedBytes + R.DynamicSharedBytes;
  return K;
}

static Json toJson(const CopyRecord &R) {
  return {{"kind", R.name()},
          {"bytes", R.Bytes},
          {"stream", R.Stream},
          {"begin_s", R.When.Begin},
          {"end_s", R.When.End}};
}

static Json toJson(const sim::LenienceLog &Passed) {
  Json J = Json::array();
  for (const sim::PassedFault &F : Passed.faults())
    J.push_back({{"kernel", F.Kernel.empty() ? Json(nullptr) : Json(F.Kernel)},
                 {"sort", F.Sort},
                 {"place", F.Place},
                 {"first", F.Message},
                 {F.Kernel.empty() ? "calls" : "warp_instructions", F.Count}});
  return J;
}

static Json toJson(const CycleEstimate &E) {
  return {{"cycles", E.Cycles},
          {"error", E.Error ? Json(*E.Error) : Json(nullptr)}};
}

static Json toJson(const SampleSummary &S) {
  return {{"launches", S.Launches},
          {"timed", S.Timed},
          {"timed_in_part", S.TimedInPart},
          {"timed_cycles", S.TimedCycles},
          {"estimate", toJson(S.All)}};
}

/// Every variable as it was read, so that a report can be made again.
static Json settingsJson() {
  Json J = Json::object();
  for (const EnvironmentVariable &V : environmentVariables())
    J[V.Name] = V.value();
  return J;
}

static Json errorsJson() {
  Json J = Json::array();
  for (const NotedError &E : notedErrors())
    J.push_back(
        {{"kind", std::string(errorKindName(E.Kind))}, {"message", E.Message}});
  return J;
}

void printReportJSONWithoutDevice(std::ostream &OS) {
  Json J = {{"version", 1},
            {"settings", settingsJson()},
            {"errors", errorsJson()},
            {"launches", Json::array()},
            {"copies", Json::array()}};
  OS << J.dump(1) << "\n";
}

static Json interruptionJson() {
  const char *Signal = interruption();
  return Signal ? Json(Signal) : Json(nullptr);
}

void printReportJSON(std::ostream &OS, const Settings &S,
                     const std::vector<LaunchRecord> &Launches,
                     const std::vector<CopyRecord> &Copies,
                     const sim::LenienceLog &Passed,
                     const LaunchSampler &Sampler) {
  Json J = {
      {"version", 1},
      {"device", S.Device.Name},
      {"code", std::string(codeFormName(S.code()))},
      {"scheme", std::string(S.TheScheme.name())},
      {"timing", S.Timing},
      {"ended_by", interruptionJson()},
      {"sampling", Sampler.isOn() ? toJson(Sampler.summary()) : Json(nullptr)},
      {"settings", settingsJson()},
      {"errors", errorsJson()},
      {"launches", Json::array()},
      {"copies", Json::array()}};
  const std::vector<CycleEstimate> Estimates = Sampler.estimates();
  auto Estimate = Estimates.begin();
  for (const LaunchRecord &R : Launches) {
    Json Launch = toJson(R);
    Launch["register_steps"] = registerSteps(S.Device, resourcesOf(R));
    if (R.Outcome.Timed)
      Launch["stats"] = Json::parse(sim::statsJson(
          {S.Device, S.TheScheme, R.Grid, R.Block, R.DynamicSharedBytes},
          *R.Outcome.Timed, /*Indent=*/0));
    if (R.Outcome.IsSampled)
      Launch["estimate"] = toJson(*Estimate++);
    J["launches"].push_back(std::move(Launch));
  }
  for (const CopyRecord &R : Copies)
    J["copies"].push_back(toJson(R));
  if (S.Lenient)
    J["let_pass"] = toJson(Passed);
  OS << J.dump(1) << "\n";
}

//===----------------------------------------------------------------------===//
// The timeline
//===----------------------------------------------------------------------===//

/// The streams' group of tracks; Perfetto calls it a process.
static constexpr unsigned Streams = sim::PerfettoWriter::FirstFreeProcess;

static Json nameEvent(const char *What, unsigned Track,
                      const std::string &Name) {
  return {{"ph", "M"},
          {"pid", Streams},
          {"tid", Track},
          {"name", What},
          {"args", {{"name", Name}}}};
}

TraceFile::TraceFile(const Settings &S) : File(S.TracePath) {
  Writer.emplace(File, S.Device);
  Writer->addEvent(nameEvent("process_name", 0, "streams").dump());
}

void TraceFile::nameTrack(unsigned Stream) {
  if (Named.insert(Stream).second)
    Writer->addEvent(nameEvent("thread_name", Stream,
                               Stream ? "stream " + std::to_string(Stream)
                                      : "default stream")
                         .dump());
}

/// Times in the file are in microseconds.
void TraceFile::slice(unsigned Stream, const std::string &Name,
                      const Timeline::Interval &When,
                      std::string_view Details) {
  nameTrack(Stream);
  Json E = {{"ph", "X"},
            {"pid", Streams},
            {"tid", Stream},
            {"name", Name},
            {"ts", When.Begin * 1e6},
            {"dur", (When.End - When.Begin) * 1e6},
            {"args", Json::parse(Details)}};
  Writer->addEvent(E.dump());
}

void TraceFile::add(const LaunchRecord &R) {
  slice(R.Stream, demangle(R.Kernel), R.When, toJson(R).dump());
  if (R.Outcome.Timed)
    Writer->add(*R.Outcome.Timed, R.When.Begin);
}

void TraceFile::add(const CopyRecord &R) {
  slice(R.Stream, R.name(), R.When, toJson(R).dump());
}

bool TraceFile::close() {
  Writer.reset();
  File.close();
  return !File.fail();
}

} // namespace regshare::cudart
