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

#include "LaunchChoice.h"

#include "regshare/Base/Device.h"
#include "regshare/Base/Scheme.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace regshare::cudart {

/// As a report's path: its text goes to standard error.
inline constexpr const char *ReportToError = "-";

struct Settings {
  DeviceDescription Device;
  std::string DeviceName; ///< Name or file, as loadDevice takes it.
  /// Instead of the device's.
  std::optional<CodeForm> OtherCode;
  bool Schedule = true; ///< Native code is put in an order that hides latency.
  bool Reuse = true;    ///< It says which operands are kept.
  bool ControlCode = false;  ///< It says what its instructions wait for.
  unsigned MaxRegisters = 0; ///< Of a thread; 0: as many as the device has.
  /// Others go to shared memory where there is room.
  bool SharedSpilling = false;
  Scheme TheScheme = schemes::Baseline;
  SettingValues SchemeSettings; ///< Of any scheme; a scheme reads its own.
  bool Timing = true;
  LaunchChoice Launches; ///< That are timed.
  /// Of the cycles, by which sampling may miss them; 0: all are timed.
  unsigned SamplePercent = 0;
  bool ColdL2 = false;           ///< The L2 is empty when a launch begins.
  unsigned Threads = 1;          ///< Of the host; 0: one for each processor.
  uint64_t CycleLimit = 0;       ///< Core cycles of a launch; 0: none.
  uint64_t InstructionLimit = 0; ///< Warp instructions of a launch; 0: none.
  std::string ReportPath;        ///< Empty: no report; or ReportToError.
  std::string TracePath;         ///< Empty: no timeline.
  std::string PTXPath;   ///< Directory to keep generated PTX in; empty: none.
  bool Lenient = false;  ///< What GPUs do not notice is let pass, and told.
  bool Blocking = false; ///< A launch returns its own faults.

  CodeForm code() const { return OtherCode.value_or(Device.Code); }
  /// Whether what the compiler makes of a kernel depends on the shape of its
  /// launch.
  bool dependsOnLaunch() const {
    return SharedSpilling || TheScheme.dependsOnLaunch(SchemeSettings);
  }
};

/// A variable of the environment: the table drives reading, messages and
/// documentation.
struct EnvironmentVariable {
  std::string Name;
  std::string Default; ///< As a user would write it; "" is none.
  std::string Help;
  /// Stores a value that is not empty. The error says what is wrong with it.
  std::function<Result<void>(Settings &S, const std::string &Value)> Read;
  /// Null in a variable of the runtime's own.
  const Setting *OfSchemes = nullptr;
  /// What the environment says, or the default if it says nothing.
  std::string value() const;
};
/// Those of the runtime, and one for each setting of a scheme that is known.
std::vector<EnvironmentVariable> environmentVariables();

/// Fails on a value that means nothing, naming the variable.
Result<Settings> readSettings();

/// What harms nothing and is hardly meant, a sentence each: REGSHARE_ variables
/// that nobody has declared, and with \p Chosen settings of schemes other than
/// that one.
std::vector<std::string> doubtsAboutEnvironment(const Scheme *Chosen);

/// The directory that this library lies in.
std::string libraryDirectory();

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_SETTINGS_H
