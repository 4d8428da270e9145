//===- EXPARSDirectives.cpp - The pragmas of EXPARS -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Statements.h"

#include "regshare/Base/Scheme.h"

#include <cassert>

namespace regshare {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string printBundlesPragma(const BundleBounds &Bounds) {
  return statement("bundles cache=" + std::to_string(Bounds.Cache.Bytes) +
                   " kept=" + std::to_string(Bounds.Kept));
}

std::string printPrefPragma(std::span<const unsigned> Units) {
  return statement(Units.empty() ? "pref" : "pref regs=" + printUnits(Units));
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

Result<BundleBounds> parseBundles(const Directive &D) {
  static constexpr const char *Keys[] = {"cache", "kept"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  constexpr unsigned Most = 1u << 20;
  Result<unsigned> Bytes = parseNumber(D, Keys[0], (*Values)[0], 1, Most);
  if (!Bytes)
    return fail(Bytes.error());
  Result<OperandCache> Cache = OperandCache::create(*Bytes);
  if (!Cache)
    return failAt(D, Cache.error().Message);
  Result<unsigned> Kept =
      parseNumber(D, Keys[1], (*Values)[1], 0, MaxArchUnits);
  if (!Kept)
    return fail(Kept.error());
  return BundleBounds{*Cache, *Kept};
}

Result<std::vector<unsigned>> parsePref(const Directive &D) {
  if (D.Fields.empty())
    return std::vector<unsigned>();
  static constexpr const char *Keys[] = {"regs"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  return parseUnits(D, (*Values)[0]);
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

bool isBundleDirective(std::string_view Verb) {
  return Verb == "bundles" || Verb == "pref";
}

std::optional<unsigned> sharesLine(std::span<const unsigned> Units,
                                   const OperandCache &Cache) {
  RegSet Lines;
  for (unsigned Unit : Units) {
    if (Lines.test(Cache.lineOf(Unit)))
      return Unit;
    Lines.set(Cache.lineOf(Unit));
  }
  return std::nullopt;
}

static Result<void> addBounds(const Directive &D, const KernelDescriptor &K,
                              std::optional<BundleBounds> &Bounds) {
  Result<BundleBounds> Parsed = parseBundles(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Bounds)
    return failAt(D, "a function has it once");
  if (Parsed->Kept > K.Regs)
    return failAt(
        D, "kept=" + std::to_string(Parsed->Kept) +
               " is beyond the descriptor's regs=" + std::to_string(K.Regs));
  Bounds = *Parsed;
  return {};
}

static Result<void> checkPref(const Directive &D, const KernelDescriptor &K,
                              const BundleBounds &Bounds) {
  Result<std::vector<unsigned>> Units = parsePref(D);
  if (!Units)
    return fail(Units.error());
  if (Units->empty())
    return {};
  if (Result<void> R = checkUnits(D, K, *Units); !R)
    return R;
  auto Name = [](unsigned Unit) { return "R" + std::to_string(Unit); };
  if (Units->front() < Bounds.Kept)
    return failAt(D, Name(Units->front()) +
                         " is never in scratchpad, by the function's kept=" +
                         std::to_string(Bounds.Kept));
  if (std::optional<unsigned> Unit = sharesLine(*Units, Bounds.Cache))
    return failAt(D, Name(*Unit) +
                         " needs a line of the operand cache that another "
                         "register has, of " +
                         std::to_string(Bounds.Cache.lines()));
  return {};
}

Result<void> addBundleDirective(const Directive &D, const KernelDescriptor &K,
                                std::optional<BundleBounds> &Bounds) {
  assert(isBundleDirective(D.Verb) && "a directive of another scheme");
  if (K.Scheme != schemeName(Scheme::EXPARS))
    return failAt(D, "belongs to scheme expars, but the descriptor says " +
                         K.Scheme);
  if (D.Verb == "bundles")
    return addBounds(D, K, Bounds);
  if (!Bounds)
    return failAt(D, "before the function's regshare.bundles");
  return checkPref(D, K, *Bounds);
}

} // namespace regshare
