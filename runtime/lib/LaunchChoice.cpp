//===- LaunchChoice.cpp - Which launches are timed -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchChoice.h"

#include "Report.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace regshare::cudart {

/// A launch's number, or nothing.
static std::optional<uint64_t> parseNumber(std::string_view Text) {
  uint64_t Number = 0;
  const char *End = Text.data() + Text.size();
  auto [Stop, Error] = std::from_chars(Text.data(), End, Number);
  if (Stop != End || Error != std::errc() || Number == 0)
    return std::nullopt;
  return Number;
}

struct Numbers {
  uint64_t First, Last;
};

/// `3` or `3-8`, or nothing.
static std::optional<Numbers> parseNumbers(std::string_view Text) {
  size_t Dash = Text.find('-');
  std::optional<uint64_t> First = parseNumber(Text.substr(0, Dash));
  if (Dash == std::string_view::npos)
    return First ? std::optional<Numbers>({*First, *First}) : std::nullopt;
  std::optional<uint64_t> Last = parseNumber(Text.substr(Dash + 1));
  if (!First || !Last || *Last < *First)
    return std::nullopt;
  return Numbers{*First, *Last};
}

/// The colon before the numbers: the last one, but none of `::`.
static size_t findNumbers(std::string_view Text) {
  size_t Colon = Text.rfind(':');
  bool IsOfName =
      Colon != std::string_view::npos && Colon != 0 && Text[Colon - 1] == ':';
  return IsOfName ? std::string_view::npos : Colon;
}

Result<LaunchChoice::Range> LaunchChoice::parseRange(const std::string &Text) {
  if (std::optional<Numbers> N = parseNumbers(Text))
    return Range{"", N->First, N->Last};
  size_t Colon = findNumbers(Text);
  Range R{Text.substr(0, Colon)};
  bool IsName = !R.Kernel.empty() && !std::isdigit(uint8_t(R.Kernel[0]));
  std::optional<Numbers> N;
  if (Colon != std::string::npos)
    N = parseNumbers(std::string_view(Text).substr(Colon + 1));
  if (!IsName || (Colon != std::string::npos && !N))
    return fail("expected launches as in 3, 3-8, KERNEL, KERNEL:3 or "
                "KERNEL:3-8, the first one being 1, got '" +
                Text + "'");
  if (N)
    R = {R.Kernel, N->First, N->Last};
  return R;
}

Result<LaunchChoice> LaunchChoice::parse(const std::string &Text) {
  LaunchChoice Choice;
  size_t Begin = 0;
  int Depth = 0;
  for (size_t At = 0; At <= Text.size(); ++At) {
    char C = At == Text.size() ? ',' : Text[At];
    Depth += (C == '<' || C == '(') - (C == '>' || C == ')');
    if (C != ',' || (Depth > 0 && At != Text.size()))
      continue;
    Result<Range> R = parseRange(Text.substr(Begin, At - Begin));
    if (!R)
      return tl::make_unexpected(R.error());
    Choice.Chosen.push_back(std::move(*R));
    Begin = At + 1;
  }
  return Choice;
}

/// Whether a user who writes \p Asked means the kernel \p Name.
static bool isNamed(const std::string &Name, const std::string &Asked) {
  if (Name == Asked)
    return true;
  std::string Full = demangle(Name);
  if (Full == Asked)
    return true;
  // `void f<int>(int*)` of a template has its result, too.
  std::string_view Short = std::string_view(Full).substr(0, Full.rfind('('));
  return Short == Asked || Short.ends_with(" " + Asked);
}

bool LaunchChoice::next(const std::string &Kernel) {
  ++Launches;
  uint64_t OfKernel = ++LaunchesOf[Kernel];
  if (isAll())
    return true;
  return std::ranges::any_of(Chosen, [&](const Range &R) {
    uint64_t Number = R.Kernel.empty() ? Launches : OfKernel;
    return (R.Kernel.empty() || isNamed(Kernel, R.Kernel)) &&
           R.First <= Number && Number <= R.Last;
  });
}

} // namespace regshare::cudart
