//===- SmBench.h - An SM on its own in tests --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_TIMING_SMBENCH_H
#define REGSHARE_UNITTESTS_SIM_TIMING_SMBENCH_H

#include "Sharing/SharingTest.h"
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
  SchemeOptions Options;
  Residency Resident;
  SchemeContext Context;
  ProgramTiming Timing;

  SmBench(const std::string &Text, const DeviceDescription &D, unsigned Grid,
          unsigned Block, unsigned Regs = 12, const SchemeOptions &O = {})
      : T(Text), Device(D), Core(*readCoreConfig(D)),
        MemorySide(*readMemoryConfig(D)),
        Arguments(*packArguments(
            *T.P->findKernel("k"),
            {T.upload(std::vector<uint32_t>(size_t(Grid) * Block))})),
        Config{{Grid}, {Block}, 0, Arguments},
        Needs{{Regs, Block, sharedBytes(*T.P->findKernel("k"), Config)}, {}},
        Options(O), Resident(*SchemeT::residency(Device, Needs, Options)),
        Context{Device, Core, Needs, Resident, Options},
        Timing(*T.P, Core, findCode(T.P->findKernel("k")->Scheme)) {
    const Function &K = *T.P->findKernel("k");
    if (const auto *Private = K.Facts.get<PrivateRegisters>())
      Needs.PrivateRegs = Private->Registers;
    Needs.SharesScratchpad = K.Scheme == schemes::ScratchpadSharing.Name;
  }

  /// What the launch ends with; empty if all is well.
  std::string run() {
    constexpr Cycle Quantum = 16, Limit = 100'000;
    LaunchOptions Functional;
    const SmContext C{*T.P,       T.Memory,   *T.P->findKernel("k"),
                      Config,     Functional, Context,
                      MemorySide, Timing,     1,
                      0,          Quantum,    false,
                      false};
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
