//===- main.cpp - regshare-mutate -----------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mutation testing of the annotations: makes small mistakes in annotated
/// kernels, one at a time, and looks whether the verifier or the reference SM
/// notices. docs/annotation-verifier.md says how to read what it prints.
///
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "Native/NativeTrial.h"

#include "regshare/Base/Scheme.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regshare::mutation;

namespace {
cl::OptionCategory Category("regshare-mutate options");
cl::opt<uint64_t> Seed("seed", cl::desc("Seed of the first kernel (default 1)"),
                       cl::init(1), cl::cat(Category));
cl::opt<unsigned> NumKernels("kernels",
                             cl::desc("Random kernels for each scheme "
                                      "(default 10)"),
                             cl::init(10), cl::cat(Category));
cl::opt<unsigned>
    MaxMutants("mutants",
               cl::desc("Mutants of a kernel at most, spread over "
                        "it (default: all)"),
               cl::cat(Category));
cl::list<std::string> SchemeNames("schemes",
                                  cl::desc("Default: all that have statements"),
                                  cl::CommaSeparated, cl::cat(Category));
cl::opt<regshare::CodeForm> Code(
    "code", cl::desc("Form of the code"),
    cl::values(clEnumValN(regshare::CodeForm::PTX, "ptx",
                          "schemes' statements are changed"),
               clEnumValN(regshare::CodeForm::Native, "native",
                          "what is folded, and the order, and with --schemes "
                          "their statements in native code too")),
    cl::init(regshare::CodeForm::PTX), cl::cat(Category));
cl::opt<bool> RunPrograms("run-programs",
                          cl::desc("Run the CUDA programs under each mutant, "
                                   "and mutate their copies too"),
                          cl::cat(Category));
cl::opt<bool> Verbose("verbose", cl::desc("List the survivors"),
                      cl::cat(Category));
cl::list<std::string>
    Sources(cl::Positional, cl::desc("<CUDA programs that verify themselves>"),
            cl::cat(Category));
} // namespace

static int failed(const Twine &Message) {
  errs() << "regshare-mutate: error: " << Message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  InitLLVM X(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(
      argc, argv, "regshare-mutate: mutation testing of annotations\n");
  initializeMutation();
  std::vector<std::string> Names = SchemeNames;
  if (Names.empty() && Code == regshare::CodeForm::PTX)
    for (regshare::Scheme S : regshare::allSchemes())
      if (!S->Statements.empty())
        Names.emplace_back(S.name());
  Tally T;
  int Status = 0;
  if (Code == regshare::CodeForm::Native) {
    TrialOptions Options{regshare::schemes::Baseline, MaxMutants, false};
    Options.Verbose = Verbose;
    for (uint64_t K = 0; K != NumKernels; ++K)
      if (Error E = tryNativeKernel(Seed + K, Options, T))
        Status = failed(formatv("kernel {0} as native code: {1}", Seed + K,
                                toString(std::move(E))));
  }
  for (const std::string &Name : Names) {
    regshare::Result<regshare::Scheme> S = regshare::parseScheme(Name);
    if (!S)
      return failed(S.error().str());
    if ((*S)->Statements.empty())
      return failed("code of scheme " + Twine(S->name()) +
                    " has no statements to change");
    TrialOptions Options{*S, MaxMutants, RunPrograms};
    Options.Verbose = Verbose;
    Options.Code = Code;
    for (const std::string &Source : Sources)
      if (Error E = tryProgram(Source, Options, T))
        Status = failed(Source + ": " + toString(std::move(E)));
    for (uint64_t K = 0; K != NumKernels; ++K)
      if (Error E = tryRandomKernel(Seed + K, Options, T))
        Status = failed(formatv("kernel {0} under {1}: {2}", Seed + K, Name,
                                toString(std::move(E))));
  }
  T.print(outs());
  if (!T.ByVerifier)
    return failed("no mutant was caught: nothing was tested");
  return T.Missed || T.Gaps ? 1 : Status;
}
