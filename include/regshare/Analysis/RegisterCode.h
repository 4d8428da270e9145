//===- regshare/Analysis/RegisterCode.h - What code does to registers -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The architected registers that the instructions of a function read and
/// write, packed: the analyses walk the code several times, and a large
/// function's instructions do not fit in a cache.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_REGISTERCODE_H
#define REGSHARE_ANALYSIS_REGISTERCODE_H

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

#include <map>
#include <tuple>
#include <vector>

namespace regshare {

/// The registers of each instruction, in the order of the code.
class RegisterCode {
public:
  /// Marks loads and stores of spill slots, which nothing else accesses. No
  /// other access has this flag of LLVM's, which machine IR as text has, too.
  static constexpr auto SpillSlotAccess = llvm::MachineInstr::Disjoint;

  /// Whether slots of spilled values count as registers: with the numbers after
  /// the function's own, as far as there are numbers. A value that is the same
  /// in all lanes is so after it has been in a slot, too.
  enum class SpillSlots { AreMemory, AreRegisters };

  /// A register that an instruction reads or writes.
  struct Operand {
    ArchReg Reg;
    bool IsDef;
  };

  RegisterCode(const llvm::MachineFunction &MF,
               const RegisterAssignment &Assignment,
               SpillSlots Slots = SpillSlots::AreMemory);

  /// The instructions of a block, in order: numbers from Begin to End. Those
  /// that neither read nor write a register are left out.
  struct Range {
    uint32_t Begin = 0, End = 0;
  };
  Range instrs(const llvm::MachineBasicBlock &MBB) const {
    return Blocks[MBB.getNumber()];
  }

  /// The blocks that the entry reaches, in post-order.
  llvm::ArrayRef<const llvm::MachineBasicBlock *> postOrder() const {
    return PostOrder;
  }

  /// Lanes may have to stop in the block: InstrFacts::canStopLanes.
  bool canStopLanes(const llvm::MachineBasicBlock &MBB) const {
    return StopsLanes[MBB.getNumber()];
  }

  /// The operands of instruction \p I, as RegisterAssignment::forEachOperand
  /// gives them.
  llvm::ArrayRef<Operand> operands(uint32_t I) const {
    uint32_t Begin = I ? Instrs[I - 1].OperandsEnd : 0;
    return {Operands.data() + Begin, Operands.data() + Instrs[I].OperandsEnd};
  }
  /// When the results of \p I differ between lanes.
  ResultDivergence resultDivergence(uint32_t I) const {
    return Instrs[I].Result;
  }
  /// Where that is as the lanes asked: the register that holds their set;
  /// invalid if it is a constant.
  ArchReg lanes(uint32_t I) const { return Instrs[I].Lanes; }

private:
  void add(const llvm::MachineInstr &MI, const RegisterAssignment &Assignment,
           const InstrFacts &Facts);
  bool addSpill(const llvm::MachineInstr &MI,
                const RegisterAssignment &Assignment);

  struct Instr {
    uint32_t OperandsEnd;
    ResultDivergence Result = ResultDivergence::Never;
    ArchReg Lanes = {};
  };
  std::vector<Operand> Operands;
  std::vector<Instr> Instrs;
  std::vector<Range> Blocks;    // by block number
  std::vector<bool> StopsLanes; // by block number
  std::vector<const llvm::MachineBasicBlock *> PostOrder;
  /// By address space, offset and bits of an access.
  std::map<std::tuple<int64_t, int64_t, int64_t>, ArchReg> Slots;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_REGISTERCODE_H
