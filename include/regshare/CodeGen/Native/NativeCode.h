//===- regshare/CodeGen/Native/NativeCode.h - Places and groups - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Native code in a machine function. Values without a register are virtual
/// registers called %C0, %C1, … (constant operands), %F0, %F1, … (folded
/// into the instruction that reads them) and %U0, %U1, … (uniform registers,
/// which a warp has once; of a pair the first). Instructions that define folded
/// values, and the first one after them that does not, are a group: one
/// instruction of the hardware. docs/native-code.md explains it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NATIVE_NATIVECODE_H
#define REGSHARE_CODEGEN_NATIVE_NATIVECODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class MachineFunction;
class MachineRegisterInfo;
} // namespace llvm

namespace regshare {

/// Where a virtual register's value is.
enum class NativePlace : uint8_t {
  Register, ///< In an architected register, or in one to be assigned.
  Constant, ///< In an instruction, or in the constant bank.
  Folded,   ///< Nowhere: it is part of the computation of its reader.
  Uniform,  ///< In a uniform register, of which a warp has one.
};

/// By the name of a virtual register: "C3", "F0", "U4", or any other.
NativePlace nativePlaceOfName(llvm::StringRef Name);
/// The same, of \p VReg itself.
NativePlace nativePlace(const llvm::MachineRegisterInfo &MRI,
                        llvm::Register VReg);

/// Whether regshare-fold made \p MF native code.
bool isNative(const llvm::MachineFunction &MF);
/// Says so; regshare-fold does.
void setNative(llvm::MachineFunction &MF);

/// Registers of a thread that hardware keeps for itself, of those that ptxas
/// counts: two for the program counter (NVIDIA Tesla V100 architecture
/// whitepaper, table 3, on registers per thread), one for the stack pointer. A
/// kernel that holds k values takes k + 3 (docs/native-code-probes.md).
inline constexpr unsigned NativeReservedUnits = 3;

/// Registers of \p MF that hold no value of the program, R0 on: in native code
/// NativeReservedUnits of them, otherwise none.
unsigned reservedUnits(const llvm::MachineFunction &MF);

/// Defines a folded value.
bool isFolded(const llvm::MachineInstr &MI);
/// Defines a constant, so that it takes no issue slot.
bool definesConstant(const llvm::MachineInstr &MI);

/// Its result is in a uniform register.
bool definesUniform(const llvm::MachineInstr &MI);

/// \p Last, which is not folded, and the folded instructions of its group.
llvm::SmallVector<const llvm::MachineInstr *, 4>
groupOf(const llvm::MachineInstr &Last);

/// The instruction that the statement \p Statement speaks of, which stands
/// before its group; null if there is none.
const llvm::MachineInstr *
instrAfterStatement(const llvm::MachineInstr &Statement);

/// The first instruction of the group that \p Where is in; \p Where itself if
/// none before it is folded.
llvm::MachineBasicBlock::iterator
groupBegin(llvm::MachineBasicBlock &MBB,
           llvm::MachineBasicBlock::iterator Where);

} // namespace regshare

#endif // REGSHARE_CODEGEN_NATIVE_NATIVECODE_H
