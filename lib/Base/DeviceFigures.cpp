//===- DeviceFigures.cpp - Change a device's figures ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFigures.h"

#include <algorithm>
#include <charconv>

namespace regshare {

static constexpr std::string_view TimingPrefix = "timing.";

static tl::unexpected<Diagnostic> unknownFigure(const DeviceDescription &D,
                                                std::string_view Key) {
  std::string Message =
      "'" + D.Name + "' has no figure '" + std::string(Key) + "'; it has ";
  for (const DeviceField &F : deviceFields())
    Message += std::string(F.Key) + ", ";
  return fail(Message + "and timing.… as in its file");
}

static Result<void> changeTiming(DeviceDescription &D, std::string_view Key,
                                 std::string_view Value) {
  auto It = std::ranges::find(D.Timing, Key.substr(TimingPrefix.size()),
                              &TimingFigure::Key);
  if (It == D.Timing.end())
    return unknownFigure(D, Key);
  It->Value = Value;
  It->Source = "changed by the user";
  It->Line = 0;
  return {};
}

static Result<void> changeFigure(DeviceDescription &D, std::string_view Key,
                                 std::string_view Value) {
  if (Key.starts_with(TimingPrefix))
    return changeTiming(D, Key, Value);
  auto It = std::ranges::find_if(
      deviceFields(), [&](const DeviceField &F) { return F.Key == Key; });
  if (It == deviceFields().end())
    return unknownFigure(D, Key);
  long Number = -1;
  const char *End = Value.data() + Value.size();
  auto [Stop, Error] = std::from_chars(Value.data(), End, Number);
  if (Error != std::errc() || Stop != End || Number < 0 ||
      Number > LargestFigure)
    return fail("'" + std::string(Key) + "' is not a number that fits: '" +
                std::string(Value) + "'");
  D.*It->Member = unsigned(Number);
  return {};
}

Result<void> changeFigures(DeviceDescription &D, std::string_view Changes) {
  std::string Name = D.Name + "," + std::string(Changes);
  while (true) {
    std::string_view Change = Changes.substr(0, Changes.find(','));
    size_t Equals = Change.find('=');
    if (Equals == 0 || Equals == std::string_view::npos)
      return fail("expected figure=value, got '" + std::string(Change) + "'");
    Result<void> R =
        changeFigure(D, Change.substr(0, Equals), Change.substr(Equals + 1));
    if (!R)
      return R;
    if (Change.size() == Changes.size())
      break;
    Changes.remove_prefix(Change.size() + 1);
  }
  if (std::optional<FigureFault> Fault = findFault(D))
    return fail(Fault->Message);
  D.Name = std::move(Name);
  return {};
}

} // namespace regshare
