//===- WarpLaunches.cpp - Grids that threads launch -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"
#include "regshare/Sim/DeviceRuntime.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace regshare::sim {

namespace {
/// Stands in front of every parameter buffer, where the program does not look.
struct BufferHeader {
  uint64_t Kernel = 0; ///< Its address; with the shape, of the second form.
  Dim3 Grid, Block;
  uint32_t SharedBytes = 0;
  uint32_t Bytes = 0; ///< Of the parameters.
};
} // namespace

/// What CUDA aligns a parameter buffer to; the header takes no more.
static constexpr uint64_t BufferAlign = 64;
static_assert(sizeof(BufferHeader) <= BufferAlign);
/// Of a kernel's parameters (PTX ISA, "Parameter State Space").
static constexpr uint64_t MostParamBytes = 32764;

/// The parameters of the device's calls, by their sizes in bytes
/// (cuda_device_runtime_api.h).
static std::span<const uint32_t> parameterSizes(DeviceCall Kind) {
  static constexpr uint32_t GetBuffer[] = {8, 8},
                            GetBufferV2[] = {8, 12, 12, 4},
                            Launch[] = {8, 8, 12, 12, 4, 8},
                            LaunchV2[] = {8, 8}, Create[] = {8, 4},
                            Destroy[] = {8};
  switch (Kind) {
  case DeviceCall::GetParameterBuffer:
    return GetBuffer;
  case DeviceCall::GetParameterBufferV2:
    return GetBufferV2;
  case DeviceCall::LaunchDevice:
    return Launch;
  case DeviceCall::LaunchDeviceV2:
    return LaunchV2;
  case DeviceCall::CreateStream:
    return Create;
  case DeviceCall::DestroyStream:
    return Destroy;
  default:
    return {};
  }
}

Dim3 Warp::readExtent(const ParamSlot &Slot, unsigned Lane) const {
  uint64_t Low = readParam(Slot, Lane);
  ParamSlot Last{Slot.Offset + 8, 4, 4};
  return {uint32_t(Low), uint32_t(Low >> 32), uint32_t(readParam(Last, Lane))};
}

/// 0 if there is no memory left.
static uint64_t makeBuffer(GlobalMemory &Memory, const BufferHeader &Header) {
  uint64_t Base =
      Memory.allocate(BufferAlign + Header.Bytes, "parameter buffer");
  if (!Base)
    return 0;
  Memory.write(Base, &Header, sizeof(Header));
  return Base + BufferAlign;
}

/// The kernel at an address; null if there is none.
static const Function *kernelAt(const Program &P, uint64_t Address) {
  uint64_t Number = (Address - FunctionBase) / FunctionStride;
  if (Address < FunctionBase || Number >= P.Functions.size() ||
      (Address - FunctionBase) % FunctionStride)
    return nullptr;
  const Function *F = P.Functions[Number].get();
  return F->IsEntry ? F : nullptr;
}

uint64_t Warp::parameterBuffer(DeviceCall Kind, const CallSite &Site,
                               unsigned Lane) {
  auto Argument = [&](unsigned N) {
    return readParam(Site.Arguments[N], Lane);
  };
  BufferHeader Header;
  if (Kind == DeviceCall::GetParameterBuffer) {
    if (Argument(0) > BufferAlign || Argument(1) > MostParamBytes)
      return 0;
    Header.Bytes = uint32_t(Argument(1));
    return makeBuffer(L.Memory, Header);
  }
  Header.Kernel = Argument(0);
  Header.Grid = readExtent(Site.Arguments[1], Lane);
  Header.Block = readExtent(Site.Arguments[2], Lane);
  Header.SharedBytes = uint32_t(Argument(3));
  const Function *Kernel = kernelAt(L.P, Header.Kernel);
  Header.Bytes = Kernel ? Kernel->ParamBytes : 0;
  return makeBuffer(L.Memory, Header);
}

