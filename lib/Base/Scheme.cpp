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

std::vector<Scheme> appliedSchemes() {
  std::vector<Scheme> Schemes;
  for (const Entry &E : Table)
    if (parseScheme(E.Name))
      Schemes.push_back(E.S);
  return Schemes;
}

std::string_view schemeSummary(Scheme S) {
  switch (S) {
  case Scheme::Baseline:
    return "registers of all threads stay allocated as long as their CTA";
  case Scheme::Ideal:
    return "a register file eight times as large, at no cost";
  case Scheme::RegMutex:
    return "extended registers that warps acquire from a pool and release";
  case Scheme::RegMutexPaired:
    return "RegMutex in which two warps share one set of extended registers";
  case Scheme::RFV:
    return "registers renamed when written and freed when dead";
  case Scheme::LTRF:
    return "a register cache, prefetched for each register-interval";
  case Scheme::LTRFPlus:
    return "LTRF that does not move registers that are dead";
  case Scheme::LTRFStrand:
    return "LTRF on strands instead of register-intervals";
  case Scheme::RFC:
    return "a register cache that hardware fills, without prefetches";
  case Scheme::SHRF:
    return "a register cache that the compiler fills, strand by strand";
  case Scheme::EXPARS:
    return "some of the registers of some CTAs live in scratchpad";
  case Scheme::Warpman:
    return "registers given out by warps: a CTA may be resident in part";
  case Scheme::RegisterSharing:
    return "two CTAs share registers that a warp locks on first use";
  case Scheme::ScratchpadSharing:
    return "two CTAs share scratchpad that a CTA locks on first use";
  }
  return "";
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
