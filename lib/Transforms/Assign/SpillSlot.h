//===- SpillSlot.h - Where a spilled value is -*- C++ -*-------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_SPILLSLOT_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_SPILLSLOT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/LiveInterval.h"

#include <memory>
#include <optional>

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

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_SPILLSLOT_H
