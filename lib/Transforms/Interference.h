//===- Interference.h - From live intervals to a colouring problem - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns live intervals into colouring problems, one for the units and one for
/// the predicates. Private to register assignment.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_INTERFERENCE_H
#define REGSHARE_LIB_TRANSFORMS_INTERFERENCE_H

#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/Transforms/Coloring.h"

#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

/// A stretch of code through which a value, or a temporary of an inline-PTX
/// block, is held.
struct LiveStretch {
  /// Half open, in slots from the start of the function. Numbers, because a
  /// comparison of SlotIndexes reads memory.
  uint32_t Start, End;
  uint32_t Value; ///< Index into LiveValues::Values.
  RegKind Kind;   ///< That of the value.
};

/// What needs a register: a virtual register, or a temporary of \c Asm.
struct LiveValue {
  llvm::Register VReg;
  RegKind Kind;
  const llvm::MachineInstr *Asm = nullptr;
};

/// Everything that needs a register, and where it is live.
struct LiveValues {
  std::vector<LiveValue> Values;
  std::vector<LiveStretch> Stretches; ///< By start, then by value.
  std::vector<uint32_t> ValueOf;      ///< By virtual register index; ~0: none.

  static llvm::Expected<LiveValues> collect(const llvm::MachineFunction &MF,
                                            llvm::LiveIntervals &LIS);

  /// Appends a stretch of \p Value, which is in Values, to be sorted in.
  void add(llvm::SlotIndex Start, llvm::SlotIndex End, uint32_t Value,
           llvm::SlotIndex Zero);
  /// Sorts by start; stretches of one start stay in the order of adding.
  void sort();

  /// The place where \p S, one of Stretches, starts.
  llvm::SlotIndex startOf(const LiveStretch &S, llvm::LiveIntervals &LIS) const;

  uint32_t valueOf(llvm::Register VReg) const {
    unsigned I = VReg.virtRegIndex();
    return I < ValueOf.size() ? ValueOf[I] : ~0u;
  }
};

/// Most units and predicates live at one point.
struct PeakPressure {
  unsigned Units = 0;
  unsigned Preds = 0;
};
PeakPressure peakPressure(const LiveValues &Live);

/// The two problems; node i of a problem is value Node…[i].
struct Interference {
  ColoringProblem Units, Preds;
  std::vector<uint32_t> NodeOf; ///< By value, in the problem of its kind.

  explicit Interference(const LiveValues &Live);
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_INTERFERENCE_H
