//===- RegisterRuns.h - How far N registers reach ------------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Straight-line code and the registers it names: where to cut it so that each
/// piece names at most N.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_ANALYSIS_LTRF_REGISTERRUNS_H
#define REGSHARE_LIB_ANALYSIS_LTRF_REGISTERRUNS_H

#include "regshare/Analysis/LTRF/RegisterIntervals.h"

namespace regshare {

class RegisterRuns {
public:
  /// Keeps references to both.
  RegisterRuns(const RegisterGraph &G, const IntervalOptions &Options)
      : G(G), Options(Options) {}

  /// Instructions from wherever it starts to before End.
  struct Piece {
    unsigned End;
    RegSet Regs;
  };

  const RegisterGraph &graph() const { return G; }
  /// The longest run from \p Begin on, not beyond \p End, that names at most N
  /// registers together with \p Held.
  Piece longest(unsigned Begin, unsigned End, RegSet Held = {}) const;
  /// As few pieces as possible, cut by the options' rule.
  std::vector<Piece> divide(unsigned Begin, unsigned End) const;

private:
  std::vector<unsigned> reach(unsigned Begin, unsigned End) const;
  std::vector<Piece> divideWhereFewestLive(unsigned Begin, unsigned End) const;

  const RegisterGraph &G;
  const IntervalOptions &Options;
};

} // namespace regshare

#endif // REGSHARE_LIB_ANALYSIS_LTRF_REGISTERRUNS_H
