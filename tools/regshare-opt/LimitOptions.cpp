//===- LimitOptions.cpp - Limits from the command line --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LimitOptions.h"

using namespace llvm;

namespace regshare {

static cl::OptionCategory
    Limits("Limits, for continuous integration",
           "Each kernel that breaks one is named, and the exit code is 2");

static cl::opt<unsigned>
    MaxRegisters("max-registers",
                 cl::desc("Most registers of a thread; code is not changed to "
                          "keep it, which --regshare-max-regs does"),
                 cl::value_desc("n"), cl::cat(Limits));
static cl::opt<bool> NoSpills("no-spills",
                              cl::desc("No value is spilled to local memory"),
                              cl::cat(Limits));
static cl::opt<unsigned>
    MinOccupancy("min-occupancy",
                 cl::desc("Least occupancy of --device, in percent of its "
                          "warps; --block says how large CTAs are"),
                 cl::value_desc("percent"), cl::cat(Limits));
static cl::opt<std::string>
    BaselineFile("baseline",
                 cl::desc("Say what has changed since this report, which "
                          "--emit=json wrote"),
                 cl::value_desc("file"), cl::cat(Limits));
static cl::opt<bool>
    NoWorse("no-worse",
            cl::desc("No more registers, no more spills and no fewer warps "
                     "than in --baseline"),
            cl::cat(Limits));

cl::OptionCategory &limitCategory() { return Limits; }

Expected<LimitRequest> readLimits(bool HasDevice, bool HasReport) {
  LimitRequest R;
  if (MaxRegisters.getNumOccurrences())
    R.Limits.MaxRegisters = MaxRegisters;
  R.Limits.NoSpills = NoSpills;
  if (MinOccupancy.getNumOccurrences())
    R.Limits.MinOccupancy = MinOccupancy;
  R.Limits.NoWorse = NoWorse;
  if ((R.Limits.any() || !BaselineFile.empty()) && !HasReport)
    return createStringError(
        "limits and --baseline are for a report: --emit=report, json, sarif or "
        "junit, without --simulate");
  if (R.Limits.MinOccupancy && MinOccupancy > 100)
    return createStringError("--min-occupancy=" + Twine(MinOccupancy) +
                             ": expected a percentage, 0 to 100");
  if (R.Limits.MinOccupancy && !HasDevice)
    return createStringError("--min-occupancy needs a --device");
  if (NoWorse && BaselineFile.empty())
    return createStringError("--no-worse needs a --baseline");
  if (BaselineFile.empty())
    return R;
  Expected<Baseline> Before = readBaseline(BaselineFile);
  if (!Before)
    return Before.takeError();
  R.Before = std::move(*Before);
  return R;
}

} // namespace regshare
