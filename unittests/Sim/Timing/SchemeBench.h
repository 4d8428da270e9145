//===- SchemeBench.h - A scheme on its own in tests -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_TIMING_SCHEMEBENCH_H
#define REGSHARE_UNITTESTS_SIM_TIMING_SCHEMEBENCH_H

#include "Schemes/SchemeModel.h"

#include <gtest/gtest.h>

namespace regshare::sim {

/// A scheme with everything that it refers to.
template <typename SchemeT> struct SchemeBench {
  DeviceDescription Device;
  CoreConfig Core;
  KernelNeeds Needs;
  Residency Resident;
  SettingValues Values;
  std::optional<SchemeT> S;

  SchemeBench(Scheme Of, const char *Name, KernelNeeds K, SettingValues V = {})
      : Needs(std::move(K)), Values(std::move(V)) {
    Device = *loadDevice(Name);
    Core = *readCoreConfig(Device);
    Result<Residency> R = findModel(Of)->residency(Device, Needs, Values);
    EXPECT_TRUE(R) << (R ? "" : R.error().str());
    if (R)
      Resident = *R;
    S.emplace(SchemeContext{Device, Core, Needs, Resident, Values});
  }
  static WarpRef warp(unsigned Slot, unsigned Cta = 0, unsigned Index = 0) {
    return {Slot, Cta, Index};
  }
};

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_TIMING_SCHEMEBENCH_H
