//===- Presets.h - The devices that have timing figures ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_TIMING_PRESETS_H
#define REGSHARE_UNITTESTS_SIM_TIMING_PRESETS_H

#include <string>

namespace regshare::sim {

inline constexpr const char *TimedPresets[] = {
    "gtx480",       "gpgpusim-gtx480", "gpgpusim-fermi",
    "ltrf-maxwell", "hopper",          "rtx6000"};
/// Those of them whose latencies do not depend on an instruction's reader.
inline constexpr const char *OlderPresets[] = {"gtx480", "gpgpusim-fermi",
                                               "ltrf-maxwell", "hopper"};

inline constexpr const char *EveryScheduler[] = {
    "lrr", "gto", "two-level", "ltlws-lrr", "ltlws-gto", "owf", "cggty"};

/// A device's name as a part of a test's.
inline std::string testNameOf(std::string Device) {
  std::erase(Device, '-');
  return Device;
}

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_TIMING_PRESETS_H
