//===- CudaOccupancyTest.cpp - CUDA's calculator as a second opinion ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A header of CUDA's toolkit.
#if __has_include(<cuda_occupancy.h>)

#include "regshare/Base/Occupancy.h"

#include "gtest/gtest.h"

#include <cuda_occupancy.h>
#include <random>

using namespace regshare;

namespace {

struct Part {
  const char *Device;
  int Major, Minor;
};

std::ostream &operator<<(std::ostream &OS, const Part &P) {
  return OS << P.Device;
}

cudaOccDeviceProp propertiesOf(const DeviceDescription &D, const Part &P) {
  cudaOccDeviceProp Properties;
  Properties.computeMajor = P.Major;
  Properties.computeMinor = P.Minor;
  Properties.maxThreadsPerBlock = int(D.MaxThreadsPerCTA);
  Properties.maxThreadsPerMultiprocessor = int(D.MaxThreads);
  Properties.regsPerBlock = int(D.Registers);
  Properties.regsPerMultiprocessor = int(D.Registers);
  Properties.warpSize = int(D.WarpSize);
  Properties.sharedMemPerBlock = 48 * 1024;
  Properties.sharedMemPerMultiprocessor = D.SharedMemory;
  Properties.numSms = int(D.NumSMs);
  Properties.sharedMemPerBlockOptin = D.MaxSharedPerCTA;
  Properties.reservedSharedMemPerBlock = D.SharedReservedPerCTA;
  return Properties;
}

class CudaOccupancy : public testing::TestWithParam<Part> {};

} // namespace

TEST_P(CudaOccupancy, Agrees) {
  Result<DeviceDescription> D = loadDevice(GetParam().Device);
  ASSERT_TRUE(D) << D.error().str();
  cudaOccDeviceProp Properties = propertiesOf(*D, GetParam());
  cudaOccDeviceState State;
  State.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  std::mt19937 Random(3);
  auto Pick = [&](unsigned From, unsigned To) {
    return std::uniform_int_distribution<unsigned>(From, To)(Random);
  };
  for (unsigned Run = 0; Run != 20000; ++Run) {
    KernelResources K{Pick(1, 255), Pick(1, 1024),
                      Pick(0, 1) ? Pick(0, D->MaxSharedPerCTA) : 0};
    cudaOccFuncAttributes Attributes;
    Attributes.maxThreadsPerBlock = INT_MAX;
    Attributes.numRegs = int(K.RegsPerThread);
    Attributes.sharedSizeBytes = 0;
    Attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
    Attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    Attributes.maxDynamicSharedSizeBytes = D->MaxSharedPerCTA;
    cudaOccResult Expected;
    ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(
                  &Expected, &Properties, &Attributes, &State,
                  int(K.ThreadsPerCTA), K.SharedPerCTA),
              CUDA_OCC_SUCCESS);
    ASSERT_EQ(occupancy(*D, K).CTAs,
              unsigned(Expected.activeBlocksPerMultiprocessor))
        << K.RegsPerThread << " registers, " << K.ThreadsPerCTA << " threads, "
        << K.SharedPerCTA << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, CudaOccupancy,
                         testing::Values(Part{"maxwell", 5, 2},
                                         Part{"ampere", 8, 0},
                                         Part{"a100", 8, 0},
                                         Part{"h100", 9, 0}),
                         [](const testing::TestParamInfo<Part> &Info) {
                           return std::string(Info.param.Device);
                         });

#endif
