//===- LimitOptions.h - Limits from the command line ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_OPT_LIMITOPTIONS_H
#define REGSHARE_TOOLS_REGSHARE_OPT_LIMITOPTIONS_H

#include "regshare/Pipeline/ReportLimits.h"

#include "llvm/Support/CommandLine.h"

namespace regshare {

/// What the options say.
struct LimitRequest {
  ReportLimits Limits;
  std::optional<Baseline> Before;
};

/// The options, for --help.
llvm::cl::OptionCategory &limitCategory();

/// Reads them, and the baseline. Fails on limits that mean nothing:
/// \p HasDevice says whether there is an occupancy, \p HasReport whether there
/// is a report to hold them against.
llvm::Expected<LimitRequest> readLimits(bool HasDevice, bool HasReport);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_OPT_LIMITOPTIONS_H
