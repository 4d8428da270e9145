//===- WarpView.h - What a scheme may see of a warp -------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_RULES_WARPVIEW_H
#define REGSHARE_SIM_RULES_WARPVIEW_H

#include "regshare/Sim/Program.h"

#include <any>
#include <cstdint>
#include <span>

namespace regshare::sim {

class Warp;
struct PendingAccess;

/// A warp, as the rules of a scheme see it and change it. Lanes are masks;
/// registers are rows of a frame, the kernel's being frame 0.
class WarpView {
public:
  explicit WarpView(Warp &Of) : W(&Of) {}

  /// The function that runs.
  const Function &function() const;
  /// The lanes that are at the instruction,
  uint32_t lanes() const;
  /// and those of them that execute it, as its guard says.
  uint32_t executing() const;
  /// The lanes that have not ended.
  uint32_t alive() const;
  /// The warp's number in its CTA, and the warps that the CTA has.
  unsigned index() const;
  unsigned numWarps() const;
  /// What the warps of the CTA have in common, of the type that the scheme of
  /// the code keeps; empty when the CTA starts.
  std::any &ofCta();
  /// Some lanes wait at a barrier to which others of the warp have not come.
  bool lanesWait() const;
  /// Whether lanes that execute \p Access, a memory instruction, reach the
  /// CTA's scratchpad.
  bool reachesScratchpad(const Inst &Access);

  /// The frame whose registers the function that runs works on.
  unsigned frame() const;
  unsigned numFrames() const;
  /// Whose registers a frame has; null if it works on those of another frame.
  const Function *ownerOf(unsigned Frame) const;
  /// Lanes that have written the row since its value was lost.
  uint32_t &written(unsigned Frame, uint32_t Row);
  /// The rows' values are lost, those of all lanes.
  void forget(unsigned Frame, std::span<const uint32_t> Rows);
  /// What the lanes read from the row from now on is no value of the program's.
  void poison(unsigned Frame, uint32_t Row, uint32_t Lanes);
  /// The values of \p Late, a load, have come. Those are lost that are in
  /// registers whose values were lost since it issued: no other instruction can
  /// have written these, because it waits for the load.
  void forgetLate(const PendingAccess &Late);

private:
  Warp *W;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_RULES_WARPVIEW_H
