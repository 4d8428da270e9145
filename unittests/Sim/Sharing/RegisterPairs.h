//===- RegisterPairs.h - Small devices for register sharing -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels of 12 registers, and devices on which their CTAs share in pairs. The
/// prologue names R0 to R5; of a pair whose warps have half of their registers
/// for themselves R6 to R11 are shared.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_SHARING_REGISTERPAIRS_H
#define REGSHARE_UNITTESTS_SIM_SHARING_REGISTERPAIRS_H

#include "AnnotatedTest.h"
#include "PairOracle.h"
#include "regshare/Base/Sharing/Sharing.h"

namespace regshare::sim {

inline AnnotatedKernel plain(std::string ModuleScope = {}) {
  return {"baseline", PairRegs, 0, 0, std::move(ModuleScope)};
}

inline TimingOptions under(Scheme S, const char *Scheduler = "",
                           unsigned PerMille = 500) {
  TimingOptions Options;
  Options.Applied = S;
  Options.Scheduler = Scheduler;
  Options.Settings.set(settings::PrivateShare, PerMille);
  Options.Settings.set(settings::DynamicWarps, false);
  Options.RecordTimeline = true;
  return Options;
}

inline TimingOptions sharing(const char *Scheduler = "",
                             unsigned PerMille = 500) {
  return under(schemes::RegisterSharing, Scheduler, PerMille);
}

inline SharingResidency residencyOn(const DeviceDescription &D, unsigned Block,
                                    unsigned PerMille) {
  return sharingResidency(SharedResource::Registers, D, {PairRegs, Block, 0},
                          PerMille);
}

/// SMs with the fewest registers for a pair of CTAs and for others that share
/// nothing.
inline DeviceDescription withPairs(const char *Name, unsigned Block,
                                   unsigned PerMille = 500,
                                   unsigned NumSMs = 2) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = NumSMs;
  const unsigned Most = D.Registers;
  for (D.Registers = 0; D.Registers != Most;) {
    D.Registers += WarpSize * D.RegisterPartitions;
    SharingResidency R = residencyOn(D, Block, PerMille);
    if (R.Pairs && R.unsharedCTAs())
      return D;
  }
  ADD_FAILURE() << "no pairs on " << Name;
  return D;
}

/// One SM with two CTAs, a pair. Each has a warp in every partition of the
/// register file, or a third one would fit.
inline DeviceDescription onePair(const char *Name, unsigned Block) {
  DeviceDescription D = withPairs(Name, Block, 500, 1);
  D.MaxCTAs = 2;
  const unsigned Most = D.Registers;
  for (D.Registers = 0; D.Registers != Most;) {
    D.Registers += WarpSize * D.RegisterPartitions;
    SharingResidency R = residencyOn(D, Block, 500);
    if (R.WholeCTAs == 1 && R.Pairs == 1)
      return D;
  }
  ADD_FAILURE() << "no pair on " << Name;
  return D;
}

/// Code that was made for a private part of half of the registers.
inline AnnotatedKernel releasing() {
  return {"register-sharing", PairRegs, 0, 0, {}, pragma("sharing private=6")};
}

inline const std::string Store = "st.global.u32 [%rd0], %r5;\n";

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_SHARING_REGISTERPAIRS_H
