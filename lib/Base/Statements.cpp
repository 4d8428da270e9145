//===- Statements.cpp - For schemes' statements ---------------------------===//
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

tl::unexpected<Diagnostic> failAt(const Statement &D,
                                  const std::string &Message) {
  return fail(Diagnostic{"regshare." + D.Verb + ": " + Message, {}, D.Line, 0});
}

Result<unsigned> parseNumber(const Statement &D, const std::string &Key,
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

std::string printMask(uint64_t Mask) {
  std::string List;
  for (; Mask; Mask &= Mask - 1)
    List += (List.empty() ? "" : ",") + std::to_string(std::countr_zero(Mask));
  return List;
}

Result<unsigned> parseMask(const Statement &D, const std::string &Key,
                           const std::string &List, unsigned Most) {
  unsigned Mask = 0;
  for (size_t At = 0; At <= List.size();) {
    size_t End = std::min(List.find(',', At), List.size());
    Result<unsigned> N =
        parseNumber(D, Key, List.substr(At, End - At), 0, Most);
    if (!N)
      return N;
    if (Mask >> *N)
      return failAt(D, "expected numbers that ascend in " + Key + ", found '" +
                           List + "'");
    Mask |= 1u << *N;
    At = End + 1;
  }
  return Mask;
}

Result<std::vector<std::string>> fieldsOf(const Statement &D,
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

Result<std::vector<unsigned>> parseUnits(const Statement &D,
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

Result<void> checkUnits(const Statement &D, const KernelDescriptor &K,
                        const std::vector<unsigned> &Units) {
  if (Units.back() >= K.Regs)
    return failAt(
        D, "R" + std::to_string(Units.back()) +
               " is beyond the descriptor's regs=" + std::to_string(K.Regs));
  return {};
}

Result<void> checkNoFields(const Statement &S) {
  return S.Fields.empty() ? Result<void>() : failAt(S, "takes no keys");
}

} // namespace regshare
