//===- OperandTable.h - The registers that code names ------- -*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The virtual registers that the instructions of a function read and write,
/// in layout order and packed: a large function's instructions do not fit in a
/// cache, this does. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_OPERANDTABLE_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_OPERANDTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace llvm {
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

/// Slots are numbered as LLVM's SlotIndexes are: each instruction has a number,
/// a multiple of 16 like the starts of blocks, at which nothing is written; an
/// early clobber is written one after, other results two after, and what
/// nobody reads is gone three after.
namespace slot {
inline constexpr uint32_t PerInstr = 16;
inline constexpr uint32_t Early = 1, Register = 2, Dead = 3;
} // namespace slot

class OperandTable {
public:
  /// One operand, which is a virtual register.
  class Operand {
  public:
    enum Flag : uint32_t { Reads = 1, Writes = 2, Early = 4, Dead = 8 };
    Operand(uint32_t VReg, uint32_t Flags) : Bits(VReg << 4 | Flags) {}
    uint32_t vreg() const { return Bits >> 4; } ///< Its index.
    bool reads() const { return Bits & Reads; }
    bool writes() const { return Bits & Writes; }
    bool isEarly() const { return Bits & Early; } ///< An early clobber.
    /// Is marked as a result that nobody reads.
    bool isMarkedDead() const { return Bits & Dead; }

  private:
    uint32_t Bits;
  };

  /// Takes down the operands of \p MF, all but those of debug instructions, and
  /// calls \p Visit for every instruction that has a number. Clears the kill
  /// flags: they describe one value of a register that will hold several.
  void build(llvm::MachineFunction &MF,
             llvm::function_ref<void(llvm::MachineInstr &)> Visit);

  /// Blocks are numbered in layout order.
  uint32_t numBlocks() const { return BlockBegin.size() - 1; }
  uint32_t numInstrs() const { return Instrs.size(); }
  /// The instructions of block \p B: [beginOf(B), beginOf(B + 1)).
  uint32_t beginOf(uint32_t B) const { return BlockBegin[B]; }
  llvm::MachineInstr &instr(uint32_t I) const { return *Instrs[I]; }
  llvm::ArrayRef<Operand> operands(uint32_t I) const {
    uint32_t Begin = I ? OperandEnd[I - 1] : 0;
    return llvm::ArrayRef<Operand>(Operands).slice(Begin,
                                                   OperandEnd[I] - Begin);
  }

  /// Where block \p B starts, and the one before it ends.
  uint32_t startOf(uint32_t B) const {
    return slot::PerInstr * (BlockBegin[B] + B);
  }
  /// The number of instruction \p I, which is in block \p B.
  uint32_t slotOf(uint32_t I, uint32_t B) const {
    return slot::PerInstr * (I + B + 1);
  }
  /// The instruction that has slot \p Slot; none where a block starts.
  llvm::MachineInstr *instrAt(uint32_t Slot) const;

private:
  std::vector<Operand> Operands;
  std::vector<uint32_t> OperandEnd; // by instruction
  std::vector<llvm::MachineInstr *> Instrs;
  std::vector<uint32_t> BlockBegin; // by block, and one more
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_OPERANDTABLE_H
