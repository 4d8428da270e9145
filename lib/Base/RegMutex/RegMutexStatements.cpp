//===- RegMutexStatements.cpp - The statements of RegMutex ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/Statements.h"

#include <charconv>

namespace regshare {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string printSplitPragma(const RegMutexSplit &Split) {
  return statement("regmutex base=" + std::to_string(Split.Base) +
                   " extended=" + std::to_string(Split.Extended));
}

std::string printAcquirePragma() { return statement("acquire"); }

std::string printReleasePragma() { return statement("release"); }

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// A set of registers is neither empty nor larger than a thread's.
static Result<unsigned> parseSize(const Statement &D, const std::string &Key,
                                  const std::string &Value) {
  unsigned Size = 0;
  const char *End = Value.data() + Value.size();
  auto [Stop, Ec] = std::from_chars(Value.data(), End, Size);
  if (Ec != std::errc() || Stop != End || Value[0] == '0' ||
      Size > MaxArchUnits)
    return failAt(D, Key + " is a number of registers from 1 to " +
                         std::to_string(MaxArchUnits) + ", not '" + Value +
                         "'");
  return Size;
}

Result<RegMutexSplit> parseSplit(const Statement &D) {
  RegMutexSplit Split;
  for (const auto &[Key, Value] : D.Fields) {
    unsigned *Size = Key == "base"       ? &Split.Base
                     : Key == "extended" ? &Split.Extended
                                         : nullptr;
    if (!Size)
      return failAt(D, "unknown key '" + Key + "'; known: base, extended");
    if (*Size)
      return failAt(D, "'" + Key + "' is given twice");
    Result<unsigned> Parsed = parseSize(D, Key, Value);
    if (!Parsed)
      return fail(Parsed.error());
    *Size = *Parsed;
  }
  if (!Split.Base)
    return failAt(D, "missing 'base' (registers a warp always has)");
  if (!Split.Extended)
    return failAt(D, "missing 'extended' (registers a warp acquires)");
  return Split;
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

static Result<void> addSplit(const Statement &D, const KernelDescriptor &K,
                             SchemeFacts &Facts) {
  Result<RegMutexSplit> Parsed = parseSplit(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Facts.get<RegMutexSplit>())
    return failAt(D, "a function is split once");
  // All that a thread can name, rounded up as files allocate it.
  constexpr unsigned MostTogether = MaxArchUnits + 1;
  unsigned Together = Parsed->Base + Parsed->Extended;
  std::string They = "base and extended are " + std::to_string(Together) +
                     " registers together, ";
  if (Together < K.Regs)
    return failAt(
        D, They + "less than the descriptor's regs=" + std::to_string(K.Regs));
  if (Together > MostTogether)
    return failAt(D, They + "more than the " + std::to_string(MostTogether) +
                         " that a thread can have");
  Facts.set(*Parsed);
  return {};
}

static Result<void> addBoundary(const Statement &S, const KernelDescriptor &,
                                SchemeFacts &Facts) {
  if (Result<void> Ok = checkNoFields(S); !Ok)
    return Ok;
  if (!Facts.get<RegMutexSplit>())
    return failAt(S, "before the function's regshare.regmutex");
  return {};
}

static constexpr StatementKind Statements[] = {
    {"regmutex", StatementKind::Head, StatementKind::Unexecuted,
     "how many registers are in the base set and in the extended set",
     addSplit},
    {"acquire", StatementKind::Anywhere, StatementKind::Issued,
     "the warp has its extended set from here on", addBoundary},
    {"release", StatementKind::Anywhere, StatementKind::Issued,
     "the warp has no extended set from here on", addBoundary},
};

//===----------------------------------------------------------------------===//
// The schemes
//===----------------------------------------------------------------------===//

const Setting settings::ExtendedSet = Setting::number(
    "es", SettingUse::Compiler, 0, 0, MaxArchUnits,
    "registers of the extended set", "chosen for each kernel and launch shape");
const Setting settings::PublishedPolicy = Setting::flag(
    "published-policy", SettingUse::Compiler, false,
    "as many registers in the extended set as the published policy chooses, "
    "instead of the number that promises most");

static const Setting *const Settings[] = {&settings::ExtendedSet,
                                          &settings::PublishedPolicy};

/// The choice is by occupancy.
static bool dependsOnLaunch(const SettingValues &Values) {
  return !Values[settings::ExtendedSet];
}

template <RegMutexKind Kind>
static unsigned residentCTAs(const DeviceDescription &D,
                             const KernelResources &K, const SchemeFacts &Facts,
                             const SettingValues &) {
  const auto *Split = Facts.get<RegMutexSplit>();
  if (!Split)
    return occupancy(D, K).CTAs;
  Result<RegMutexResidency> R = regMutexResidency(Kind, D, K, *Split);
  return R ? R->CTAs : 0;
}

static ShownFacts show(const SchemeFacts &Facts) {
  const auto *Split = Facts.get<RegMutexSplit>();
  if (!Split)
    return {"split", "none: the kernel is as under baseline", {}};
  return {"split",
          std::to_string(Split->Base) + " base and " +
              std::to_string(Split->Extended) + " extended registers",
          {{"base", Split->Base}, {"extended", Split->Extended}}};
}

static unsigned border(const SchemeFacts &Facts) {
  const auto *Split = Facts.get<RegMutexSplit>();
  return Split ? Split->Base : 0;
}

static constexpr Claim Claims[] = {
    {Domain::Rows, "has warps acquire some of them from a pool"},
    {Domain::Values, "takes extended registers away at each release"}};

const SchemeDescription schemes::RegMutex = {
    .Name = "regmutex",
    .Summary = "extended registers that warps acquire from a pool and release",
    .Page = "regmutex",
    .Statements = Statements,
    .Settings = Settings,
    .DependsOnLaunch = dependsOnLaunch,
    .ResidentCTAs = residentCTAs<RegMutexKind::Pooled>,
    .Show = show,
    .Border = border,
    .Claims = Claims};

const SchemeDescription schemes::RegMutexPaired = {
    .Name = "regmutex-paired",
    .Summary =
        "RegMutex in which two warps share one set of extended registers",
    .Page = "regmutex",
    .Statements = Statements,
    .Settings = Settings,
    .DependsOnLaunch = dependsOnLaunch,
    .ResidentCTAs = residentCTAs<RegMutexKind::Paired>,
    .Show = show,
    .Border = border,
    .Claims = Claims};

static const SchemeDescription *const Members[] = {&schemes::RegMutex,
                                                   &schemes::RegMutexPaired};
extern const SchemeFamily RegMutexFamily;
const SchemeFamily RegMutexFamily = {Members};

} // namespace regshare
