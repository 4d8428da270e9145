//===- Contexts.cpp - The driver, the device, contexts --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "API/DeviceFacts.h"
#include "Driver.h"

#include "cudaProfiler.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

struct CUctx_st {
  unsigned Flags = 0;
};

using namespace regshare::cudart;

namespace {
/// Of the process.
struct DriverState {
  bool IsInitialised = false;
  CUctx_st Primary;
  unsigned Retained = 0; ///< How often the primary context is.
  std::set<CUcontext> Created;

  bool knows(CUcontext C) const {
    return C == &Primary || Created.count(C) != 0;
  }
};
} // namespace

static DriverState &state() {
  // Never destroyed: programs call until their very end.
  static auto *State = new DriverState;
  return *State;
}

/// The current context is the last; null where none has been set.
static std::vector<CUcontext> &contexts() {
  static thread_local auto *Stack = new std::vector<CUcontext>;
  return *Stack;
}

/// Runs \p Body(DriverState &) once cuInit has been called, by the program or
/// by CUDA's runtime, which does so before anything else.
template <typename Fn> static CUresult stateCall(Fn &&Body) {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  LastErrorKeeper Keeper;
  DriverState &State = state();
  bool IsInitialised = State.IsInitialised || Runtime::isMade();
  return IsInitialised ? Body(State) : CUDA_ERROR_NOT_INITIALIZED;
}

/// The same for the one device.
template <typename Fn> static CUresult deviceCall(CUdevice Device, Fn &&Body) {
  return stateCall([&](DriverState &State) {
    return Device == 0 ? Body(State) : CUDA_ERROR_INVALID_DEVICE;
  });
}

namespace regshare::cudart {

CUresult toDriver(cudaError_t Error) {
  switch (Error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorInvalidChannelDescriptor:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidFilterSetting:
  case cudaErrorInvalidNormSetting:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  default:
    return CUresult(Error);
  }
}

CUresult requireContext() {
  return stateCall([](DriverState &State) {
    std::vector<CUcontext> &Stack = contexts();
    if (Stack.empty())
      return Runtime::isMade() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
    return State.knows(Stack.back()) ? CUDA_SUCCESS
                                     : CUDA_ERROR_CONTEXT_IS_DESTROYED;
  });
}

} // namespace regshare::cudart

//===----------------------------------------------------------------------===//
// The driver and its errors
//===----------------------------------------------------------------------===//

CUresult cuInit(unsigned int Flags) {
  std::lock_guard<std::recursive_mutex> Lock(apiLock());
  if (Flags)
    return CUDA_ERROR_INVALID_VALUE;
  state().IsInitialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *Version) {
  return toDriver(cudaDriverGetVersion(Version));
}

