//===- Scheme.h - Where a sharing system plugs into the SM ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scheme meets the SM at five points and nowhere else. It is a class with
/// the members of BaselineScheme, below, and a line in forScheme(); the SM is
/// compiled for each, so that a point that does nothing costs nothing.
///
///   1. residency   how many CTAs an SM holds, and where registers live
///   2. issue gate  may this warp issue this instruction now
///   3. operands    which structure serves each operand, at what cost
///   4. events      a warp is activated, parked, finished, popped
///   5. priority    whom the scheduler prefers
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_SCHEME_H
#define REGSHARE_SIM_TIMING_SCHEME_H

#include "OperandPaths.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Sim/Timing.h"

#include <cassert>

namespace regshare::sim {

/// A resident warp, as a scheme sees it.
struct WarpRef {
  unsigned Slot = 0;    ///< Of the SM.
  unsigned CtaSlot = 0; ///< Of the SM.
  unsigned Index = 0;   ///< In its CTA.
};

/// How a kernel's CTAs lie in an SM.
struct Residency {
  Occupancy Limits; ///< Limits.CTAs are resident.
};

/// What a scheme knows when a kernel begins.
struct SchemeContext {
  const DeviceDescription &Device;
  const CoreConfig &Core;
  const Residency &Resident;
  const SchemeOptions &Options;
};

/// Every warp has all of its registers for as long as it lives.
class BaselineScheme {
public:
  explicit BaselineScheme(const SchemeContext &C) : Banks(C.Core.Banks) {}

  /// Fails if not even one CTA fits.
  static Result<Residency> residency(const DeviceDescription &D,
                                     const KernelResources &K,
                                     const SchemeOptions &Options);

  /// False holds the warp back; the SM asks again in every cycle in which it
  /// could issue.
  bool mayIssue(const WarpRef &, const IssueInfo &) { return true; }
  /// The first cycle after \p Now in which an answer may change although no
  /// warp issues.
  Cycle nextChange(Cycle) const { return Never; }

  /// The bank of a register; \p Row is its architected number. GPGPU-Sim 4.2:
  /// registers and warps are spread over the banks.
  OperandPlace read(const WarpRef &W, unsigned Row) const {
    return {uint8_t((Row + W.Slot) % Banks), 0};
  }
  OperandPlace write(const WarpRef &W, unsigned Row) const {
    return read(W, Row);
  }

  void activated(const WarpRef &) {}
  void parked(const WarpRef &) {}
  void finished(const WarpRef &) {}
  /// Lanes came to run that had waited on another side of a branch.
  void divergentPop(const WarpRef &) {}

  /// The warps among \p Candidates that the scheduler chooses from; not empty.
  uint64_t preferred(uint64_t Candidates) const { return Candidates; }

private:
  unsigned Banks;
};

/// The capacity of the register file is multiplied, at no cost in time: what a
/// sharing system can gain at most (LTRF §5, "Ideal").
class IdealScheme : public BaselineScheme {
public:
  using BaselineScheme::BaselineScheme;
  static Result<Residency> residency(const DeviceDescription &D,
                                     const KernelResources &K,
                                     const SchemeOptions &Options);
};

/// Schemes that forScheme() knows.
inline bool isModelled(Scheme S) {
  return S == Scheme::Baseline || S == Scheme::Ideal;
}

/// Calls \p F with the class of a modelled scheme as its template argument.
template <typename Function>
auto forScheme(Scheme S, Function F)
    -> decltype(F.template operator()<BaselineScheme>()) {
  assert(isModelled(S) && "the machine refuses other schemes");
  if (S == Scheme::Ideal)
    return F.template operator()<IdealScheme>();
  return F.template operator()<BaselineScheme>();
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_SCHEME_H
