//===- Scheme.cpp - Names of the sharing systems --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Scheme.h"

#include <string>

namespace regshare {

namespace {
struct Entry {
  Scheme S;
  std::string_view Name;
};
} // namespace

static constexpr Entry Table[] = {
    {Scheme::Baseline, "baseline"},
    {Scheme::Ideal, "ideal"},
    {Scheme::RegMutex, "regmutex"},
    {Scheme::RegMutexPaired, "regmutex-paired"},
    {Scheme::RFV, "rfv"},
    {Scheme::LTRF, "ltrf"},
    {Scheme::LTRFPlus, "ltrf-plus"},
    {Scheme::LTRFStrand, "ltrf-strand"},
    {Scheme::RFC, "rfc"},
    {Scheme::SHRF, "shrf"},
    {Scheme::EXPARS, "expars"},
    {Scheme::Warpman, "warpman"},
    {Scheme::RegisterSharing, "register-sharing"},
    {Scheme::ScratchpadSharing, "scratchpad-sharing"},
};

std::string_view schemeName(Scheme S) {
  for (const Entry &E : Table)
    if (E.S == S)
      return E.Name;
  return "";
}

Result<Scheme> parseScheme(std::string_view Name) {
  std::string Known;
  for (const Entry &E : Table) {
    if (E.Name == Name)
      return E.S;
    Known += (Known.empty() ? "" : ", ") + std::string(E.Name);
  }
  return fail("unknown scheme '" + std::string(Name) + "'; known: " + Known);
}

bool splitsRegisters(Scheme S) {
  return S == Scheme::RegMutex || S == Scheme::RegMutexPaired;
}

bool usesIntervals(Scheme S) {
  return S == Scheme::LTRF || S == Scheme::LTRFPlus || S == Scheme::LTRFStrand;
}

bool usesDeadOperands(Scheme S) { return S == Scheme::LTRFPlus; }

bool sharesInPairs(Scheme S) {
  return S == Scheme::RegisterSharing || S == Scheme::ScratchpadSharing;
}

bool hasStatements(Scheme S) {
  return splitsRegisters(S) || usesIntervals(S) || sharesInPairs(S) ||
         S == Scheme::RFV || S == Scheme::SHRF || S == Scheme::EXPARS;
}

} // namespace regshare
