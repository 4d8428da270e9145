//===- pass-bench.cpp - What RegShare's passes cost -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Times RegShare's passes within code generation, in both forms of the code:
/// as a share of all the rest over given inputs, and how they grow from a
/// 10,000- to a 100,000-instruction kernel. Analyses that LLVM computes for our
/// passes alone count as ours; the report does not. Each figure is the least of
/// several runs, of processor time.
///
//===----------------------------------------------------------------------===//

#include "SyntheticKernel.h"

#include "regshare/Frontend/Input.h"
#include "regshare/Frontend/InputError.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <ctime>

using namespace llvm;
using namespace regshare;

static cl::list<std::string> Inputs(cl::Positional, cl::desc("<inputs>"));
static cl::opt<unsigned> Repeats("repeat",
                                 cl::desc("Runs of each; the fastest counts"),
                                 cl::init(5));

static cl::opt<std::string>
    Only("only",
         cl::desc("Measure what has this in its name: LTRF, native, …"));

namespace {

/// Time of this process on a processor, so that others' work beside it shows
/// as little as it can.
struct Clock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static_assert(CLOCKS_PER_SEC == 1000000, "std::clock counts microseconds");
  static time_point now() { return time_point(duration(std::clock())); }
};

/// Adds the time since another pass of its kind, or since a start, to a sum.
class StopwatchPass : public MachineFunctionPass {
public:
  static char ID;
  StopwatchPass(Clock::time_point &Since, double *Sum)
      : MachineFunctionPass(ID), Since(Since), Sum(Sum) {}
  StringRef getPassName() const override { return "stopwatch"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &) override {
    Clock::time_point Now = Clock::now();
    if (Sum)
      *Sum += std::chrono::duration<double>(Now - Since).count();
    Since = Now;
    return false;
  }

private:
  Clock::time_point &Since;
  double *Sum;
};
char StopwatchPass::ID = 0;

struct Times {
  std::vector<double> Pass; ///< Seconds, of each of our passes.
  double Ours = 0;          ///< Seconds, their sum.
  double Total = 0;         ///< Seconds, ours included.
};

using PassNames = std::vector<const char *>;

/// A form of the code, and the passes that are always run for it.
struct Form {
  const char *Name;
  CodeForm Code;
  PassNames Passes;
};
const Form Forms[] = {
    {"ptx",
     CodeForm::PTX,
     {"regshare-assign-registers", "regshare-compute-analyses"}},
    {"native",
     CodeForm::Native,
     {"regshare-fold", "regshare-schedule", "regshare-assign-registers",
      "regshare-compute-analyses", "regshare-verify-fold"}}};
/// What schemes add, the analyses that they need included.
const std::pair<const char *, PassNames> Schemes[] = {
    {"LTRF", {"regshare-assign-registers", "regshare-ltrf"}},
    {"EXPARS", {"regshare-assign-registers", "regshare-expars"}}};

/// Compiles a copy of \p M to PTX with our passes at the end.
Times compile(const Module &M, TargetMachine &TM, CodeForm Code,
              const PassNames &OurPasses) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  SmallVector<char, 0> Buffer;
  raw_svector_ostream OS(Buffer);
  legacy::PassManager PM;
  auto *MMIWP = new MachineModuleInfoWrapperPass(&TM);
  TargetPassConfig *Config = TM.createPassConfig(PM);
  Config->setDisableVerify(true);
  PM.add(Config);
  PM.add(MMIWP);
  CompilerOptions Options;
  Options.Code = Code;
  PM.add(new SessionPass(Options));
  if (Config->addISelPasses())
    report_fatal_error("no instruction selection");
  Config->addMachinePasses();
  Config->setInitialized();
  Times T;
  T.Pass.resize(OurPasses.size());
  Clock::time_point Since;
  PM.add(new StopwatchPass(Since, nullptr));
  for (unsigned I = 0; I != OurPasses.size(); ++I) {
    PM.add(PassRegistry::getPassRegistry()
               ->getPassInfo(StringRef(OurPasses[I]))
               ->createPass());
    PM.add(new StopwatchPass(Since, &T.Pass[I]));
  }
  TM.addAsmPrinter(PM, OS, nullptr, CodeGenFileType::AssemblyFile,
                   MMIWP->getMMI().getContext());
  PM.add(createFreeMachineFunctionPass());
  Clock::time_point Start = Clock::now();
  PM.run(*Copy);
  T.Total = std::chrono::duration<double>(Clock::now() - Start).count();
  for (double Each : T.Pass)
    T.Ours += Each;
  return T;
}

