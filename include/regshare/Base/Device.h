//===- regshare/Base/Device.h - What a device has ------------ -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A device's limits as configs/*.yaml describe them, each figure with its
/// source.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_DEVICE_H
#define REGSHARE_BASE_DEVICE_H

#include "regshare/Base/CodeForm.h"
#include "regshare/Base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace regshare {

/// A figure of the `timing:` part, for the model of the device to interpret.
struct TimingFigure {
  std::string Key;   ///< "l1d.hit_latency": the keys down to it.
  std::string Value; ///< As written.
  std::string Source;
  unsigned Line = 0; ///< In the device's file.
};

/// How a register file compares with the device's own.
struct RegisterFileCost {
  double Latency = 1; ///< Of an access, bank conflicts included.
  double Power = 1, Area = 1;
};

/// A way to build the register file: a row of Table 2 of Sadrosadati et
/// al., ASPLOS 2018. All figures are relative to design 1.
struct RegisterFileDesign {
  unsigned Number;
  const char *Cells; ///< "HP SRAM".
  unsigned Capacity;
  RegisterFileCost Cost;
};
/// All of them, by Number.
const std::vector<RegisterFileDesign> &registerFileDesigns();

/// Figures are per SM where nothing else is said; registers are 32 bits wide,
/// memory is in bytes.
struct DeviceDescription {
  std::string Name;
  std::string Description;
  std::string Target; ///< sm_NN that code for it is compiled for.
  CodeForm Code = CodeForm::PTX;
  unsigned NumSMs = 0;
  unsigned WarpSize = 0;
  unsigned MaxWarps = 0;
  unsigned MaxThreads = 0;
  unsigned MaxCTAs = 0;
  unsigned MaxThreadsPerCTA = 0;
  unsigned Registers = 0;
  unsigned MaxRegsPerThread = 0;
  /// Registers per thread are rounded up to a multiple of this.
  unsigned RegsPerThreadUnit = 0;
  /// Registers are handed to a warp in multiples of this.
  unsigned RegsPerWarpUnit = 0;
  /// The register file is in this many equal parts, and all of a warp's
  /// registers are in one of them.
  unsigned RegisterPartitions = 0;
  unsigned SharedMemory = 0;
  unsigned MaxSharedPerCTA = 0;
  /// Shared memory is handed to a CTA in multiples of this,
  unsigned SharedUnit = 0;
  /// after adding what the system keeps of it for every CTA.
  unsigned SharedReservedPerCTA = 0;
  unsigned CoreClockMHz = 0;
  RegisterFileCost RegisterFile;
  std::vector<TimingFigure> Timing; ///< In the order of the file.
  std::string File;                 ///< That it was read from.
};

/// One figure: its key in the YAML, what it means, and where it is kept. The
/// table drives parsing, messages and documentation.
struct DeviceField {
  const char *Key;
  const char *Help;
  unsigned DeviceDescription::*Member;
};
/// All figures that a device file may have.
const std::vector<DeviceField> &deviceFields();

/// Reads a device by name ("gtx480", looked up in $REGSHARE_CONFIG_PATH, then
/// where the build or the installation keeps its configs) or by path (what ends
/// in .yaml). Figures to change may follow, as in
/// "gtx480,registers=16384,timing.l1.hit_latency=20"; the device's name then
/// says so. "regfile.design=6" makes the register file one of
/// registerFileDesigns(), and "regfile.latency=5.3" that many times as slow;
/// what stands later changes what stands earlier. Errors carry file and line:
/// an unknown or missing key, a figure without a source, an unknown device,
/// with those there are.
Result<DeviceDescription> loadDevice(std::string_view NameOrPath);

/// Names of the devices loadDevice finds, sorted.
std::vector<std::string> knownDevices();

} // namespace regshare

#endif // REGSHARE_BASE_DEVICE_H
