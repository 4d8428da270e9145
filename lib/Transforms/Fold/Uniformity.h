//===- Uniformity.h - What threads of a warp have in common ----*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which virtual registers hold one value for all threads of a warp, and which
/// blocks all of its threads run together. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_FOLD_UNIFORMITY_H
#define REGSHARE_LIB_TRANSFORMS_FOLD_UNIFORMITY_H

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/Register.h"

#include <vector>

namespace regshare {

class InstrFacts;
class Reconvergence;

/// Of a kernel, before registers are assigned. A value is written by threads
/// that are together, from such values alone; threads are together unless a
/// branch on another value has parted them from threads that go on elsewhere.
/// Threads that only end are no company.
class Uniformity {
public:
  Uniformity(const llvm::MachineFunction &MF, const Reconvergence &Meetings);

  bool isUniform(llvm::Register VReg) const {
    return !Differs[VReg.virtRegIndex()];
  }
  bool isTogether(const llvm::MachineBasicBlock &MBB) const {
    return !Apart[MBB.getNumber()];
  }

private:
  bool noteResults(const llvm::MachineInstr &MI, const InstrFacts &Facts);
  bool notePartings(const llvm::MachineBasicBlock &MBB,
                    const Reconvergence &Meetings);
  bool readsDiffering(const llvm::MachineInstr &MI) const;

  std::vector<bool> Differs; // by virtual register
  std::vector<bool> Apart;   // by block number
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_FOLD_UNIFORMITY_H
