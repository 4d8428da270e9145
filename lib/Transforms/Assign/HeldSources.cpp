//===- HeldSources.cpp - Registers that are yet to be read ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldSources.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"

using namespace llvm;

namespace regshare {

/// Cycles until an access to memory has read its registers, of an A6000 (Huerta
/// et al., Dissecting and Modeling the Architecture of Modern GPU Cores, MICRO
/// 2025: WAR latencies). An instruction is issued in each at best.
static constexpr uint32_t LoadReads = 11, SharedLoadReads = 9,
                          ConstantLoadReads = 29;
/// Of a store of up to 32, 64 and 128 bits; to shared memory two fewer.
static constexpr uint32_t StoreReads[] = {14, 16, 20};
static constexpr uint32_t SharedStoreSaves = 2;
/// ptxas does not write at once what other instructions have read either, where
/// registers are free. Fitted on the kernel suite: docs/native-code.md.
static constexpr uint32_t OthersRead = 2;

static uint32_t storeReads(uint64_t Bytes, bool Shared) {
  uint32_t Reads = StoreReads[Bytes > 8 ? 2 : Bytes > 4 ? 1 : 0];
  return Shared ? Reads - SharedStoreSaves : Reads;
}

/// For how many instructions what \p Reader reads is held.
static uint32_t holdsFor(const MachineInstr &Reader) {
  if (!Reader.mayLoadOrStore())
    return OthersRead;
  int64_t Space = 0;
  uint64_t Bytes = 0;
  if (Reader.hasOneMemOperand()) {
    const MachineMemOperand &Access = **Reader.memoperands_begin();
    Space = Access.getAddrSpace();
    if (Access.getSize().hasValue())
      Bytes = Access.getSize().getValue().getKnownMinValue();
  }
  if (Reader.mayStore())
    return storeReads(Bytes, Space == SharedAddressSpace);
  return Space == SharedAddressSpace     ? SharedLoadReads
         : Space == ConstantAddressSpace ? ConstantLoadReads
                                         : LoadReads;
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
    // A copy is none if both of its sides have one register.
    if (!Reader || NVPTXOpcodes::get(*Reader->getMF()).isCopy(*Reader))
      continue;
    uint32_t Held = slot::PerInstr * (holdsFor(*Reader) * Eighths / 8);
    S.End = std::max(S.End, std::min({S.End + Held, Next,
                                      *std::upper_bound(BlockEnds.begin(),
                                                        BlockEnds.end(), At)}));
  }
}

} // namespace regshare
