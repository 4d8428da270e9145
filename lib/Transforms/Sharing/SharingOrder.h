//===- SharingOrder.h - Private registers are needed first ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// New numbers for registers under register sharing, where the lowest ones are
/// a warp's own (resource sharing §IV-B).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGORDER_H
#define REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGORDER_H

#include "SharingReach.h"

#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include <vector>

namespace regshare {

/// What the orders look at.
struct OrderInput {
  const SharingReach &Reach; ///< Of what instructions name.
  /// Units in the order in which the text names them first.
  std::vector<unsigned> FirstUse;
  /// By unit: the size of its aligned group (registerGranules).
  std::vector<unsigned> Granules;
  unsigned Reserved = 0; ///< Units, from 0 on, that keep their numbers.
};

/// A bit of what an instruction needs that no order can make private: after
/// those of a thread's registers.
inline constexpr unsigned NeverPrivate = MaxArchUnits;

/// R0 to R<Count-1>.
RegSet lowestUnits(unsigned Count);
/// Registers of a thread whose registers got \p Numbers, by unit: what the
/// instructions name decides.
unsigned registersNamed(const OrderInput &Input,
                        const std::vector<unsigned> &Numbers);
/// The units whose \p Numbers are below \p Count.
RegSet unitsBelow(const std::vector<unsigned> &Numbers, unsigned Count);

/// New numbers by unit, in any order but `declared`. Groups keep order and
/// alignment, and no number is beyond the units there are. With
/// RegisterOrder::Weight, registers that t, in thousandths, makes private are
/// chosen so that the instructions expected before the first shared register
/// are not fewer than in the order of first use: one group of stops after the
/// other is made to pass, the one that adds most instructions for each register
/// first.
std::vector<unsigned> numbersInOrder(RegisterOrder Order,
                                     const OrderInput &Input,
                                     unsigned PrivatePerMille);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SHARING_SHARINGORDER_H
