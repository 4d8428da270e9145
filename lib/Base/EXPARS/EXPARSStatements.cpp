//===- EXPARSStatements.cpp - The statements of EXPARS --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/EXPARS/EXPARSStatements.h"

#include "regshare/Base/Device.h"
#include "regshare/Base/Statements.h"

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

Result<BundleBounds> parseBundles(const Statement &D) {
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

Result<std::vector<unsigned>> parsePref(const Statement &D) {
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

static Result<void> addBounds(const Statement &D, const KernelDescriptor &K,
                              SchemeFacts &Facts) {
  Result<BundleBounds> Parsed = parseBundles(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Facts.get<BundleBounds>())
    return failAt(D, "a function has it once");
  if (Parsed->Kept > K.Regs)
    return failAt(
        D, "kept=" + std::to_string(Parsed->Kept) +
               " is beyond the descriptor's regs=" + std::to_string(K.Regs));
  Facts.set(*Parsed);
  return {};
}

static Result<void> checkPref(const Statement &D, const KernelDescriptor &K,
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

static Result<void> addPref(const Statement &D, const KernelDescriptor &K,
                            SchemeFacts &Facts) {
  const auto *Bounds = Facts.get<BundleBounds>();
  if (!Bounds)
    return failAt(D, "before the function's regshare.bundles");
  return checkPref(D, K, *Bounds);
}

static constexpr StatementKind Statements[] = {
    {"bundles", StatementKind::Head, StatementKind::Unexecuted,
     "the operand cache that bundles fit, and registers that stay in the "
     "register file",
     addBounds},
    {"pref", StatementKind::Anywhere, StatementKind::SteppedOver,
     "a bundle begins, of whose registers these may be in scratchpad", addPref},
};

//===----------------------------------------------------------------------===//
// The scheme
//===----------------------------------------------------------------------===//

static constexpr SettingChoice CacheSizes[] = {
    {"1024", 1024}, {"2048", 2048}, {"4096", 4096}};
static constexpr SettingChoice Mappings[] = {
    {"direct", int64_t(OperandMapping::Direct), "one, as published"},
    {"turned", int64_t(OperandMapping::Turned),
     "one, which depends on the warp as well"},
    {"associative", int64_t(OperandMapping::Associative), "any"}};

const Setting settings::Tau =
    Setting::share("tau", SettingUse::Both, DefaultTauPerMille, 0,
                   "which part of a thread's registers may be in scratchpad");
const Setting settings::OperandCacheBytes = Setting::choice(
    "operand-cache", SettingUse::Compiler, OperandCache().Bytes, CacheSizes,
    "bytes of the operand cache that bundles have to fit");
const Setting settings::OperandCacheMapping = Setting::choice(
    "operand-mapping", SettingUse::Machine, int64_t(OperandMapping::Direct),
    Mappings,
    "which lines of its bank a register may have in the operand cache");
const Setting settings::ExpectedWeights = Setting::flag(
    "expected-weights", SettingUse::Compiler, false,
    "number registers by how often they are expected to be referenced, instead "
    "of how often the code names them");

static const Setting *const Settings[] = {
    &settings::Tau, &settings::OperandCacheBytes,
    &settings::OperandCacheMapping, &settings::ExpectedWeights};

static unsigned residentCTAs(const DeviceDescription &D,
                             const KernelResources &K, const SchemeFacts &Facts,
                             const SettingValues &Values) {
  const auto *Bounds = Facts.get<BundleBounds>();
  if (!Bounds)
    return occupancy(D, K).CTAs;
  Result<EXPARSResidency> R =
      exparsResidency(D, K, Values.get<unsigned>(settings::Tau), Bounds->Kept);
  return R ? R->ctas() : 0;
}

static constexpr Claim Claims[] = {
    {Domain::Rows, "has some registers of some CTAs in scratchpad instead"},
    {Domain::Operands, "has those that live in scratchpad in an operand cache"},
    {Domain::Scratchpad, "has registers in what CTAs leave of it"}};

const SchemeDescription schemes::EXPARS = {
    .Name = "expars",
    .Summary = "some of the registers of some CTAs live in scratchpad",
    .Page = "expars",
    .Statements = Statements,
    .Settings = Settings,
    .Required = "bundles",
    .ResidentCTAs = residentCTAs,
    .Claims = Claims};

static const SchemeDescription *const Members[] = {&schemes::EXPARS};
extern const SchemeFamily EXPARSFamily;
const SchemeFamily EXPARSFamily = {Members};

} // namespace regshare
