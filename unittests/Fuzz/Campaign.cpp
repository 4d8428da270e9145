//===- Campaign.cpp - Many kernels, by several processes ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"

#include "Reduce.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace regshare::fuzz {

void CampaignResult::add(const CampaignResult &Other) {
  Kernels += Other.Kernels;
  Runs += Other.Runs;
  WarpInstructions += Other.WarpInstructions;
  ThreadInstructions += Other.ThreadInstructions;
  Mismatches += Other.Mismatches;
  DeviceErrors += Other.DeviceErrors;
  BadKernels += Other.BadKernels;
  TimingErrors += Other.TimingErrors;
  TimedRuns += Other.TimedRuns;
  Cycles += Other.Cycles;
  SplitRuns += Other.SplitRuns;
  SharedSpillRuns += Other.SharedSpillRuns;
  Acquired += Other.Acquired;
  Refused += Other.Refused;
  CachedRuns += Other.CachedRuns;
  Prefetches += Other.Prefetches;
  PopPrefetches += Other.PopPrefetches;
  Refetches += Other.Refetches;
  MixedRuns += Other.MixedRuns;
  Fetched += Other.Fetched;
  WrittenBack += Other.WrittenBack;
  LateWrites += Other.LateWrites;
  ResumePrefs += Other.ResumePrefs;
  ReleasedRuns += Other.ReleasedRuns;
  PairedRuns += Other.PairedRuns;
  Locked += Other.Locked;
  LockedOut += Other.LockedOut;
  Broken += Other.Broken;
}

namespace {

/// The batches of one process.
class Worker {
public:
  Worker(const CampaignOptions &Options, unsigned Number)
      : Options(Options), Number(Number) {}
  CampaignResult run();

private:
  CheckOptions optionsOf(uint64_t Batch) const;
  void runBatch(uint64_t Batch);
  Expected<CheckResult> exportAndCheck(ArrayRef<const Kernel *> Kernels,
                                       const CheckOptions &Check) const;
  void report(const Failure &F, const CheckOptions &Check);

  const CampaignOptions &Options;
  unsigned Number;
  CampaignResult Result;
};

} // namespace

CheckOptions Worker::optionsOf(uint64_t Batch) const {
  CheckOptions Check;
  Check.Variants = Options.Variants;
  unsigned Level = Batch % 4;
  if (Check.Variants.empty() && Options.Schemes.empty())
    Check.Variants = plainVariants(Options.Code, Level);
  std::vector<Scheme> All = allSchemes();
  llvm::append_range(All, allCompositions());
  for (Scheme S : Options.Schemes) {
    auto Number = unsigned(std::ranges::find(All, S) - All.begin());
    uint64_t Seed = (Options.Seed + Batch) * 64 + Number;
    Check.Variants.push_back(
        {true, Level, Options.Code, true, S, randomSettings(S, Seed)});
  }
  for (Variant &V : Check.Variants)
    if (V.Architected && Options.MaxRegs) {
      V.MaxRegs = Options.MaxRegs;
      V.SharedSpilling = Options.SharedSpilling;
    }
  static const char *const CPUs[] = {"sm_75", "sm_80", "sm_90"};
  Check.CPU = Options.CPU.empty() ? CPUs[Batch / 4 % 3] : Options.CPU;
  Check.Devices = Options.Devices;
  Check.TimedShare = Options.TimedShare;
  return Check;
}

/// One string, so that processes do not mix their lines.
static void print(const std::string &Text) {
  outs() << Text;
  outs().flush();
}

void Worker::report(const Failure &F, const CheckOptions &Check) {
  (F.K == Failure::Mismatch      ? Result.Mismatches
   : F.K == Failure::DeviceError ? Result.DeviceErrors
   : F.K == Failure::Timing      ? Result.TimingErrors
                                 : Result.BadKernels)++;
  static const char *const Kinds[] = {"mismatch", "error on the device",
                                      "bad kernel", "timed mode"};
  std::string Text = std::string(Kinds[F.K]) + ": seed " +
                     std::to_string(F.Which->Seed) + ", " + F.V.name() + ", " +
                     Check.CPU + "\n" + F.What + "\n";
  if (!Options.FailureFolder.empty()) {
    Kernel Small = reduce(*F.Which, F, Check, Options.ReduceSeconds);
    auto Path = writeReproducer(Small, F, Check, Options.FailureFolder);
    if (Path)
      Text += "  reduced to " +
              std::to_string(Small.NumStatements - Small.Deleted.size()) +
              " of " + std::to_string(Small.NumStatements) +
              " statements: " + *Path + "\n";
    else
      Text += "  " + toString(Path.takeError()) + "\n";
  }
  print(Text +
        "  again: regshare-fuzz-sim --seed=" + std::to_string(F.Which->Seed) +
        " --kernels=1 --variants=" + F.V.name() + " --cpu=" + Check.CPU +
        (F.K == Failure::Timing ? " --timed=1\n" : "\n"));
}

