//===- regshare/Base/DeviceCalls.h - Device functions -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions that the device provides to kernels, by name.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_DEVICECALLS_H
#define REGSHARE_BASE_DEVICECALLS_H

#include <cstdint>
#include <string_view>

namespace regshare {

/// What a function of the device does.
enum class DeviceCall : uint8_t {
  None, ///< It is none of the device's.
  Vprintf,
  Malloc,
  Free,
  AssertFail,
  GetParameterBuffer,
  GetParameterBufferV2,
  LaunchDevice,
  LaunchDeviceV2,
  CreateStream,
  DestroyStream,
  GetLastError,
  PeekAtLastError
};

/// Of the function with that name (DeviceCalls.def).
constexpr DeviceCall deviceCallOf(std::string_view Name) {
  /// \cond
#define DEVICE_CALL(NAME, KIND)                                                \
  if (Name == NAME)                                                            \
    return DeviceCall::KIND;
#include "regshare/Base/DeviceCalls.def"
  /// \endcond
  return DeviceCall::None;
}

} // namespace regshare

#endif // REGSHARE_BASE_DEVICECALLS_H
