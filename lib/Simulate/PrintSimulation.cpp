//===- PrintSimulation.cpp - The result of a simulation -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Views.h"
#include "regshare/Simulate/Elements.h"
#include "regshare/Simulate/Simulation.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace regshare;
using namespace regshare::sim;

using Json = nlohmann::ordered_json;

static RunDescription describe(const SimulationResult &R,
                               const MachineOptions &Machine) {
  return {Machine.Device, Machine.Timing.Applied, R.Config.Grid, R.Config.Block,
          R.Config.DynamicSharedBytes};
}

static std::string counted(uint64_t Count, const char *Noun) {
  return std::to_string(Count) + " " + Noun + (Count == 1 ? "" : "s");
}

static void printBuffer(std::ostream &OS, const BufferContents &B) {
  constexpr uint64_t PerLine = 8;
  OS << "argument " << B.Argument << ": " << elementTypeName(B.Type) << "*"
     << B.Count;
  for (uint64_t K = 0; K != B.Elements.size(); ++K) {
    if (K % PerLine == 0)
      OS << "\n[" << K << "]";
    OS << " " << printElement(B.Type, B.Elements[K]);
  }
  OS << "\n";
}

static void printLaunch(std::ostream &OS, const SimulationResult &R,
                        const LaunchOutcome &L, const MachineOptions &Machine) {
  if (L.Timing) {
    RunDescription Run = describe(R, Machine);
    printSummary(OS, Run, *L.Timing);
    if (!L.Timing->Samples.empty())
      printOccupancy(OS << "\n", Run, *L.Timing);
    return;
  }
  OS << "kernel '" << R.Kernel << "': " << counted(L.Stats.Ctas, "CTA") << ", "
     << counted(L.Stats.Ctas * R.Config.Block.count(), "thread") << ", "
     << counted(L.Stats.WarpInstructions, "warp instruction") << ", "
     << counted(L.Stats.ThreadInstructions, "thread instruction");
  if (L.Stats.IsNative)
    OS << ", " << counted(L.Stats.issueSlots(), "issue slot");
  OS << "\n";
}

std::string regshare::printSimulation(const SimulationResult &R,
                                      const MachineOptions &Machine) {
  std::ostringstream OS;
  for (const BufferContents &B : R.Prints)
    printBuffer(OS, B);
  for (size_t K = 0; K != R.Launches.size(); ++K) {
    if (R.Launches.size() != 1)
      OS << "launch " << K << ":\n";
    printLaunch(OS, R, R.Launches[K], Machine);
  }
  return OS.str();
}

/// A number where JSON has one for it.
static Json valueOf(ScalarType Type, uint64_t Bits) {
  double Value = elementValue(Type, Bits);
  if (!std::isfinite(Value))
    return printElement(Type, Bits);
  if (isFloat(Type))
    return Value;
  if (isSigned(Type))
    return int64_t(Bits << (64 - 8 * sizeOf(Type))) >> (64 - 8 * sizeOf(Type));
  return Bits;
}

static Json bufferOf(const BufferContents &B) {
  Json Elements = Json::array();
  for (uint64_t Bits : B.Elements)
    Elements.push_back(valueOf(B.Type, Bits));
  return {{"argument", B.Argument},
          {"type", std::string(elementTypeName(B.Type))},
          {"count", B.Count},
          {"elements", std::move(Elements)}};
}

static Json launchOf(const SimulationResult &R, const LaunchOutcome &L,
                     const MachineOptions &Machine) {
  Json J = {{"ctas", L.Stats.Ctas},
            {"threads", L.Stats.Ctas * R.Config.Block.count()},
            {"warp_instructions", L.Stats.WarpInstructions},
            {"thread_instructions", L.Stats.ThreadInstructions}};
  if (L.Stats.IsNative)
    J["issue_slots"] = L.Stats.issueSlots();
  if (L.Timing)
    J["timing"] = Json::parse(statsJson(describe(R, Machine), *L.Timing));
  return J;
}

std::string regshare::simulationJson(const SimulationResult &R,
                                     const MachineOptions &Machine) {
  const LaunchConfig &C = R.Config;
  Json J = {{"version", 1},
            {"kernel", R.Kernel},
            {"device", Machine.Device.Name},
            {"grid", {C.Grid.X, C.Grid.Y, C.Grid.Z}},
            {"block", {C.Block.X, C.Block.Y, C.Block.Z}},
            {"dynamic_shared_bytes", C.DynamicSharedBytes},
            {"launches", Json::array()},
            {"buffers", Json::array()}};
  for (const LaunchOutcome &L : R.Launches)
    J["launches"].push_back(launchOf(R, L, Machine));
  for (const BufferContents &B : R.Prints)
    J["buffers"].push_back(bufferOf(B));
  return J.dump(2) + "\n";
}
