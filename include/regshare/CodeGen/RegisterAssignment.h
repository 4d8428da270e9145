//===- regshare/CodeGen/RegisterAssignment.h - Which register holds a vreg -*-
// C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The map from a machine function's virtual registers to architected
/// registers. Every analysis of architected code reads registers through it,
/// so that the same analysis serves code whose virtual registers carry the
/// names (%R12) and code that was only assigned, not rewritten.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_REGISTERASSIGNMENT_H
#define REGSHARE_CODEGEN_REGISTERASSIGNMENT_H

#include "regshare/Base/ArchReg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <vector>

namespace llvm {
class MachineFunction;
class TargetRegisterClass;
class TargetRegisterInfo;
} // namespace llvm

namespace regshare {

/// The registers one instruction reads, writes, and needs for itself.
struct RegEffects {
  RegSet Uses;
  RegSet Defs;
  /// Registers an inline-PTX block declares for its own use: written inside
  /// the instruction while all of Uses and Defs are held.
  RegSet Temps;
};

/// The architected register of each virtual register of a function.
class RegisterAssignment {
public:
  /// Reads the registers off the names of \p MF's virtual registers
  /// (DESIGN of architected MIR: %R12, %R6_7, %H3, %P0). Native code also has
  /// values that take no register (%C0, %F3). An error names the
  /// first virtual register in use whose name is not an architected register,
  /// or does not fit its class.
  static llvm::Expected<RegisterAssignment>
  fromNames(const llvm::MachineFunction &MF);

  /// The register of virtual register \p VReg; invalid if it has none.
  ArchReg lookup(llvm::Register VReg) const {
    unsigned I = VReg.virtRegIndex();
    return I < Regs.size() ? Regs[I] : ArchReg();
  }
  void assign(llvm::Register VReg, ArchReg R);
  /// From now on \p VReg is folded into its reader: who reads it also reads
  /// what the instruction that defines it reads, and that one has no effects.
  void fold(llvm::Register VReg);

  /// Registers for the temporaries that \p MI, an inline-PTX block, declares,
  /// in their order of declaration.
  llvm::ArrayRef<ArchReg> temps(const llvm::MachineInstr &MI) const;
  void setTemps(const llvm::MachineInstr &MI, llvm::ArrayRef<ArchReg> Temps);

  /// From now on \p MI reads \p R too: for questions about something that is no
  /// register, to which the liveness of one is the answer.
  void addRead(const llvm::MachineInstr &MI, ArchReg R) { AddedReads[&MI] = R; }

  /// The first \p Units registers are among a thread's and hold no value.
  void reserve(unsigned Units) {
    Reserved = Units;
    NumUnits = std::max(NumUnits, Units);
  }
  unsigned reserved() const { return Reserved; }

  /// One past the highest 32-bit unit in use: registers per thread.
  unsigned numUnits() const { return NumUnits; }
  /// One past the highest predicate in use.
  unsigned numPreds() const { return NumPreds; }

  /// What \p MI reads and writes. Undef reads are no reads; a debug
  /// instruction has no effects.
  RegEffects effects(const llvm::MachineInstr &MI) const;

  /// Everything that the PTX of \p MI names, read or not, temporaries of inline
  /// PTX among it. What prints nothing names nothing.
  RegSet named(const llvm::MachineInstr &MI) const;

  /// The same, operand by operand: calls \p Def(register) or \p Use(register)
  /// for each in order, for walks over all of a function. Leaves the
  /// temporaries out.
  template <typename DefFn, typename UseFn>
  void forEachOperand(const llvm::MachineInstr &MI, DefFn Def,
                      UseFn Use) const {
    if (MI.isDebugInstr() || isFolded(MI))
      return;
    forEachOwnOperand(MI, Def, Use);
    forEachFolded(MI, [&](const llvm::MachineInstr &Folded) {
      forEachOwnOperand(Folded, Def, Use);
    });
    if (AddedReads.empty())
      return;
    if (auto It = AddedReads.find(&MI); It != AddedReads.end())
      Use(It->second);
  }

private:
  /// Whether \p MI defines a folded value.
  bool isFolded(const llvm::MachineInstr &MI) const {
    if (!AnyFolded || !MI.getNumOperands() || !MI.getOperand(0).isReg() ||
        !MI.getOperand(0).isDef() || !MI.getOperand(0).getReg().isVirtual())
      return false;
    unsigned I = MI.getOperand(0).getReg().virtRegIndex();
    return I < FoldedRegs.size() && FoldedRegs[I];
  }

  /// Calls \p Each for the folded instructions of \p MI's group.
  template <typename Fn>
  void forEachFolded(const llvm::MachineInstr &MI, Fn Each) const {
    if (!AnyFolded)
      return;
    const llvm::MachineInstr *At = MI.getPrevNode();
    for (; At && isFolded(*At); At = At->getPrevNode())
      Each(*At);
  }

  template <typename DefFn, typename UseFn>
  void forEachOwnOperand(const llvm::MachineInstr &MI, DefFn Def,
                         UseFn Use) const {
    for (const llvm::MachineOperand &MO : MI.operands()) {
      if (!MO.isReg() || !MO.getReg().isVirtual())
        continue;
      ArchReg R = lookup(MO.getReg());
      if (!R.isValid())
        continue;
      if (MO.isDef())
        Def(R);
      else if (!MO.isUndef())
        Use(R);
    }
  }

  llvm::Error readTemps(const llvm::MachineFunction &MF);
  void note(ArchReg R);

  std::vector<ArchReg> Regs; // by virtual register index
  llvm::DenseMap<const llvm::MachineInstr *, llvm::SmallVector<ArchReg, 2>>
      TempRegs;
  llvm::DenseMap<const llvm::MachineInstr *, ArchReg> AddedReads;
  std::vector<bool> FoldedRegs; // by virtual register index
  bool AnyFolded = false;
  unsigned NumUnits = 0;
  unsigned Reserved = 0;
  unsigned NumPreds = 0;
};

/// The kind of value a register class of NVPTX holds, or nothing for a class
/// that takes no architected register.
std::optional<RegKind> kindOf(const llvm::TargetRegisterClass &RC,
                              const llvm::TargetRegisterInfo &TRI);

/// The same for many registers of one function.
class RegKinds {
public:
  explicit RegKinds(const llvm::TargetRegisterInfo &TRI);
  std::optional<RegKind> operator()(const llvm::TargetRegisterClass &RC) const;

private:
  llvm::SmallVector<std::optional<RegKind>, 8> Kinds; // by class
};

} // namespace regshare

#endif // REGSHARE_CODEGEN_REGISTERASSIGNMENT_H
