//===- DeviceFacts.cpp - The device as CUDA's queries see it -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFacts.h"

#include "DevicePropertiesV13.h"
#include "Runtime.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace regshare::cudart {

/// A figure of the device file's timing part; 0 if it has none.
static double timingFigure(const DeviceDescription &D, std::string_view Key) {
  for (const TimingFigure &F : D.Timing)
    if (F.Key == Key)
      return std::strtod(F.Value.c_str(), nullptr);
  return 0;
}

/// Lines of the L2, in bytes.
static constexpr unsigned L2Line = 128;

unsigned processorNumber(std::string_view Name) {
  unsigned Number = 0;
  if (Name.starts_with("sm_"))
    std::from_chars(Name.data() + 3, Name.data() + Name.size(), Number);
  return Number;
}

DeviceFacts DeviceFacts::of(const DeviceDescription &D,
                            const sim::GlobalMemory &M) {
  DeviceFacts F;
  F.Device = &D;
  F.MemoryBytes = M.capacity();
  // Of "sm_90" the last digit is the minor number.
  int Processor = int(processorNumber(D.Target));
  F.Major = Processor / 10;
  F.Minor = Processor % 10;
  double Channels = timingFigure(D, "dram.channels");
  F.L2Bytes = unsigned(Channels * timingFigure(D, "l2.slices_per_channel") *
                       timingFigure(D, "l2.sets") * timingFigure(D, "l2.ways") *
                       L2Line);
  F.MemoryClockKHz = unsigned(timingFigure(D, "dram.clock_mhz") * 1000);
  if (double Cycles = timingFigure(D, "dram.burst_cycles"); Cycles > 0)
    F.BusBits = unsigned(Channels * timingFigure(D, "dram.burst_bytes") /
                         Cycles * 8 / 2);
  return F;
}

unsigned DeviceFacts::sharedPerCTA() const {
  return std::min(DefaultMaxShared, Device->MaxSharedPerCTA);
}

namespace {
struct AttributeRow {
  int Number;
  int (*Value)(const DeviceFacts &F);
};
} // namespace

static constexpr AttributeRow Attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock,
     [](const DeviceFacts &F) { return int(F.Device->MaxThreadsPerCTA); }},
    {cudaDevAttrMaxBlockDimX,
     [](const DeviceFacts &) { return int(MaxBlockXY); }},
    {cudaDevAttrMaxBlockDimY,
     [](const DeviceFacts &) { return int(MaxBlockXY); }},
    {cudaDevAttrMaxBlockDimZ,
     [](const DeviceFacts &) { return int(MaxBlockZ); }},
    {cudaDevAttrMaxGridDimX, [](const DeviceFacts &) { return int(MaxGridX); }},
    {cudaDevAttrMaxGridDimY,
     [](const DeviceFacts &) { return int(MaxGridYZ); }},
    {cudaDevAttrMaxGridDimZ,
     [](const DeviceFacts &) { return int(MaxGridYZ); }},
    {cudaDevAttrMaxSharedMemoryPerBlock,
     [](const DeviceFacts &F) { return int(F.sharedPerCTA()); }},
    {cudaDevAttrTotalConstantMemory,
     [](const DeviceFacts &) { return int(ConstantBytes); }},
    {cudaDevAttrWarpSize,
     [](const DeviceFacts &F) { return int(F.Device->WarpSize); }},
    {cudaDevAttrMaxPitch, [](const DeviceFacts &) { return INT_MAX; }},
    {cudaDevAttrMaxRegistersPerBlock,
     [](const DeviceFacts &F) { return int(F.Device->Registers); }},
    {cudaDevAttrClockRate,
     [](const DeviceFacts &F) { return int(F.Device->CoreClockMHz * 1000); }},
    {cudaDevAttrTextureAlignment,
     [](const DeviceFacts &) { return int(PitchUnit); }},
    {cudaDevAttrTexturePitchAlignment, [](const DeviceFacts &) { return 32; }},
    {cudaDevAttrGpuOverlap, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrMultiProcessorCount,
     [](const DeviceFacts &F) { return int(F.Device->NumSMs); }},
    {cudaDevAttrCanMapHostMemory, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrMemoryClockRate,
     [](const DeviceFacts &F) { return int(F.MemoryClockKHz); }},
    {cudaDevAttrGlobalMemoryBusWidth,
     [](const DeviceFacts &F) { return int(F.BusBits); }},
    {cudaDevAttrL2CacheSize,
     [](const DeviceFacts &F) { return int(F.L2Bytes); }},
    {cudaDevAttrMaxThreadsPerMultiProcessor,
     [](const DeviceFacts &F) { return int(F.Device->MaxThreads); }},
    {cudaDevAttrAsyncEngineCount, [](const DeviceFacts &) { return 2; }},
    {cudaDevAttrUnifiedAddressing, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrComputeCapabilityMajor,
     [](const DeviceFacts &F) { return F.Major; }},
    {cudaDevAttrComputeCapabilityMinor,
     [](const DeviceFacts &F) { return F.Minor; }},
    {cudaDevAttrStreamPrioritiesSupported,
     [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrGlobalL1CacheSupported, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrLocalL1CacheSupported, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const DeviceFacts &F) { return int(F.Device->SharedMemory); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor,
     [](const DeviceFacts &F) { return int(F.Device->Registers); }},
    {cudaDevAttrManagedMemory, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrConcurrentManagedAccess, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrCooperativeLaunch, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](const DeviceFacts &F) { return int(F.Device->MaxSharedPerCTA); }},
    {cudaDevAttrHostRegisterSupported, [](const DeviceFacts &) { return 1; }},
    {cudaDevAttrMaxBlocksPerMultiprocessor,
     [](const DeviceFacts &F) { return int(F.Device->MaxCTAs); }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](const DeviceFacts &F) { return int(F.Device->SharedReservedPerCTA); }},
    {cudaDevAttrMemoryPoolsSupported, [](const DeviceFacts &) { return 1; }},
};
namespace {
struct FixedRow {
  int Number, Value;
};
} // namespace