/// Of the device's calls there is no other that knows the buffer afterwards.
StepStatus Warp::launchGrid(DeviceCall Kind, const CallSite &Site,
                            unsigned Lane, uint32_t &Code) {
  auto Argument = [&](unsigned N) {
    return readParam(Site.Arguments[N], Lane);
  };
  bool IsSecond = Kind == DeviceCall::LaunchDeviceV2;
  uint64_t Buffer = Argument(IsSecond ? 0 : 1), Base = Buffer - BufferAlign;
  DeviceLaunch New;
  New.Cta = Owner.number();
  BufferHeader Header;
  if (!L.Memory.read(Base, &Header, sizeof(Header)) ||
      Header.Bytes > MostParamBytes)
    return fail("launch of a grid with a parameter buffer that "
                "cudaGetParameterBuffer has not returned",
                Lane, ErrorKind::IllegalAddress);
  if (!IsSecond) {
    Header.Kernel = Argument(0);
    Header.Grid = readExtent(Site.Arguments[2], Lane);
    Header.Block = readExtent(Site.Arguments[3], Lane);
    Header.SharedBytes = uint32_t(Argument(4));
  }
  New.Kernel = kernelAt(L.P, Header.Kernel);
  New.Stream = Argument(IsSecond ? 1 : 5);
  New.Config = {Header.Grid, Header.Block, Header.SharedBytes, {}};
  std::vector<uint8_t> &Bytes = New.Config.Arguments;
  Bytes.resize(Header.Bytes);
  bool IsThere =
      Bytes.empty() || L.Memory.read(Buffer, Bytes.data(), Bytes.size());
  if (!L.Memory.free(Base) || !IsThere)
    return fail("launch of a grid with a parameter buffer that was used "
                "before, or that cudaGetParameterBuffer has not returned",
                Lane, ErrorKind::IllegalAddress);
  if (New.Kernel) {
    // The compiler leaves out what only fills up the last parameter.
    uint32_t End = 0;
    for (const ParamSlot &Slot : New.Kernel->Params)
      End = std::max(End, Slot.Offset + Slot.Size);
    if (Bytes.size() < End)
      return fail("launch of kernel '" + New.Kernel->Name + "' with " +
                      std::to_string(Bytes.size()) +
                      " bytes of parameters: expected " + std::to_string(End),
                  Lane);
    Bytes.resize(New.Kernel->ParamBytes);
  }
  Code = L.Options.Device->launch(std::move(New));
  return StepStatus::Ran;
}

StepStatus Warp::createStream(const CallSite &Site, unsigned Lane,
                              uint32_t &Code) {
  constexpr uint32_t NonBlocking = 1, InvalidValue = 1; // CUDA's.
  if (readParam(Site.Arguments[1], Lane) != NonBlocking) {
    Code = InvalidValue;
    return StepStatus::Ran;
  }
  if (!writeGeneric(readParam(Site.Arguments[0], Lane), Lane, &CreatedStream,
                    sizeof(CreatedStream)))
    return fail("cudaStreamCreateWithFlags with an address that is not in "
                "memory",
                Lane, ErrorKind::IllegalAddress);
  return StepStatus::Ran;
}

StepStatus Warp::callRuntime(const Function &Fn, const CallSite &Site) {
  std::span<const uint32_t> Sizes = parameterSizes(Fn.Kind);
  bool Fits = std::ranges::equal(Site.Arguments, Sizes, {},
                                 [](const ParamSlot &P) { return P.Size; });
  if (!Fits || Site.Results.size() > 1)
    return fail("call of '" + Fn.Name +
                    "' with other parameters than the CUDA runtime's",
                std::countr_zero(C.Mask), ErrorKind::InvalidCall);
  if (!Sizes.empty() && !L.Options.Device)
    return fail("call of '" + Fn.Name +
                    "': kernels launch kernels only in a program that "
                    "regshare-clang++ has built",
                std::countr_zero(C.Mask), ErrorKind::Unsupported);
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    uint64_t Result = 0;
    switch (Fn.Kind) {
    case DeviceCall::GetParameterBuffer:
    case DeviceCall::GetParameterBufferV2:
      Result = parameterBuffer(Fn.Kind, Site, Lane);
      break;
    case DeviceCall::GetLastError:
      Result = std::exchange(LastErrors[Lane], 0);
      break;
    case DeviceCall::PeekAtLastError:
      Result = LastErrors[Lane];
      break;
    case DeviceCall::DestroyStream:
      break;
    default: {
      uint32_t Code = 0;
      StepStatus Status = Fn.Kind == DeviceCall::CreateStream
                              ? createStream(Site, Lane, Code)
                              : launchGrid(Fn.Kind, Site, Lane, Code);
      if (Status != StepStatus::Ran)
        return Status;
      if (Code)
        LastErrors[Lane] = Code;
      Result = Code;
    }
    }
    if (!Site.Results.empty())
      writeParam(Site.Results[0], Lane, Result);
  }
  return StepStatus::Ran;
}

} // namespace regshare::sim
