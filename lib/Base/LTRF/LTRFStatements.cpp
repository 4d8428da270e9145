//===- LTRFStatements.cpp - The statements of LTRF ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/LTRF/LTRFStatements.h"

#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/Statements.h"

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

Result<IntervalBounds> parseIntervals(const Statement &D) {
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

Result<PrefetchVector> parsePrefetch(const Statement &D) {
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

Result<std::optional<unsigned>> parseInterval(const Statement &D) {
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

Result<std::vector<unsigned>> parseDead(const Statement &D) {
  static constexpr const char *Keys[] = {"regs"};
  Result<std::vector<std::string>> Values = fieldsOf(D, Keys);
  if (!Values)
    return fail(Values.error());
  return parseUnits(D, (*Values)[0]);
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

static Result<void> addBounds(const Statement &D, const KernelDescriptor &,
                              SchemeFacts &Facts) {
  Result<IntervalBounds> Parsed = parseIntervals(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Facts.get<IntervalBounds>())
    return failAt(D, "a function has it once");
  Facts.set(*Parsed);
  return {};
}

static Result<void> checkId(const Statement &D, unsigned Id,
                            const IntervalBounds &Bounds) {
  if (Id < Bounds.Count)
    return {};
  return failAt(
      D, "interval " + std::to_string(Id) +
             " is beyond the function's count=" + std::to_string(Bounds.Count));
}

static Result<void> checkPrefetch(const Statement &D, const KernelDescriptor &K,
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

/// The function's bounds, which have to come first.
static Result<IntervalBounds> boundsOf(const Statement &D,
                                       const SchemeFacts &Facts) {
  if (const auto *Bounds = Facts.get<IntervalBounds>())
    return *Bounds;
  return failAt(D, "before the function's regshare.intervals");
}

static Result<void> addPrefetch(const Statement &D, const KernelDescriptor &K,
                                SchemeFacts &Facts) {
  Result<IntervalBounds> Bounds = boundsOf(D, Facts);
  return Bounds ? checkPrefetch(D, K, *Bounds) : fail(Bounds.error());
}

static Result<void> addInterval(const Statement &D, const KernelDescriptor &,
                                SchemeFacts &Facts) {
  Result<IntervalBounds> Bounds = boundsOf(D, Facts);
  if (!Bounds)
    return fail(Bounds.error());
  Result<std::optional<unsigned>> Id = parseInterval(D);
  if (!Id)
    return fail(Id.error());
  return *Id ? checkId(D, **Id, *Bounds) : Result<void>();
}

static Result<void> addDead(const Statement &D, const KernelDescriptor &K,
                            SchemeFacts &Facts) {
  if (Result<IntervalBounds> Bounds = boundsOf(D, Facts); !Bounds)
    return fail(Bounds.error());
  Result<std::vector<unsigned>> Units = parseDead(D);
  return Units ? checkUnits(D, K, *Units) : fail(Units.error());
}

static constexpr StatementKind WithDead[] = {
    {"intervals", StatementKind::Head, StatementKind::Unexecuted,
     "how many intervals the kernel has, and registers each at most",
     addBounds},
    {"prefetch", StatementKind::Anywhere, StatementKind::Issued,
     "an interval begins, and these registers are its working set",
     addPrefetch},
    {"interval", StatementKind::Anywhere, StatementKind::Decoded,
     "what follows in the text belongs to the interval", addInterval},
    {"dead", StatementKind::After, StatementKind::SteppedOver,
     "operands of the instruction before that no lane needs any more", addDead},
};
static constexpr std::span WithoutDead = std::span(WithDead).first<3>();

//===----------------------------------------------------------------------===//
// The schemes
//===----------------------------------------------------------------------===//

const Setting settings::IntervalRegisters = Setting::number(
    "interval-registers", SettingUse::Both, DefaultIntervalRegisters, 1,
    MaxArchUnits,
    "32-bit registers of a warp in the register cache; an interval names no "
    "more");
const Setting settings::PublishedIntervals = Setting::flag(
    "published-intervals", SettingUse::Compiler, false,
    "divide the code as the published algorithm does, instead of the way with "
    "the fewest prefetches expected");
const Setting settings::RenumberBanks = Setting::number(
    "renumber-banks", SettingUse::Compiler, 0, 0, 256,
    "give registers new numbers so that the registers of a prefetch are spread "
    "over this many banks",
    "the numbers stay");
const Setting settings::DirtyBits = Setting::flag(
    "dirty-bits", SettingUse::Machine, false,
    "the warp control block knows which cached registers were changed, and no "
    "others are written back; the published one does not");

static const Setting *const Settings[] = {
    &settings::IntervalRegisters, &settings::PublishedIntervals,
    &settings::RenumberBanks, &settings::DirtyBits};

static constexpr Claim Claims[] = {
    {Domain::Operands, "has them in a register cache that code prefetches"}};

const SchemeDescription schemes::LTRF = {
    .Name = "ltrf",
    .Summary = "a register cache, prefetched for each register-interval",
    .Page = "ltrf",
    .Statements = WithoutDead,
    .Settings = Settings,
    .Required = "intervals",
    .Claims = Claims};

const SchemeDescription schemes::LTRFPlus = {
    .Name = "ltrf-plus",
    .Summary = "LTRF that does not move registers that are dead",
    .Page = "ltrf",
    .Statements = WithDead,
    .Settings = Settings,
    .Required = "intervals",
    .Claims = Claims};

const SchemeDescription schemes::LTRFStrand = {
    .Name = "ltrf-strand",
    .Summary = "LTRF on strands instead of register-intervals",
    .Page = "ltrf",
    .Statements = WithoutDead,
    .Settings = Settings,
    .Required = "intervals",
    .Claims = Claims};

static const SchemeDescription *const Members[] = {
    &schemes::LTRF, &schemes::LTRFPlus, &schemes::LTRFStrand};
extern const SchemeFamily LTRFFamily;
const SchemeFamily LTRFFamily = {Members};

} // namespace regshare
