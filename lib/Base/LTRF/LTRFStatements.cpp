//===- IntervalDirectives.cpp - The pragmas of LTRF -----------------------===//
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

std::string printIntervalsPragma(const IntervalBounds &Bounds) {
  return statement("intervals count=" + std::to_string(Bounds.Count) +
                   " registers=" + std::to_string(Bounds.Registers));
}

std::string printPrefetchPragma(unsigned Interval,
                                std::span<const unsigned> Units) {
  return statement("prefetch interval=" + std::to_string(Interval) +
                   " regs=" + printUnits(Units));
}

std::string printIntervalPragma(std::optional<unsigned> Interval) {
  return statement(Interval ? "interval id=" + std::to_string(*Interval)
                            : "interval");
}

std::string printDeadPragma(std::span<const unsigned> Units) {
  return statement("dead regs=" + printUnits(Units));
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

Result<IntervalBounds> parseIntervals(const Directive &D) {
  static constexpr const char *Keys[] = {"count", "registers"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  Result<unsigned> Count =
      parseNumber(D, Keys[0], (*Values)[0], 0, MaxIntervals);
  if (!Count)
    return fail(Count.error());
  Result<unsigned> Registers =
      parseNumber(D, Keys[1], (*Values)[1], 1, MaxArchUnits);
  if (!Registers)
    return fail(Registers.error());
  return IntervalBounds{*Count, *Registers};
}

Result<PrefetchVector> parsePrefetch(const Directive &D) {
  static constexpr const char *Keys[] = {"interval", "regs"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  Result<unsigned> Interval =
      parseNumber(D, Keys[0], (*Values)[0], 0, MaxIntervals);
  if (!Interval)
    return fail(Interval.error());
  Result<std::vector<unsigned>> Units = parseUnits(D, (*Values)[1]);
  if (!Units)
    return fail(Units.error());
  return PrefetchVector{*Interval, std::move(*Units)};
}

Result<std::optional<unsigned>> parseInterval(const Directive &D) {
  if (D.Fields.empty())
    return std::optional<unsigned>();
  static constexpr const char *Keys[] = {"id"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  Result<unsigned> Id = parseNumber(D, Keys[0], (*Values)[0], 0, MaxIntervals);
  if (!Id)
    return fail(Id.error());
  return std::optional(*Id);
}

Result<std::vector<unsigned>> parseDead(const Directive &D) {
  static constexpr const char *Keys[] = {"regs"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  return parseUnits(D, (*Values)[0]);
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

bool isIntervalDirective(std::string_view Verb) {
  return Verb == "intervals" || Verb == "prefetch" || Verb == "interval" ||
         Verb == "dead";
}

static Result<void> addBounds(const Directive &D,
                              std::optional<IntervalBounds> &Bounds) {
  Result<IntervalBounds> Parsed = parseIntervals(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Bounds)
    return failAt(D, "a function has it once");
  Bounds = *Parsed;
  return {};
}

static Result<void> checkId(const Directive &D, unsigned Id,
                            const IntervalBounds &Bounds) {
  if (Id < Bounds.Count)
    return {};
  return failAt(
      D, "interval " + std::to_string(Id) +
             " is beyond the function's count=" + std::to_string(Bounds.Count));
}

static Result<void> checkPrefetch(const Directive &D, const KernelDescriptor &K,
                                  const IntervalBounds &Bounds) {
  Result<PrefetchVector> P = parsePrefetch(D);
  if (!P)
    return fail(P.error());
  if (Result<void> R = checkId(D, P->Interval, Bounds); !R)
    return R;
  if (P->Units.size() > Bounds.Registers)
    return failAt(D, std::to_string(P->Units.size()) +
                         " registers, more than the function's registers=" +
                         std::to_string(Bounds.Registers));
  return checkUnits(D, K, P->Units);
}

Result<void> addIntervalDirective(const Directive &D, const KernelDescriptor &K,
                                  std::optional<IntervalBounds> &Bounds) {
  assert(isIntervalDirective(D.Verb) && "a directive of another scheme");
  Result<Scheme> S = parseScheme(K.Scheme);
  bool HasPrefetches = S && usesIntervals(*S);
  bool HasDead = S && usesDeadOperands(*S);
  if (D.Verb == "dead" ? !HasDead : !HasPrefetches)
    return failAt(D, "belongs to scheme " +
                         std::string(D.Verb == "dead" ? "ltrf-plus" : "ltrf") +
                         ", but the descriptor says " + K.Scheme);
  if (D.Verb == "intervals")
    return addBounds(D, Bounds);
  if (!Bounds)
    return failAt(D, "before the function's regshare.intervals");
  if (D.Verb == "prefetch")
    return checkPrefetch(D, K, *Bounds);
  if (D.Verb == "dead") {
    Result<std::vector<unsigned>> Units = parseDead(D);
    return Units ? checkUnits(D, K, *Units) : fail(Units.error());
  }
  Result<std::optional<unsigned>> Id = parseInterval(D);
  if (!Id)
    return fail(Id.error());
  return *Id ? checkId(D, **Id, *Bounds) : Result<void>();
}

} // namespace regshare
