//===- main.cpp - regshare-fuzz-sim ---------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random kernels on the reference SM against the same source on the host.
///
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "SelfCheck.h"

#include "regshare/Frontend/Target.h"
#include "regshare/Pipeline/Placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;
using namespace regshare::fuzz;

namespace {

cl::OptionCategory Category("regshare-fuzz-sim options");
cl::opt<uint64_t> Seed("seed", cl::desc("Seed of the first kernel (default 1)"),
                       cl::init(1), cl::cat(Category));
cl::opt<uint64_t> NumKernels("kernels",
                             cl::desc("Kernels to try (default 100)"),
                             cl::init(100), cl::cat(Category));
cl::opt<unsigned> BatchSize("batch",
                            cl::desc("Kernels compiled together (default 50)"),
                            cl::init(50), cl::cat(Category));
cl::opt<unsigned> Jobs("jobs", cl::desc("Processes (default 1)"), cl::init(1),
                       cl::cat(Category));
cl::opt<unsigned> Seconds("seconds", cl::desc("Begin no batch after this time"),
                          cl::cat(Category));
cl::list<std::string> VariantNames(
    "variants",
    cl::desc("'all', or some of virtual-O0 … virtual-O3, "
             "architected-O0 …, native-O0 …, unscheduled-O0 … and, "
             "for example, a scheme with settings, as in "
             "foo:bar=8-O2 or native-foo-O2; after from-ptx- any of these but "
             "virtual is made of LLVM's PTX (default: the two of "
             "--code at one level, by turns)"),
    cl::CommaSeparated, cl::cat(Category));
cl::opt<unsigned> MaxRegs("max-regs",
                          cl::desc("Registers of a thread at most, of all "
                                   "architected variants"),
                          cl::cat(Category));
cl::opt<bool> SharedSpilling("smem-spilling",
                             cl::desc("Beyond --max-regs, spill to shared "
                                      "memory first"),
                             cl::cat(Category));
cl::list<std::string> SchemeNames(
    "schemes",
    cl::desc("Schemes to try too ('all', 'compositions' of two, or some), at "
             "one level by turns, with random settings; without --variants "
             "only these"),
    cl::CommaSeparated, cl::cat(Category));
cl::opt<regshare::CodeForm> Code(
    "code",
    cl::desc("Form of the code of variants that are not named (default ptx)"),
    cl::values(clEnumValN(regshare::CodeForm::PTX, "ptx",
                          "virtual and architected"),
               clEnumValN(regshare::CodeForm::Native, "native",
                          "native code in our order and unscheduled")),
    cl::init(regshare::CodeForm::PTX), cl::cat(Category));
cl::opt<std::string>
    CPU("cpu", cl::desc("sm_NN (default: sm_75, sm_80 and sm_90 by turns)"),
        cl::cat(Category));
cl::opt<unsigned>
    TimedShare("timed",
               cl::desc("Run one kernel in <n> cycle by cycle as well, on one "
                        "and on two host threads"),
               cl::value_desc("n"), cl::cat(Category));
cl::list<std::string>
    DeviceNames("devices",
                cl::desc("Devices for --timed (default: gtx480,hopper)"),
                cl::CommaSeparated, cl::cat(Category));
cl::opt<std::string>
    FailureFolder("failures",
                  cl::desc("Reduce failing kernels and write them here"),
                  cl::value_desc("folder"), cl::cat(Category));
cl::opt<unsigned> ReduceSeconds("reduce-seconds",
                                cl::desc("Time to reduce a failing kernel "
                                         "(default 60)"),
                                cl::init(60), cl::cat(Category));
cl::opt<std::string>
    ExportFolder("export",
                 cl::desc("Write every kernel, its launch and its result here, "
                          "for other machines to run"),
                 cl::value_desc("folder"), cl::cat(Category));
cl::opt<bool> SelfCheck("self-check",
                        cl::desc("Make mistakes on purpose, and fail unless "
                                 "each is noticed"),
                        cl::cat(Category));

} // namespace

static int failed(const Twine &Message) {
  errs() << "regshare-fuzz-sim: error: " << Message << "\n";
  return 1;
}

static bool readVariants(std::vector<Variant> &Variants) {
  for (const std::string &Name : VariantNames) {
    if (Name.empty())
      continue;
    if (Name == "all") {
      Variants = allVariants(Code);
      continue;
    }
    std::optional<Variant> V = Variant::parse(Name);
    if (!V) {
      failed("unknown variant '" + Name + "'");
      return false;
    }
    Variants.push_back(*V);
  }
  return true;
}

