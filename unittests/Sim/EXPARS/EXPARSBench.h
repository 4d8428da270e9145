//===- EXPARSBench.h - EXPARS' scheme in tests ------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_EXPARS_EXPARSBENCH_H
#define REGSHARE_UNITTESTS_SIM_EXPARS_EXPARSBENCH_H

#include "Schemes/EXPARS/EXPARSScheme.h"
#include "Schemes/SchemeModel.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"

#include <gtest/gtest.h>

namespace regshare::sim {

inline constexpr unsigned Regs = 32, StartReg = 8;
inline constexpr unsigned WarpsPerCTA = 4;
inline constexpr Cycle Latency = 20; ///< Of shared memory.
inline constexpr Cycle Begin = 100;

/// Warps of the CTA in slot 0, which has all registers, and of mixed ones.
inline WarpRef whole(unsigned N) { return {N, 0, N}; }
inline WarpRef mixed(unsigned N) {
  return {WarpsPerCTA + N, 1 + N / WarpsPerCTA, N % WarpsPerCTA};
}

/// An instruction of a bundle.
struct Step {
  std::vector<uint32_t> Accesses;
  IssueInfo Info;

  Step(uint32_t Bundle, const std::vector<uint32_t> &Reads,
       const std::vector<uint32_t> &Writes, bool Ends = false,
       bool IsLate = false)
      : Accesses(Reads) {
    Accesses.insert(Accesses.end(), Writes.begin(), Writes.end());
    Info.Accesses = Accesses.data();
    Info.NumReads = uint16_t(Reads.size());
    Info.NumWrites = uint16_t(Writes.size());
    Info.Group = Bundle;
    Info.EndsGroup = Ends;
    Info.IsLongLoad = IsLate;
    Info.Registers = Regs;
  }
};

using Sets = std::vector<std::vector<unsigned>>;

/// The scheme on gtx480, with everything that it refers to.
struct Bench {
  DeviceDescription Device;
  KernelNeeds Needs;
  Residency Resident;
  SettingValues Values;
  Sets Bundles;
  std::any Groups;
  CoreConfig Own, Core;
  EXPARSScheme S;
  ScratchpadPort Port;
  Cycle Now = Begin;

  explicit Bench(Sets Bundles, unsigned Bytes = 2048,
                 OperandMapping Mapping = OperandMapping::Direct)
      : Device(*loadDevice("gtx480")), Needs(needs(Bytes)),
        Values(mapped(Mapping)), Bundles(std::move(Bundles)),
        Groups(this->Bundles), Own(*readCoreConfig(Device)),
        Core(*findModel(schemes::EXPARS)->coreFor(Own, Needs)),
        S({Device, Core, Needs, residency(), Values, &Groups,
           unsigned(Latency)}) {
    S.connect(Port);
    for (unsigned N = 0; N != 2 * WarpsPerCTA; ++N)
      S.resident(mixed(N));
    S.tick(Now);
  }

  static KernelNeeds needs(unsigned Bytes) {
    KernelNeeds K{{Regs, WarpsPerCTA * WarpSize, 0}, {}};
    K.Facts.set(BundleBounds{*OperandCache::create(Bytes), 0});
    return K;
  }
  static SettingValues mapped(OperandMapping M) {
    return SettingValues().set(settings::OperandCacheMapping, int64_t(M));
  }
  const Residency &residency() {
    EXPARSResidency E;
    E.WholeCTAs = 1;
    E.MixedCTAs = 2;
    E.WarpsPerCTA = WarpsPerCTA;
    E.RegsPerThread = Regs;
    E.StartReg = StartReg;
    Resident.Layout.set(std::move(E));
    return Resident;
  }

  void tick(unsigned Cycles = 1) {
    while (Cycles--)
      S.tick(++Now);
  }
  bool mayIssue(const WarpRef &W, uint32_t Bundle) {
    return S.mayIssue(W, Step(Bundle, {}, {}).Info);
  }
  /// Brings the warp into a bundle that needs nobody's lines.
  void enter(const WarpRef &W, uint32_t Bundle) {
    S.bundleBegins(W, Bundle);
    for (unsigned N = 0; N != 100 && !mayIssue(W, Bundle); ++N)
      tick();
    EXPECT_TRUE(mayIssue(W, Bundle));
  }
  /// All of an instruction that waits for nothing.
  void execute(const WarpRef &W, const Step &I) {
    S.issued(W, I.Info);
    S.started(W, I.Info);
    S.collected(W, I.Info);
    S.landed(W, I.Info);
  }
  void end(const WarpRef &W, uint32_t Bundle) {
    S.issued(W, Step(Bundle, {}, {}, true).Info);
  }
  OperandCacheStats stats() const { return S.operandCacheStats(); }
};

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_EXPARS_EXPARSBENCH_H
