//===- DeviceFigures.h - Figures of a device and their limits -*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_BASE_DEVICEFIGURES_H
#define REGSHARE_LIB_BASE_DEVICEFIGURES_H

#include "regshare/Base/Device.h"

#include <optional>
#include <string>
#include <string_view>

namespace regshare {

/// The largest number that a figure can be.
inline constexpr long LargestFigure = 1L << 30;

struct FigureFault {
  std::string Key;
  std::string Message;
};
/// The first figure of \p D that makes no sense, if there is one.
std::optional<FigureFault> findFault(const DeviceDescription &D);

/// Applies "registers=16384,timing.l1d.hit_latency=20" to \p D, whose name then
/// says so. Fails on what \p D has no figure for, and on senseless values.
Result<void> changeFigures(DeviceDescription &D, std::string_view Changes);

} // namespace regshare

#endif // REGSHARE_LIB_BASE_DEVICEFIGURES_H
