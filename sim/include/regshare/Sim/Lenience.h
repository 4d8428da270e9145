//===- regshare/Sim/Lenience.h - Faults that are let pass -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lenient mode: what programs do wrong that GPUs do not notice. It is told
/// once for each place and counted; docs/lenient.md says what passes, and with
/// which result.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_LENIENCE_H
#define REGSHARE_SIM_LENIENCE_H

#include <cstdint>
#include <string>
#include <vector>

namespace regshare::sim {

/// A stray access passes within so many bytes of an allocation: that is the
/// page in which GPUs map memory, so that they do not fault there either.
inline constexpr uint64_t LenientReach = uint64_t(2) << 20;

/// Faults of one sort at one place.
struct PassedFault {
  std::string Kernel;  ///< Empty: the host's, in a call of the CUDA API.
  std::string Sort;    ///< "out-of-bounds read".
  std::string Place;   ///< "file.cu:7"; the PTX line if that is not known.
  std::string Message; ///< Of the first one, as a violation's.
  uint64_t Count = 0;  ///< Warp instructions, or calls, with such a fault.
};

/// Faults in the order in which their places first had one.
class LenienceLog {
public:
  /// Adds to the count of the same sort and place.
  void add(const PassedFault &F);
  const std::vector<PassedFault> &faults() const { return Faults; }
  /// Of all places.
  uint64_t total() const;
  /// "lenient mode let 12 faults pass at 2 places".
  std::string summary() const;

private:
  std::vector<PassedFault> Faults;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_LENIENCE_H
