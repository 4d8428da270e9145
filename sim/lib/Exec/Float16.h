//===- Float16.h - 16-bit floating-point formats -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_FLOAT16_H
#define REGSHARE_SIM_EXEC_FLOAT16_H

#include "ExecCommon.h"

namespace regshare::sim::REGSHARE_SIM_ISA {

inline float halfToFloat(u16 H) {
  u32 Sign = u32(H & 0x8000) << 16, Rest = u32(H & 0x7FFF) << 13;
  // Rebiasing by a multiplication handles subnormal numbers as well.
  float Scaled = std::bit_cast<float>(Rest) * std::bit_cast<float>(0x77800000u);
  u32 Bits = std::bit_cast<u32>(Scaled);
  Bits = (H & 0x7C00) == 0x7C00 ? Rest | 0x7F800000u : Bits;
  return std::bit_cast<float>(Bits | Sign);
}

inline float bfloatToFloat(u16 H) { return std::bit_cast<float>(u32(H) << 16); }

/// Rounds a finite or infinite double to a format with \p Mantissa explicit
/// bits and exponents up to \p MaxExp; NaN becomes \p NaNBits. Infinity is the
/// first magnitude that is no number.
template <int Mantissa, int MaxExp, u16 NaNBits,
          u16 Infinity = u16((2 * MaxExp + 1) << Mantissa)>
inline u16 roundTo16(double Value, u8 Mode) {
  constexpr int MinExp = 1 - MaxExp;
  u64 Bits = std::bit_cast<u64>(Value);
  u16 Sign = u16(Bits >> 63 << 15);
  u64 Magnitude = Bits & ~(u64(1) << 63);
  if (Magnitude > u64(0x7FF) << 52)
    return NaNBits;
  if (Magnitude == u64(0x7FF) << 52)
    return Sign | Infinity;
  if (Magnitude == 0)
    return Sign;
  int Exp = int(Magnitude >> 52) - 1023;
  u64 Frac = (Magnitude & ((u64(1) << 52) - 1)) | u64(1) << 52;
  if (Magnitude >> 52 == 0)
    return Sign | ((Mode == RP && !Sign) || (Mode == RM && Sign) ? 1 : 0);
  int Drop = 52 - Mantissa + (Exp < MinExp ? MinExp - Exp : 0);
  Drop = Drop > 54 ? 54 : Drop;
  u64 Kept = Frac >> Drop, Lost = Frac & ((u64(1) << Drop) - 1);
  u64 Tie = u64(1) << (Drop - 1);
  bool Up = Mode == RN   ? Lost > Tie || (Lost == Tie && Kept & 1)
            : Mode == RP ? Lost && !Sign
            : Mode == RM ? Lost && Sign
                         : false;
  Kept += Up;
  // The hidden bit carries into the exponent field by itself.
  u64 Field = Exp < MinExp ? 0 : u64(Exp + MaxExp - 1) << Mantissa;
  u64 Result = Field + Kept;
  if (Result >= Infinity) {
    bool ToInfinity =
        Mode == RN || (Mode == RP && !Sign) || (Mode == RM && Sign);
    return Sign | (ToInfinity ? Infinity : Infinity - 1);
  }
  return Sign | u16(Result);
}

inline u16 roundToHalf(double Value, u8 Mode) {
  return roundTo16<10, 15, 0x7FFF>(Value, Mode);
}
inline u16 roundToBFloat(double Value, u8 Mode) {
  return roundTo16<7, 127, 0x7FFF>(Value, Mode);
}

} // namespace regshare::sim::REGSHARE_SIM_ISA

#endif // REGSHARE_SIM_EXEC_FLOAT16_H
