//===- SmBench.h - An SM on its own in tests --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_TIMING_SMBENCH_H
#define REGSHARE_UNITTESTS_SIM_TIMING_SMBENCH_H

#include "AnnotatedTest.h"
#include "Schemes/SchemeModel.h"
#include "Timing/Core/SmCore.h"
#include "regshare/Base/Sharing/SharingStatements.h"

namespace regshare::sim {

/// An SM that runs CTAs of a kernel `k(.u64 out)` under any class of a scheme,
/// and sends no requests on: the code must not wait for global memory.
template <typename SchemeT> struct SmBench {
  TestProgram T;
  DeviceDescription Device;
  CoreConfig Core;
  MemoryConfig MemorySide;
  std::vector<uint8_t> Arguments;
  LaunchConfig Config;
  KernelNeeds Needs;
  SettingValues Values;
  Residency Resident;
  SchemeContext Context;
  ProgramTiming Timing;

  /// With what \p Of says of the launch.
  SmBench(Scheme Of, const std::string &Text, const DeviceDescription &D,
          unsigned Grid, unsigned Block, unsigned Regs = 12,
          const SettingValues &Values = {})
      : T(Text), Device(D), Core(*readCoreConfig(D)),
        MemorySide(*readMemoryConfig(D)),
        Arguments(*packArguments(
            kernel(), {T.upload(std::vector<uint32_t>(size_t(Grid) * Block))})),
        Config{{Grid}, {Block}, 0, Arguments},
        Needs{{Regs, Block, sharedBytes(kernel(), Config)},
              *findModel(Of)->factsOf({Of.name(), *T.P, kernel()})},
        Values(Values),
        Resident(*findModel(Of)->residency(Device, Needs, Values)),
        Context{Device, Core, Needs, Resident, this->Values},
        Timing(*T.P, Core, findCode(kernel().Scheme)) {}

  const Function &kernel() const { return *T.P->findKernel("k"); }

  /// What the launch ends with; empty if all is well.
  std::string run() {
    constexpr Cycle Quantum = 16, Limit = 100'000;
    LaunchOptions Functional;
    const SmContext C{"baseline", *T.P,    T.Memory,   kernel(), Config,
                      Functional, Context, MemorySide, Timing,   1,
                      0,          Quantum, false,      false};
    SmCore<SchemeT, CollectorPath> Of(C, 0);
    uint64_t NextCta = 0, Ctas = Config.Grid.count();
    for (Cycle Until = Quantum; Until < Limit; Until += Quantum) {
      while (NextCta != Ctas && Of.hasRoomForAll())
        Of.launch(NextCta++);
      Of.run(Until);
      if (Of.failedAt() != Never)
        return Of.state().Error;
      Of.retire();
      if (NextCta == Ctas && !Of.residentCtas())
        return {};
      if (Of.nextEvent() == Never) {
        Of.reportDeadlock();
        return Of.state().Error;
      }
    }
    return "it does not end";
  }
};

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_TIMING_SMBENCH_H
