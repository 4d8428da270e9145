//===- SimulateMode.h - regshare-opt --simulate -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What --simulate adds to regshare-opt: its options, and the run itself.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TOOLS_REGSHARE_OPT_SIMULATEMODE_H
#define REGSHARE_TOOLS_REGSHARE_OPT_SIMULATEMODE_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Sim/Types.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
namespace cl {
class OptionCategory;
} // namespace cl
} // namespace llvm

namespace regshare {

/// What --simulate's own options are listed under.
llvm::cl::OptionCategory &simulateCategory();

/// True if --simulate is given.
bool simulateRequested();

/// Fails on an option of --simulate that is given without it.
llvm::Error checkSimulateOptions();

/// What --simulate runs on where the user does not say.
inline constexpr const char *DefaultSimulatedDevice = "gtx480";

/// What --simulate takes from the options that it shares with the rest.
struct SharedOptions {
  std::string Kernel; ///< As the user wrote it, or empty.
  std::optional<sim::Dim3> Block;
  unsigned DynamicSharedBytes = 0;
  DeviceDescription Device;
  Scheme Applied = schemes::Baseline;
  SettingValues Settings;
  bool JSON = false;
};

/// Runs a kernel of the PTX \p Text, called \p Name in messages, as the options
/// say, and writes the results to \p OS.
llvm::Error simulatePTX(llvm::StringRef Text, llvm::StringRef Name,
                        const SharedOptions &Shared, llvm::raw_ostream &OS);

} // namespace regshare

#endif // REGSHARE_TOOLS_REGSHARE_OPT_SIMULATEMODE_H
