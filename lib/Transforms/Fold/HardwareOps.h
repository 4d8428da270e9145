//===- HardwareOps.h - PTX as instructions of the hardware -----*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What machine instructions are in hardware, and which of them it joins.
/// Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_FOLD_HARDWAREOPS_H
#define REGSHARE_LIB_TRANSFORMS_FOLD_HARDWAREOPS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace llvm {
class MachineInstr;
class MachineOperand;
class TargetInstrInfo;
} // namespace llvm

namespace regshare {

enum class OpKind : uint8_t {
  Other, ///< Takes registers alone.
  Add,
  Sub,
  Mul,
  Mad,
  MulHigh,
  MulWide,
  MadWide,
  Logic,
  Shl,
  Shr,
  Funnel,
  Field,
  MinMax,
  Unary,
  FMinMax,
  Select,
  Compare,
  FCompare,
  PredLogic,
  PredNot,
  FAdd,
  FMul,
  FFma,
  FSign,
  FConvert,
  ZeroExtend,
  SignExtend,
  Truncate,
  Extend16,
  Function,
  Move,
  Branch,
  Load,
  Store,
};

/// What an opcode is.
struct HardwareOp {
  OpKind Kind = OpKind::Other;
  uint8_t Bits = 0;      ///< Of the result, or of what it compares or selects.
  uint8_t Sources = 0;   ///< Operands after the result.
  uint8_t Constants = 0; ///< Of those, which may be constants: bit 0 the first.
};

/// A row of FoldRules.def.
struct FoldRule {
  OpKind Reader;
  uint8_t Bits;
  uint8_t Places; ///< Bit 0: the first source.
  OpKind Folded;
  uint8_t Leaves;
  uint8_t Slots;
  bool Copies;
};

class HardwareOps {
public:
  /// The table, made at the first call: every NVPTX target has the same
  /// opcodes.
  static const HardwareOps &get(const llvm::TargetInstrInfo &TII);

  const HardwareOp &of(const llvm::MachineInstr &MI) const;
  /// The operand that is source number \p Source of \p MI.
  static llvm::MachineOperand &source(llvm::MachineInstr &MI, unsigned Source);
  static const llvm::MachineOperand &source(const llvm::MachineInstr &MI,
                                            unsigned Source);
  /// The operand that is the base of the address of a load or store.
  static llvm::MachineOperand &address(llvm::MachineInstr &MI);
  /// Whether a load or store needs its address in a register: those that go to
  /// global or generic memory.
  static bool needsAddressRegister(const llvm::MachineInstr &MI,
                                   const HardwareOp &Op);

  /// The rule by which \p Reader takes what \p Folded computes as source number
  /// \p Source; null if there is none.
  const FoldRule *rule(const llvm::MachineInstr &Reader, unsigned Source,
                       const llvm::MachineInstr &Folded) const;

  /// The opcode of \p MI with a register instead of an immediate as source
  /// number \p Source; 0 if there is none.
  unsigned withRegister(const llvm::MachineInstr &MI, unsigned Source) const;

private:
  explicit HardwareOps(const llvm::TargetInstrInfo &TII);

  std::vector<HardwareOp> Table; // by opcode
  llvm::StringMap<unsigned> OpcodeOf;
};

/// An instruction and what is folded into it, in the order of the code.
struct FoldGroup {
  llvm::SmallVector<llvm::MachineInstr *, 4> Folded;
  llvm::MachineInstr *Last = nullptr;

  /// The group that \p Last ends.
  static FoldGroup of(llvm::MachineInstr &Last);
  /// Its instructions, the last one included.
  llvm::SmallVector<llvm::MachineInstr *, 5> all() const;
  /// The member that defines \p MO, a source; null if it is none of them.
  llvm::MachineInstr *definition(const llvm::MachineOperand &MO) const;
};

/// A constant that the instruction has to have: an immediate other than zero,
/// an address, or a value in the constant bank.
bool isConstantOperand(const llvm::MachineOperand &MO);

/// The sources of \p G that are constants; an address that has to be in a
/// register is not among them.
llvm::SmallVector<llvm::MachineOperand *, 4>
constantsOf(const FoldGroup &G, const HardwareOps &Ops);

/// Values that \p G reads, constants and zero among them, of the kind that it
/// computes with: predicates among registers are not counted.
unsigned leavesOf(const FoldGroup &G, const HardwareOps &Ops);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_FOLD_HARDWAREOPS_H
