//===- Livelock.h - Warps that run without getting anywhere -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds kernels that will never end although their warps run, such as those
/// that wait for a flag nobody sets. No heuristic: a warp that comes back to a
/// state it was in goes round for ever unless memory changes, and if all warps
/// do so or wait at barriers, nothing ever will.
///
/// Looking costs time, so it is done now and then, in windows that grow with
/// the length of the run.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_FUNCTIONAL_LIVELOCK_H
#define REGSHARE_SIM_FUNCTIONAL_LIVELOCK_H

#include <cstdint>
#include <string>
#include <vector>

namespace regshare::sim {

class Warp;

/// What is known of one warp.
struct LivelockProbe {
  uint64_t Epoch = 0; ///< Of the state that was kept.
  uint64_t State = 0; ///< Its hash.
  uint64_t Visits = 0, NextKept = 0;
  bool Repeats = false;
};

/// Of one SM, or of the functional mode.
class LivelockWatch {
public:
  /// Kept states of earlier epochs do not count. Increases when memory has
  /// changed, a barrier has opened or a CTA has ended.
  uint64_t Epoch = 0;
  /// Memory has changed since the epoch began.
  bool Changed = false;

  /// A warp has executed a branch and waits for no load.
  void visit(Warp &W) const;
};

/// True if all of \p Warps wait at barriers or for registers, or repeat their
/// states in \p Epoch, and at least one repeats.
bool isLivelock(const std::vector<Warp *> &Warps, uint64_t Epoch);
/// Who goes round where, and who waits for whom. \p Starved warps could go on,
/// but the scheduler does not let them.
std::string describeLivelock(const std::vector<Warp *> &Warps,
                             unsigned Starved = 0);

} // namespace regshare::sim

#endif // REGSHARE_SIM_FUNCTIONAL_LIVELOCK_H
