//===- sim-bench.cpp - How fast the reference SM executes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warp instructions per second of host time, all checks on, with and without
/// timing, on annotated PTX of kernels like those of the suite.
///
///   sim-bench [--device=gtx480] [--threads=1] [--repetitions=10]
///             [--workload=NAME] [--load=LIBRARY]
///             [--scheme=NAME[:SETTING=VALUE:…]]
///
/// Threads and the scheme are those of the timed mode. The kernels have no
/// statements, so that only schemes that need none run them. --load takes a
/// library of schemes, and may be repeated; REGSHARE_LOAD names some, too.
/// Without --workload all run. The last lines have
///
///   host H                      rounds of a fixed loop of integer arithmetic
///   rate timing T functional F  geometric means
///   modern M                    that of rtx6000's timing, of native code
///
/// each a second of host time. The loop runs between the workloads, so that
/// rates of different days, or beside different neighbours, can be compared.
///
//===----------------------------------------------------------------------===//

#include "regshare/Base/SchemeLoader.h"
#include "regshare/Sim/Timing.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/resource.h>

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

namespace {
struct Options {
  std::string Device = "gtx480";
  std::string Scheme = "baseline"; ///< With its settings.
  std::string Workload;            ///< Empty: all.
  std::vector<std::string> Libraries;
  unsigned Threads = 1, Repetitions = 10;
};

/// How fast the host is by itself, under whatever load it is.
class HostSpeed {
public:
  void measure();
  double rate() const { return double(Rounds) / Time.count(); }

private:
  uint64_t Value = 1, Rounds = 0;
  std::chrono::duration<double> Time = std::chrono::seconds(0);
};

/// Warp instructions per second.
struct Rates {
  double Functional = 0, Timing = 0, Modern = 0;
};

/// A workload in memory, ready to run.
struct Prepared {
  GlobalMemory Memory;
  std::unique_ptr<Program> P;
  LaunchConfig Config;
};
} // namespace

/// Each round waits for the one before.
void HostSpeed::measure() {
  constexpr uint64_t Count = 20'000'000;
  auto Start = std::chrono::steady_clock::now();
  for (uint64_t I = 0; I != Count; ++I) {
    Value = Value * 6364136223846793005u + 1442695040888963407u;
    Value ^= Value >> 33;
  }
  // Nobody else uses it, and the loop has to stay.
  volatile uint64_t Used = Value;
  (void)Used;
  Time += std::chrono::steady_clock::now() - Start;
  Rounds += Count;
}

/// \p Form is the folder of the kernels, below the data.
static Result<void> prepare(const Workload &W, const std::string &Form,
                            Prepared &To) {
  std::string Path =
      std::string(REGSHARE_BENCH_DATA) + Form + "/" + W.Name + ".ptx";
  std::ifstream File(Path);
  std::stringstream Text;
  Text << File.rdbuf();
  if (!File)
    return fail("cannot read '" + Path + "'");
  Result<std::unique_ptr<Program>> P = loadProgram(Text.str(), Path, To.Memory);
  if (!P)
    return tl::make_unexpected(P.error());
  To.P = std::move(*P);
  const Function *Kernel = To.P->findKernel(W.Name);
  if (!Kernel)
    return fail("no kernel '" + std::string(W.Name) + "' in '" + Path + "'");
  Result<std::vector<uint8_t>> Arguments =
      packArguments(*Kernel, W.Prepare(To.Memory));
  if (!Arguments)
    return tl::make_unexpected(Arguments.error());
  To.Config = {W.Grid, W.Block, 0, *Arguments};
  return {};
}

/// Calls \p Run, which returns the instructions of one launch, as often as
/// asked, each time on memory as at the start; warp instructions per second.
template <typename Function>
static Result<double> timeIt(const Workload &W, const std::string &Form,
                             unsigned Repetitions, Function Run) {
  uint64_t Instructions = 0;
  std::chrono::duration<double> Time(0);
  for (unsigned I = 0; I != Repetitions; ++I) {
    Prepared P;
    if (Result<void> Ok = prepare(W, Form, P); !Ok)
      return tl::make_unexpected(Ok.error());
    auto Start = std::chrono::steady_clock::now();
    Result<uint64_t> Ran = Run(P);
    Time += std::chrono::steady_clock::now() - Start;
    if (!Ran)
      return tl::make_unexpected(Ran.error());
    Instructions += *Ran;
  }
  return double(Instructions) / Time.count();
}

/// Reads "NAME:SETTING=VALUE:…".
static Result<void> chooseScheme(std::string_view Text, TimingOptions &For) {
  size_t Colon = std::min(Text.find(':'), Text.size());
  Result<Scheme> S = parseScheme(Text.substr(0, Colon));
  if (!S)
    return tl::make_unexpected(S.error());
  For.Applied = *S;
  for (Text.remove_prefix(Colon); !Text.empty();) {
    Text.remove_prefix(1);
    std::string_view Word = Text.substr(0, Text.find(':'));
    Text.remove_prefix(Word.size());
    size_t Equals = Word.find('=');
    const Setting *Of = (*S)->findSetting(Word.substr(0, Equals));
    if (!Of || Equals == Word.npos)
      return fail("expected a setting of " + std::string(S->name()) +
                  " and '=', found '" + std::string(Word) + "'");
    if (Result<void> Ok = For.Settings.read(*Of, Word.substr(Equals + 1)); !Ok)
      return Ok;
  }
  return {};
}

