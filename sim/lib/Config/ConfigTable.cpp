//===- ConfigTable.cpp - Figures of a device's timing ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Config/ConfigTable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace regshare::sim {

static const TimingFigure *find(const DeviceDescription &D,
                                std::string_view Key) {
  auto It = std::ranges::find(D.Timing, Key, &TimingFigure::Key);
  return It == D.Timing.end() ? nullptr : &*It;
}

static tl::unexpected<Diagnostic> missing(const DeviceDescription &D,
                                          std::string_view Key) {
  return fail(Diagnostic{"device '" + D.Name + "' has no 'timing." +
                             std::string(Key) +
                             "', which the timing model needs",
                         D.File, 0, 0});
}

static tl::unexpected<Diagnostic> wrong(const DeviceDescription &D,
                                        const TimingFigure &F,
                                        const std::string &Expected) {
  return fail(Diagnostic{"'timing." + F.Key + "' is '" + F.Value +
                             "'; expected " + Expected,
                         D.File, F.Line, 0});
}

bool hasFigure(const DeviceDescription &D, std::string_view Key) {
  return find(D, Key);
}

Result<unsigned> readFigure(const DeviceDescription &D, std::string_view Key,
                            unsigned Min, unsigned Max) {
  const TimingFigure *F = find(D, Key);
  if (!F)
    return missing(D, Key);
  unsigned Value = 0;
  const char *End = F->Value.data() + F->Value.size();
  auto [Rest, Error] = std::from_chars(F->Value.data(), End, Value);
  if (Error != std::errc() || Rest != End || Value < Min || Value > Max)
    return wrong(D, *F,
                 "a whole number from " + std::to_string(Min) + " to " +
                     std::to_string(Max));
  return Value;
}

static std::string spelled(double Value) {
  std::array<char, 32> Text = {};
  auto [End, Error] =
      std::to_chars(Text.begin(), Text.end(), Value, std::chars_format::fixed);
  return {Text.begin(), End};
}

Result<double> readDecimal(const DeviceDescription &D, std::string_view Key,
                           double Min, double Max) {
  const TimingFigure *F = find(D, Key);
  if (!F)
    return missing(D, Key);
  double Value = 0;
  const char *End = F->Value.data() + F->Value.size();
  auto [Rest, Error] = std::from_chars(F->Value.data(), End, Value);
  bool IsInRange = Value >= Min && Value <= Max; // Not if it is no number.
  if (Error != std::errc() || Rest != End || !IsInRange)
    return wrong(D, *F,
                 "a number from " + spelled(Min) + " to " + spelled(Max));
  return Value;
}

Result<unsigned> readChoice(const DeviceDescription &D, std::string_view Key,
                            std::span<const char *const> Names) {
  const TimingFigure *F = find(D, Key);
  if (!F)
    return missing(D, Key);
  std::string All;
  for (unsigned N = 0; N != Names.size(); ++N) {
    if (F->Value == Names[N])
      return N;
    All += (N ? ", " : "") + std::string(Names[N]);
  }
  return wrong(D, *F, "one of " + All);
}

Result<void> checkKeys(const DeviceDescription &D,
                       std::span<const std::string> Known) {
  for (const TimingFigure &F : D.Timing)
    if (std::ranges::find(Known, F.Key) == Known.end())
      return fail(Diagnostic{"unknown figure 'timing." + F.Key + "'", D.File,
                             F.Line, 0});
  return {};
}

} // namespace regshare::sim
