//===- LiveValues.h - Where values are live ------------------ -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Everything in a function that needs a register, and the stretches of code
/// through which it needs one. Says what LLVM's LiveIntervals say, but for
/// which of its values a register holds: stretches that touch are one. Private
/// to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_LIVEVALUES_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_LIVEVALUES_H

#include "OperandTable.h"

#include "regshare/Base/ArchReg.h"

#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Error.h"

namespace regshare {

/// A stretch of code through which a value, or a temporary of an inline-PTX
/// block, is held.
struct LiveStretch {
  uint32_t Start, End; ///< Half open, in slots: see OperandTable.
  uint32_t Value;      ///< Index into LiveValues::Values.
  RegKind Kind;        ///< That of the value.
};

/// What needs a register: a virtual register, or a temporary of \c Asm, inline
/// PTX or, in native code, an instruction that is several.
struct LiveValue {
  llvm::Register VReg;
  RegKind Kind;
  const llvm::MachineInstr *Asm = nullptr;
};

struct LiveValues {
  std::vector<LiveValue> Values;
  std::vector<LiveStretch> Stretches; ///< By start, then by value.
  std::vector<uint32_t> ValueOf;      ///< By virtual register index; ~0: none.
  OperandTable Code;
  /// Some register has two results that nobody reads: its values may have
  /// nothing to do with each other.
  bool MayComeApart = false;

  /// Looks at \p MF, which has no PHIs, and calls \p Visit for every
  /// instruction but debug instructions, in layout order. Marks the results
  /// that nobody reads as dead, and no others. Fails where inline PTX declares
  /// temporaries that cannot be read.
  static llvm::Expected<LiveValues> collect(
      llvm::MachineFunction &MF,
      llvm::function_ref<void(llvm::MachineInstr &)> Visit =
          [](llvm::MachineInstr &) {});

  uint32_t valueOf(llvm::Register VReg) const {
    unsigned I = VReg.virtRegIndex();
    return I < ValueOf.size() ? ValueOf[I] : ~0u;
  }
};

/// Most units and predicates live at one point, and how many pairs of stretches
/// in one register file overlap.
struct PeakPressure {
  unsigned Units = 0;
  unsigned Preds = 0;
  size_t UnitPairs = 0;
  size_t PredPairs = 0;
};
PeakPressure peakPressure(llvm::ArrayRef<LiveStretch> Stretches);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_LIVEVALUES_H
