//===- ProgramRunner.cpp - Mutants of a program's kernels ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "SchemeTrial.h"

#include "../Fuzz/Compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare::mutation {

namespace {

/// A program that verifies itself, on a runtime whose device compiler hands out
/// the mutant (MutantCode.cpp).
class ProgramRunner : public Runner {
public:
  explicit ProgramRunner(Scheme S)
      : S(S), Folder("regshare-mutate"), Program(Folder.path("program")) {}
  Error compile(const std::string &Source);
  std::string run(const std::string &PTX,
                  const RunOptions &Options) const override;

private:
  std::string runOnce(bool Timed) const;

  Scheme S;
  fuzz::ScratchFolder Folder;
  std::string Program;
};

/// More than any program of the suite needs.
constexpr unsigned SecondsLimit = 60;
constexpr const char *CycleLimit = "50000000";
constexpr const char *RuntimeFolder = REGSHARE_MUTANT_RUNTIME;
constexpr const char *ConfigFolder = REGSHARE_CONFIGS;

} // namespace

static std::string contentsOf(const std::string &Path) {
  auto Text = MemoryBuffer::getFile(Path);
  return Text ? (*Text)->getBuffer().str() : "";
}

Error ProgramRunner::compile(const std::string &Source) {
  std::string Log = Folder.path("log");
  if (sys::ExecuteAndWait(
          REGSHARE_CLANGXX, {REGSHARE_CLANGXX, "-O2", Source, "-o", Program},
          std::nullopt, {std::nullopt, StringRef(Log), StringRef(Log)}) == 0)
    return Error::success();
  return createStringError("does not compile: " + contentsOf(Log));
}

/// What the program has to say against its code.
std::string ProgramRunner::runOnce(bool Timed) const {
  std::string Log = Folder.path("log");
  const SchemeTrial &Trial = trialOf(S);
  std::vector<std::string> Set = {
      std::string("LD_PRELOAD=") + RuntimeFolder + "/libregshare_cudart.so",
      "REGSHARE_MUTANT=" + Folder.path("mutant.ptx"),
      std::string("REGSHARE_CONFIG_PATH=") + ConfigFolder,
      "REGSHARE_SCHEME=" + std::string(S.name()),
      "REGSHARE_DEVICE=" + (ProgramDevice + Trial.programDevice()),
      "REGSHARE_TIMING=" + std::string(Timed ? "1" : "0"),
      std::string("REGSHARE_CYCLE_LIMIT=") + CycleLimit,
      std::string("REGSHARE_INSTRUCTION_LIMIT=") + CycleLimit,
  };
  const SettingValues Values = Trial.programSettings();
  for (const Setting *Each : S->Settings)
    if (Values.has(*Each))
      Set.push_back(Each->variable() + "=" + Each->print(Values[*Each]));
  std::vector<StringRef> Environment(Set.begin(), Set.end());
  // A file is not shortened by what is redirected to it.
  if (std::error_code EC = sys::fs::remove(Log))
    return EC.message();
  std::string Message;
  int Status =
      sys::ExecuteAndWait(Program, {Program}, ArrayRef(Environment),
                          {std::nullopt, StringRef(Log), StringRef(Log)},
                          SecondsLimit, 0, &Message);
  std::string Text = contentsOf(Log);
  if (Status == 0 && StringRef(Text).rtrim().ends_with("PASSED"))
    return {};
  if (Status < 0)
    return Message;
  return "exit code " + std::to_string(Status) + ": " +
         StringRef(Text).split('\n').first.str();
}

std::string ProgramRunner::run(const std::string &PTX,
                               const RunOptions &Options) const {
  std::error_code EC;
  raw_fd_ostream OS(Folder.path("mutant.ptx"), EC);
  if (EC)
    return EC.message();
  OS << PTX;
  OS.close();
  std::string Wrong = runOnce(false);
  if (Wrong.empty() && Options.Timed)
    Wrong = runOnce(true);
  // Programs always run with all checks, and a probe looks where nothing is
  // written where the copy was missed: others that look there had been noticed
  // without the probe.
  if (Options.IsProbe && StringRef(Wrong).contains("that was never written"))
    return {};
  return Wrong;
}

Expected<std::unique_ptr<Runner>> makeProgram(const std::string &Path,
                                              Scheme S) {
  auto Program = std::make_unique<ProgramRunner>(S);
  if (Error E = Program->compile(Path))
    return std::move(E);
  return Program;
}

} // namespace regshare::mutation
