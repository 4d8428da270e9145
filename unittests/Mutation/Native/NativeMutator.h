//===- NativeMutator.h - Groups of native code to be changed -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVEMUTATOR_H
#define REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVEMUTATOR_H

#include "Native/NativeMutations.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include <optional>

namespace regshare::mutation {

/// An instruction with what is folded into it and the statements about it.
struct Unit {
  llvm::SmallVector<llvm::MachineInstr *, 4> All;
  llvm::SmallVector<llvm::MachineInstr *, 4> Members; ///< That are folded.
  llvm::MachineInstr *Last = nullptr;

  llvm::MachineBasicBlock::iterator begin() const {
    return All.front()->getIterator();
  }
  llvm::MachineBasicBlock::iterator end() const {
    return std::next(Last->getIterator());
  }
};

/// Where a load or store goes.
struct Address {
  const llvm::MachineOperand *Base = nullptr;
  int64_t Space = 0, From = 0, To = 0; ///< Bytes from the base.
};

/// Finds and makes changes.
class Mutator {
public:
  explicit Mutator(llvm::MachineFunction &MF)
      : MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        Facts(InstrFacts::get(MF)),
        Assignment(cantFail(RegisterAssignment::fromNames(MF))) {
    for (llvm::MachineBasicBlock &MBB : MF)
      Blocks.push_back(unitsOf(MBB));
  }

  std::vector<NativeSubject> subjects();
  Outcome change(const NativeSubject &S);
  void trapAt(const NativeSubject &S);
  void spoilAt(const NativeSubject &S);
  bool exaggerateAt(const NativeSubject &S);

private:
  static std::vector<Unit> unitsOf(llvm::MachineBasicBlock &MBB);
  void add(NativeChange C, unsigned Block, unsigned Unit, unsigned Which = 0);
  void addFolds(unsigned Block, unsigned Unit);
  void addOrders(unsigned Block, unsigned Unit);
  void addBarrier(unsigned Block, unsigned Unit);
  Outcome changeGroup(const NativeSubject &S, const Unit &U);
  Outcome changeOrder(const NativeSubject &S, const Unit &U);

  bool canMove(const Unit &U) const;
  bool converts(const Unit &U) const;
  bool writesUniformOf(const Unit &A, const Unit &B) const;
  std::optional<bool> matters(const Unit &A, const Unit &B) const;
  std::optional<bool> accessesMatter(const llvm::MachineInstr &A,
                                     const llvm::MachineInstr &B) const;
  RegEffects effectsOf(const Unit &U) const;
  std::optional<Address> addressOf(const llvm::MachineInstr &MI) const;
  std::optional<unsigned> nextAccess(const std::vector<Unit> &Units,
                                     unsigned From, bool Stores) const;
  NativePlace placeOf(const llvm::MachineOperand &MO) const {
    return nativePlace(MRI, MO.getReg());
  }
  llvm::SmallVector<llvm::MachineOperand *, 4>
  sourcesOf(llvm::MachineInstr &MI) const;
  llvm::MachineOperand *otherSource(const llvm::MachineInstr &Reader,
                                    const llvm::MachineOperand &MO) const;
  bool overwrite(llvm::MachineInstr &Before, llvm::Register R);
  void overwriteResults(llvm::MachineInstr &MI);
  llvm::Register renamed(llvm::Register Like, char Place);
  llvm::Register beyondAll(llvm::Register Like, unsigned Nth);
  llvm::MachineOperand *wrongSource(llvm::MachineInstr &Member, const Unit &U,
                                    llvm::MachineOperand *&Wrong) const;
  bool exaggerateLoad(const Unit &Load, const Unit &Before,
                      llvm::Register Pred);
  bool exaggeratePredicate(const Unit &Writer, const Unit &Reader,
                           bool IsReaderFirst);
  bool exaggerateSwap(const Unit &A, const Unit &B, llvm::Register Pred);
  static void move(const Unit &U, llvm::MachineBasicBlock::iterator Where);

  llvm::MachineRegisterInfo &MRI;
  const llvm::TargetInstrInfo &TII;
  const InstrFacts &Facts;
  RegisterAssignment Assignment;
  std::vector<std::vector<Unit>> Blocks;
  std::vector<NativeSubject> Found;
};

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_NATIVE_NATIVEMUTATOR_H