/// The least time of each pass, and of the rest, in \p Best and \p T.
void keepBest(Times &Best, const Times &T) {
  if (Best.Pass.empty()) {
    Best = T;
    return;
  }
  double Rest = std::min(Best.Total - Best.Ours, T.Total - T.Ours);
  Best.Ours = 0;
  for (size_t I = 0; I != T.Pass.size(); ++I) {
    Best.Pass[I] = std::min(Best.Pass[I], T.Pass[I]);
    Best.Ours += Best.Pass[I];
  }
  Best.Total = Rest + Best.Ours;
}

double share(const Times &T) { return 100 * T.Ours / (T.Total - T.Ours); }

void print(const Twine &What, const PassNames &Passes, const Times &T) {
  outs() << format("%-30s ours %8.2f ms of %9.2f ms, %5.2f%%",
                   What.str().c_str(), 1e3 * T.Ours, 1e3 * T.Total, share(T));
  const char *Separator = ": ";
  for (size_t I = 0; I != Passes.size(); ++I) {
    outs() << Separator << StringRef(Passes[I]).drop_front(strlen("regshare-"))
           << format(" %.2f", 1e3 * T.Pass[I]);
    Separator = ", ";
  }
  outs() << "\n";
}

/// All inputs in one form of the code: their sum.
Times measureInputs(ArrayRef<std::string> Files, const Form &F,
                    ExitOnError &Exit) {
  Times Sum;
  Sum.Pass.resize(F.Passes.size());
  for (const std::string &File : Files) {
    InputOptions Options;
    Options.Path = File;
    Options.Code = F.Code;
    LoadedInput Input = Exit(loadInput(Options));
    Exit(prepareForCodeGen(Input));
    Times Best;
    for (unsigned I = 0; I != Repeats; ++I)
      keepBest(Best, compile(*Input.M, *Input.TM, F.Code, F.Passes));
    print(sys::path::filename(File) + ", " + F.Name, F.Passes, Best);
    Sum.Ours += Best.Ours;
    Sum.Total += Best.Total;
    for (size_t P = 0; P != Sum.Pass.size(); ++P)
      Sum.Pass[P] += Best.Pass[P];
  }
  return Sum;
}

/// Kernels of 10,000 and of 100,000 instructions by turns, so that whatever
/// else the machine does slows both.
class Growth {
public:
  explicit Growth(const TargetChoice &Choice)
      : TM(createTargetMachine(Choice, 2)) {
    for (unsigned I = 0; I != 2; ++I) {
      M[I] = makeSyntheticKernel(Context, Sizes[I], 1);
      M[I]->setTargetTriple(Triple(DefaultTriple));
      M[I]->setDataLayout(TM->createDataLayout());
    }
  }

  /// Prints what they take; how many times as long the larger one does.
  double measure(const Twine &What, CodeForm Code, const PassNames &Passes) {
    Times Best[2];
    // The smaller one gives way to more of the others' work: more runs of it.
    for (unsigned Run = 0; Run != Repeats; ++Run)
      for (unsigned I : {0, 0, 0, 1})
        keepBest(Best[I], compile(*M[I], *TM, Code, Passes));
    for (unsigned I = 0; I != 2; ++I)
      print(Twine(Sizes[I]) + " instructions, " + What, Passes, Best[I]);
    return Best[1].Ours / Best[0].Ours;
  }

private:
  static constexpr unsigned Sizes[] = {10000, 100000};
  LLVMContext Context;
  std::unique_ptr<TargetMachine> TM;
  std::unique_ptr<Module> M[2];
};

} // namespace

int main(int argc, char **argv) {
  InitLLVM X(argc, argv);
  initializeTarget();
  initializeRegSharePasses();
  cl::ParseCommandLineOptions(argc, argv, "RegShare pass benchmark\n");
  std::vector<std::string> Files = Inputs;
  if (Files.empty())
    for (StringRef File : llvm::split(REGSHARE_BENCH_KERNELS, ','))
      Files.push_back(File.str());

  ExitOnError Exit("pass-bench: ");
  Growth Grown(Exit(chooseTarget(StringRef(), StringRef())));
  auto IsWanted = [](StringRef Name) { return Name.contains(Only); };
  for (const auto &[Name, Passes] : Schemes)
    if (IsWanted(Name))
      Grown.measure(Name, CodeForm::PTX, Passes);
  for (const Form &F : Forms) {
    if (!IsWanted(F.Name))
      continue;
    Times Sum = measureInputs(Files, F, Exit);
    double Times = Grown.measure(F.Name, F.Code, F.Passes);
    print(Twine("all inputs, ") + F.Name, F.Passes, Sum);
    outs() << format("%s: growth %.1f, share %.1f%%\n", F.Name, Times,
                     share(Sum));
  }
  return 0;
}