/// What is the same on every device. The sizes of textures and surfaces, in
/// texels (a pitch in bytes), are those of the CUDA programming guide's table
/// for compute capability 6.0 and later; no device file has them.
static constexpr FixedRow FixedAttributes[] = {
    {cudaDevAttrSurfaceAlignment, PitchUnit},
    {cudaDevAttrMemSyncDomainCount, 1},
    // No node of the host's memory.
    {cudaDevAttrNumaId, -1},
    {cudaDevAttrHostNumaId, -1},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
};
/// The largest number that CUDA 13 gives an attribute.
static constexpr int LastAttribute = 147;

std::optional<int> deviceAttribute(const DeviceFacts &F, int Attribute) {
  for (const AttributeRow &Row : Attributes)
    if (Row.Number == Attribute)
      return Row.Value(F);
  for (const FixedRow &Row : FixedAttributes)
    if (Row.Number == Attribute)
      return Row.Value;
  // The rest are features that the device lacks.
  if (Attribute >= 1 && Attribute <= LastAttribute)
    return 0;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// cudaDeviceProp
//===----------------------------------------------------------------------===//

/// The sizes of textures and surfaces.
template <typename Properties>
static void fillTextureSizes(Properties &P, const DeviceFacts &F) {
  auto Set = [&F](auto &Sizes, int First) {
    for (size_t I = 0; I != std::size(Sizes); ++I)
      Sizes[I] = *deviceAttribute(F, First + int(I));
  };
  P.maxTexture1D = *deviceAttribute(F, cudaDevAttrMaxTexture1DWidth);
  Set(P.maxTexture2D, cudaDevAttrMaxTexture2DWidth);
  Set(P.maxTexture2DLinear, cudaDevAttrMaxTexture2DLinearWidth);
  Set(P.maxTexture2DGather, cudaDevAttrMaxTexture2DGatherWidth);
  Set(P.maxTexture3D, cudaDevAttrMaxTexture3DWidth);
  Set(P.maxTexture1DLayered, cudaDevAttrMaxTexture1DLayeredWidth);
  Set(P.maxTexture2DLayered, cudaDevAttrMaxTexture2DLayeredWidth);
  P.maxTextureCubemap = *deviceAttribute(F, cudaDevAttrMaxTextureCubemapWidth);
  Set(P.maxTextureCubemapLayered, cudaDevAttrMaxTextureCubemapLayeredWidth);
  P.maxSurface1D = *deviceAttribute(F, cudaDevAttrMaxSurface1DWidth);
  Set(P.maxSurface2D, cudaDevAttrMaxSurface2DWidth);
  Set(P.maxSurface3D, cudaDevAttrMaxSurface3DWidth);
  Set(P.maxSurface1DLayered, cudaDevAttrMaxSurface1DLayeredWidth);
  Set(P.maxSurface2DLayered, cudaDevAttrMaxSurface2DLayeredWidth);
  P.maxSurfaceCubemap = *deviceAttribute(F, cudaDevAttrMaxSurfaceCubemapWidth);
  Set(P.maxSurfaceCubemapLayered, cudaDevAttrMaxSurfaceCubemapLayeredWidth);
  P.surfaceAlignment = size_t(*deviceAttribute(F, cudaDevAttrSurfaceAlignment));
}

/// What CUDA 12's and CUDA 13's structure have in common.
template <typename Properties>
static void fillCommon(Properties &P, const DeviceFacts &F) {
  auto Get = [&F](int Attribute) { return *deviceAttribute(F, Attribute); };
  P = {};
  std::strncpy(P.name, F.Device->Description.c_str(), sizeof(P.name) - 1);
  P.totalGlobalMem = F.MemoryBytes;
  P.sharedMemPerBlock = F.sharedPerCTA();
  P.regsPerBlock = P.regsPerMultiprocessor = int(F.Device->Registers);
  P.warpSize = int(F.Device->WarpSize);
  P.memPitch = INT_MAX;
  P.maxThreadsPerBlock = int(F.Device->MaxThreadsPerCTA);
  P.maxThreadsDim[0] = P.maxThreadsDim[1] = MaxBlockXY;
  P.maxThreadsDim[2] = MaxBlockZ;
  P.maxGridSize[0] = MaxGridX;
  P.maxGridSize[1] = P.maxGridSize[2] = MaxGridYZ;
  P.totalConstMem = ConstantBytes;
  P.major = F.Major;
  P.minor = F.Minor;
  P.textureAlignment = PitchUnit;
  P.texturePitchAlignment = Get(cudaDevAttrTexturePitchAlignment);
  P.multiProcessorCount = int(F.Device->NumSMs);
  P.canMapHostMemory = P.unifiedAddressing = P.managedMemory = 1;
  P.asyncEngineCount = Get(cudaDevAttrAsyncEngineCount);
  P.memoryBusWidth = int(F.BusBits);
  P.l2CacheSize = int(F.L2Bytes);
  P.maxThreadsPerMultiProcessor = int(F.Device->MaxThreads);
  P.streamPrioritiesSupported = P.concurrentManagedAccess = 1;
  P.globalL1CacheSupported = P.localL1CacheSupported = 1;
  P.sharedMemPerMultiprocessor = F.Device->SharedMemory;
  P.canUseHostPointerForRegisteredMem = P.hostRegisterSupported = 1;
  P.cooperativeLaunch = P.memoryPoolsSupported = 1;
  P.sharedMemPerBlockOptin = F.Device->MaxSharedPerCTA;
  P.maxBlocksPerMultiProcessor = int(F.Device->MaxCTAs);
  P.reservedSharedMemPerBlock = F.Device->SharedReservedPerCTA;
  fillTextureSizes(P, F);
}

static void fill(cudaDeviceProp &P, const DeviceFacts &F) {
  fillCommon(P, F);
  P.clockRate = int(F.Device->CoreClockMHz * 1000);
  P.memoryClockRate = int(F.MemoryClockKHz);
  P.deviceOverlap = 1;
  P.maxTexture1DLinear =
      *deviceAttribute(F, cudaDevAttrMaxTexture1DLinearWidth);
}

template <typename Properties>
static cudaError_t getProperties(Properties *P, int Device) {
  return apiCall([&](Runtime &R) {
    if (!P)
      return cudaErrorInvalidValue;
    if (Device != 0)
      return cudaErrorInvalidDevice;
    DeviceFacts F = DeviceFacts::of(R.Config.Device, *R.Memory);
    if constexpr (std::is_same_v<Properties, cudaDeviceProp>)
      fill(*P, F);
    else
      fillCommon(*P, F);
    return cudaSuccess;
  });
}

} // namespace regshare::cudart

using namespace regshare::cudart;

// The headers' macro makes this cudaGetDeviceProperties_v2, which is the symbol
// of CUDA 12; CUDA 13 uses the plain name with another structure.
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *Prop, int Device) {
  return getProperties(Prop, Device);
}

#undef cudaGetDeviceProperties
extern "C" cudaError_t cudaGetDeviceProperties(DevicePropertiesV13 *Prop,
                                               int Device) {
  return getProperties(Prop, Device);
}