Expected<CheckResult> Worker::exportAndCheck(ArrayRef<const Kernel *> Kernels,
                                             const CheckOptions &Check) const {
  auto C = Comparison::prepare(Kernels, Check);
  if (!C)
    return C.takeError();
  if (!Options.ExportFolder.empty())
    if (Error E = (*C)->write(Options.ExportFolder))
      return std::move(E);
  return (*C)->run();
}

void Worker::runBatch(uint64_t Batch) {
  std::vector<Kernel> Kernels;
  uint64_t First = Batch * Options.BatchSize;
  uint64_t End = std::min(First + Options.BatchSize, Options.Kernels);
  for (uint64_t N = First; N != End; ++N)
    Kernels.push_back(generateKernel(Options.Seed + N));
  std::vector<const Kernel *> Pointers;
  Pointers.reserve(Kernels.size());
  for (const Kernel &K : Kernels)
    Pointers.push_back(&K);
  CheckOptions Check = optionsOf(Batch);
  Expected<CheckResult> R = exportAndCheck(Pointers, Check);
  Result.Kernels += Kernels.size();
  if (!R) {
    ++Result.Broken;
    print(toString(R.takeError()) + "\n");
    return;
  }
  Result.Runs += R->Runs;
  Result.TimedRuns += R->TimedRuns;
  Result.Cycles += R->Cycles;
  Result.SplitRuns += R->SplitRuns;
  Result.SharedSpillRuns += R->SharedSpillRuns;
  Result.Acquired += R->Acquired;
  Result.Refused += R->Refused;
  Result.CachedRuns += R->CachedRuns;
  Result.Prefetches += R->Prefetches;
  Result.PopPrefetches += R->PopPrefetches;
  Result.Refetches += R->Refetches;
  Result.MixedRuns += R->MixedRuns;
  Result.Fetched += R->Fetched;
  Result.WrittenBack += R->WrittenBack;
  Result.LateWrites += R->LateWrites;
  Result.ResumePrefs += R->ResumePrefs;
  Result.ReleasedRuns += R->ReleasedRuns;
  Result.PairedRuns += R->PairedRuns;
  Result.Locked += R->Locked;
  Result.LockedOut += R->LockedOut;
  Result.WarpInstructions += R->WarpInstructions;
  Result.ThreadInstructions += R->ThreadInstructions;
  for (const Failure &F : R->Failures)
    report(F, Check);
}

CampaignResult Worker::run() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point Start = Clock::now();
  uint64_t Batches =
      (Options.Kernels + Options.BatchSize - 1) / Options.BatchSize;
  for (uint64_t B = Number; B < Batches; B += Options.Jobs) {
    if (Options.Seconds &&
        Clock::now() - Start > std::chrono::seconds(Options.Seconds))
      break;
    runBatch(B);
  }
  return Result;
}

CampaignResult runCampaign(const CampaignOptions &Options) {
  if (Options.Jobs == 1)
    return Worker(Options, 0).run();
  std::vector<std::pair<pid_t, int>> Children;
  outs().flush();
  for (unsigned N = 0; N != Options.Jobs; ++N) {
    int Ends[2];
    if (pipe(Ends) != 0)
      report_fatal_error("no pipe");
    pid_t Child = fork();
    if (Child < 0)
      report_fatal_error("no process");
    if (Child == 0) {
      CampaignResult R = Worker(Options, N).run();
      ssize_t Done = write(Ends[1], &R, sizeof(R));
      _exit(Done == ssize_t(sizeof(R)) ? 0 : 1);
    }
    close(Ends[1]);
    Children.push_back({Child, Ends[0]});
  }
  CampaignResult Sum;
  for (auto [Child, End] : Children) {
    CampaignResult R;
    bool Complete = read(End, &R, sizeof(R)) == ssize_t(sizeof(R));
    close(End);
    int Status = 0;
    waitpid(Child, &Status, 0);
    if (Complete && Status == 0)
      Sum.add(R);
    else
      ++Sum.Broken;
  }
  return Sum;
}

} // namespace regshare::fuzz
