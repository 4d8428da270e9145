//===- BankCalendar.h - Cycles in which banks are taken ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The accesses that a scheme makes by itself to banks of registers, which
/// instructions use as well: a bank serves one access a cycle, and transfers
/// come first.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_BANKCALENDAR_H
#define REGSHARE_SIM_SCHEMES_BANKCALENDAR_H

#include "Timing/Core/CoreConfig.h"
#include "Timing/EventWheel.h"

#include <array>

namespace regshare::sim {

/// When each bank of the register file takes what.
class BankCalendar {
public:
  /// In sub-cores banks are never taken: what writes there has a port of its
  /// own, with any scheme.
  explicit BankCalendar(const CoreConfig &C)
      : IsShared(C.Organisation == OperandOrganisation::Collectors) {}

  /// Takes \p Bank for the first cycle from \p From on in which it is free. A
  /// transfer more than Days ahead takes none.
  Cycle take(Cycle Now, Cycle From, unsigned Bank) {
    if (!IsShared)
      return From;
    for (; From < Now + Days; ++From) {
      Day &D = Of[From % Days];
      if (D.When != From)
        D = {From, 0};
      if (D.Banks >> Bank & 1)
        continue;
      D.Banks |= 1u << Bank;
      break;
    }
    return From;
  }

  /// A mask of the banks that are taken.
  uint32_t takenAt(Cycle When) const {
    const Day &D = Of[When % Days];
    return D.When == When ? D.Banks : 0;
  }

private:
  static constexpr Cycle Days = 512;
  struct Day {
    Cycle When = Never;
    uint32_t Banks = 0;
  };
  std::array<Day, Days> Of;
  bool IsShared;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_BANKCALENDAR_H
