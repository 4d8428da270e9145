//===- ConfigTable.h - Figures of a device's timing -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One row declares a figure of the `timing:` part of a device file: its key,
/// what it means, the values it may have. The rows drive reading, messages and
/// documentation.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_CONFIG_CONFIGTABLE_H
#define REGSHARE_SIM_CONFIG_CONFIGTABLE_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Result.h"

#include <span>
#include <string>

namespace regshare::sim {

template <typename Config> struct TimingField {
  const char *Key;  ///< Below `timing:`, "l1.hit_latency".
  const char *Help; ///< With its unit.
  unsigned Config::*Member;
  unsigned Min = 1, Max = 1u << 30;
};

/// A figure of \p D by its key. Fails, with file and line, if it is missing,
/// not a whole number or out of range.
Result<unsigned> readFigure(const DeviceDescription &D, std::string_view Key,
                            unsigned Min, unsigned Max);

/// A figure that may have a fraction.
Result<double> readDecimal(const DeviceDescription &D, std::string_view Key,
                           double Min, double Max);

/// Reads all of \p Fields into \p To.
template <typename Config>
Result<void> readFigures(const DeviceDescription &D,
                         std::span<const TimingField<Config>> Fields,
                         Config &To) {
  for (const TimingField<Config> &F : Fields) {
    Result<unsigned> Value = readFigure(D, F.Key, F.Min, F.Max);
    if (!Value)
      return tl::make_unexpected(Value.error());
    To.*F.Member = *Value;
  }
  return {};
}

/// Whether \p D says anything of \p Key.
bool hasFigure(const DeviceDescription &D, std::string_view Key);

/// Reads those of \p Fields that \p D has into \p To.
template <typename Config>
Result<void> readGiven(const DeviceDescription &D,
                       std::span<const TimingField<Config>> Fields,
                       Config &To) {
  for (const TimingField<Config> &F : Fields)
    if (hasFigure(D, F.Key))
      if (Result<void> R = readFigures<Config>(D, {&F, 1}, To); !R)
        return R;
  return {};
}

/// A figure that is one of \p Names; its index.
Result<unsigned> readChoice(const DeviceDescription &D, std::string_view Key,
                            std::span<const char *const> Names);

/// Fails on a figure of \p D whose key is none of \p Known: a typing error.
Result<void> checkKeys(const DeviceDescription &D,
                       std::span<const std::string> Known);

} // namespace regshare::sim

#endif // REGSHARE_SIM_CONFIG_CONFIGTABLE_H
