//===- regshare/Base/Setting.h - Settings of schemes -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A setting of a scheme is declared once. From the declaration come the
/// variable that programs read (REGSHARE_INTERVAL_REGISTERS), the compiler's
/// option (-regshare-interval-registers), what regshare-compare takes
/// (scheme:interval-registers=8), their help, and the rows in docs/schemes.md.
///
///     const Setting Registers = Setting::number("interval-registers", 16, 1,
///                                               255, "registers of …");
///     unsigned N = Values.get<unsigned>(Registers);
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SETTING_H
#define REGSHARE_BASE_SETTING_H

#include "regshare/Base/Result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace regshare {

/// A value of a setting that has only some.
struct SettingChoice {
  std::string_view Name;
  int64_t Value;
  std::string_view Help = {};
};

/// Who acts on a setting. Programs compile when they run, so that they take
/// both kinds.
enum class SettingUse : uint8_t { Compiler, Machine, Both };

/// Values are integers, whatever the text: 0 or 1 of a flag, thousandths of a
/// share, SettingChoice::Value.
struct Setting {
  /// What a value looks like.
  enum Form : uint8_t { Flag, Number, Share, Choice };

  std::string_view Name; ///< In lower case with hyphens: "register-order".
  Form Kind;
  SettingUse Use;
  int64_t Default;
  /// Without the default, the range and the names of its schemes, which users
  /// of the declaration add. Begins in lower case and ends without a period.
  std::string_view Help;
  int64_t Least = 0, Most = 0; ///< Of a number or a share.
  std::span<const SettingChoice> Choices = {};
  /// What the default of a number means where that is not itself: "chosen for
  /// each kernel".
  std::string_view DefaultMeans = {};
  std::string_view ValueName = "n"; ///< In help: `-regshare-tau=<share>`.

  static constexpr Setting flag(std::string_view Name, SettingUse Use,
                                bool Default, std::string_view Help) {
    return {Name, Flag, Use, Default, Help};
  }
  static constexpr Setting number(std::string_view Name, SettingUse Use,
                                  int64_t Default, int64_t Least, int64_t Most,
                                  std::string_view Help,
                                  std::string_view DefaultMeans = {}) {
    return {Name, Number, Use, Default, Help, Least, Most, {}, DefaultMeans};
  }
  /// A number from 0 to 1 with three decimals at most; \p Least in thousandths.
  static constexpr Setting share(std::string_view Name, SettingUse Use,
                                 int64_t Default, int64_t Least,
                                 std::string_view Help) {
    return {Name, Share, Use, Default, Help, Least, 1000, {}, {}, "share"};
  }
  static constexpr Setting choice(std::string_view Name, SettingUse Use,
                                  int64_t Default,
                                  std::span<const SettingChoice> Choices,
                                  std::string_view Help) {
    return {Name, Choice, Use, Default, Help, 0, 0, Choices, {}, "name"};
  }

  /// Fails, saying what was expected and what was found.
  Result<int64_t> parse(std::string_view Text) const;
  /// What parse() reads as \p Value.
  std::string print(int64_t Value) const;
  /// "a number from 1 to 255", "one of direct, turned, associative".
  std::string expected() const;
  /// "REGSHARE_INTERVAL_REGISTERS".
  std::string variable() const;
  /// "-regshare-interval-registers"; of one that only the SM acts on
  /// "--dynamic-warps", which regshare-opt takes.
  std::string option() const;
};

/// Settings that differ from their defaults, by name: they go from one library
/// to another, and into records.
class SettingValues {
public:
  int64_t operator[](const Setting &S) const {
    auto It = Values.find(S.Name);
    return It == Values.end() ? S.Default : It->second;
  }
  template <typename T> T get(const Setting &S) const {
    return static_cast<T>((*this)[S]);
  }
  /// \p Value is one that S.parse() gives.
  SettingValues &set(const Setting &S, int64_t Value) {
    Values.insert_or_assign(std::string(S.Name), Value);
    return *this;
  }
  /// Reads \p Text as \p S says.
  Result<void> read(const Setting &S, std::string_view Text);
  /// Whether somebody has set it, to its default perhaps.
  bool has(const Setting &S) const { return Values.contains(S.Name); }
  friend bool operator==(const SettingValues &,
                         const SettingValues &) = default;

private:
  std::map<std::string, int64_t, std::less<>> Values;
};

/// The word among \p Known that \p Word was probably meant to be; nothing if
/// none is near.
std::optional<std::string_view>
nearestWord(std::string_view Word, std::span<const std::string_view> Known);

} // namespace regshare

#endif // REGSHARE_BASE_SETTING_H
