//===- SHRFStatements.cpp - The statements of SHRF ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/SHRF/SHRFStatements.h"

#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/Statements.h"

#include <cassert>
#include <charconv>
#include <set>

namespace regshare {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string printCachePragma(unsigned Slots) {
  return statement("cache slots=" + std::to_string(Slots));
}

std::string printStrandPragma() { return statement("strand"); }

std::string printOperandsPragma(const OperandPlaces &P) {
  assert(!P.isEmpty() && "no operands");
  std::string Text = "operands";
  for (const OperandPlacesField &F : OperandPlacesFields) {
    char Before = '=';
    for (const CachePlace &C : P.*F.Places) {
      Text += Before == '=' ? std::string(" ") + F.Key : std::string();
      Text += Before + ("R" + std::to_string(C.Unit)) + ":" +
              std::to_string(C.Slot);
      Before = ',';
    }
  }
  return statement(Text);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static bool isNumber(std::string_view Text, unsigned &Number) {
  const char *End = Text.data() + Text.size();
  auto [Stop, Ec] = std::from_chars(Text.data(), End, Number);
  bool IsPadded = Text.size() > 1 && Text[0] == '0';
  return Ec == std::errc() && Stop == End && !IsPadded;
}

Result<unsigned> parseCache(const Statement &D) {
  unsigned Slots = 0;
  if (D.Fields.size() != 1 || D.Fields[0].first != "slots")
    return failAt(D, "expected slots=16 and nothing else");
  if (!isNumber(D.Fields[0].second, Slots) || !Slots || Slots > MaxArchUnits)
    return failAt(D, "slots is a number from 1 to " +
                         std::to_string(MaxArchUnits) + ", not '" +
                         D.Fields[0].second + "'");
  return Slots;
}

static Result<CachePlace> parsePlace(const Statement &D,
                                     const std::string &Word) {
  size_t Colon = Word.find(':');
  unsigned Slot = 0;
  if (Colon == Word.npos ||
      !isNumber(std::string_view(Word).substr(Colon + 1), Slot))
    return failAt(D, "'" + Word +
                         "' is not a register and its slot, such as R3:0");
  Result<ArchReg> Reg = ArchReg::parse(Word.substr(0, Colon));
  if (!Reg)
    return failAt(D, Reg.error().Message);
  if (Reg->Kind != RegKind::B32)
    return failAt(D, "'" + Word +
                         "' does not start with a single register "
                         "such as R3");
  return CachePlace{Reg->Index, Slot};
}

static Result<std::vector<CachePlace>> parsePlaces(const Statement &D,
                                                   std::string_view List) {
  std::vector<CachePlace> Places;
  while (true) {
    std::string Word(List.substr(0, List.find(',')));
    Result<CachePlace> Place = parsePlace(D, Word);
    if (!Place)
      return fail(Place.error());
    if (!Places.empty() && Place->Unit <= Places.back().Unit)
      return failAt(D, "R" + std::to_string(Place->Unit) +
                           " does not ascend; each register stands once");
    Places.push_back(*Place);
    if (Word.size() == List.size())
      return Places;
    List.remove_prefix(Word.size() + 1);
  }
}

/// A source has one place, and so has a result; nothing shares a slot.
static Result<void> checkPlaces(const Statement &D, const OperandPlaces &P) {
  std::set<unsigned> Sources, Results, Slots;
  for (const OperandPlacesField &F : OperandPlacesFields) {
    bool IsSource =
        F.Places == &OperandPlaces::Read || F.Places == &OperandPlaces::Fetch;
    for (const CachePlace &C : P.*F.Places) {
      if (!(IsSource ? Sources : Results).insert(C.Unit).second)
        return failAt(D, "R" + std::to_string(C.Unit) + " stands twice among " +
                             (IsSource ? "sources" : "results"));
      if (!Slots.insert(C.Slot).second)
        return failAt(D, "slot " + std::to_string(C.Slot) + " stands twice");
    }
  }
  return {};
}

Result<OperandPlaces> parseOperands(const Statement &D) {
  OperandPlaces P;
  for (const auto &[Key, Value] : D.Fields) {
    const OperandPlacesField *Field = nullptr;
    for (const OperandPlacesField &F : OperandPlacesFields)
      if (Key == F.Key)
        Field = &F;
    if (!Field)
      return failAt(D, "unknown key '" + Key +
                           "'; known: read, fetch, cache, both");
    if (!(P.*Field->Places).empty())
      return failAt(D, "'" + Key + "' is given twice");
    Result<std::vector<CachePlace>> Places = parsePlaces(D, Value);
    if (!Places)
      return fail(Places.error());
    P.*Field->Places = std::move(*Places);
  }
  if (P.isEmpty())
    return failAt(D, "names no operand");
  if (Result<void> R = checkPlaces(D, P); !R)
    return fail(R.error());
  return P;
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

static Result<void> addSlots(const Statement &D, const KernelDescriptor &,
                             SchemeFacts &Facts) {
  Result<unsigned> Parsed = parseCache(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Facts.get<CacheSlots>())
    return failAt(D, "a function has it once");
  Facts.set(CacheSlots{*Parsed});
  return {};
}

static Result<void> checkOperands(const Statement &D, const KernelDescriptor &K,
                                  unsigned Slots) {
  Result<OperandPlaces> P = parseOperands(D);
  if (!P)
    return fail(P.error());
  for (const OperandPlacesField &F : OperandPlacesFields)
    for (const CachePlace &C : *P.*F.Places) {
      if (Result<void> R = checkUnits(D, K, {C.Unit}); !R)
        return R;
      if (C.Slot >= Slots)
        return failAt(
            D, "slot " + std::to_string(C.Slot) +
                   " is beyond the function's slots=" + std::to_string(Slots));
    }
  return {};
}

static constexpr const char *TooEarly = "before the function's regshare.cache";

static Result<void> addStrand(const Statement &S, const KernelDescriptor &,
                              SchemeFacts &Facts) {
  return Facts.get<CacheSlots>() ? checkNoFields(S) : failAt(S, TooEarly);
}

static Result<void> addOperands(const Statement &S, const KernelDescriptor &K,
                                SchemeFacts &Facts) {
  const auto *Cache = Facts.get<CacheSlots>();
  return Cache ? checkOperands(S, K, Cache->Slots) : failAt(S, TooEarly);
}

static constexpr StatementKind Statements[] = {
    {"cache", StatementKind::Head, StatementKind::Unexecuted,
     "how many places a warp has in the register cache", addSlots},
    {"strand", StatementKind::Anywhere, StatementKind::SteppedOver,
     "a strand begins, and what the register cache held is lost", addStrand},
    {"operands", StatementKind::Anywhere, StatementKind::Decoded,
     "which operands of what follows are in the register cache", addOperands},
};

static const Setting *const Settings[] = {&settings::IntervalRegisters};

static constexpr Claim Claims[] = {
    {Domain::Operands, "has those in a register cache that code says"},
    {Domain::Values, "has cached ones lost wherever a warp may be parked"},
    {Domain::Waiting, "has to know all such places before the warp runs"}};

const SchemeDescription schemes::SHRF = {
    .Name = "shrf",
    .Summary = "a register cache that the compiler fills, strand by strand",
    .Page = "shrf",
    .Statements = Statements,
    .Settings = Settings,
    .Required = "cache",
    .Claims = Claims};

static const SchemeDescription *const Members[] = {&schemes::SHRF};
extern const SchemeFamily SHRFFamily;
const SchemeFamily SHRFFamily = {Members};

} // namespace regshare
