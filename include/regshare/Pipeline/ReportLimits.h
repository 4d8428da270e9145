//===- regshare/Pipeline/ReportLimits.h - What must not grow ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Limits that a user sets for kernels, what breaks them, and a report of
/// before to compare with: for continuous integration.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PIPELINE_REPORTLIMITS_H
#define REGSHARE_PIPELINE_REPORTLIMITS_H

#include "regshare/Pipeline/Report.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace regshare {

/// What a report of before says of a kernel.
struct BaselineKernel {
  unsigned Registers = 0, Spilled = 0, Instructions = 0;
  /// Warps on its device, where it has one.
  std::optional<unsigned> Warps;
  std::string Device;
  /// Most live units, by file name without its folder and line.
  std::map<std::pair<std::string, unsigned>, unsigned> Lines;
};

/// The report to compare with.
struct Baseline {
  std::string Path;
  llvm::StringMap<BaselineKernel> Kernels; ///< By name as in the PTX.
};

/// Reads what --emit=json wrote. Fails on what is no report, and says why.
llvm::Expected<Baseline> readBaseline(llvm::StringRef Path);

/// The limits that the user set; those that are not set allow everything.
struct ReportLimits {
  std::optional<unsigned> MaxRegisters; ///< Of a thread.
  bool NoSpills = false;
  std::optional<unsigned> MinOccupancy; ///< In percent of the warps.
  bool NoWorse = false;                 ///< Than the baseline.

  bool any() const {
    return MaxRegisters || NoSpills || MinOccupancy || NoWorse;
  }
};

/// A limit and a kernel that was held against it.
struct LimitCheck {
  const char *Rule; ///< The option's name: "max-registers".
  const KernelReport *Kernel;
  std::string Broken; ///< What was found and what was asked; empty if it holds.
};

/// Each limit with each kernel; functions that kernels call have none.
std::vector<LimitCheck> checkLimits(llvm::ArrayRef<KernelReport> Kernels,
                                    const ReportOptions &Options,
                                    const ReportLimits &Limits,
                                    const Baseline *Before);

/// For people: what has changed since \p Before, by kernel and line.
void printChanges(llvm::raw_ostream &OS, llvm::ArrayRef<KernelReport> Kernels,
                  const ReportOptions &Options, const Baseline &Before);

/// SARIF 2.1.0: broken limits as errors and peaks as notes, at their lines.
void printSARIF(llvm::raw_ostream &OS, llvm::ArrayRef<KernelReport> Kernels,
                llvm::ArrayRef<LimitCheck> Checks);
/// A JUnit file with a test case for each check.
void printJUnit(llvm::raw_ostream &OS, llvm::StringRef Input,
                llvm::ArrayRef<LimitCheck> Checks);

} // namespace regshare

#endif // REGSHARE_PIPELINE_REPORTLIMITS_H
