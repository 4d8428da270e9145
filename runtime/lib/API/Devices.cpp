//===- Devices.cpp - The device, its properties and settings -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFacts.h"
#include "DeviceLaunch/DeviceLaunches.h"
#include "Runtime.h"

#include <algorithm>
#include <string_view>

using namespace regshare::cudart;

/// Runs \p Body(Runtime &) if \p Device is the one there is.
template <typename Fn> static cudaError_t deviceCall(int Device, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    return Device == 0 ? Body(R) : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaGetDeviceCount(int *Count) {
  return apiCall([&](Runtime &) {
    if (!Count)
      return cudaErrorInvalidValue;
    *Count = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int *Device) {
  return apiCall([&](Runtime &) {
    if (!Device)
      return cudaErrorInvalidValue;
    *Device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int Device) {
  return deviceCall(Device, [](Runtime &) { return cudaSuccess; });
}

cudaError_t cudaInitDevice(int Device, unsigned int, unsigned int) {
  return cudaSetDevice(Device);
}

cudaError_t cudaSetValidDevices(int *Devices, int Count) {
  return apiCall([&](Runtime &) {
    if (Count < 0 || (Count && !Devices))
      return cudaErrorInvalidValue;
    bool Known = std::all_of(Devices, Devices + Count,
                             [](int Device) { return Device == 0; });
    return Known ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaChooseDevice(int *Device, const struct cudaDeviceProp *Prop) {
  return apiCall([&](Runtime &) {
    if (!Device || !Prop)
      return cudaErrorInvalidValue;
    *Device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int *Value, enum cudaDeviceAttr Attr,
                                   int Device) {
  return deviceCall(Device, [&](Runtime &R) {
    if (!Value)
      return cudaErrorInvalidValue;
    std::optional<int> Found =
        deviceAttribute(DeviceFacts::of(R.Config.Device, *R.Memory), Attr);
    if (!Found)
      return cudaErrorInvalidValue;
    if (Attr == cudaDevAttrSingleToDoublePrecisionPerfRatio) {
      printError("a device's file does not say the attribute "
                 "cudaDevAttrSingleToDoublePrecisionPerfRatio; "
                 "cudaDeviceGetAttribute returns cudaErrorNotSupported",
                 regshare::ErrorKind::Unsupported);
      return cudaErrorNotSupported;
    }
    *Value = *Found;
    return cudaSuccess;
  });
}

/// Where the device says that it is: domain, bus, device, function.
static constexpr char Bus[] = "0000:00:00.0";

cudaError_t cudaDeviceGetPCIBusId(char *Id, int Size, int Device) {
  return deviceCall(Device, [&](Runtime &) {
    if (!Id || Size < int(sizeof(Bus)))
      return cudaErrorInvalidValue;
    std::copy(std::begin(Bus), std::end(Bus), Id);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int *Device, const char *Id) {
  return apiCall([&](Runtime &) {
    if (!Device || !Id)
      return cudaErrorInvalidValue;
    // Domain and function may be left out.
    std::string_view All = Bus, Asked = Id;
    size_t Domain = All.find(':') + 1, Function = All.find('.');
    std::string_view Short = All.substr(0, Function);
    if (Asked != All && Asked != Short && Asked != All.substr(Domain) &&
        Asked != Short.substr(Domain))
      return cudaErrorInvalidDevice;
    *Device = 0;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// The whole device's work
//===----------------------------------------------------------------------===//

cudaError_t cudaDeviceSynchronize() {
  return apiCall([](Runtime &R) {
    if (!R.Captures.empty()) {
      R.Captures.invalidate(/*OnlyBlocking=*/false);
      return cudaErrorStreamCaptureUnsupported;
    }
    R.synchronize();
    return cudaSuccess;
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

/// Not an apiCall: it is what a program with a faulted device calls.
cudaError_t cudaDeviceReset() {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  Runtime *R = Runtime::get();
  if (!R)
    return recordError(SetupError);
  R->reset();
  return cudaSuccess;
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

//===----------------------------------------------------------------------===//
// Settings, which programs may read back
//===----------------------------------------------------------------------===//

cudaError_t cudaSetDeviceFlags(unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    constexpr unsigned Known = cudaDeviceScheduleSpin |
                               cudaDeviceScheduleYield |
                               cudaDeviceScheduleBlockingSync |
                               cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
    if (Flags & ~Known)
      return cudaErrorInvalidValue;
    R.DeviceFlags = Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int *Flags) {
  return apiCall([&](Runtime &R) {
    if (!Flags)
      return cudaErrorInvalidValue;
    // Host memory is always mapped where addresses are unified.
    *Flags = R.DeviceFlags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

/// What CUDA's documentation gives as the limits' initial values, in bytes and
/// numbers.
static std::optional<size_t> defaultLimit(cudaLimit Limit) {
  switch (Limit) {
  case cudaLimitStackSize:
    return 1024;
  case cudaLimitPrintfFifoSize:
    return 1 << 20;
  case cudaLimitMallocHeapSize:
    return 8 << 20;
  case cudaLimitMaxL2FetchGranularity:
    return 64;
  case cudaLimitPersistingL2CacheSize:
    return 0;
  case cudaLimitDevRuntimePendingLaunchCount:
    return DefaultPendingLaunches;
  case cudaLimitDevRuntimeSyncDepth:
    return std::nullopt; // No kernel can wait for one that it has launched.
  }
  return std::nullopt;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit Limit, size_t Value) {
  return apiCall([&](Runtime &R) {
    if (!defaultLimit(Limit))
      return cudaErrorUnsupportedLimit;
    R.Limits[Limit] = Value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t *Value, enum cudaLimit Limit) {
  return apiCall([&](Runtime &R) {
    std::optional<size_t> Default = defaultLimit(Limit);
    if (!Value)
      return cudaErrorInvalidValue;
    if (!Default)
      return cudaErrorUnsupportedLimit;
    auto It = R.Limits.find(Limit);
    *Value = It == R.Limits.end() ? *Default : It->second;
    return cudaSuccess;
  });
}

/// No line of the L2 persists.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return apiCall([](Runtime &) { return cudaSuccess; });
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache Config) {
  return apiCall([&](Runtime &R) {
    R.CacheConfig = Config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *Config) {
  return apiCall([&](Runtime &R) {
    if (!Config)
      return cudaErrorInvalidValue;
    *Config = R.CacheConfig;
    return cudaSuccess;
  });
}

/// Banks are four bytes wide, and CUDA lets the request pass without effect.
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) {
  return apiCall([](Runtime &) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *Config) {
  return apiCall([&](Runtime &) {
    if (!Config)
      return cudaErrorInvalidValue;
    *Config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Peers: there is one device
//===----------------------------------------------------------------------===//

cudaError_t cudaDeviceCanAccessPeer(int *CanAccess, int Device, int Peer) {
  return deviceCall(Device, [&](Runtime &) {
    if (Peer != 0)
      return cudaErrorInvalidDevice;
    if (!CanAccess)
      return cudaErrorInvalidValue;
    *CanAccess = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return apiCall([](Runtime &) { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  return apiCall([](Runtime &) { return cudaErrorInvalidDevice; });
}

//===----------------------------------------------------------------------===//
// Versions, and what has no effect here
//===----------------------------------------------------------------------===//

cudaError_t cudaDriverGetVersion(int *Version) {
  if (!Version)
    return recordError(cudaErrorInvalidValue);
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *Version) {
  return cudaDriverGetVersion(Version);
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }

cudaError_t cudaProfilerStop() { return cudaSuccess; }
