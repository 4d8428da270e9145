//===- DeviceFacts.h - The device as CUDA's queries see it -*- C++ -*------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What cudaGetDeviceProperties and cudaDeviceGetAttribute answer, computed in
/// one place from the device's description.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LIB_API_DEVICEFACTS_H
#define REGSHARE_RUNTIME_LIB_API_DEVICEFACTS_H

#include "regshare/Base/Device.h"
#include "regshare/Sim/GlobalMemory.h"

#include "cuda_runtime_api.h"

#include <optional>

namespace regshare::cudart {

/// CUDA's limits of a grid and of a block, which no device file has: compute
/// capability 3.0 and later.
inline constexpr unsigned MaxGridX = 0x7fffffff, MaxGridYZ = 65535;
inline constexpr unsigned MaxBlockXY = 1024, MaxBlockZ = 64;
/// Shared memory that every kernel may have, in bytes; more has to be asked
/// for with cudaFuncSetAttribute. Compute capability 7.0 and later.
inline constexpr unsigned DefaultMaxShared = 48 * 1024;
/// Of a device and of a kernel's constants, in bytes; every capability.
inline constexpr unsigned ConstantBytes = 64 * 1024;
/// Rows of pitched memory begin at multiples of this many bytes.
inline constexpr unsigned PitchUnit = 512;

/// 90 of "sm_90a"; 0 if the name is none.
unsigned processorNumber(std::string_view Name);

struct DeviceFacts {
  const DeviceDescription *Device = nullptr;
  uint64_t MemoryBytes = 0;
  /// Of the instruction set that code is compiled to.
  int Major = 0, Minor = 0;
  unsigned L2Bytes = 0; ///< 0 of a device without timing figures.
  /// The bus such that 2 * clock * bits / 8 is the peak bandwidth, which is
  /// how programs compute it; 0 of a device without timing figures.
  unsigned MemoryClockKHz = 0, BusBits = 0;

  static DeviceFacts of(const DeviceDescription &D, const sim::GlobalMemory &M);
  /// Bytes a second; 0 if unknown.
  double memoryBandwidth() const { return 2e3 * MemoryClockKHz * BusBits / 8; }
  /// Shared memory of a CTA that does not ask for more, in bytes.
  unsigned sharedPerCTA() const;
};

/// Nothing for a number that CUDA 13 does not define.
std::optional<int> deviceAttribute(const DeviceFacts &F, int Attribute);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LIB_API_DEVICEFACTS_H
