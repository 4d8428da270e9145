//===- SchemeDirectives.cpp - The pragmas of the sharing systems ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Statements.h"

#include <cassert>
#include <charconv>

namespace regshare {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string statement(const std::string &Text) {
  return ".pragma \"regshare." + Text + "\";";
}

std::string printUnits(std::span<const unsigned> Units) {
  assert(!Units.empty() && "no registers");
  std::string List;
  for (unsigned Unit : Units)
    List += (List.empty() ? "R" : ",R") + std::to_string(Unit);
  return List;
}

std::string printSplitPragma(const RegMutexSplit &Split) {
  return statement("regmutex base=" + std::to_string(Split.Base) +
                   " extended=" + std::to_string(Split.Extended));
}

std::string printAcquirePragma() { return statement("acquire"); }

std::string printReleasePragma() { return statement("release"); }

std::string printFreePragma(std::span<const unsigned> Units) {
  return statement("free regs=" + printUnits(Units));
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

tl::unexpected<Diagnostic> failAt(const Directive &D,
                                  const std::string &Message) {
  return fail(Diagnostic{"regshare." + D.Verb + ": " + Message, {}, D.Line, 0});
}

Result<unsigned> parseNumber(const Directive &D, const std::string &Key,
                             const std::string &Value, unsigned Least,
                             unsigned Most) {
  unsigned Number = 0;
  const char *End = Value.data() + Value.size();
  auto [Stop, Ec] = std::from_chars(Value.data(), End, Number);
  bool IsPadded = Value.size() > 1 && Value[0] == '0';
  if (Ec != std::errc() || Stop != End || IsPadded || Number < Least ||
      Number > Most)
    return failAt(D, Key + " is a number from " + std::to_string(Least) +
                         " to " + std::to_string(Most) + ", not '" + Value +
                         "'");
  return Number;
}

Result<std::vector<std::string>> fieldsOf(const Directive &D,
                                          std::span<const char *const> Keys) {
  std::vector<std::string> Values(Keys.size());
  std::string Known;
  for (const char *Key : Keys)
    Known += (Known.empty() ? "" : ", ") + std::string(Key);
  for (const auto &[Key, Value] : D.Fields) {
    size_t At = 0;
    while (At != Keys.size() && Key != Keys[At])
      ++At;
    if (At == Keys.size())
      return failAt(D, "unknown key '" + Key + "'; known: " + Known);
    if (!Values[At].empty())
      return failAt(D, "'" + Key + "' is given twice");
    Values[At] = Value;
  }
  for (size_t At = 0; At != Keys.size(); ++At)
    if (Values[At].empty())
      return failAt(D, "missing '" + std::string(Keys[At]) + "'");
  return Values;
}

/// A set of registers is neither empty nor larger than a thread's.
static Result<unsigned> parseSize(const Directive &D, const std::string &Key,
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

Result<RegMutexSplit> parseSplit(const Directive &D) {
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

Result<std::vector<unsigned>> parseUnits(const Directive &D,
                                         std::string_view List) {
  std::vector<unsigned> Units;
  while (true) {
    std::string Word(List.substr(0, List.find(',')));
    Result<ArchReg> Reg = ArchReg::parse(Word);
    if (!Reg)
      return failAt(D, Reg.error().Message);
    if (Reg->Kind != RegKind::B32)
      return failAt(D, "'" + Word + "' is not a single register such as R3");
    if (!Units.empty() && Reg->Index <= Units.back())
      return failAt(D, "R" + std::to_string(Reg->Index) +
                           " does not ascend; each register stands once");
    Units.push_back(Reg->Index);
    if (Word.size() == List.size())
      return Units;
    List.remove_prefix(Word.size() + 1);
  }
}

Result<std::vector<unsigned>> parseFree(const Directive &D) {
  if (D.Fields.size() != 1 || D.Fields[0].first != "regs")
    return failAt(D, "expected regs=R3,R4 and nothing else");
  return parseUnits(D, D.Fields[0].second);
}

//===----------------------------------------------------------------------===//
// In their function
//===----------------------------------------------------------------------===//

static Result<void> addSplit(const Directive &D, const KernelDescriptor &K,
                             std::optional<RegMutexSplit> &Split) {
  Result<RegMutexSplit> Parsed = parseSplit(D);
  if (!Parsed)
    return fail(Parsed.error());
  if (Split)
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
  Split = *Parsed;
  return {};
}

Result<void> checkUnits(const Directive &D, const KernelDescriptor &K,
                        const std::vector<unsigned> &Units) {
  if (Units.back() >= K.Regs)
    return failAt(
        D, "R" + std::to_string(Units.back()) +
               " is beyond the descriptor's regs=" + std::to_string(K.Regs));
  return {};
}

static Result<void> checkFree(const Directive &D, const KernelDescriptor &K) {
  Result<std::vector<unsigned>> Units = parseFree(D);
  return Units ? checkUnits(D, K, *Units) : fail(Units.error());
}

Result<void> addSchemeDirective(const Directive &D, const KernelDescriptor &K,
                                std::optional<RegMutexSplit> &Split) {
  bool OfRFV = D.Verb == "free";
  bool IsScheme = OfRFV
                      ? K.Scheme == "rfv"
                      : K.Scheme == "regmutex" || K.Scheme == "regmutex-paired";
  if (!IsScheme)
    return failAt(D, "belongs to scheme " +
                         std::string(OfRFV ? "rfv" : "regmutex") +
                         ", but the descriptor says " + K.Scheme);
  if (OfRFV)
    return checkFree(D, K);
  if (D.Verb == "regmutex")
    return addSplit(D, K, Split);
  if (!D.Fields.empty())
    return failAt(D, "takes no keys");
  if (!Split)
    return failAt(D, "before the function's regshare.regmutex");
  return {};
}

} // namespace regshare
