//===- ExecRounding.h - Directed rounding, flushing and saturation -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_EXECROUNDING_H
#define REGSHARE_SIM_EXEC_EXECROUNDING_H

#include "ExecCommon.h"

#include <cfenv>

namespace regshare::sim::REGSHARE_SIM_ISA {

/// Runs \p F, which must not be inlined, under a rounding mode.
template <typename Fn> inline void withRounding(u8 Mode, Fn F) {
  if (Mode == RN)
    return F();
  constexpr int Modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  int Old = std::fegetround();
  std::fesetround(Modes[Mode]);
  F();
  std::fesetround(Old);
}

template <typename T> inline bool isNaN(T Value) {
  // NOLINTNEXTLINE(misc-redundant-expression): false for a NaN alone
  return !(Value == Value);
}

/// The NaN that single-precision instructions produce.
inline float canonicalNaN() { return std::bit_cast<float>(0x7FFFFFFFu); }

inline float canonical(float Value) {
  return isNaN(Value) ? canonicalNaN() : Value;
}
inline double canonical(double Value) { return Value; }

/// Replaces subnormal numbers by zeros of the same sign.
inline float flush(float Value) {
  u32 Bits = std::bit_cast<u32>(Value);
  return std::bit_cast<float>(Bits & 0x7F800000u ? Bits : Bits & 0x80000000u);
}
inline double flush(double Value) {
  u64 Bits = std::bit_cast<u64>(Value);
  return std::bit_cast<double>(Bits >> 52 & 0x7FF ? Bits : Bits & u64(1) << 63);
}

/// Clamps to [0, 1]; NaN becomes +0.
template <typename T> inline T saturate(T Value) {
  return Value > T(0) ? (Value < T(1) ? Value : T(1)) : T(0);
}

} // namespace regshare::sim::REGSHARE_SIM_ISA

#endif // REGSHARE_SIM_EXEC_EXECROUNDING_H
