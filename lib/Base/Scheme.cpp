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
  bool IsAvailable;
};
} // namespace

static constexpr Entry Table[] = {
    {Scheme::Baseline, "baseline", true},
    {Scheme::Ideal, "ideal", true},
    {Scheme::RegMutex, "regmutex", true},
    {Scheme::RegMutexPaired, "regmutex-paired", true},
    {Scheme::RFV, "rfv", true},
    {Scheme::LTRF, "ltrf", true},
    {Scheme::LTRFPlus, "ltrf-plus", true},
    {Scheme::LTRFStrand, "ltrf-strand", true},
    {Scheme::RFC, "rfc", true},
    {Scheme::SHRF, "shrf", true},
    {Scheme::EXPARS, "expars", false},
    {Scheme::Warpman, "warpman", false},
    {Scheme::RegisterSharing, "register-sharing", false},
    {Scheme::ScratchpadSharing, "scratchpad-sharing", false},
};

std::string_view schemeName(Scheme S) {
  for (const Entry &E : Table)
    if (E.S == S)
      return E.Name;
  return "";
}

static std::string names(bool OnlyAvailable) {
  std::string Names;
  for (const Entry &E : Table)
    if (E.IsAvailable || !OnlyAvailable)
      Names += (Names.empty() ? "" : ", ") + std::string(E.Name);
  return Names;
}

static const Entry *find(std::string_view Name) {
  for (const Entry &E : Table)
    if (E.Name == Name)
      return &E;
  return nullptr;
}

Result<Scheme> schemeNamed(std::string_view Name) {
  if (const Entry *E = find(Name))
    return E->S;
  return fail("unknown scheme '" + std::string(Name) +
              "'; known: " + names(/*OnlyAvailable=*/false));
}

Result<Scheme> parseScheme(std::string_view Name) {
  const Entry *E = find(Name);
  if (E && !E->IsAvailable)
    return fail("scheme '" + std::string(Name) +
                "' is not available in this version; available: " +
                names(/*OnlyAvailable=*/true));
  return schemeNamed(Name);
}

bool splitsRegisters(Scheme S) {
  return S == Scheme::RegMutex || S == Scheme::RegMutexPaired;
}

bool usesIntervals(Scheme S) {
  return S == Scheme::LTRF || S == Scheme::LTRFPlus || S == Scheme::LTRFStrand;
}

bool usesDeadOperands(Scheme S) { return S == Scheme::LTRFPlus; }

bool hasStatements(Scheme S) {
  return splitsRegisters(S) || usesIntervals(S) || S == Scheme::RFV ||
         S == Scheme::SHRF;
}

} // namespace regshare
