//===- regshare/Pipeline/Report.h - What a user reads about a kernel - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The report on a kernel: registers, memory, occupancy on a device, and how
/// many registers are live at each line of the source. Data, and its views.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_REPORT_H
#define REGSHARE_PIPELINE_REPORT_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Pipeline/PeakValues.h"
#include "regshare/Pipeline/Ptxas.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/RegisterLimit.h"
#include "regshare/Transforms/SchemeResult.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MachineFunction;
class raw_ostream;
} // namespace llvm

namespace regshare {

/// One machine instruction, and the units it finds or makes live: the larger
/// of what is held before and after it.
struct ReportPoint {
  std::string File; ///< Empty without debug information.
  unsigned Line = 0;
  unsigned Block = 0;
  std::string Text;
  unsigned Live = 0;     ///< Of a thread.
  unsigned WarpLive = 0; ///< Of its warp: parked lanes counted.
};

/// All that a report says of one kernel.
struct KernelReport {
  std::string Name; ///< As in the PTX.
  std::string Demangled;
  std::string Target;   ///< sm_NN
  bool IsKernel = true; ///< Else a function that kernels may call.
  AssignStats Stats;
  unsigned CopiesRemoved = 0;
  LaunchBounds Bounds;
  SharedSpillRoom SharedRoom; ///< As in KernelResult.
  unsigned SharedBytes = 0;   ///< Static, per CTA.
  bool DynamicShared = false;
  unsigned LocalBytes = 0;   ///< Per thread.
  unsigned Instructions = 0; ///< Of PTX, without RegShare's statements.
  /// Of native code: those that hardware has.
  std::optional<unsigned> HardwareInstructions;
  unsigned Branches = 0;
  unsigned DivergentBranches = 0;
  unsigned WarpPeak = 0;           ///< Most warp-live units at one instruction.
  std::vector<ReportPoint> Points; ///< In layout order.
  KernelPeak Peak;                 ///< Of a thread's live units.
  /// Null under a scheme whose passes have nothing to tell.
  std::vector<std::shared_ptr<const SchemeResult>> OfScheme;
  /// What ptxas makes of the same PTX, where it is asked.
  std::optional<PtxasKernel> Ptxas;
};

/// What a report is asked for on top of the kernel.
struct ReportOptions {
  std::optional<DeviceDescription> Device;
  /// Threads per CTA; 0: the launch bounds', else 256.
  unsigned Threads = 0;
  /// Of a CTA, in bytes; counts for the occupancy of kernels that declare some.
  unsigned DynamicSharedBytes = 0;
};

/// What a CTA of \p K takes of an SM.
KernelResources resourcesOf(const KernelReport &K,
                            const ReportOptions &Options);

/// The same as \p K's PTX is compiled by ptxas, which it has to be.
KernelResources ptxasResourcesOf(const KernelReport &K,
                                 const ReportOptions &Options);

/// Why shared memory has no more of the spilled registers of \p K, a clause;
/// empty if it has all, or if nobody asked for it.
std::string limitOfSharedSpills(const KernelReport &K);

/// Where \p K runs; refers to the device of \p Options.
ReportedLaunch launchOf(const KernelReport &K, const ReportOptions &Options);

/// For people.
void printReport(llvm::raw_ostream &OS, llvm::ArrayRef<KernelReport> Kernels,
                 const ReportOptions &Options);
/// For programs; docs/report.md has the schema.
void printReportJSON(llvm::raw_ostream &OS,
                     llvm::ArrayRef<KernelReport> Kernels,
                     const ReportOptions &Options);

} // namespace regshare

#endif // REGSHARE_PIPELINE_REPORT_H
