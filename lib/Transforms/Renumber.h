//===- Renumber.h - New numbers for registers -------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registers of architected code that change places. Pairs, quads and the
/// operands of vector accesses stay together and aligned.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_RENUMBER_H
#define REGSHARE_LIB_TRANSFORMS_RENUMBER_H

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace regshare {

/// By unit of \p MF: the size of the aligned group that has to stay together, a
/// power of two; the last group may be cut off where the units end.
std::vector<unsigned> registerGranules(const llvm::MachineFunction &MF,
                                       const RegisterAssignment &Assignment);

/// The key of two groups together.
using KeyOfBoth = llvm::function_ref<double(double, double)>;

/// New numbers for units, by unit: groups of \p Granules, which has the size of
/// each unit's aligned group, keep order and alignment, and those with lower
/// keys get lower numbers. Units of small groups are paired in the order of
/// their keys until groups are as large as the largest; \p Combine gives a
/// group its key. Uses no number beyond the units there are.
std::vector<unsigned> orderGroups(const std::vector<double> &Keys,
                                  const std::vector<unsigned> &Granules,
                                  KeyOfBoth Combine);

/// Gives the registers of \p MF the new \p Numbers, by unit.
RegisterAssignment renumberRegisters(llvm::MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const std::vector<unsigned> &Numbers);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_RENUMBER_H
