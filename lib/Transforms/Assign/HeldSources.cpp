//===- HeldSources.cpp - Registers that are yet to be read ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldSources.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/ADT/STLExtras.h"
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
static constexpr uint32_t OthersRead = 3;

static uint32_t storeReads(uint64_t Bytes, bool Shared) {
  uint32_t Reads = StoreReads[Bytes > 8 ? 2 : Bytes > 4 ? 1 : 0];
  return Shared ? Reads - SharedStoreSaves : Reads;
}

/// Instructions after which what \p Reader reads may be written, and of which
/// \p Eighths are waited for where it is an access to memory.
static uint32_t holdsFor(const MachineInstr &Reader, unsigned Eighths) {
  // A copy is none if both of its sides have one register.
  if (NVPTXOpcodes::get(*Reader.getMF()).isCopy(Reader))
    return 0;
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
  uint32_t Cycles = Reader.mayStore()
                        ? storeReads(Bytes, Space == SharedAddressSpace)
                    : Space == SharedAddressSpace   ? SharedLoadReads
                    : Space == ConstantAddressSpace ? ConstantLoadReads
                                                    : LoadReads;
  return Cycles * Eighths / 8;
}

namespace {

/// Walks the code and says until where each value that has been read is held.
class HoldWalk {
public:
  HoldWalk(const LiveValues &Live, unsigned Eighths);

  /// Until where \p Value is held that is read at \p Slot or before and is not
  /// written between. Slots only go up from one call to the next.
  uint32_t heldUntil(uint32_t Value, uint32_t Slot);

private:
  void step();

  const LiveValues &Live;
  const OperandTable &Code;
  unsigned Eighths;
  /// Instructions that are issued and not part of another one, and of each
  /// instruction how many of them come before.
  std::vector<uint32_t> Issued, IssuedBefore;
  std::vector<uint32_t> Until; ///< By value: a slot.
  uint32_t Next = 0, Block = 0;
};

} // namespace

HoldWalk::HoldWalk(const LiveValues &Live, unsigned Eighths)
    : Live(Live), Code(Live.Code), Eighths(Eighths), Until(Live.Values.size()) {
  for (uint32_t I = 0; I != Code.numInstrs(); ++I) {
    IssuedBefore.push_back(Issued.size());
    if (const MachineInstr &MI = Code.instr(I);
        !isFolded(MI) && !definesConstant(MI))
      Issued.push_back(I);
  }
}

uint32_t HoldWalk::heldUntil(uint32_t Value, uint32_t Slot) {
  while (Next != Code.numInstrs()) {
    while (Next == Code.beginOf(Block + 1))
      ++Block;
    if (Code.slotOf(Next, Block) > Slot)
      break;
    step();
  }
  return Until[Value];
}

/// Past the next instruction.
void HoldWalk::step() {
  // Not beyond the block: what comes after it depends on the way taken.
  uint32_t End = Code.startOf(Block + 1);
  size_t Last = IssuedBefore[Next] + holdsFor(Code.instr(Next), Eighths);
  uint32_t Slot =
      Last < Issued.size()
          ? Code.slotOf(std::max(Next, Issued[Last]), Block) + slot::Register
          : End;
  ArrayRef<OperandTable::Operand> Operands = Code.operands(Next++);
  for (OperandTable::Operand O : Operands)
    if (uint32_t V = Live.ValueOf[O.vreg()]; O.reads() && V != ~0u)
      Until[V] = std::max(Until[V], std::min(Slot, End));
  for (OperandTable::Operand O : Operands)
    if (uint32_t V = Live.ValueOf[O.vreg()]; O.writes() && V != ~0u)
      Until[V] = 0;
}

void holdSources(LiveValues &Live, unsigned Eighths) {
  std::vector<uint32_t> NextStart(Live.Values.size(), ~0u);
  // Stretches that end where they are read, and the next stretch's start.
  struct Held {
    uint32_t Stretch, NextStart;
  };
  std::vector<Held> ByEnd;
  for (uint32_t I = Live.Stretches.size(); I-- != 0;) {
    const LiveStretch &S = Live.Stretches[I];
    uint32_t Next = std::exchange(NextStart[S.Value], S.Start);
    if (S.End % slot::PerInstr == slot::Register && S.Kind != RegKind::Pred)
      ByEnd.push_back({I, Next});
  }
  llvm::sort(ByEnd, [&](Held A, Held B) {
    return Live.Stretches[A.Stretch].End < Live.Stretches[B.Stretch].End;
  });
  HoldWalk Walk(Live, Eighths);
  for (Held H : ByEnd) {
    LiveStretch &S = Live.Stretches[H.Stretch];
    uint32_t Until = Walk.heldUntil(S.Value, S.End - slot::Register);
    S.End = std::max(S.End, std::min(Until, H.NextStart));
  }
}

} // namespace regshare
