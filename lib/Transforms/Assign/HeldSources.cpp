//===- HeldSources.cpp - Registers that memory has yet to read ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldSources.h"

#include "llvm/CodeGen/MachineInstr.h"

using namespace llvm;

namespace regshare {

/// Cycles until a 32-bit access has read its registers, of an A6000 (Huerta et
/// al., Dissecting and Modeling the Architecture of Modern GPU Cores, MICRO
/// 2025: WAR latency of global accesses). An instruction is issued in each at
/// best.
static constexpr uint32_t LoadReads = 11, StoreReads = 14;

void holdSourcesOfMemory(LiveValues &Live) {
  const OperandTable &Code = Live.Code;
  std::vector<uint32_t> BlockEnds;
  for (uint32_t B = 0; B != Code.numBlocks(); ++B)
    BlockEnds.push_back(Code.startOf(B + 1));
  std::vector<uint32_t> NextStart(Live.Values.size(), ~0u);
  for (LiveStretch &S : reverse(Live.Stretches)) {
    uint32_t Next = std::exchange(NextStart[S.Value], S.Start);
    if (S.End % slot::PerInstr != slot::Register || S.Kind == RegKind::Pred)
      continue;
    uint32_t At = S.End - slot::Register;
    const MachineInstr *Reader = Code.instrAt(At);
    if (!Reader || !Reader->mayLoadOrStore())
      continue;
    uint32_t Held =
        slot::PerInstr * (Reader->mayStore() ? StoreReads : LoadReads);
    S.End =
        std::min({S.End + Held, Next,
                  *std::upper_bound(BlockEnds.begin(), BlockEnds.end(), At)});
  }
}

} // namespace regshare
