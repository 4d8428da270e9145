//===- SetmaxnregScheme.cpp - Warps that wait for registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SetmaxnregScheme.h"

#include "regshare/Base/IndexBits.h"

#include <bit>

namespace regshare::sim {

unsigned setmaxnregStorage(const DeviceDescription &D) {
  using namespace register_count;
  unsigned RowsOfFile = D.Registers / D.WarpSize;
  return D.MaxWarps * indexBits(Most / Unit + 1) +
         D.MaxCTAs * indexBits(RowsOfFile / Unit + 1);
}

SetmaxnregScheme::SetmaxnregScheme(const SchemeContext &C) : SchemeHooks(C) {
  Stats.StorageBits = setmaxnregStorage(C.Device);
  const auto *Asked = C.Needs.Facts.get<LaunchRegisters>();
  if (!Asked)
    return;
  Launch = *Asked;
  Changes = C.groups<CountChange>();
  WarpsPerCta = C.Needs.Resources.ThreadsPerCTA / C.Device.WarpSize;
  Ctas.resize(C.Device.MaxCTAs);
  Stats.Unit = "register row";
  Stats.Waits = "waits for its CTA's pool";
  Stats.Holds = "has more than at launch";
  Stats.Capacity = C.Resident.Limits.CTAs * WarpsPerCta * Launch.PerThread;
  Stats.RowsOfUnit = 1;
}

void SetmaxnregScheme::resident(const WarpRef &W) {
  if (Ctas.empty())
    return;
  Cta &C = Ctas[W.CtaSlot];
  if (!C.Slots) {
    C.Pool = RegisterPool(WarpsPerCta, Launch.PerThread);
    InUse += WarpsPerCta * Launch.PerThread;
    Stats.PeakInUse = std::max(Stats.PeakInUse, InUse);
  }
  C.Slots |= uint64_t(1) << W.Slot;
}

/// What a warp had, nobody gets before the CTA ends.
void SetmaxnregScheme::finished(const WarpRef &W) {
  if (Ctas.empty())
    return;
  Cta &C = Ctas[W.CtaSlot];
  C.Slots &= ~(uint64_t(1) << W.Slot);
  if (!C.Slots)
    InUse -= WarpsPerCta * Launch.PerThread - C.Pool.left();
}

bool SetmaxnregScheme::mayChange(const WarpRef &W, const CountChange &Change) {
  const RegisterPool &Pool = Ctas[W.CtaSlot].Pool;
  Stats.Attempts += Change.Increases;
  if (Pool.has(W.Index, Change.Count))
    return true;
  Waiting |= uint64_t(1) << W.Slot;
  Wanted[W.Slot] = {W, Change.Count,
                    std::to_string(Change.Count) +
                        " registers a thread, beside " +
                        std::to_string(Pool.countOf(W.Index)) +
                        " that it has, of its CTA's pool, which has " +
                        std::to_string(Pool.left())};
  return false;
}

/// Those of the CTA that wait try again once there is enough.
void SetmaxnregScheme::apply(const WarpRef &W, const CountChange &Change) {
  Cta &C = Ctas[W.CtaSlot];
  unsigned Before = C.Pool.countOf(W.Index);
  if (!C.Pool.has(W.Index, Change.Count))
    return violate("setmaxnreg without registers in the pool");
  C.Pool.change(W.Index, Change.Count);
  InUse = InUse + Change.Count - Before;
  Stats.PeakInUse = std::max(Stats.PeakInUse, InUse);
  Stats.Successes += Change.Increases;
  (Change.Count > Before ? Stats.Taken : Stats.Returned) +=
      std::max(Change.Count, Before) - std::min(Change.Count, Before);
  for (uint64_t Rest = Waiting & C.Slots; Rest; Rest &= Rest - 1) {
    const Request &R = Wanted[size_t(std::countr_zero(Rest))];
    if (C.Pool.has(R.W.Index, R.Count))
      Woken |= uint64_t(1) << R.W.Slot;
  }
  Waiting &= ~Woken;
}

/// Any other warp of the CTA may give up some.
HeldBackBy SetmaxnregScheme::heldBackBy(const WarpRef &W) const {
  return {Wanted[W.Slot].Text.c_str(),
          Ctas[W.CtaSlot].Slots & ~(uint64_t(1) << W.Slot)};
}

} // namespace regshare::sim