static bool readSchemes(std::vector<regshare::Scheme> &Schemes) {
  for (const std::string &Name : SchemeNames) {
    if (Name.empty())
      continue;
    if (Name == "all") {
      // What these two do, variants without a scheme do.
      for (regshare::Scheme S : regshare::allSchemes())
        if (S != regshare::schemes::Baseline && S != regshare::schemes::Ideal)
          Schemes.push_back(S);
      continue;
    }
    if (Name == "compositions") {
      llvm::append_range(Schemes, regshare::allCompositions());
      continue;
    }
    regshare::Result<regshare::Scheme> S = regshare::parseScheme(Name);
    if (!S) {
      failed(S.error().str());
      return false;
    }
    Schemes.push_back(*S);
  }
  return true;
}

/// Kernels have two CTAs at most: more SMs than these only take time.
static constexpr unsigned MostSMs = 3;

static bool readDevices(std::vector<regshare::DeviceDescription> &Devices) {
  std::vector<std::string> Names = DeviceNames;
  if (Names.empty())
    Names = {"gtx480", "hopper"};
  for (const std::string &Name : Names) {
    auto D = regshare::loadDevice(Name);
    if (!D) {
      failed(D.error().str());
      return false;
    }
    if (D->NumSMs > MostSMs) {
      D->NumSMs = MostSMs;
      D->Name += ",sms=" + std::to_string(MostSMs);
    }
    Devices.push_back(std::move(*D));
  }
  return true;
}

/// What was tried, and what failed; \p Time is in seconds.
static void print(const CampaignResult &R, double Time) {
  outs() << formatv("{0} kernels, {1} runs, {2:N} warp instructions, {3} "
                    "timed runs, {4:N} cycles, {5:f0} s\n",
                    R.Kernels, R.Runs, R.WarpInstructions, R.TimedRuns,
                    R.Cycles, Time);
  if (SharedSpilling)
    outs() << formatv("{0} runs with registers in shared memory\n",
                      R.SharedSpillRuns);
  if (R.SplitRuns)
    outs() << formatv("{0} runs with an extended set; warps got theirs {1:N} "
                      "times and had to wait {2:N} times\n",
                      R.SplitRuns, R.Acquired, R.Refused);
  if (R.CachedRuns)
    outs() << formatv("{0} timed runs with a register cache; {1:N} "
                      "prefetches, {2:N} more at pops, {3:N} refetches\n",
                      R.CachedRuns, R.Prefetches, R.PopPrefetches, R.Refetches);
  if (R.MixedRuns)
    outs() << formatv("{0} timed runs with registers in scratchpad; {1:N} rows "
                      "fetched, {2:N} written back, {3:N} late results, {4:N} "
                      "bundles brought back\n",
                      R.MixedRuns, R.Fetched, R.WrittenBack, R.LateWrites,
                      R.ResumePrefs);
  if (R.ReleasedRuns || R.PairedRuns)
    outs() << formatv("{0} runs with early releases, {1} timed ones with pairs "
                      "of CTAs; locks were taken {2:N} times and waited for "
                      "{3:N} times\n",
                      R.ReleasedRuns, R.PairedRuns, R.Locked, R.LockedOut);
  outs() << formatv(
      "{0} mismatches, {1} errors, {2} of the timed mode, {3} bad "
      "kernels, {4} broken batches\n",
      R.Mismatches, R.DeviceErrors, R.TimingErrors, R.BadKernels, R.Broken);
}

int main(int argc, char **argv) {
  InitLLVM X(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv,
                              "regshare-fuzz-sim: random kernels on the "
                              "reference SM and on the host\n");
  regshare::initializeTarget();
  regshare::initializeRegSharePasses();
  if (SelfCheck)
    return selfCheck(Seed, unsigned(NumKernels)) ? 0 : 1;
  CampaignOptions Options;
  Options.Seed = Seed;
  Options.Kernels = NumKernels;
  Options.BatchSize = std::max(1u, unsigned(BatchSize));
  Options.Jobs = std::max(1u, unsigned(Jobs));
  Options.Seconds = Seconds;
  Options.TimedShare = TimedShare;
  if (!readVariants(Options.Variants) || !readSchemes(Options.Schemes) ||
      !readDevices(Options.Devices))
    return 1;
  Options.CPU = CPU;
  Options.MaxRegs = MaxRegs;
  Options.SharedSpilling = SharedSpilling;
  Options.Code = Code;
  Options.FailureFolder = FailureFolder;
  Options.ReduceSeconds = ReduceSeconds;
  Options.ExportFolder = ExportFolder;

  auto Start = std::chrono::steady_clock::now();
  outs() << formatv("seed {0}, {1} kernels\n", Seed, NumKernels);
  CampaignResult R = runCampaign(Options);
  double Time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  print(R, Time);
  return R.failures() ? 1 : 0;
}
