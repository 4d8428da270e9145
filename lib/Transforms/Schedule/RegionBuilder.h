//===- RegionBuilder.h - A region of machine code as a graph ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a Region of LLVM's scheduling graph: joins what is folded with its
/// consumer, tells the values of a register apart, and keeps copies such that
/// they can be coalesced. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SCHEDULE_REGIONBUILDER_H
#define REGSHARE_LIB_TRANSFORMS_SCHEDULE_REGIONBUILDER_H

#include "RegionOrder.h"

#include "regshare/CodeGen/Native/LatencyClass.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class AAResults;
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class SUnit;
} // namespace llvm

namespace regshare {

class NVPTXOpcodes;

/// What is live at one point of a function: registers, and how many units and
/// predicates they take.
class LiveAtPoint {
public:
  explicit LiveAtPoint(const llvm::MachineFunction &MF);

  void clear();
  void insert(llvm::Register VReg);
  void erase(llvm::Register VReg);
  bool contains(llvm::Register VReg) const { return Is[VReg.virtRegIndex()]; }
  /// From after \p MI to before it.
  void stepBackward(const llvm::MachineInstr &MI);

  /// What \p VReg takes as a value; no units and no predicate for one that
  /// takes no register.
  RegionValue valueOf(llvm::Register VReg) const {
    return Values[VReg.virtRegIndex()];
  }
  unsigned units() const { return Units; }
  unsigned preds() const { return Preds; }

private:
  std::vector<RegionValue> Values; // by virtual register
  std::vector<bool> Is;            // by virtual register
  std::vector<unsigned> Members;
  unsigned Units = 0, Preds = 0;
};

/// A region, and the instructions of its nodes.
struct MachineRegion {
  Region Graph;
  std::vector<llvm::SmallVector<llvm::SUnit *, 1>> Members; // by node
};

/// The region of \p Units. Accesses to memory keep their order unless \p AA, if
/// there is one, says that they have nothing to do with each other.
MachineRegion buildRegion(std::vector<llvm::SUnit> &Units,
                          const LiveAtPoint &After, const NVPTXOpcodes &Opcodes,
                          const LatencyClasses &Classes,
                          const LatencyTable &Latencies, llvm::AAResults *AA);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SCHEDULE_REGIONBUILDER_H
