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

/// The value of a figure that stands outside of `timing:`. Fails on what is no
/// number, and outside of the figure's range: on what would divide by zero, or
/// is beyond any machine and keeps the host busy or without memory.
Result<unsigned> parseFigure(const DeviceField &Field, std::string_view Value);
/// The same for a value that was computed.
Result<void> checkFigure(const DeviceField &Field, uint64_t Value);

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
