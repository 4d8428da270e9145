//===- Scheme.cpp - Names of the sharing systems --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Scheme.h"

#include <cstdint>
#include <string>

namespace regshare {

namespace {
enum class Status : uint8_t {
  Missing,
  Compiled, ///< The reference SM cannot run it yet.
  Available,
};

struct Entry {
  Scheme S;
  std::string_view Name;
  Status Is;
};
} // namespace

static constexpr Entry Table[] = {
    {Scheme::Baseline, "baseline", Status::Available},
    {Scheme::Ideal, "ideal", Status::Available},
    {Scheme::RegMutex, "regmutex", Status::Available},
    {Scheme::RegMutexPaired, "regmutex-paired", Status::Available},
    {Scheme::RFV, "rfv", Status::Available},
    {Scheme::LTRF, "ltrf", Status::Available},
    {Scheme::LTRFPlus, "ltrf-plus", Status::Available},
    {Scheme::LTRFStrand, "ltrf-strand", Status::Available},
    {Scheme::RFC, "rfc", Status::Available},
    {Scheme::SHRF, "shrf", Status::Missing},
    {Scheme::EXPARS, "expars", Status::Missing},
    {Scheme::Warpman, "warpman", Status::Missing},
    {Scheme::RegisterSharing, "register-sharing", Status::Missing},
    {Scheme::ScratchpadSharing, "scratchpad-sharing", Status::Missing},
};

std::string_view schemeName(Scheme S) {
  for (const Entry &E : Table)
    if (E.S == S)
      return E.Name;
  return "";
}

static std::string namesOf(Status Least) {
  std::string Names;
  for (const Entry &E : Table)
    if (E.Is >= Least)
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
              "'; known: " + namesOf(Status::Missing));
}

static Result<Scheme> parseAtLeast(std::string_view Name, Status Least) {
  const Entry *E = find(Name);
  if (E && E->Is < Least)
    return fail(
        "scheme '" + std::string(Name) +
        "' is not available in this version; available: " + namesOf(Least));
  return schemeNamed(Name);
}

Result<Scheme> parseScheme(std::string_view Name) {
  return parseAtLeast(Name, Status::Available);
}

Result<Scheme> parseCompiledScheme(std::string_view Name) {
  return parseAtLeast(Name, Status::Compiled);
}

bool usesIntervals(Scheme S) {
  return S == Scheme::LTRF || S == Scheme::LTRFPlus || S == Scheme::LTRFStrand;
}

bool usesDeadOperands(Scheme S) { return S == Scheme::LTRFPlus; }

} // namespace regshare
