//===- SpillRegisters.h - Lower register pressure ------------ -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Brings the number of live units, or of live predicates, down to a target:
/// values that can be computed again are, the others go to memory, and
/// predicates go to a 32-bit register. Private to register assignment.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_SPILLREGISTERS_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_SPILLREGISTERS_H

#include "LazyIntervals.h"
#include "LiveValues.h"
#include "Transforms/Spill/SpillSlots.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallSet.h"

namespace regshare {

class NativeCosts;
class SharedSlots;
struct SharedSpillRoom;

class Spiller {
public:
  Spiller(llvm::MachineFunction &MF, LazyIntervals &LIS,
          const llvm::MachineBlockFrequencyInfo &MBFI,
          const NVPTXOpcodes &Opcodes, AssignStats &Stats);
  ~Spiller();

  /// Has limitUnits() spill to shared memory first, in \p Room, which outlives
  /// this.
  void useShared(const SharedSpillRoom &Room);
  /// Spills until at most \p Target units are live at every point.
  llvm::Error limitUnits(unsigned Target);
  /// Spills until at most \p Target predicates are live at every point.
  llvm::Error limitPreds(unsigned Target);
  /// Computes constants and kernel parameters again at their uses where that
  /// alone lowers the peak of \p Live. \p Constants are the instructions for
  /// which NVPTXOpcodes::isFreeToRecompute holds. True if anything changed.
  bool lowerPeak(const LiveValues &Live, unsigned Peak,
                 llvm::ArrayRef<const llvm::MachineInstr *> Constants);

private:
  using Chain = llvm::SmallVector<llvm::MachineInstr *, 4>;

  llvm::Expected<llvm::SmallVector<llvm::Register, 16>>
  chooseVictims(bool Preds, unsigned Target);
  llvm::Error limit(bool Preds, unsigned Target);
  std::vector<float> spillWeights(const LiveValues &Live,
                                  const llvm::BitVector &Candidates) const;
  bool isSpillable(const LiveValue &V) const;
  bool isFree(const LiveValue &V) const;
  std::vector<LiveStretch> withoutFree(const LiveValues &Live,
                                       const llvm::BitVector &Free) const;
  bool rematerialization(llvm::Register VReg, Chain &Defs) const;
  llvm::MachineInstr *soleDef(llvm::Register VReg) const;

  void spill(llvm::Register VReg);
  void rematerialize(llvm::Register VReg, const Chain &Defs);
  llvm::MachineInstr *comparisonOf(llvm::Register VReg) const;
  void compareAgain(llvm::Register VReg, llvm::MachineInstr &Comparison);
  void spillPred(llvm::Register VReg);
  void spillToLocal(llvm::Register VReg);
  void forget(llvm::Register VReg);
  llvm::Register freshCopyOf(llvm::Register VReg);
  llvm::MachineInstr *track(llvm::MachineInstr *MI);
  void inputLost(llvm::Register VReg);

  llvm::MachineFunction &MF;
  llvm::MachineRegisterInfo &MRI;
  LazyIntervals &LIS;
  const llvm::MachineBlockFrequencyInfo &MBFI;
  const NVPTXOpcodes &Opcodes;
  const llvm::TargetInstrInfo &TII;
  AssignStats &Stats;
  /// Of native code, once a comparison has been looked at.
  std::unique_ptr<NativeCosts> Costs;
  SpillSlots Slots;
  std::unique_ptr<SharedSlots> Shared; ///< Null: none are.
  /// Registers that spilling made: spilling them again gains nothing.
  llvm::SmallSet<llvm::Register, 32> Unspillable;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_SPILLREGISTERS_H
