//===- ViewText.cpp - Numbers as views print them -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewText.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace regshare::sim {

std::string grouped(uint64_t Number) {
  std::string Text = std::to_string(Number);
  for (size_t At = Text.size(); At > 3;)
    Text.insert(At -= 3, ",");
  return Text;
}

std::string fixed(double Number, unsigned Digits) {
  char Buffer[400];
  auto R = std::to_chars(Buffer, std::end(Buffer), Number,
                         std::chars_format::fixed, int(Digits));
  return std::string(Buffer, R.ptr);
}

std::string percent(double Share) {
  std::string Text = fixed(100 * Share, 1) + "%";
  return std::string(6 - std::min<size_t>(6, Text.size()), ' ') + Text;
}

std::string counted(uint64_t Number, const char *Noun) {
  return grouped(Number) + " " + Noun + (Number == 1 ? "" : "s");
}

std::string duration(double Seconds) {
  struct Unit {
    double Size;
    const char *Name;
  };
  for (Unit U : {Unit{1, " s"}, Unit{1e-3, " ms"}, Unit{1e-6, " us"}})
    if (Seconds >= U.Size)
      return fixed(Seconds / U.Size, 1) + U.Name;
  return fixed(Seconds / 1e-9, 1) + " ns";
}

std::string bandwidth(double BytesPerSecond) {
  return fixed(BytesPerSecond / 1e9, 1) + " GB/s";
}

} // namespace regshare::sim
