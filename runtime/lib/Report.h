//===- Report.h - What a program did on the device -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The record of every launch and copy, and the files that REGSHARE_REPORT and
/// REGSHARE_TRACE ask for. What a launch was like on the SMs is for the views
/// of the simulator to say.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_REPORT_H
#define REGSHARE_RUNTIME_REPORT_H

#include "Launcher.h"
#include "Settings.h"
#include "Timeline.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Sim/Views.h"

#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace regshare::cudart {

/// How much code a kernel has, without the functions that it calls.
struct CodeSize {
  unsigned Instructions = 0; ///< Those that take an issue slot.
  unsigned Statements = 0;   ///< Those of a scheme that take none.
  static CodeSize of(const sim::Function &F);
};

struct LaunchRecord {
  std::string Kernel; ///< As in the code.
  sim::Dim3 Grid, Block;
  uint32_t DynamicSharedBytes = 0;
  unsigned Stream = 0;
  unsigned Parent = 0; ///< Number of the launch that launched it; 0: the host.
  std::optional<KernelDescriptor> Descriptor; ///< Nothing in plain PTX.
  unsigned Regs = 0;                          ///< 32-bit, of a thread.
  std::optional<ShownFacts> Shown;            ///< What its code says once.
  unsigned SharedBytes = 0;                   ///< Static, of a CTA.
  unsigned LocalBytes = 0;                    ///< Of a thread.
  unsigned ResidentCTAs = 0;                  ///< On an SM, of the baseline.
  CodeSize Code;
  LaunchOutcome Outcome;
  Timeline::Interval When;
  /// CUDA's code of the fault that ended it, and what kind of error it was.
  cudaError_t Fault = cudaSuccess;
  ErrorKind Kind = ErrorKind::Other;
};

struct CopyRecord {
  Engine Direction = Engine::OnDevice;
  bool IsFill = false;
  uint64_t Bytes = 0;
  unsigned Stream = 0;
  Timeline::Interval When;
  const char *name() const;
};

/// The timeline, written as things happen: streams with kernels and copies, and
/// what the simulator's view shows of the SMs.
class TraceFile {
public:
  explicit TraceFile(const Settings &S);

  void add(const LaunchRecord &R);
  void add(const CopyRecord &R);
  /// Ends the file; false if it could not be written.
  bool close();

private:
  void nameTrack(unsigned Stream);
  void slice(unsigned Stream, const std::string &Name,
             const Timeline::Interval &When, std::string_view Details);

  std::ofstream File;
  std::optional<sim::PerfettoWriter> Writer;
  std::set<unsigned> Named;
};

class Report {
public:
  Report(const Settings &S, const LaunchSampler &Sampler);

  /// Returns the launch's number, from 1 on.
  unsigned add(LaunchRecord R);
  void add(const CopyRecord &R);
  /// There is something that write() writes.
  bool writesFiles() const { return Trace || !S.ReportPath.empty(); }
  /// What lenient mode has let pass.
  sim::LenienceLog &passed() { return Passed; }
  /// Warns of the places that are new there.
  void warnOfPassed();
  /// Writes the files that the settings ask for; prints what goes wrong, and
  /// how much lenient mode has let pass.
  void write();

private:
  const Settings &S;
  const LaunchSampler &Sampler;
  unsigned NumLaunches = 0;
  std::vector<LaunchRecord> Launches;
  std::vector<CopyRecord> Copies;
  sim::LenienceLog Passed;
  size_t WarnedOf = 0; ///< So many places.
  std::optional<TraceFile> Trace;
};

/// An error that was told on standard error.
struct NotedError {
  ErrorKind Kind;
  std::string Message;
};
void noteError(const std::string &Message, ErrorKind Kind);
const std::vector<NotedError> &notedErrors();

/// Where the environment asks for a report as JSON, writes one of a program for
/// which no device was made: its settings and errors.
void writeReportWithoutDevice();

/// "scale<float>(float *, int)" for "_Z5scaleIfEvPT_i".
std::string demangle(const std::string &Name);

/// The report's two forms.
void printReportText(std::ostream &OS, const Settings &S,
                     const std::vector<LaunchRecord> &Launches,
                     const std::vector<CopyRecord> &Copies,
                     const sim::LenienceLog &Passed,
                     const LaunchSampler &Sampler);
void printReportJSON(std::ostream &OS, const Settings &S,
                     const std::vector<LaunchRecord> &Launches,
                     const std::vector<CopyRecord> &Copies,
                     const sim::LenienceLog &Passed,
                     const LaunchSampler &Sampler);
void printReportJSONWithoutDevice(std::ostream &OS);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_REPORT_H
