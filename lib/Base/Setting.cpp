//===- Setting.cpp - Settings of schemes ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Setting.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <vector>

namespace regshare {

static std::string printShare(int64_t Thousandths) {
  std::string Digits = std::to_string(1000 + Thousandths % 1000).substr(1);
  Digits.erase(Digits.find_last_not_of('0') + 1);
  return std::to_string(Thousandths / 1000) +
         (Digits.empty() ? "" : "." + Digits);
}

/// Nothing unless \p Text is a number from 0 to 1 with three decimals at most.
static std::optional<int64_t> parseShare(std::string_view Text) {
  size_t Point = std::min(Text.find('.'), Text.size());
  std::string_view Whole = Text.substr(0, Point);
  std::string Digits(Text.substr(std::min(Point + 1, Text.size())));
  bool IsNumber =
      std::ranges::all_of(Digits, [](char C) { return C >= '0' && C <= '9'; });
  bool IsWhole =
      Whole == "0" || Whole == "1" || (Whole.empty() && !Digits.empty());
  if (!IsNumber || Digits.size() > 3 || !IsWhole)
    return std::nullopt;
  Digits.resize(3, '0');
  int64_t Thousandths = (Whole == "1" ? 1000 : 0) + std::stoi(Digits);
  return Thousandths <= 1000 ? std::optional(Thousandths) : std::nullopt;
}

static std::optional<int64_t> parseWhole(std::string_view Text) {
  int64_t Value = 0;
  auto [Stop, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Error != std::errc() || Stop != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

std::string Setting::expected() const {
  switch (Kind) {
  case Flag:
    return "0 or 1";
  case Number:
    return "a number from " + std::to_string(Least) + " to " +
           std::to_string(Most);
  case Share:
    return "a number from " + printShare(Least) +
           " to 1 with three decimals at most";
  case Choice:
    break;
  }
  std::string Names;
  for (const SettingChoice &C : Choices)
    Names += (Names.empty() ? "one of " : ", ") + std::string(C.Name);
  return Names;
}

Result<int64_t> Setting::parse(std::string_view Text) const {
  std::optional<int64_t> Value;
  if (Kind == Choice) {
    const auto It = std::ranges::find(Choices, Text, &SettingChoice::Name);
    if (It != Choices.end())
      Value = It->Value;
  } else {
    Value = Kind == Share ? parseShare(Text) : parseWhole(Text);
    int64_t Top = Kind == Flag ? 1 : Most;
    if (Value && (*Value < Least || *Value > Top))
      Value.reset();
  }
  if (!Value)
    return fail("expected " + expected() + ", got '" + std::string(Text) + "'",
                ErrorKind::BadInput);
  return *Value;
}

std::string Setting::print(int64_t Value) const {
  if (Kind == Share)
    return printShare(Value);
  for (const SettingChoice &C : Choices)
    if (C.Value == Value)
      return std::string(C.Name);
  return std::to_string(Value);
}

std::string Setting::variable() const {
  std::string Text = "REGSHARE_";
  for (char C : Name)
    Text += C == '-' ? '_' : char(C >= 'a' && C <= 'z' ? C - 'a' + 'A' : C);
  return Text;
}

std::string Setting::option() const {
  return (Use == SettingUse::Machine ? "--" : "-regshare-") + std::string(Name);
}

Result<void> SettingValues::read(const Setting &S, std::string_view Text) {
  Result<int64_t> Value = S.parse(Text);
  if (!Value)
    return fail(Value.error());
  set(S, *Value);
  return {};
}

/// Insertions, deletions, replacements and swaps of neighbours between two
/// words (Damerau 1964, restricted to one edit of a place).
static size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<size_t> Older, Old(B.size() + 1), New(B.size() + 1);
  std::iota(Old.begin(), Old.end(), 0);
  for (size_t I = 1; I <= A.size(); ++I) {
    New[0] = I;
    for (size_t J = 1; J <= B.size(); ++J) {
      New[J] = std::min(
          {Old[J] + 1, New[J - 1] + 1, Old[J - 1] + (A[I - 1] != B[J - 1])});
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        New[J] = std::min(New[J], Older[J - 2] + 1);
    }
    Older = std::exchange(Old, New);
  }
  return Old[B.size()];
}

std::optional<std::string_view>
nearestWord(std::string_view Word, std::span<const std::string_view> Known) {
  std::optional<std::string_view> Best;
  // A third of the letters may be wrong, and one of two.
  const size_t Farthest =
      Word.size() < 2 ? 0 : std::max<size_t>(1, Word.size() / 3);
  size_t Least = Farthest + 1;
  for (std::string_view Each : Known)
    if (size_t Distance = editDistance(Word, Each); Distance < Least) {
      Least = Distance;
      Best = Each;
    }
  return Best;
}

} // namespace regshare
