//===- ExecNarrow.cpp - Conversions to packed small types -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pairs of 8-bit floating-point numbers (PTX ISA: cvt with .e4m3x2 and
/// .e5m2x2, which the OCP's specification of 8-bit formats defines), and
/// integers that are packed (cvt.pack).
///
//===----------------------------------------------------------------------===//

#include "ExecRounding.h"
#include "Float16.h"

#include <algorithm>
#include <cmath>

namespace regshare::sim::REGSHARE_SIM_ISA {

/// Four bits of exponent, three of mantissa. There are no infinities; one
/// magnitude is NaN.
struct E4M3 {
  static constexpr u16 NaN = 0x7F, Largest = 0x7E;
  static u16 round(double Value) {
    return roundTo16<3, 7, NaN, NaN>(Value, RN);
  }
  static u16 toHalf(u32 Magnitude) {
    if (Magnitude == NaN)
      return 0x7FFF;
    int Exponent = int(Magnitude >> 3);
    double Fraction = (Magnitude & 7) + (Exponent ? 8 : 0);
    return roundToHalf(std::ldexp(Fraction, std::max(Exponent, 1) - 10), RN);
  }
};
/// Five bits of exponent, two of mantissa: the upper half of a half.
struct E5M2 {
  static constexpr u16 NaN = 0x7F, Largest = 0x7B;
  static u16 round(double Value) { return roundTo16<2, 15, NaN>(Value, RN); }
  static u16 toHalf(u32 Magnitude) {
    return Magnitude > 0x7C ? 0x7FFF : u16(Magnitude << 8);
  }
};

/// .satfinite: what is larger than every number, or infinite, is the largest.
template <typename Format> inline u32 narrow8(const Inst &I, double Value) {
  if (I.Flags & FlagRelu)
    Value = Value <= 0 ? 0.0 : Value;
  if (isNaN(Value))
    return Format::NaN;
  u16 Rounded = Format::round(Value);
  u32 Magnitude = std::min<u32>(Rounded & 0x7FFF, Format::Largest);
  return (Rounded >> 8 & 0x80u) | Magnitude;
}

/// d, a, b: a is the upper byte.
template <typename Format>
static void floatsToPair8(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    return narrow8<Format>(I, fromRow<float>(A, L)) << 8 |
           narrow8<Format>(I, fromRow<float>(B, L));
  });
}

template <typename Format>
static void halvesToPair8(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    return narrow8<Format>(I, halfToFloat(u16(A[L] >> 16))) << 8 |
           narrow8<Format>(I, halfToFloat(u16(A[L])));
  });
}

template <typename Format>
static void pair8ToHalves(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]);
  auto Widen = [&](u32 Byte) {
    u32 Half = Format::toHalf(Byte & 0x7F);
    if (Half == 0x7FFF)
      return Half;
    bool Negative = Byte & 0x80;
    return Negative && I.Flags & FlagRelu ? 0u : Half | (Negative ? 0x8000 : 0);
  };
  emit<u32>(C, I.Ops[0],
            [&](unsigned L) { return Widen(A[L] >> 8) << 16 | Widen(A[L]); });
}

/// d = c above a above b, each saturated to Size bits, FlagSignedA: as signed
/// numbers. A 16-bit type leaves no place for c.
static void packInts(ExecContext &C, const Inst &I) {
  const u32 *A = C.row(I.Ops[1]), *B = C.row(I.Ops[2]),
            *Above = C.row(I.Ops[3]);
  unsigned Bits = I.Size;
  bool Signed = I.Flags & FlagSignedA;
  s64 Least = Signed ? -(s64(1) << (Bits - 1)) : 0;
  s64 Most = (s64(1) << (Bits - Signed)) - 1;
  auto Clamp = [&](const u32 *Row, unsigned L) {
    s64 Value = std::clamp<s64>(fromRow<s32>(Row, L), Least, Most);
    return u32(Value) & ((1u << Bits) - 1);
  };
  emit<u32>(C, I.Ops[0], [&](unsigned L) {
    u32 Rest = Bits == 16 ? 0 : Above[L] << 2 * Bits;
    return Rest | Clamp(A, L) << Bits | Clamp(B, L);
  });
}

static const HandlerEntry Entries[] = {
    {"cvt.e4m3x2.f32", floatsToPair8<E4M3>},
    {"cvt.e5m2x2.f32", floatsToPair8<E5M2>},
    {"cvt.e4m3x2.f16x2", halvesToPair8<E4M3>},
    {"cvt.e5m2x2.f16x2", halvesToPair8<E5M2>},
    {"cvt.f16x2.e4m3x2", pair8ToHalves<E4M3>},
    {"cvt.f16x2.e5m2x2", pair8ToHalves<E5M2>},
    {"cvt.pack", packInts},
};

HandlerList narrowHandlers() { return {Entries, std::size(Entries)}; }

} // namespace regshare::sim::REGSHARE_SIM_ISA
