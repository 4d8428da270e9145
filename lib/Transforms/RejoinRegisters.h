//===- RejoinRegisters.h - Undo LiveIntervals' splits -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a definition is dead, LiveIntervals gives each unconnected part of a
/// virtual register a register of its own. In architected code the virtual
/// register is the place that all of its values share: there the parts have to
/// be put together again.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REJOINREGISTERS_H
#define REGSHARE_LIB_TRANSFORMS_REJOINREGISTERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// Takes down which registers of a function are split from which, from watch()
/// to rejoin().
class SplitRecord : llvm::MachineRegisterInfo::Delegate {
public:
  void watch(llvm::MachineFunction &MF);
  /// Gives the parts their first register back, in the code and in \p LIS.
  void rejoin(llvm::MachineFunction &MF, llvm::LiveIntervals &LIS);

private:
  void MRI_NoteNewVirtualRegister(llvm::Register) override {}
  void MRI_NoteCloneVirtualRegister(llvm::Register New,
                                    llvm::Register Source) override {
    Parts.emplace_back(New, Source);
  }

  /// Part and what it was split from, in order of splitting.
  llvm::SmallVector<std::pair<llvm::Register, llvm::Register>, 4> Parts;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REJOINREGISTERS_H
