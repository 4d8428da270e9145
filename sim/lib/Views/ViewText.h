//===- ViewText.h - Numbers as views print them -------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_VIEWS_VIEWTEXT_H
#define REGSHARE_SIM_VIEWS_VIEWTEXT_H

#include <cstdint>
#include <string>

namespace regshare::sim {

/// "1,234,567".
std::string grouped(uint64_t Number);
/// With \p Digits after the point, in the same way on every machine.
std::string fixed(double Number, unsigned Digits);
/// " 62.1%", right-aligned: 6 columns.
std::string percent(double Share);
/// "1 warp", "2 warps".
std::string counted(uint64_t Number, const char *Noun);
/// "176.4 us": with the unit that leaves one to three digits before the point.
std::string duration(double Seconds);
/// "45.2 GB/s".
std::string bandwidth(double BytesPerSecond);
/// "8x8x1" without extents of 1 at the end: "8x8".
template <typename Extents> std::string shape(const Extents &D) {
  std::string Text = std::to_string(D.X);
  if (D.Y != 1 || D.Z != 1)
    Text += "x" + std::to_string(D.Y);
  if (D.Z != 1)
    Text += "x" + std::to_string(D.Z);
  return Text;
}
/// Part / Whole, or 0 of nothing.
inline double shareOf(double Part, double Whole) {
  return Whole != 0 ? Part / Whole : 0;
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_VIEWS_VIEWTEXT_H