/// The rate of a device with a modern core, which executes native code.
static Result<double> measureModern(const Workload &W, const Options &O) {
  Result<DeviceDescription> Device = loadDevice("rtx6000");
  if (!Device)
    return tl::make_unexpected(Device.error());
  TimingOptions Timing;
  Timing.Threads = O.Threads;
  Result<std::unique_ptr<Machine>> M = Machine::create(*Device, Timing);
  if (!M)
    return tl::make_unexpected(M.error());
  return timeIt(
      W, "/native", O.Repetitions, [&](Prepared &P) -> Result<uint64_t> {
        Result<TimingStats> S = (*M)->run(*P.P, P.Memory, W.Name, P.Config);
        if (!S)
          return tl::make_unexpected(S.error());
        return S->Functional.WarpInstructions;
      });
}

static Result<Rates> measure(const Workload &W, const Options &O) {
  Result<DeviceDescription> Device = loadDevice(O.Device);
  if (!Device)
    return tl::make_unexpected(Device.error());
  TimingOptions Timing;
  Timing.Threads = O.Threads;
  if (Result<void> Ok = chooseScheme(O.Scheme, Timing); !Ok)
    return tl::make_unexpected(Ok.error());
  Result<std::unique_ptr<Machine>> M = Machine::create(*Device, Timing);
  if (!M)
    return tl::make_unexpected(M.error());

  TimingStats Last;
  auto RunTimed = [&](Prepared &P) -> Result<uint64_t> {
    Result<TimingStats> S = (*M)->run(*P.P, P.Memory, W.Name, P.Config);
    if (!S)
      return tl::make_unexpected(S.error());
    Last = std::move(*S);
    return Last.Functional.WarpInstructions;
  };
  auto RunFunctional = [&](Prepared &P) -> Result<uint64_t> {
    Result<LaunchStats> S = runKernel(*P.P, P.Memory, W.Name, P.Config);
    if (!S)
      return tl::make_unexpected(S.error());
    return S->WarpInstructions;
  };
  Result<double> Timed = timeIt(W, "", O.Repetitions, RunTimed);
  if (!Timed)
    return tl::make_unexpected(Timed.error());
  Result<double> Functional = timeIt(W, "", O.Repetitions, RunFunctional);
  if (!Functional)
    return tl::make_unexpected(Functional.error());
  Result<double> Modern = measureModern(W, O);
  if (!Modern)
    return tl::make_unexpected(Modern.error());
  std::printf("%-8s %9llu warp instructions %9llu cycles, IPC %5.2f; "
              "%10.0f /s with timing, %10.0f /s without, "
              "%10.0f /s on rtx6000\n",
              W.Name,
              static_cast<unsigned long long>(Last.Functional.WarpInstructions),
              static_cast<unsigned long long>(Last.Cycles), Last.ipc(), *Timed,
              *Functional, *Modern);
  return Rates{*Functional, *Timed, *Modern};
}

static bool parseNumber(std::string_view Text, unsigned &To) {
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), To);
  return Error == std::errc() && End == Text.data() + Text.size() && To;
}

static bool parseOption(std::string_view Argument, Options &O) {
  auto Take = [&](std::string_view Name) {
    bool Is = Argument.starts_with(Name);
    if (Is)
      Argument.remove_prefix(Name.size());
    return Is;
  };
  if (Take("--threads="))
    return parseNumber(Argument, O.Threads);
  if (Take("--repetitions="))
    return parseNumber(Argument, O.Repetitions);
  if (Take("--device="))
    O.Device = Argument;
  else if (Take("--scheme="))
    O.Scheme = Argument;
  else if (Take("--workload="))
    O.Workload = Argument;
  else if (Take("--load="))
    O.Libraries.emplace_back(Argument);
  else
    return false;
  return true;
}

static Result<void> loadSchemes(const Options &O) {
  Result<void> Ok = loadSchemesOfEnvironment();
  for (size_t N = 0; Ok && N != O.Libraries.size(); ++N)
    Ok = loadSchemeLibrary(O.Libraries[N]);
  return Ok;
}

static Result<void> run(const Options &O) {
  if (Result<void> Ok = loadSchemes(O); !Ok)
    return Ok;
  double LogFunctional = 0, LogTiming = 0, LogModern = 0, Number = 0;
  HostSpeed Host;
  for (const Workload &W : Workloads) {
    if (!O.Workload.empty() && O.Workload != W.Name)
      continue;
    Host.measure();
    Result<Rates> Rate = measure(W, O);
    if (!Rate)
      return tl::make_unexpected(Rate.error());
    LogFunctional += std::log(Rate->Functional);
    LogTiming += std::log(Rate->Timing);
    LogModern += std::log(Rate->Modern);
    ++Number;
  }
  if (!Number)
    return fail("no workload '" + O.Workload + "'");
  Host.measure();
  rusage Usage = {};
  getrusage(RUSAGE_SELF, &Usage);
  std::printf("device %s, scheme %s, host threads %u, peak memory %ld MB\n",
              O.Device.c_str(), O.Scheme.c_str(), O.Threads,
              Usage.ru_maxrss / 1024);
  std::printf("host %.0f\nrate timing %.0f functional %.0f\nmodern %.0f\n",
              Host.rate(), std::exp(LogTiming / Number),
              std::exp(LogFunctional / Number), std::exp(LogModern / Number));
  return {};
}

int main(int Count, char **Arguments) {
  Options O;
  for (int I = 1; I < Count; ++I)
    if (!parseOption(Arguments[I], O)) {
      std::fprintf(stderr,
                   "sim-bench: unknown argument '%s'\n"
                   "usage: sim-bench [--device=NAME] [--threads=N] "
                   "[--repetitions=N] [--workload=NAME]\n"
                   "                 [--load=LIBRARY] "
                   "[--scheme=NAME[:SETTING=VALUE:...]]\n",
                   Arguments[I]);
      return 1;
    }
  if (Result<void> Ok = run(O); !Ok) {
    std::fprintf(stderr, "sim-bench: %s\n", Ok.error().str().c_str());
    return 1;
  }
  return 0;
}
