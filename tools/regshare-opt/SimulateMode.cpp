//===- SimulateMode.cpp - regshare-opt --simulate -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulateMode.h"

#include "KernelName.h"

#include "regshare/Frontend/InputError.h"
#include "regshare/Sim/Views.h"
#include "regshare/Simulate/Elements.h"
#include "regshare/Simulate/Simulation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <fstream>

using namespace llvm;
using namespace regshare;

namespace {

cl::OptionCategory SimulateCategory(
    "Options of --simulate",
    "Run a kernel on the reference SM; .ptx is taken as well, and as it is");

cl::opt<bool> Simulate("simulate",
                       cl::desc("Run the kernel that --kernel names (or the "
                                "only one) on the reference SM"),
                       cl::cat(SimulateCategory));
cl::opt<bool> Functional("functional",
                         cl::desc("Execute without timing: much faster"),
                         cl::cat(SimulateCategory));
cl::opt<std::string> Grid("grid", cl::desc("CTAs of the grid (default 1)"),
                          cl::value_desc("x[,y[,z]]"), cl::init("1"),
                          cl::cat(SimulateCategory));
cl::list<std::string> Arguments("arg",
                                cl::desc("The kernel's next argument; the "
                                         "grammar is at the end"),
                                cl::value_desc("argument"),
                                cl::cat(SimulateCategory));
cl::list<std::string> Prints("print-arg",
                             cl::desc("Print the buffer of argument <n>, or "
                                      "its first elements, after the run"),
                             cl::value_desc("n[:count]"),
                             cl::cat(SimulateCategory));
cl::list<std::string> Checks("check-arg",
                             cl::desc("Fail unless the buffer of argument <n> "
                                      "begins with these contents after the "
                                      "run; floating-point numbers may be off "
                                      "by the tolerance, relative above 1"),
                             cl::value_desc("n[~tolerance]=contents"),
                             cl::cat(SimulateCategory));
cl::list<std::string> Writes("write-arg",
                             cl::desc("Write the buffer of argument <n> to a "
                                      "file after the run, as bytes"),
                             cl::value_desc("n=file"),
                             cl::cat(SimulateCategory));
cl::opt<unsigned> Repeat("repeat",
                         cl::desc("Launches, one after the other on the same "
                                  "memory (default 1)"),
                         cl::value_desc("n"), cl::init(1),
                         cl::cat(SimulateCategory));
cl::opt<uint64_t> InstructionLimit(
    "instruction-limit",
    cl::desc("Fail once a launch has executed this many warp instructions "
             "(default: no limit)"),
    cl::value_desc("n"), cl::cat(SimulateCategory));
cl::opt<uint64_t> CycleLimit("cycle-limit",
                             cl::desc("Fail once a launch has taken this many "
                                      "core cycles (default: no limit)"),
                             cl::value_desc("n"), cl::cat(SimulateCategory));
cl::opt<bool> Lenient("lenient",
                      cl::desc("Let pass what GPUs let kernels do wrong, with "
                               "a warning for each place"),
                      cl::cat(SimulateCategory));
cl::opt<std::string> Scheduler("scheduler",
                               cl::desc("Warp scheduler instead of the "
                                        "device's: lrr, gto, two-level, "
                                        "ltlws-lrr, ltlws-gto or owf"),
                               cl::value_desc("name"),
                               cl::cat(SimulateCategory));
cl::opt<unsigned> Threads("host-threads",
                          cl::desc("Threads to simulate with, 0 for one on "
                                   "each processor (default 1); results do not "
                                   "depend on it"),
                          cl::value_desc("n"), cl::init(1),
                          cl::cat(SimulateCategory));
cl::opt<unsigned> SampleCycles(
    "sample-cycles",
    cl::desc("Cycles between samples of the occupancy (default: 1000 if "
             "something shows them, else none)"),
    cl::value_desc("n"), cl::cat(SimulateCategory));
cl::opt<std::string> CpiStackFile(
    "cpi-stack",
    cl::desc("Write where the issue slots of each SM went, as CSV"),
    cl::value_desc("file"), cl::cat(SimulateCategory));
cl::opt<std::string>
    OccupancyFile("occupancy",
                  cl::desc("Write the occupancy over time, as CSV"),
                  cl::value_desc("file"), cl::cat(SimulateCategory));
cl::opt<std::string>
    TimelineFile("timeline",
                 cl::desc("Write what CTAs and warps did when, for Perfetto"),
                 cl::value_desc("file"), cl::cat(SimulateCategory));

/// The grammar of --arg, after the options in --help.
struct GrammarHelp : cl::extrahelp {
  GrammarHelp() : cl::extrahelp(text()) {}

  static StringRef text() {
    static const std::string Text = [] {
      std::string Lines = "\nArguments of a kernel (--arg):\n\n";
      for (const GrammarRule &Rule : argumentGrammar())
        Lines += formatv("  {0,-40} {1}\n", Rule.Form, Rule.Meaning);
      return Lines + "\n  <type> is one of " + elementTypeNames() + ".\n";
    }();
    return Text;
  }
} GrammarHelp;

} // namespace

cl::OptionCategory &regshare::simulateCategory() { return SimulateCategory; }

bool regshare::simulateRequested() { return Simulate; }

Error regshare::checkSimulateOptions() {
  if (Simulate)
    return Error::success();
  for (const auto &[Name, O] : cl::getRegisteredOptions())
    if (is_contained(O->Categories, &SimulateCategory) &&
        O->getNumOccurrences())
      return createStringError("--" + Name + " needs --simulate");
  return Error::success();
}

static Error toError(const Diagnostic &D) {
  return inputError({D.File, D.Line, D.Column}, D.Message);
}

