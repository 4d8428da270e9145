//===- EXPARSRenumber.h - Hot registers first -------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Under EXPARS the registers with the highest numbers are those that may live
/// in scratchpad, so that the registers referenced most get the lowest (§3.2).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_EXPARS_EXPARSRENUMBER_H
#define REGSHARE_LIB_TRANSFORMS_EXPARS_EXPARSRENUMBER_H

#include "regshare/Analysis/EXPARS/Bundles.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include <vector>

namespace llvm {
class MachineBlockFrequencyInfo;
} // namespace llvm

namespace regshare {

/// By unit: how often \p MF's instructions name it, operand by operand. With
/// \p MBFI as often as LLVM expects them to execute for each entry.
std::vector<double>
referenceWeights(const llvm::MachineFunction &MF,
                 const RegisterAssignment &Assignment,
                 const llvm::MachineBlockFrequencyInfo *MBFI);

/// What each instruction of \p MF names; terminators of a block are one.
std::vector<RegSet> namedTogether(const llvm::MachineFunction &MF,
                                  const RegisterAssignment &Assignment);

/// New numbers for units, by unit: groups of \p Granules, which has the size of
/// each unit's aligned group, keep order and alignment, and heavier ones get
/// lower numbers. Units of small groups are paired in the order of their
/// weights until groups are as large as the largest. Uses no number beyond the
/// units there are.
std::vector<unsigned> orderByWeight(const std::vector<double> &Weights,
                                    const std::vector<unsigned> &Granules);

/// Exchanges groups that are named so that fewer registers have to be kept in
/// the register file because of \p Together, sets of units (by the numbers
/// before any renumbering) that no bundle can part: until Rules.Kept are
/// enough, or no exchange helps. Of exchanges that help alike the one that
/// disturbs the order least is made.
void avoidCollisions(std::vector<unsigned> &Numbers,
                     const std::vector<double> &Weights,
                     const std::vector<unsigned> &Granules,
                     const std::vector<RegSet> &Together,
                     const BundleRules &Rules);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_EXPARS_EXPARSRENUMBER_H
