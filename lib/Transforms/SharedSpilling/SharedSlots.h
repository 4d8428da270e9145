//===- SharedSlots.h - Spilled values in shared memory -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Moves spill slots from local to shared memory. Slot s of thread t is at
/// array + (s * threads + t) * size: the threads of a warp are next to each
/// other, so that no two of them meet in a bank, and the address of all slots
/// of a size is one register and an offset. Private to register assignment.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SHAREDSPILLING_SHAREDSLOTS_H
#define REGSHARE_LIB_TRANSFORMS_SHAREDSPILLING_SHAREDSLOTS_H

#include "Transforms/Assign/LazyIntervals.h"
#include "Transforms/Spill/SpillSlots.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/SharedSpilling.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

namespace regshare {

class SharedSlots {
public:
  SharedSlots(llvm::MachineFunction &MF, LazyIntervals &LIS,
              const llvm::MachineBlockFrequencyInfo &MBFI,
              const NVPTXOpcodes &Opcodes, const SharedSpillRoom &Room,
              llvm::Register Frame);

  /// Chooses anew which slots are in shared memory: those that are accessed
  /// most, as long as there is room. True if accesses were moved there:
  /// registers may now be too few again, since an address is held. Offsets in
  /// the frame are the caller's to set.
  bool settle(llvm::MutableArrayRef<SpillSlot> Slots);
  /// Moves all slots to local memory for good: there are too few registers for
  /// addresses. False if none was moved before.
  bool giveUp(llvm::MutableArrayRef<SpillSlot> Slots);
  /// Declares the arrays, and counts.
  void finish(llvm::ArrayRef<SpillSlot> Slots, AssignStats &Stats);

  /// Whether \p VReg is part of an address.
  bool owns(llvm::Register VReg) const { return Own.contains(VReg); }
  /// Instructions that compute the address in \p VReg again; 0 if it is none,
  /// or if they are too many.
  unsigned stepsOf(llvm::Register VReg) const;
  /// Computes the address that \p VReg holds, for which stepsOf() is not 0,
  /// before every access.
  void recompute(llvm::Register VReg, llvm::MutableArrayRef<SpillSlot> Slots);

private:
  /// Slots of one size.
  struct Array {
    Array(unsigned Bytes, llvm::StringLiteral Name)
        : Bytes(Bytes), Name(Name) {}

    unsigned Bytes;
    llvm::StringLiteral Name;
    unsigned Count = 0;
    llvm::Register Address; ///< That is held, if one is.
    llvm::SmallVector<llvm::MachineInstr *, 8> Held; ///< Compute it.
    bool Recomputes = false;
    llvm::MachineInstr *Symbol = nullptr; ///< Of native code: a constant.
    llvm::MachineInstr *Declaration = nullptr;
  };
  using Code = llvm::SmallVectorImpl<llvm::MachineInstr *>;

  Array &arrayOf(const SpillSlot &S) { return Arrays[S.Bytes == WideBytes]; }
  bool fits(const SpillSlot &S) const;
  float weightOf(const SpillSlot &S) const;
  void choose(llvm::MutableArrayRef<SpillSlot> Slots);
  void move(SpillAccess &Access, const SpillSlot &S);
  void moveBack(SpillAccess &Access);
  void hold(Array &A);
  void eraseCode(Code &Made);
  void eraseSymbol(Array &A);
  void erase(llvm::MachineInstr *&MI);

  /// The builders put code before Where and note it in Made.
  struct Place {
    llvm::MachineBasicBlock &MBB;
    llvm::MachineBasicBlock::iterator Where;
    Code &Made;
  };
  llvm::MachineInstrBuilder build(const Place &At, unsigned Opcode,
                                  const llvm::Twine &Name = "");
  llvm::Register threadNumber(const Place &At);
  llvm::Register addressOf(Array &A, const Place &At);
  llvm::Register symbolOf(Array &A, const Place &At);

  static constexpr unsigned WideBytes = 8;
  llvm::MachineFunction &MF;
  llvm::MachineRegisterInfo &MRI;
  LazyIntervals &LIS;
  const llvm::MachineBlockFrequencyInfo &MBFI;
  const NVPTXOpcodes &Opcodes;
  const llvm::TargetInstrInfo &TII;
  const SharedSpillRoom &Room;
  llvm::Register Frame; ///< %SPL
  Array Arrays[2];
  bool HasGivenUp = false;
  llvm::SmallSet<llvm::Register, 32> Own;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SHAREDSPILLING_SHAREDSLOTS_H
