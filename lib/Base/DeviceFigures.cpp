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
  return fail(Message +
              "regfile.design, regfile.latency and timing.… as in its file");
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

const std::vector<RegisterFileDesign> &registerFileDesigns() {
  // Sadrosadati et al., ASPLOS 2018, Table 2.
  static const std::vector<RegisterFileDesign> Designs = {
      {1, "HP SRAM", 1, {1, 1, 1}},
      {2, "HP SRAM, larger banks", 8, {1.25, 8, 8}},
      {3, "HP SRAM, more banks", 8, {1.5, 8, 8}},
      {4, "LSTP SRAM, larger banks", 8, {1.6, 3.2, 8}},
      {5, "LSTP SRAM, more banks", 8, {2.8, 3.2, 8}},
      {6, "TFET SRAM", 8, {5.3, 1.05, 8}},
      {7, "DWM", 8, {6.3, 0.65, 0.25}},
  };
  return Designs;
}

static Result<double> parseFactor(std::string_view Key, std::string_view Value,
                                  double Least, double Most) {
  double Number = 0;
  const char *End = Value.data() + Value.size();
  auto [Stop, Error] = std::from_chars(Value.data(), End, Number);
  if (Error != std::errc() || Stop != End || !(Number >= Least) ||
      Number > Most)
    return fail("'" + std::string(Key) + "' is not a number from " +
                std::to_string(unsigned(Least)) + " to " +
                std::to_string(unsigned(Most)) + ": '" + std::string(Value) +
                "'");
  return Number;
}

static Result<void> changeRegisterFile(DeviceDescription &D,
                                       std::string_view Key,
                                       std::string_view Value,
                                       unsigned &Capacity) {
  if (Key == "regfile.latency") {
    Result<double> Factor = parseFactor(Key, Value, 1, 64);
    if (!Factor)
      return fail(Factor.error());
    D.RegisterFile.Latency = *Factor;
    return {};
  }
  if (Key != "regfile.design")
    return fail("unknown figure '" + std::string(Key) +
                "'; known: regfile.design, regfile.latency");
  auto It = std::ranges::find(
      registerFileDesigns(), Value,
      [](const RegisterFileDesign &R) { return std::to_string(R.Number); });
  if (It == registerFileDesigns().end())
    return fail("'regfile.design' is a number from 1 to " +
                std::to_string(registerFileDesigns().size()) + ", not '" +
                std::string(Value) + "'");
  Capacity = It->Capacity;
  D.RegisterFile = It->Cost;
  return {};
}

/// \p Capacity is that of the register file's design, which applies once, to
/// the registers that the device has in the end.
static Result<void> changeFigure(DeviceDescription &D, std::string_view Key,
                                 std::string_view Value, unsigned &Capacity) {
  if (Key.starts_with(TimingPrefix))
    return changeTiming(D, Key, Value);
  if (Key.starts_with("regfile."))
    return changeRegisterFile(D, Key, Value, Capacity);
  auto It = std::ranges::find_if(
      deviceFields(), [&](const DeviceField &F) { return F.Key == Key; });
  if (It == deviceFields().end())
    return unknownFigure(D, Key);
  Result<unsigned> Number = parseFigure(*It, Value);
  if (!Number)
    return fail(Number.error());
  D.*It->Member = *Number;
  return {};
}

Result<void> changeFigures(DeviceDescription &D, std::string_view Changes) {
  std::string Name = D.Name + "," + std::string(Changes);
  unsigned Capacity = 1;
  while (true) {
    std::string_view Change = Changes.substr(0, Changes.find(','));
    size_t Equals = Change.find('=');
    if (Equals == 0 || Equals == std::string_view::npos)
      return fail("expected figure=value, got '" + std::string(Change) + "'");
    Result<void> R = changeFigure(D, Change.substr(0, Equals),
                                  Change.substr(Equals + 1), Capacity);
    if (!R)
      return R;
    if (Change.size() == Changes.size())
      break;
    Changes.remove_prefix(Change.size() + 1);
  }
  uint64_t Registers = uint64_t(D.Registers) * Capacity;
  auto Field = std::ranges::find(deviceFields(), &DeviceDescription::Registers,
                                 &DeviceField::Member);
  if (Result<void> Fits = checkFigure(*Field, Registers); !Fits)
    return Fits;
  D.Registers = unsigned(Registers);
  if (std::optional<FigureFault> Fault = findFault(D))
    return fail(Fault->Message);
  D.Name = std::move(Name);
  return {};
}

} // namespace regshare