CUresult cuGetErrorName(CUresult Error, const char **Name) {
  if (!Name)
    return CUDA_ERROR_INVALID_VALUE;
  switch (Error) {
  case CUDA_SUCCESS:
    *Name = "CUDA_SUCCESS";
    return CUDA_SUCCESS;
#define DRIVER_ERROR(NAME, VALUE)                                              \
  case CUDA_ERROR_##NAME:                                                      \
    *Name = "CUDA_ERROR_" #NAME;                                               \
    return CUDA_SUCCESS;
#include "regshare_cuda/driver_errors.def"
  }
  *Name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult Error, const char **Text) {
  const char *Name;
  if (CUresult Bad = cuGetErrorName(Error, &Name); !Text || Bad) {
    if (Text)
      *Text = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
  }
  *Text = cudaGetErrorString(cudaError_t(Error));
  // What only the driver has.
  if (!std::strcmp(*Text, "unrecognized error code"))
    *Text = Name;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

CUresult cuDeviceGet(CUdevice *Device, int Number) {
  return deviceCall(Number, [&](DriverState &) {
    if (!Device)
      return CUDA_ERROR_INVALID_VALUE;
    *Device = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int *Count) {
  return stateCall(
      [&](DriverState &) { return toDriver(cudaGetDeviceCount(Count)); });
}

CUresult cuDeviceGetName(char *Name, int Size, CUdevice Device) {
  return deviceCall(Device, [&](DriverState &) {
    if (!Name || Size < 1)
      return CUDA_ERROR_INVALID_VALUE;
    return toDriver(apiCall([&](Runtime &R) {
      std::string Text = R.Config.Device.Description;
      Text.resize(std::min(Text.size(), size_t(Size) - 1));
      std::memcpy(Name, Text.c_str(), Text.size() + 1);
      return cudaSuccess;
    }));
  });
}

CUresult cuDeviceGetUuid(CUuuid *Id, CUdevice Device) {
  return deviceCall(Device, [&](DriverState &) {
    if (!Id)
      return CUDA_ERROR_INVALID_VALUE;
    *Id = {};
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t *Bytes, CUdevice Device) {
  return deviceCall(Device, [&](DriverState &) {
    if (!Bytes)
      return CUDA_ERROR_INVALID_VALUE;
    return toDriver(apiCall([&](Runtime &R) {
      *Bytes = R.Memory->capacity();
      return cudaSuccess;
    }));
  });
}

CUresult cuDeviceGetAttribute(int *Value, CUdevice_attribute Attribute,
                              CUdevice Device) {
  return deviceCall(Device, [&](DriverState &) {
    return toDriver(
        cudaDeviceGetAttribute(Value, cudaDeviceAttr(Attribute), 0));
  });
}

CUresult cuDeviceComputeCapability(int *Major, int *Minor, CUdevice Device) {
  CUresult Error = cuDeviceGetAttribute(
      Major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, Device);
  return Error
             ? Error
             : cuDeviceGetAttribute(
                   Minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, Device);
}

CUresult cuDeviceGetPCIBusId(char *Id, int Size, CUdevice Device) {
  return stateCall([&](DriverState &) {
    return toDriver(cudaDeviceGetPCIBusId(Id, Size, Device));
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice *Device, const char *Id) {
  return stateCall([&](DriverState &) {
    return toDriver(cudaDeviceGetByPCIBusId(Device, Id));
  });
}

CUresult cuDeviceCanAccessPeer(int *CanAccess, CUdevice Device, CUdevice Peer) {
  return stateCall([&](DriverState &) {
    return toDriver(cudaDeviceCanAccessPeer(CanAccess, Device, Peer));
  });
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

CUresult cuDevicePrimaryCtxRetain(CUcontext *Context, CUdevice Device) {
  return deviceCall(Device, [&](DriverState &State) {
    if (!Context)
      return CUDA_ERROR_INVALID_VALUE;
    ++State.Retained;
    *Context = &State.Primary;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice Device) {
  return deviceCall(Device, [](DriverState &State) {
    if (!State.Retained)
      return CUDA_ERROR_INVALID_CONTEXT;
    --State.Retained;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice Device) {
  return deviceCall(Device,
                    [](DriverState &) { return toDriver(cudaDeviceReset()); });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice Device, unsigned int Flags) {
  return deviceCall(Device, [&](DriverState &State) {
    State.Primary.Flags = Flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice Device, unsigned int *Flags,
                                    int *IsActive) {
  return deviceCall(Device, [&](DriverState &State) {
    if (!Flags || !IsActive)
      return CUDA_ERROR_INVALID_VALUE;
    *Flags = State.Primary.Flags;
    *IsActive = State.Retained || Runtime::isMade();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate(CUcontext *Context, unsigned int Flags, CUdevice Device) {
  return deviceCall(Device, [&](DriverState &State) {
    if (!Context)
      return CUDA_ERROR_INVALID_VALUE;
    *Context = *State.Created.insert(new CUctx_st{Flags}).first;
    contexts().push_back(*Context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate_v4(CUcontext *Context, CUctxCreateParams *Params,
                        unsigned int Flags, CUdevice Device) {
  // What it says is about multi-process service and graphics.
  return Params ? CUDA_ERROR_NOT_SUPPORTED
                : cuCtxCreate(Context, Flags, Device);
}

CUresult cuCtxDestroy(CUcontext Context) {
  return stateCall([&](DriverState &State) {
    if (!State.Created.erase(Context))
      return CUDA_ERROR_INVALID_CONTEXT;
    delete Context;
    if (!contexts().empty() && contexts().back() == Context)
      contexts().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent(CUcontext Context) {
  return stateCall([&](DriverState &State) {
    if (!State.knows(Context))
      return CUDA_ERROR_INVALID_CONTEXT;
    contexts().push_back(Context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext *Context) {
  return stateCall([&](DriverState &) {
    if (contexts().empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (Context)
      *Context = contexts().back();
    contexts().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext Context) {
  return stateCall([&](DriverState &State) {
    if (Context && !State.knows(Context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!contexts().empty())
      contexts().pop_back();
    if (Context)
      contexts().push_back(Context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext *Context) {
  return stateCall([&](DriverState &State) {
    if (!Context)
      return CUDA_ERROR_INVALID_VALUE;
    *Context = !contexts().empty() ? contexts().back()
               : Runtime::isMade() ? &State.Primary
                                   : nullptr;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice *Device) {
  return driverCall([&] { return cudaGetDevice(Device); });
}

CUresult cuCtxGetFlags(unsigned int *Flags) {
  CUcontext Current = nullptr;
  if (CUresult Error = cuCtxGetCurrent(&Current); Error != CUDA_SUCCESS)
    return Error;
  if (!Current || !Flags)
    return Flags ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  return stateCall([&](DriverState &State) {
    if (!State.knows(Current))
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *Flags = Current->Flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext Context, unsigned int *Version) {
  return stateCall([&](DriverState &State) {
    if (Context && !State.knows(Context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!Version)
      return CUDA_ERROR_INVALID_VALUE;
    *Version = CUDA_VERSION;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetLimit(size_t *Value, CUlimit Limit) {
  return driverCall(
      [&] { return cudaDeviceGetLimit(Value, cudaLimit(Limit)); });
}

CUresult cuCtxSetLimit(CUlimit Limit, size_t Value) {
  return driverCall(
      [&] { return cudaDeviceSetLimit(cudaLimit(Limit), Value); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *Config) {
  cudaFuncCache Found = cudaFuncCachePreferNone;
  CUresult Error = driverCall([&] { return cudaDeviceGetCacheConfig(&Found); });
  if (Error == CUDA_SUCCESS && Config)
    *Config = CUfunc_cache(Found);
  return Config ? Error : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache Config) {
  return driverCall(
      [&] { return cudaDeviceSetCacheConfig(cudaFuncCache(Config)); });
}

CUresult cuCtxGetStreamPriorityRange(int *Least, int *Greatest) {
  return driverCall(
      [&] { return cudaDeviceGetStreamPriorityRange(Least, Greatest); });
}

CUresult cuCtxResetPersistingL2Cache() {
  return driverCall([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuProfilerStart() {
  return driverCall([] { return cudaProfilerStart(); });
}

CUresult cuProfilerStop() {
  return driverCall([] { return cudaProfilerStop(); });
}

CUresult cuCtxSynchronize() {
  return driverCall([] { return cudaDeviceSynchronize(); });
}
