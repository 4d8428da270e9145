//===- sim-bench.cpp - How fast the reference SM executes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warp instructions per second of host time, all checks on, on PTX that clang
/// made of kernels like those of the suite. Usage: sim-bench [repetitions]
///
//===----------------------------------------------------------------------===//

#include "regshare/Sim/Launch.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace regshare;
using namespace regshare::sim;

namespace {

struct Workload {
  const char *Name;
  Dim3 Grid, Block;
  /// Fills memory and returns the arguments.
  std::vector<uint64_t> (*Prepare)(GlobalMemory &);
};

} // namespace

static uint64_t upload(GlobalMemory &M, const std::vector<float> &Values) {
  uint64_t Address = M.allocate(Values.size() * sizeof(float));
  M.write(Address, Values.data(), Values.size() * sizeof(float));
  return Address;
}

static uint64_t upload(GlobalMemory &M, const std::vector<int> &Values) {
  uint64_t Address = M.allocate(Values.size() * sizeof(int));
  M.write(Address, Values.data(), Values.size() * sizeof(int));
  return Address;
}

static std::vector<float> ramp(size_t N) {
  std::vector<float> Values(N);
  for (size_t I = 0; I != N; ++I)
    Values[I] = float(I % 97) / 97;
  return Values;
}

static std::vector<uint64_t> prepareSgemm(GlobalMemory &M) {
  constexpr unsigned N = 256;
  return {upload(M, ramp(N * N)), upload(M, ramp(N * N)),
          upload(M, ramp(N * N)), N};
}

static std::vector<uint64_t> prepareStencil(GlobalMemory &M) {
  constexpr unsigned N = 64;
  return {upload(M, ramp(N * N * N)), upload(M, ramp(N * N * N)), N, N, N};
}

static std::vector<uint64_t> prepareHotspot(GlobalMemory &M) {
  constexpr unsigned N = 512;
  return {upload(M, ramp(N * N)), upload(M, ramp(N * N)),
          upload(M, ramp(N * N)), N};
}

static std::vector<uint64_t> prepareBfs(GlobalMemory &M) {
  constexpr int N = 1 << 15, Degree = 8;
  std::vector<int> Starts(N + 1), Edges(size_t(N) * Degree), Level(N, -1);
  uint32_t Random = 12345;
  for (int I = 0; I <= N; ++I)
    Starts[I] = I * Degree;
  for (int &E : Edges) {
    Random = Random * 1664525 + 1013904223;
    E = int(Random >> 8) % N;
  }
  for (int I = 0; I < N; I += 3)
    Level[I] = 0;
  return {upload(M, Starts),
          upload(M, Edges),
          upload(M, Level),
          upload(M, std::vector<int>(1)),
          0,
          uint64_t(N)};
}

static const Workload Workloads[] = {
    {"sgemm", {16, 16}, {16, 16}, prepareSgemm},
    {"stencil", {2, 16, 1}, {32, 4}, prepareStencil},
    {"bfs", {128}, {256}, prepareBfs},
    {"hotspot", {32, 32}, {16, 16}, prepareHotspot},
};

/// Rate of one workload, in warp instructions per second.
static Result<double> measure(const Workload &W, unsigned Repetitions) {
  std::string Path = std::string(REGSHARE_BENCH_DATA) + "/" + W.Name + ".ptx";
  std::ifstream File(Path);
  std::stringstream Text;
  Text << File.rdbuf();
  if (!File)
    return fail("cannot read '" + Path + "'");
  GlobalMemory Memory;
  Result<std::unique_ptr<Program>> P = loadProgram(Text.str(), Path, Memory);
  if (!P)
    return tl::make_unexpected(P.error());
  const Function *Kernel = (*P)->findKernel(W.Name);
  if (!Kernel)
    return fail("no kernel '" + std::string(W.Name) + "' in '" + Path + "'");
  Result<std::vector<uint8_t>> Arguments =
      packArguments(*Kernel, W.Prepare(Memory));
  if (!Arguments)
    return tl::make_unexpected(Arguments.error());
  LaunchConfig Config{W.Grid, W.Block, 0, *Arguments};
  uint64_t Instructions = 0;
  auto Start = std::chrono::steady_clock::now();
  for (unsigned I = 0; I != Repetitions; ++I) {
    Result<LaunchStats> Stats = runKernel(**P, Memory, W.Name, Config);
    if (!Stats)
      return tl::make_unexpected(Stats.error());
    Instructions += Stats->WarpInstructions;
  }
  std::chrono::duration<double> Time = std::chrono::steady_clock::now() - Start;
  double Rate = double(Instructions) / Time.count();
  std::printf("%-8s %10llu warp instructions %7.3f s %12.0f /s\n", W.Name,
              static_cast<unsigned long long>(Instructions), Time.count(),
              Rate);
  return Rate;
}

int main(int Count, char **Arguments) {
  unsigned Repetitions = Count > 1 ? unsigned(std::atoi(Arguments[1])) : 10;
  double LogSum = 0;
  for (const Workload &W : Workloads) {
    Result<double> Rate = measure(W, Repetitions ? Repetitions : 1);
    if (!Rate) {
      std::fprintf(stderr, "sim-bench: %s\n", Rate.error().str().c_str());
      return 1;
    }
    LogSum += std::log(*Rate);
  }
  std::printf("rate functional %.0f\n",
              std::exp(LogSum / double(std::size(Workloads))));
  return 0;
}
