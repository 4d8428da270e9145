//===- Gating.h - Registers that are switched off ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the compiler and the SM both have to know of the scheme: its
/// description, its settings, and what its statements say.
///
//===----------------------------------------------------------------------===//

#ifndef GATING_GATING_H
#define GATING_GATING_H

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"

namespace gating {

extern const regshare::SchemeDescription Description;

/// The first register that can be switched off; 0: the pass chooses.
extern const regshare::Setting Bound;
/// Cycles from `on` until the rows can be used.
extern const regshare::Setting WakeCycles;

/// What a kernel says once, `regshare.gating bound=12`: its registers from
/// R<Bound> on are switched on and off together. A kernel starts with all of
/// them on; one that does not say it never switches any off.
struct GatedRegisters {
  unsigned Bound = 0;

  friend bool operator==(const GatedRegisters &,
                         const GatedRegisters &) = default;
};

/// `.pragma "regshare.gating bound=12";`
std::string printGatingPragma(const GatedRegisters &G);
/// `.pragma "regshare.off";`: from here on the warp's rows of the gated
/// registers are off, and what they held is lost, for all of its lanes.
std::string printOffPragma();
/// `.pragma "regshare.on";`: from here on they wake up.
std::string printOnPragma();

} // namespace gating

#endif // GATING_GATING_H