/// The options that nothing but the timing model can serve.
static Error checkFunctional() {
  std::vector<const cl::Option *> TimedOnly = {&CycleLimit,    &Scheduler,
                                               &SampleCycles,  &CpiStackFile,
                                               &OccupancyFile, &TimelineFile};
  const auto &Registered = cl::getRegisteredOptions();
  for (const Setting *S : allSettings())
    if (S->Use == SettingUse::Machine)
      TimedOnly.push_back(Registered.lookup(StringRef(S->option()).ltrim('-')));
  for (const cl::Option *O : TimedOnly)
    if (Functional && O->getNumOccurrences())
      return createStringError("--" + O->ArgStr +
                               " needs the timing model; leave out "
                               "--functional");
  return Error::success();
}

static MachineOptions machineOptions(const SharedOptions &Shared) {
  constexpr unsigned DefaultSampleCycles = 1000;
  MachineOptions M;
  M.Device = Shared.Device;
  M.Functional = Functional;
  M.CycleLimit = CycleLimit;
  M.InstructionLimit = InstructionLimit;
  M.Timing.Applied = Shared.Applied;
  M.Timing.Settings = Shared.Settings;
  M.Timing.Scheduler = Scheduler;
  M.Timing.Threads = Threads;
  M.Timing.SampleCycles = SampleCycles;
  M.Timing.RecordTimeline = !TimelineFile.empty();
  if (!SampleCycles && !(OccupancyFile.empty() && TimelineFile.empty()))
    M.Timing.SampleCycles = DefaultSampleCycles;
  return M;
}

static Expected<SimulationRequest> readRequest(const SharedOptions &Shared) {
  if (Error E = checkFunctional())
    return std::move(E);
  if (!Repeat)
    return createStringError("--repeat: expected 1 or more");
  SimulationRequest R;
  Result<sim::Dim3> Extent = parseDim3(Grid, "--grid");
  if (!Extent)
    return toError(Extent.error());
  R.Grid = *Extent;
  R.Block = Shared.Block;
  R.DynamicSharedBytes = Shared.DynamicSharedBytes;
  R.Arguments = Arguments;
  R.Prints = Prints;
  R.Checks = Checks;
  R.Writes = Writes;
  R.Launches = Repeat;
  R.Machine = machineOptions(Shared);
  return R;
}

/// Writes a view to the file that \p Option names, if it does.
template <typename Print>
static Error writeView(const cl::opt<std::string> &Option, Print View) {
  if (Option.empty())
    return Error::success();
  std::ofstream File(Option);
  View(File);
  if (!File.flush())
    return createStringError("--" + Option.ArgStr + "=" + Option +
                             ": cannot write the file");
  return Error::success();
}

/// With more than one launch the tables are those of the last, when caches are
/// warm; the timeline has all.
static Error writeViews(const SimulationResult &R,
                        const DeviceDescription &Device) {
  if (!R.Launches.back().Timing)
    return Error::success();
  const sim::TimingStats &Last = *R.Launches.back().Timing;
  if (Error E = writeView(CpiStackFile, [&](std::ostream &OS) {
        sim::printCpiStackCsv(OS, Last, /*PerSM=*/true);
      }))
    return E;
  if (Error E = writeView(OccupancyFile, [&](std::ostream &OS) {
        sim::printOccupancyCsv(OS, Last);
      }))
    return E;
  return writeView(TimelineFile, [&](std::ostream &OS) {
    sim::PerfettoWriter Writer(OS, Device);
    double Begin = 0;
    for (const LaunchOutcome &L : R.Launches) {
      Writer.add(*L.Timing, Begin);
      Begin += L.Timing->Seconds;
    }
  });
}

/// With a line that says how far it is, for those who watch.
static Result<SimulationResult> simulateWatched(const sim::Program &P,
                                                sim::GlobalMemory &Memory,
                                                SimulationRequest &Request) {
  sim::ProgressLine Line(Request.Kernel);
  Request.Machine.Timing.OnProgress = [&](const sim::Progress &Now) {
    Line.update(Now);
  };
  return simulate(P, Memory, Request);
}

static void warnOfPassed(const sim::LenienceLog &Passed) {
  for (const sim::PassedFault &F : Passed.faults())
    WithColor::warning() << F.Message << "\n";
  if (!Passed.faults().empty())
    WithColor::warning() << Passed.summary() << "\n";
}

Error regshare::simulatePTX(StringRef Text, StringRef Name,
                            const SharedOptions &Shared, raw_ostream &OS) {
  Expected<SimulationRequest> Request = readRequest(Shared);
  if (!Request)
    return Request.takeError();
  sim::GlobalMemory Memory;
  Result<std::unique_ptr<sim::Program>> Program =
      sim::loadProgram(Text.str(), Name.str(), Memory);
  if (!Program)
    return toError(Program.error());
  Expected<std::string> Kernel =
      chooseKernel((*Program)->kernelNames(), Shared.Kernel, Name);
  if (!Kernel)
    return Kernel.takeError();
  Request->Kernel = *Kernel;
  sim::LenienceLog Passed;
  Request->Machine.Lenient = Lenient ? &Passed : nullptr;
  Result<SimulationResult> R = simulateWatched(**Program, Memory, *Request);
  // What the kernel printed comes before its results.
  std::fflush(stdout);
  warnOfPassed(Passed);
  if (!R)
    return toError(R.error());
  if (Error E = writeViews(*R, Request->Machine.Device))
    return E;
  OS << (Shared.JSON ? simulationJson(*R, Request->Machine)
                     : printSimulation(*R, Request->Machine));
  return Error::success();
}
