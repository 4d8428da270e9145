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

#include <vector>

namespace regshare {

/// By unit of \p MF: the size of the aligned group that has to stay together, a
/// power of two; the last group may be cut off where the units end.
std::vector<unsigned> registerGranules(const llvm::MachineFunction &MF,
                                       const RegisterAssignment &Assignment);

/// Gives the registers of \p MF the new \p Numbers, by unit.
RegisterAssignment renumberRegisters(llvm::MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const std::vector<unsigned> &Numbers);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_RENUMBER_H
