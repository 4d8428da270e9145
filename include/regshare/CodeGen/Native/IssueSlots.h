//===- regshare/CodeGen/Native/IssueSlots.h - What instructions cost - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NATIVE_ISSUESLOTS_H
#define REGSHARE_CODEGEN_NATIVE_ISSUESLOTS_H

namespace llvm {
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

/// Issue slots of the group that \p MI, which is not folded, ends: instructions
/// of the hardware that execute it.
unsigned issueSlots(const llvm::MachineInstr &MI);

/// Instructions that the hardware has of \p MF, native code.
unsigned countNative(const llvm::MachineFunction &MF);

} // namespace regshare

#endif // REGSHARE_CODEGEN_NATIVE_ISSUESLOTS_H
