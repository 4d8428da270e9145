//===- Settings.h - What the environment says about a run -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The REGSHARE_ variables, read once when the runtime is first used.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_SETTINGS_H
#define REGSHARE_RUNTIME_SETTINGS_H

#include "regshare/Base/Device.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/Sharing/RegisterOrder.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Sim/Timing.h"

#include <cstdint>
#include <string>
#include <vector>

namespace regshare::cudart {

struct Settings {
  DeviceDescription Device;
  std::string DeviceName; ///< Name or file, as loadDevice takes it.
  Scheme TheScheme = schemes::Baseline;
  unsigned ExtendedSet = 0;     ///< RegMutex's |Es|; 0: chosen for each launch.
  bool PublishedPolicy = false; ///< RegMutex: chosen as the paper does.
  unsigned IntervalRegisters = DefaultIntervalRegisters; ///< LTRF's N.
  unsigned TauPerMille = DefaultTauPerMille;             ///< EXPARS.
  unsigned OperandCacheBytes = OperandCache().Bytes;     ///< EXPARS.
  OperandMapping Mapping = OperandMapping::Direct;       ///< EXPARS.
  bool ExpectedWeights = false;                          ///< EXPARS.
  bool DynamicWarps = true;                              ///< Register sharing.
  unsigned PrivatePerMille = DefaultPrivatePerMille;     ///< Sharing's t.
  RegisterOrder Order = RegisterOrder::FirstUse;         ///< Register sharing.
  bool EarlyRelease = false;                             ///< Either sharing.
  bool Timing = true;
  unsigned Threads = 1;          ///< Of the host; 0: one for each processor.
  uint64_t CycleLimit = 0;       ///< Core cycles of a launch; 0: none.
  uint64_t InstructionLimit = 0; ///< Warp instructions of a launch; 0: none.
  std::string ReportPath;        ///< Empty: no report.
  std::string TracePath;         ///< Empty: no timeline.
  std::string PTXPath;   ///< Directory to keep generated PTX in; empty: none.
  bool Blocking = false; ///< A launch returns its own faults.

  /// What the scheme makes of a kernel depends on the shape of the launch:
  /// RegMutex chooses by the occupancy, and sharing leaves kernels alone whose
  /// CTAs would share nothing.
  bool dependsOnLaunch() const {
    if (splitsRegisters(TheScheme))
      return !ExtendedSet;
    if (TheScheme == schemes::RegisterSharing)
      return EarlyRelease || Order != RegisterOrder::Declared;
    return EarlyRelease && TheScheme == schemes::ScratchpadSharing;
  }
};

/// A variable of the environment: the table drives reading, messages and
/// documentation.
struct EnvironmentVariable {
  const char *Name;
  const char *Default; ///< As a user would write it; "" is none.
  const char *Help;
  /// Stores a value that is not empty. The error says what is wrong with it.
  Result<void> (*Read)(Settings &S, const std::string &Value);
  /// What the environment says, or the default if it says nothing.
  std::string value() const;
};
const std::vector<EnvironmentVariable> &environmentVariables();

/// Fails on a value that means nothing, naming the variable.
Result<Settings> readSettings();

/// The directory that this library lies in.
std::string libraryDirectory();

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_SETTINGS_H
