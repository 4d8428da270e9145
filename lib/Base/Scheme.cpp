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
/// How far this version knows a system.
enum class Support { ByName, Applied };
struct Entry {
  Scheme S;
  std::string_view Name;
  Support Known;
};
} // namespace

static constexpr Entry Table[] = {
    {Scheme::Baseline, "baseline", Support::Applied},
    {Scheme::Ideal, "ideal", Support::Applied},
    {Scheme::RegMutex, "regmutex", Support::Applied},
    {Scheme::RegMutexPaired, "regmutex-paired", Support::Applied},
    {Scheme::RFV, "rfv", Support::Applied},
    {Scheme::LTRF, "ltrf", Support::Applied},
    {Scheme::LTRFPlus, "ltrf-plus", Support::Applied},
    {Scheme::LTRFStrand, "ltrf-strand", Support::Applied},
    {Scheme::RFC, "rfc", Support::Applied},
    {Scheme::SHRF, "shrf", Support::Applied},
    {Scheme::EXPARS, "expars", Support::Applied},
    {Scheme::Warpman, "warpman", Support::Applied},
    {Scheme::RegisterSharing, "register-sharing", Support::ByName},
    {Scheme::ScratchpadSharing, "scratchpad-sharing", Support::ByName},
};

std::string_view schemeName(Scheme S) {
  for (const Entry &E : Table)
    if (E.S == S)
      return E.Name;
  return "";
}

static std::string names(Support Least) {
  std::string Names;
  for (const Entry &E : Table)
    if (E.Known >= Least)
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
              "'; known: " + names(Support::ByName));
}

Result<Scheme> parseScheme(std::string_view Name) {
  const Entry *E = find(Name);
  if (E && E->Known == Support::ByName)
    return fail("scheme '" + std::string(Name) +
                "' is not available in this version; available: " +
                names(Support::Applied));
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
         S == Scheme::SHRF || S == Scheme::EXPARS;
}

} // namespace regshare
