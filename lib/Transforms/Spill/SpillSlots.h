//===- SpillSlots.h - Where spilled values are -*- C++ -*------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Places in memory for spilled values: in the thread's frame, laid out after
/// everything else in it. Private to register assignment.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SPILL_SPILLSLOTS_H
#define REGSHARE_LIB_TRANSFORMS_SPILL_SPILLSLOTS_H

#include "Transforms/Assign/LazyIntervals.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <vector>

namespace regshare {

/// An instruction that loads or stores a slot.
struct SpillAccess {
  explicit SpillAccess(llvm::MachineInstr *MI) : MI(MI) {}

  llvm::MachineInstr *MI;
  bool IsShared = false;
  /// What computes its address right before it; empty where a register holds
  /// the address.
  llvm::SmallVector<llvm::MachineInstr *, 4> Address;
};

/// A place in memory, and where in the code it is taken.
struct SpillSlot {
  explicit SpillSlot(unsigned Bytes) : Bytes(Bytes) {}

  int64_t Offset = 0; ///< In the thread's frame, or in the CTA's array.
  unsigned Bytes;     ///< For one thread.
  std::unique_ptr<llvm::LiveRange> Occupied =
      std::make_unique<llvm::LiveRange>();
  std::optional<int> FrameIndex; ///< Nothing: not in the frame.
  bool IsShared = false;
  unsigned Values = 0; ///< That are kept there, one after the other.
  llvm::SmallVector<SpillAccess, 8> Accesses;
};

/// Has \p Access, of a slot, go to address \p Base + \p Offset of \p Space.
void setPlace(llvm::MachineInstr &Access, unsigned Space, llvm::Register Base,
              int64_t Offset);

class SpillSlots {
public:
  /// \p MF has its frame laid out, but for slots. \p Stats has their bytes.
  SpillSlots(llvm::MachineFunction &MF, LazyIntervals &LIS,
             const NVPTXOpcodes &Opcodes, AssignStats &Stats);

  /// A place for a value of \p Bytes bytes that is live as \p Live says: one
  /// that another value has left, or a new one in the thread's frame. Valid
  /// until the next call.
  SpillSlot &slotFor(const llvm::LiveRange &Live, unsigned Bytes);
  /// Lays out the slots anew that are not in shared memory.
  void layOutFrame();

  llvm::MutableArrayRef<SpillSlot> all() { return Slots; }
  /// %SPL, which has the frame's address.
  llvm::Register frameRegister() const { return FrameRegister; }

private:
  void occupy(llvm::LiveRange &Occupied, const llvm::LiveRange &Live);
  void addToFrame(SpillSlot &S);
  void nameFrameAtEntry();

  llvm::MachineFunction &MF;
  LazyIntervals &LIS;
  const NVPTXOpcodes &Opcodes;
  AssignStats &Stats;
  llvm::Register FrameRegister;
  std::vector<SpillSlot> Slots;
  llvm::VNInfo::Allocator SlotAllocator;
  int64_t SizeBefore; ///< Of the frame, without slots.
  /// What computes the frame's address, if that is for slots alone.
  llvm::MachineInstr *MadeDepot = nullptr;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SPILL_SPILLSLOTS_H
