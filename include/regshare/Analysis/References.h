//===- regshare/Analysis/References.h - How registers are referenced - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often registers are referenced, and which are first: what schemes order
/// registers by.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_REFERENCES_H
#define REGSHARE_ANALYSIS_REFERENCES_H

#include "regshare/CodeGen/RegisterAssignment.h"

#include <vector>

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// How often a unit is referenced.
struct ReferenceWeight {
  unsigned Static = 0; ///< Operands in the code that name the unit.
  double Expected = 0; ///< The same, times executions per entry of the kernel.
};

/// By unit, up to the highest one in use.
std::vector<ReferenceWeight>
referenceWeights(const llvm::MachineFunction &MF,
                 const RegisterAssignment &Assignment,
                 const llvm::MachineBlockFrequencyInfo &MBFI);

/// What comes first.
enum class BlockOrder : uint8_t {
  Layout,           ///< As the code is written: the published reordering.
  ReversePostOrder, ///< A block before those it dominates, loops aside.
};

/// The units in use, in the order in which the code first names them.
std::vector<unsigned> firstUseOrder(const llvm::MachineFunction &MF,
                                    const RegisterAssignment &Assignment,
                                    BlockOrder Order);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_REFERENCES_H
