//===- regshare/Base/Scheme.h - Names of the sharing systems - -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sharing systems by the names that every tool knows them by.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SCHEME_H
#define REGSHARE_BASE_SCHEME_H

#include "regshare/Base/Result.h"

#include <string_view>
#include <vector>

namespace regshare {

enum class Scheme {
  Baseline,
  Ideal,
  RegMutex,
  RegMutexPaired,
  RFV,
  LTRF,
  LTRFPlus,
  LTRFStrand,
  RFC,
  SHRF,
  EXPARS,
  Warpman,
  RegisterSharing,
  ScratchpadSharing,
};

/// "regmutex-paired".
std::string_view schemeName(Scheme S);
/// Reads a name. Fails on an unknown one, naming all.
Result<Scheme> parseScheme(std::string_view Name);

/// The systems that this version can apply, as the enumeration lists them.
std::vector<Scheme> appliedSchemes();
/// What a system is, in a line: for lists and legends.
std::string_view schemeSummary(Scheme S);

/// True for the two forms of RegMutex, which divide a kernel's registers.
bool splitsRegisters(Scheme S);
/// True for systems whose code is divided into intervals.
bool usesIntervals(Scheme S);
/// True for those of them whose code says which operands are dead.
bool usesDeadOperands(Scheme S);
/// True for the two that pair CTAs, which then share registers or scratchpad.
bool sharesInPairs(Scheme S);
/// True for systems whose code says what a pass of theirs has decided.
bool hasStatements(Scheme S);

} // namespace regshare

#endif // REGSHARE_BASE_SCHEME_H
