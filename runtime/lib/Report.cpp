//===- Report.cpp - What a program did on the device -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Interruption.h"
#include "Runtime.h"

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <iomanip>
#include <iostream>
#include <ostream>

namespace regshare::cudart {

const char *CopyRecord::name() const {
  switch (Direction) {
  case Engine::ToDevice:
    return "copy to device";
  case Engine::ToHost:
    return "copy to host";
  case Engine::OnDevice:
  case Engine::SMs:
    break;
  }
  return IsFill ? "fill" : "copy on device";
}

static std::vector<NotedError> &errors() {
  // Never destroyed: calls come until the very end of a process.
  static auto *Noted = new std::vector<NotedError>;
  return *Noted;
}

void noteError(const std::string &Message, ErrorKind Kind) {
  errors().push_back({Kind, Message});
}

const std::vector<NotedError> &notedErrors() { return errors(); }

static void complain(const char *Variable, const std::string &Path) {
  printError(std::string(Variable) + "=" + Path + ": cannot write this file",
             ErrorKind::Other);
}

void writeReportWithoutDevice() {
  const char *Path = std::getenv("REGSHARE_REPORT");
  if (!Path || !std::string_view(Path).ends_with(".json"))
    return;
  std::ofstream File(Path);
  printReportJSONWithoutDevice(File);
  if (!File.flush())
    complain("REGSHARE_REPORT", Path);
}

std::string demangle(const std::string &Name) {
  int Status = 0;
  char *Plain = abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status);
  std::string Text = Status == 0 ? Plain : Name;
  std::free(Plain);
  return Text;
}

CodeSize CodeSize::of(const sim::Function &F) {
  CodeSize Size;
  unsigned OfScheme = 0;
  for (const sim::Inst &I : F.Code) {
    // The decoder's own, which stands for nothing in the code.
    if (I.Kind == sim::InstKind::Define)
      continue;
    bool TakesSlot = !(I.Attention & sim::AttendNoSlot);
    ++(TakesSlot ? Size.Instructions : Size.Statements);
    OfScheme += TakesSlot && I.Kind == sim::InstKind::Statement;
  }
  // The compiler counts no statements.
  if (F.HardwareInstructions)
    Size.Instructions = *F.HardwareInstructions + OfScheme;
  return Size;
}

Report::Report(const Settings &S, const LaunchSampler &Sampler)
    : S(S), Sampler(Sampler) {
  if (!S.TracePath.empty())
    Trace.emplace(S);
}

unsigned Report::add(LaunchRecord R) {
  ++NumLaunches;
  if (Trace)
    Trace->add(R);
  if (S.ReportPath.empty())
    return NumLaunches;
  // The timeline alone needs these, and they are long.
  if (R.Outcome.Timed) {
    R.Outcome.Timed->Timeline = {};
    R.Outcome.Timed->Samples = {};
  }
  Launches.push_back(std::move(R));
  return NumLaunches;
}

void Report::add(const CopyRecord &R) {
  if (Trace)
    Trace->add(R);
  if (!S.ReportPath.empty())
    Copies.push_back(R);
}

void Report::warnOfPassed() {
  for (; WarnedOf != Passed.faults().size(); ++WarnedOf)
    printWarning(Passed.faults()[WarnedOf].Message);
}

void Report::write() {
  if (!Passed.faults().empty())
    printWarning(Passed.summary());
  if (Trace && !Trace->close())
    complain("REGSHARE_TRACE", S.TracePath);
  if (S.ReportPath.empty())
    return;
  if (S.ReportPath == ReportToError)
    return printReportText(std::cerr, S, Launches, Copies, Passed, Sampler);
  std::ofstream File(S.ReportPath);
  bool IsJSON = S.ReportPath.ends_with(".json");
  (IsJSON ? printReportJSON : printReportText)(File, S, Launches, Copies,
                                               Passed, Sampler);
  if (!File.flush())
    complain("REGSHARE_REPORT", S.ReportPath);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string extent(const sim::Dim3 &D) {
  return std::to_string(D.X) + "x" + std::to_string(D.Y) + "x" +
         std::to_string(D.Z);
}

static std::string microseconds(double Seconds) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof(Buffer), "%.3f us", Seconds * 1e6);
  return Buffer;
}

static sim::RunDescription describe(const Settings &S, const LaunchRecord &R) {
  return {S.Device, S.TheScheme, R.Grid, R.Block, R.DynamicSharedBytes};
}

/// "1,234,567 cycles, estimated, within 1.3%".
static std::string estimated(const CycleEstimate &E) {
  char Within[48] = "";
  if (E.Error)
    std::snprintf(Within, sizeof(Within), ", within %.1f%%", *E.Error * 100);
  return std::to_string(E.Cycles) + " cycles, estimated" + Within;
}

