//===- HeldSources.cpp - Registers that are yet to be read ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldSources.h"

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineInstr.h"

using namespace llvm;

namespace regshare {

/// Cycles until a 32-bit access has read its registers, of an A6000 (Huerta et
/// al., Dissecting and Modeling the Architecture of Modern GPU Cores, MICRO
/// 2025: WAR latency of global accesses). An instruction is issued in each at
/// best.
static constexpr uint32_t LoadReads = 11, StoreReads = 14;
/// A load is looked at for its first reader no further than this.
static constexpr uint32_t LongestLoad = 200;
/// ptxas does not write at once what other instructions have read either, where
/// registers are free. Fitted on the kernel suite: docs/native-code.md.
static constexpr uint32_t OthersRead = 2;

static bool readsResultOf(const MachineInstr &MI, const MachineInstr &Of) {
  return llvm::any_of(MI.all_uses(), [&](const MachineOperand &Use) {
    return Use.getReg().isVirtual() &&
           Of.definesRegister(Use.getReg(), nullptr);
  });
}

/// Instructions from \p Load to the first that reads its result, or to the end
/// of its block. Until then one of the six counters that a warp has for what it
/// waits for is taken, and what overwrites an address would wait for one, too.
static uint32_t distanceToReader(const MachineInstr &Load) {
  uint32_t Distance = 1;
  for (const MachineInstr *MI = Load.getNextNode(); MI;
       MI = MI->getNextNode()) {
    if (MI->isDebugInstr())
      continue;
    if (Distance == LongestLoad || readsResultOf(*MI, Load))
      break;
    ++Distance;
  }
  return Distance;
}

/// For how many instructions what \p Reader reads is held.
static uint32_t holdsFor(const MachineInstr &Reader) {
  if (Reader.mayStore())
    return StoreReads;
  if (Reader.mayLoad())
    return std::max(LoadReads, distanceToReader(Reader));
  return OthersRead;
}

void holdSources(LiveValues &Live, unsigned Eighths) {
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
    if (!Reader)
      continue;
    uint32_t Held = slot::PerInstr * (holdsFor(*Reader) * Eighths / 8);
    S.End = std::max(S.End, std::min({S.End + Held, Next,
                                      *std::upper_bound(BlockEnds.begin(),
                                                        BlockEnds.end(), At)}));
  }
}

} // namespace regshare
