//===- BlockLiveOut.cpp - What lives at the ends of blocks ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLiveOut.h"

using namespace llvm;

namespace regshare {

BlockLiveOut::BlockLiveOut(const LiveValues &Live)
    : Registers(Live.Code.numBlocks()) {
  // Stretches are ordered by where they start, so the first block whose end
  // lies after a start only moves on.
  uint32_t First = 0;
  for (const LiveStretch &S : Live.Stretches) {
    while (First != Registers.size() && Live.Code.startOf(First + 1) <= S.Start)
      ++First;
    Register VReg = Live.Values[S.Value].VReg;
    if (!VReg.isValid())
      continue;
    for (uint32_t B = First;
         B != Registers.size() && Live.Code.startOf(B + 1) <= S.End; ++B)
      Registers[B].push_back(VReg);
  }
}

} // namespace regshare