/// Whose cycles are estimated: from what, and what the figures are of that
/// follow.
static void printEstimate(std::ostream &OS, const LaunchRecord &R,
                          const CycleEstimate &Estimate) {
  OS << "launch takes  " << estimated(Estimate);
  if (R.Outcome.Timed)
    OS << ", from its first waves: what follows is of "
       << R.Outcome.Timed->Functional.Ctas << " of its " << R.Grid.count()
       << " CTAs\n";
  else
    OS << ", from other launches\n";
}

/// What there is to say of a launch that was executed without timing.
static void printUntimed(std::ostream &OS, const LaunchRecord &R) {
  OS << "kernel        '" << R.Kernel << "', grid " << extent(R.Grid)
     << ", block " << extent(R.Block) << "\n"
     << "registers     " << R.Regs << " a thread; " << R.LocalBytes
     << " bytes of local memory\n"
     << "shared        " << R.SharedBytes << " + " << R.DynamicSharedBytes
     << " bytes a CTA\n"
     << "residency     " << R.ResidentCTAs << " CTAs an SM\n"
     << "instructions  " << R.Outcome.Stats.WarpInstructions << " of warps";
  if (R.Outcome.Stats.IsNative)
    OS << "; " << R.Outcome.Stats.issueSlots() << " issue slots";
  OS << "\n";
}

/// How the program's cycles came about, where not all launches were timed.
static void printSample(std::ostream &OS, const SampleSummary &Sum) {
  OS << "sampled       " << Sum.Timed << " of " << Sum.Launches
     << " launches were timed";
  if (Sum.TimedInPart)
    OS << ", and the first CTAs of " << Sum.TimedInPart;
  OS << ", " << Sum.TimedCycles << " cycles; together " << estimated(Sum.All)
     << (Sum.All.Error ? "" : ", of unknown error") << "\n";
}

static void printPassed(std::ostream &OS, const sim::LenienceLog &Passed) {
  for (const sim::PassedFault &F : Passed.faults()) {
    OS << "let pass      " << F.Sort << " at " << F.Place;
    if (!F.Kernel.empty())
      OS << ", " << demangle(F.Kernel);
    OS << ": " << F.Count << (F.Kernel.empty() ? " call" : " warp instruction")
       << (F.Count == 1 ? "\n" : "s\n");
  }
  OS << "lenient       " << Passed.summary() << "\n";
}

void printReportText(std::ostream &OS, const Settings &S,
                     const std::vector<LaunchRecord> &Launches,
                     const std::vector<CopyRecord> &Copies,
                     const sim::LenienceLog &Passed,
                     const LaunchSampler &Sampler) {
  uint64_t Cycles = 0, Instructions = 0, Bytes = 0;
  unsigned Number = 0;
  const std::vector<CycleEstimate> Estimates = Sampler.estimates();
  auto Estimate = Estimates.begin();
  for (const LaunchRecord &R : Launches) {
    const LaunchOutcome &O = R.Outcome;
    OS << "launch " << ++Number << ": " << demangle(R.Kernel) << "\n"
       << "when          " << microseconds(R.When.Begin) << " to "
       << microseconds(R.When.End) << ", stream " << R.Stream << "\n";
    if (R.Parent)
      OS << "launched by   launch " << R.Parent << "\n";
    if (R.Shown)
      OS << std::left << std::setw(14) << R.Shown->Key << R.Shown->Text << "\n";
    if (!O.Stats.IsWhole)
      OS << "ended         by " << interruption() << " after " << O.Stats.Ctas
         << " of " << R.Grid.count() << " CTAs\n";
    if (O.IsSampled)
      printEstimate(OS, R, *Estimate++);
    if (R.Fault != cudaSuccess)
      OS << "failed        " << cudaGetErrorName(R.Fault) << "\n";
    else if (O.Timed)
      sim::printSummary(OS, describe(S, R), *O.Timed);
    else
      printUntimed(OS, R);
    OS << "\n";
    Instructions += O.Stats.WarpInstructions;
    Cycles += O.Timed ? O.Timed->Cycles : 0;
  }
  for (const CopyRecord &R : Copies)
    Bytes += R.Bytes;
  if (S.Lenient)
    printPassed(OS, Passed);
  const SampleSummary Sum = Sampler.summary();
  bool IsSampled = Sum.Timed != Sum.Launches;
  if (IsSampled)
    printSample(OS, Sum);
  if (const char *Signal = interruption())
    OS << "ended         by " << Signal
       << ", before the program was finished\n";
  OS << "in all        " << Launches.size() << " launches, " << Instructions
     << " warp instructions";
  if (S.Timing && IsSampled)
    OS << ", " << estimated(Sum.All);
  else if (S.Timing)
    OS << ", " << Cycles << " cycles";
  OS << "; " << Copies.size() << " copies and fills of " << Bytes
     << " bytes; device " << S.Device.Name << ", code "
     << codeFormName(S.code()) << ", scheme " << S.TheScheme.name()
     << (S.Timing ? "" : ", without timing") << "\n";
}

} // namespace regshare::cudart
