//===- HostOperations.cpp - PTX operations on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What Operations.def says in PTX, in C++ after the PTX ISA manual, bit by bit
/// where it describes bits. Shares nothing with the simulator. Compiled with
/// -frounding-math -ffp-contract=off.
///
//===----------------------------------------------------------------------===//

#include "FuzzKernel.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <limits>

// NOLINTBEGIN(readability-identifier-naming): formulas over a, b and
// c, as the manual has them.

using i128 = __int128;
using u128 = unsigned __int128;

/// Computes under a rounding mode; the volatile result keeps the computation
/// between the two changes of the mode.
template <typename Fn> static auto rounded(int Mode, Fn F) {
  std::fesetround(Mode);
  volatile auto Result = F();
  std::fesetround(FE_TONEAREST);
  return decltype(F())(Result);
}

template <typename T> static u32 findMsb(T V) {
  for (int I = int(8 * sizeof(T)) - 1; I >= 0; --I)
    if (V >> I & 1)
      return u32(I);
  return ~0u;
}

template <typename T> static T reverse(T V) {
  T R = 0;
  for (unsigned I = 0; I != 8 * sizeof(T); ++I)
    R |= T(V >> I & 1) << (8 * sizeof(T) - 1 - I);
  return R;
}

/// Positions and lengths beyond 255 are what PTX leaves open: hardware takes
/// eight bits of them for 32-bit fields, and the whole for 64-bit ones.
template <typename T> static u32 fieldBound(u32 V) {
  return sizeof(T) == 8 ? std::min(V, 255u) : V & 255;
}

/// PTX's pseudocode for bfe: bits beyond the top repeat the top or sign bit.
template <typename T, bool Signed> static T extract(T A, u32 B, u32 C) {
  const u32 Msb = 8 * sizeof(T) - 1;
  u32 Pos = fieldBound<T>(B), Len = fieldBound<T>(C);
  bool Sign = Signed && Len && (A >> std::min(Pos + Len - 1, Msb) & 1);
  T D = 0;
  for (u32 I = 0; I <= Msb; ++I) {
    bool Bit = I < Len && Pos + I <= Msb ? A >> (Pos + I) & 1 : Sign;
    D |= T(Bit) << I;
  }
  return D;
}

template <typename T> static T insert(T A, T B, u32 C, u32 Len) {
  u32 Pos = fieldBound<T>(C);
  for (u32 I = 0; I < Len && Pos + I < 8 * sizeof(T); ++I) {
    B &= ~(T(1) << (Pos + I));
    B |= T(A >> I & 1) << (Pos + I);
  }
  return B;
}

static u32 bytesOf(u64 Both, u32 Selectors) {
  u32 R = 0;
  for (u32 I = 0; I != 4; ++I) {
    u32 S = Selectors >> 4 * I & 15;
    u32 Byte = u32(Both >> 8 * (S & 7)) & 255;
    if (S & 8)
      Byte = Byte & 128 ? 255 : 0;
    R |= Byte << 8 * I;
  }
  return R;
}

/// prmt's named modes, by the tables of selectors in the manual.
static u32 permuteMode(u32 A, u32 B, u32 C, const u16 (&Table)[4]) {
  return bytesOf(u64(B) << 32 | A, Table[C & 3]);
}

static u32 logic(u32 A, u32 B, u32 C, u32 Table) {
  u32 R = 0;
  for (u32 I = 0; I != 32; ++I) {
    u32 Index = (A >> I & 1) << 2 | (B >> I & 1) << 1 | (C >> I & 1);
    R |= (Table >> Index & 1) << I;
  }
  return R;
}

template <typename TA, typename TB> static u32 dot4(u32 A, u32 B, u32 C) {
  for (u32 I = 0; I != 4; ++I)
    C += u32(s32(TA(A >> 8 * I)) * s32(TB(B >> 8 * I)));
  return C;
}

template <typename T, typename Fn>
static u32 lanes(u32 A, u32 B, Fn F, bool Sum = false) {
  const u32 Bits = 8 * sizeof(T);
  u32 R = 0;
  for (u32 I = 0; I != 32; I += Bits) {
    u32 V = u32(F(s32(T(A >> I)), s32(T(B >> I))));
    if (Sum)
      R += V;
    else
      R |= (V & ((1u << Bits) - 1)) << I;
  }
  return R;
}

template <typename D, typename W> static D clampTo(W V) {
  using L = std::numeric_limits<D>;
  if (V < W(L::min()))
    return L::min();
  return V > W(L::max()) ? L::max() : D(V);
}

/// Float to integer: clamps; NaN gives 0, or the top bit alone if either type
/// has 64 bits.
template <typename D, typename F> static D toInt(F V, int Mode) {
  if (std::isnan(V))
    return sizeof(D) == 8 || sizeof(F) == 8 ? D(u64(1) << (8 * sizeof(D) - 1))
                                            : D(0);
  long double R = rounded(Mode, [=] { return std::rint((long double)(V)); });
  using L = std::numeric_limits<D>;
  if (R <= (long double)(L::min()))
    return L::min();
  if (R >= (long double)(L::max()))
    return L::max();
  return D(R);
}

template <typename F> static F lesser(F A, F B) {
  if (std::isnan(A))
    return B;
  if (std::isnan(B))
    return A;
  if (A == B)
    return std::signbit(A) ? A : B;
  return A < B ? A : B;
}

template <typename F> static F greater(F A, F B) {
  return -lesser(F(-A), F(-B));
}

static f32 flushed(f32 V) {
  return std::fpclassify(V) == FP_SUBNORMAL ? std::copysign(0.0f, V) : V;
}

static f32 saturated(f32 V) {
  return std::isnan(V) || V <= 0 ? 0.0f : V >= 1 ? 1.0f : V;
}

/// A format of 16 bits: bits of the significand, and the exponent of the
/// smallest normal number.
struct Format16 {
  int Precision, MinExponent;
};
static constexpr Format16 Half = {11, -14}, BFloat = {8, -126};

static f64 decode(Format16 F, u16 Bits) {
  if (F.Precision == BFloat.Precision)
    return std::bit_cast<f32>(u32(Bits) << 16);
  return std::bit_cast<f16>(Bits);
}

/// Rounds once; the value is exact, or odd where it is not.
static u16 encode(Format16 F, f64 V, int Mode = FE_TONEAREST) {
  if (std::isnan(V))
    return 0x7FFF;
  u16 Sign = std::signbit(V) ? 0x8000 : 0;
  const u16 Infinity = F.Precision == 8 ? 0x7F80 : 0x7C00;
  if (std::isinf(V) || V == 0)
    return Sign | (V == 0 ? 0 : Infinity);
  int Exponent = std::max(std::ilogb(V), F.MinExponent);
  f64 Steps = std::ldexp(std::fabs(V), F.Precision - 1 - Exponent);
  f64 Whole = rounded(Mode, [=] {
    volatile f64 Signed = Sign ? -Steps : Steps;
    return std::fabs(std::nearbyint(Signed));
  });
  // Steps beyond the binade carry into the exponent by themselves.
  u32 Biased = u32(Exponent - F.MinExponent) << (F.Precision - 1);
  u32 Magnitude = Biased + u32(Whole);
  if (Magnitude >= Infinity)
    Magnitude = Mode == FE_TOWARDZERO || (Mode == FE_UPWARD && Sign)
                    ? Infinity - 1
                    : Infinity;
  return u16(Sign | Magnitude);
}

/// A sum whose last bit is set where it is not exact, so that a rounding to
/// fewer bits sees what was lost.
static f64 oddSum(f64 A, f64 B) {
  f64 Sum = A + B;
  if (!std::isfinite(Sum))
    return Sum;
  f64 Rest = Sum - A;
  f64 Lost = (A - (Sum - Rest)) + (B - Rest);
  if (Lost != 0 && !(std::bit_cast<u64>(Sum) & 1))
    Sum = std::nextafter(Sum, Lost > 0 ? HUGE_VAL : -HUGE_VAL);
  return Sum;
}

static u16 fma16(Format16 F, u16 A, u16 B, u16 C) {
  return encode(F, oddSum(decode(F, A) * decode(F, B), decode(F, C)));
}

template <typename Fn, typename... Words>
static u32 pairwise(Fn F, Words... W) {
  return u32(F(u16(W >> 16)...)) << 16 | F(u16(W)...);
}

static u16 lesser16(Format16 F, u16 A, u16 B, bool Max) {
  f64 X = decode(F, A), Y = decode(F, B);
  return encode(F, Max ? greater(X, Y) : lesser(X, Y));
}

static u16 relu(u16 V) { return (V & 0x7FFF) > 0x7C00 || V < 0x8000 ? V : 0; }

static const int RZ = FE_TOWARDZERO, RM = FE_DOWNWARD, RP = FE_UPWARD,
                 RN = FE_TONEAREST;

extern "C" {

#define UNARY(R, NAME, A, EXPR)                                                \
  R fz_##NAME(A a) { return R(EXPR); }
#define BINARY(R, NAME, A, B, EXPR)                                            \
  R fz_##NAME(A a, B b) { return R(EXPR); }
#define TERNARY(R, NAME, A, B, C, EXPR)                                        \
  R fz_##NAME(A a, B b, C c) { return R(EXPR); }

UNARY(u32, popc32, u32, std::popcount(a))
UNARY(u32, popc64, u64, std::popcount(a))
UNARY(u32, clz32, u32, std::countl_zero(a))
UNARY(u32, clz64, u64, std::countl_zero(a))
UNARY(u32, brev32, u32, reverse(a))
UNARY(u64, brev64, u64, reverse(a))
UNARY(u32, bfind_u32, u32, findMsb(a))
UNARY(u32, bfind_s32, s32, findMsb(u32(a < 0 ? ~a : a)))
UNARY(u32, bfind_u64, u64, findMsb(a))
UNARY(u32, bfind_s64, s64, findMsb(u64(a < 0 ? ~a : a)))
UNARY(u32, bfind_shift, u32, a ? 31 - findMsb(a) : ~0u)
UNARY(u32, cnot32, u32, a == 0)
UNARY(u64, cnot64, u64, a == 0)
UNARY(s32, abs32, s32, a < 0 ? 0 - u32(a) : u32(a))
UNARY(s64, abs64, s64, a < 0 ? 0 - u64(a) : u64(a))
UNARY(s16, abs16, s16, a < 0 ? -a : a)
UNARY(s16, neg16, s16, -a)
BINARY(u16, and16, u16, u16, a &b)
BINARY(u16, add16, u16, u16, a + b)
BINARY(s16, min16, s16, s16, a < b ? a : b)
BINARY(u16, max16, u16, u16, a > b ? a : b)
BINARY(u16, shr16, u16, u32, b > 15 ? 0 : a >> b)
BINARY(s16, sar16, s16, u32, a >> std::min(b, 15u))
BINARY(u16, shl16, u16, u32, b > 15 ? 0 : a << b)
BINARY(u16, mulhi16, u16, u16, u32(a) * b >> 16)
BINARY(s16, mulhis16, s16, s16, s32(a) * b >> 16)
BINARY(u32, mulwide16, u16, u16, u32(a) * b)
BINARY(s32, mulwides16, s16, s16, s32(a) * b)
BINARY(s64, mulwides32, s32, s32, s64(a) * b)
BINARY(u64, mulwide32, u32, u32, u64(a) * b)
BINARY(u32, mulhi32, u32, u32, u64(a) * b >> 32)
BINARY(s32, mulhis32, s32, s32, s64(a) * b >> 32)
BINARY(u64, mulhi64, u64, u64, u128(a) * b >> 64)
BINARY(s64, mulhis64, s64, s64, i128(a) * b >> 64)
BINARY(u32, mul24, u32, u32, u64(a & 0xFFFFFF) * (b & 0xFFFFFF))
BINARY(s32, mul24s, s32, s32, s64(a << 8 >> 8) * s64(b << 8 >> 8))
BINARY(u32, mul24hi, u32, u32, u64(a & 0xFFFFFF) * (b & 0xFFFFFF) >> 16)
BINARY(s32, addsat, s32, s32, clampTo<s32>(s64(a) + b))
BINARY(s32, subsat, s32, s32, clampTo<s32>(s64(a) - b))
BINARY(s32, min32, s32, s32, a < b ? a : b)
BINARY(u32, max32, u32, u32, a > b ? a : b)
BINARY(u64, min64, u64, u64, a < b ? a : b)
BINARY(s64, max64, s64, s64, a > b ? a : b)
BINARY(u32, shl32, u32, u32, b > 31 ? 0 : a << b)
BINARY(u32, shr32, u32, u32, b > 31 ? 0 : a >> b)
BINARY(s32, sar32, s32, u32, a >> std::min(b, 31u))
BINARY(u64, shl64, u64, u32, b > 63 ? 0 : a << b)
BINARY(u64, shr64, u64, u32, b > 63 ? 0 : a >> b)
BINARY(s64, sar64, s64, u32, a >> std::min(b, 63u))
TERNARY(u32, mad32, u32, u32, u32, a *b + c)
TERNARY(s32, madhi32, s32, s32, s32, u32(s64(a) * b >> 32) + u32(c))
TERNARY(s64, madwide32, s32, s32, s64, u64(s64(a) * b) + u64(c))
TERNARY(u64, madwideu32, u32, u32, u64, u64(a) * b + c)
TERNARY(u32, madwide16, u16, u16, u32, u32(a) * b + c)
TERNARY(u64, mad64, u64, u64, u64, a *b + c)
TERNARY(s32, madsat32, s32, s32, s32, clampTo<s32>((s64(a) * b >> 32) + c))
TERNARY(u32, mad24, u32, u32, u32, u64(a & 0xFFFFFF) * (b & 0xFFFFFF) + c)
TERNARY(u32, sad32, u32, u32, u32, c + (a < b ? b - a : a - b))
TERNARY(s32, sads32, s32, s32, s32,
        u32(c) + (a < b ? u32(b) - u32(a) : u32(a) - u32(b)))
TERNARY(u64, sads64, u64, u64, u64, c + (a < b ? b - a : a - b))
TERNARY(u32, bfe_u32, u32, u32, u32, (extract<u32, false>(a, b, c)))
TERNARY(s32, bfe_s32, s32, u32, u32, (extract<u32, true>(u32(a), b, c)))
TERNARY(u64, bfe_u64, u64, u32, u32, (extract<u64, false>(a, b, c)))
TERNARY(s64, bfe_s64, s64, u32, u32, (extract<u64, true>(u64(a), b, c)))
TERNARY(u32, bfi32, u32, u32, u32, insert(a, b, c, 9))
TERNARY(u64, bfi64, u64, u64, u32, insert(a, b, c, 21))
TERNARY(u32, prmt, u32, u32, u32, bytesOf(u64(b) << 32 | a, c))
TERNARY(u32, prmt_f4e, u32, u32, u32,
        permuteMode(a, b, c, {0x3210, 0x4321, 0x5432, 0x6543}))
TERNARY(u32, prmt_b4e, u32, u32, u32,
        permuteMode(a, b, c, {0x5670, 0x6701, 0x7012, 0x0123}))
TERNARY(u32, prmt_rc8, u32, u32, u32,
        permuteMode(a, b, c, {0x0000, 0x1111, 0x2222, 0x3333}))
TERNARY(u32, prmt_ecl, u32, u32, u32,
        permuteMode(a, b, c, {0x3210, 0x3211, 0x3222, 0x3333}))
TERNARY(u32, prmt_ecr, u32, u32, u32,
        permuteMode(a, b, c, {0x0000, 0x1110, 0x2210, 0x3210}))
TERNARY(u32, prmt_rc16, u32, u32, u32,
        permuteMode(a, b, c, {0x1010, 0x3232, 0x1010, 0x3232}))
TERNARY(u32, lop3_96, u32, u32, u32, logic(a, b, c, 0x96))
TERNARY(u32, lop3_e8, u32, u32, u32, logic(a, b, c, 0xE8))
TERNARY(u32, lop3_2d, u32, u32, u32, logic(a, b, c, 0x2D))
TERNARY(u32, shf_lw, u32, u32, u32, (u64(b) << 32 | a) << (c & 31) >> 32)
TERNARY(u32, shf_lc, u32, u32, u32, c > 31 ? a : (u64(b) << 32 | a) << c >> 32)
TERNARY(u32, shf_rw, u32, u32, u32, (u64(b) << 32 | a) >> (c & 31))
TERNARY(u32, shf_rc, u32, u32, u32, (u64(b) << 32 | a) >> std::min(c, 32u))
TERNARY(s32, dp4a_ss, u32, u32, s32, (dot4<s8, s8>(a, b, u32(c))))
TERNARY(u32, dp4a_uu, u32, u32, u32, (dot4<u8, u8>(a, b, c)))
TERNARY(s32, dp4a_us, u32, u32, s32, (dot4<u8, s8>(a, b, u32(c))))
TERNARY(s32, dp2a_lo, u32, u32, s32,
        c + s16(a) * s8(b) + s16(a >> 16) * s8(b >> 8))
TERNARY(u32, dp2a_hi, u32, u32, u32,
        c + u16(a) * u32(u8(b >> 16)) + u16(a >> 16) * u32(u8(b >> 24)))
TERNARY(u32, slct_s, u32, u32, s32, c >= 0 ? a : b)
TERNARY(u64, slct_f, u64, u64, f32, c >= 0 ? a : b)
TERNARY(u32, vadd4, u32, u32, u32,
        lanes<u8>(a, b, [](s32 x, s32 y) { return x + y; }))
TERNARY(u32, vsub4sat, u32, u32, u32,
        lanes<s8>(a, b, [](s32 x, s32 y) { return clampTo<s8>(x - y); }))
TERNARY(u32, vavrg4, u32, u32, u32,
        lanes<u8>(a, b, [](s32 x, s32 y) { return (x + y + 1) >> 1; }))
TERNARY(u32, vabsdiff4, u32, u32, u32,
        c + lanes<u8>(a, b, [](s32 x, s32 y) { return std::abs(x - y); }, true))
TERNARY(u32, vmax2, u32, u32, u32,
        lanes<s16>(a, b, [](s32 x, s32 y) { return x > y ? x : y; }))
TERNARY(u32, vset4, u32, u32, u32,
        lanes<u8>(a, b, [](s32 x, s32 y) { return s32(x > y); }))
BINARY(u64, addc64, u64, u64, a + b)
BINARY(u64, subc64, u64, u64, a - b)
/// The product's low word plus the 64-bit value's upper one, and the carry.
u64 fz_madc64(u32 a, u64 b) {
  u64 Product = u64(a) * u32(b);
  u64 Low = u64(u32(Product)) + u32(b >> 32);
  u32 High = u32(Product >> 32) + u32(b) + u32(Low >> 32);
  return u64(High) << 32 | u32(Low);
}
BINARY(u32, carryout, u64, u64, a + b < a)
u32 fz_setand(u32 a, u32 b, s32 c) {
  bool P = c < 0, Q = a >= b && P, R = !(a >= b) && P;
  return (Q ? 1 : 2) + (R ? 0 : 8);
}
BINARY(u32, set_gt, s32, s32, a > b ? ~0u : 0)
BINARY(f32, set_ltf, f32, f32, !(a >= b) ? 1.0f : 0.0f)

#define IN(MODE, EXPR) rounded(MODE, [=] { return EXPR; })
BINARY(f32, add_rz, f32, f32, IN(RZ, a + b))
BINARY(f32, add_rm, f32, f32, IN(RM, a + b))
BINARY(f32, sub_rp, f32, f32, IN(RP, a - b))
BINARY(f32, mul_rz, f32, f32, IN(RZ, a *b))
BINARY(f32, mul_rp, f32, f32, IN(RP, a *b))
BINARY(f32, div_rz, f32, f32, IN(RZ, a / b))
BINARY(f32, div_rm, f32, f32, IN(RM, a / b))
UNARY(f32, sqrt_rp, f32, IN(RP, std::sqrt(a)))
UNARY(f32, sqrt_rn, f32, std::sqrt(a))
UNARY(f32, rcp_rn, f32, 1.0f / a)
UNARY(f32, rcp_rm, f32, IN(RM, 1.0f / a))
TERNARY(f32, fma_rn, f32, f32, f32, std::fma(a, b, c))
TERNARY(f32, fma_rz, f32, f32, f32, IN(RZ, std::fma(a, b, c)))
TERNARY(f32, fma_rm, f32, f32, f32, IN(RM, std::fma(a, b, c)))
BINARY(f32, add_ftz, f32, f32, flushed(flushed(a) + flushed(b)))
BINARY(f32, mul_ftz, f32, f32, flushed(flushed(a) * flushed(b)))
BINARY(f32, add_sat, f32, f32, saturated(a + b))
TERNARY(f32, fma_sat, f32, f32, f32, saturated(std::fma(a, b, c)))
BINARY(f32, fmin, f32, f32, lesser(a, b))
BINARY(f32, fmax, f32, f32, greater(a, b))
UNARY(f32, fabs, f32, std::fabs(a))
UNARY(f32, fneg, f32, -a)
BINARY(f64, dadd_rz, f64, f64, IN(RZ, a + b))
BINARY(f64, dsub_rm, f64, f64, IN(RM, a - b))
BINARY(f64, dmul_rp, f64, f64, IN(RP, a *b))
BINARY(f64, ddiv_rn, f64, f64, a / b)
BINARY(f64, ddiv_rp, f64, f64, IN(RP, a / b))
UNARY(f64, dsqrt_rn, f64, std::sqrt(a))
UNARY(f64, dsqrt_rz, f64, IN(RZ, std::sqrt(a)))
UNARY(f64, drcp_rn, f64, 1.0 / a)
TERNARY(f64, dfma_rn, f64, f64, f64, std::fma(a, b, c))
TERNARY(f64, dfma_rp, f64, f64, f64, IN(RP, std::fma(a, b, c)))
BINARY(f64, dmin, f64, f64, lesser(a, b))
BINARY(f64, dmax, f64, f64, greater(a, b))

UNARY(s32, f2i_rz, f32, toInt<s32>(a, RZ))
UNARY(u32, f2u_rn, f32, toInt<u32>(a, RN))
UNARY(s64, f2l_rm, f32, toInt<s64>(a, RM))
UNARY(u64, f2ul_rp, f32, toInt<u64>(a, RP))
UNARY(s16, f2h_rz, f32, toInt<s16>(a, RZ))
UNARY(u16, f2uh_rz, f32, toInt<u16>(a, RZ))
UNARY(s32, f2c_rz, f32, toInt<s8>(a, RZ))
UNARY(s32, d2i_rz, f64, toInt<s32>(a, RZ))
UNARY(u32, d2u_rp, f64, toInt<u32>(a, RP))
UNARY(s64, d2l_rz, f64, toInt<s64>(a, RZ))
UNARY(u64, d2ul_rn, f64, toInt<u64>(a, RN))
UNARY(f32, f2f_rni, f32, IN(RN, std::rint(a)))
UNARY(f32, f2f_rmi, f32, std::floor(a))
UNARY(f64, d2d_rpi, f64, std::ceil(a))
UNARY(f64, d2d_rzi, f64, std::trunc(a))
UNARY(f32, d2f_rz, f64, IN(RZ, f32(a)))
UNARY(f32, d2f_rp, f64, IN(RP, f32(a)))
UNARY(f32, f2f_sat, f32, saturated(a))
UNARY(f32, i2f_rz, s32, IN(RZ, f32(a)))
UNARY(f32, u2f_rp, u32, IN(RP, f32((long double)(a))))
UNARY(f32, l2f_rm, s64, IN(RM, f32((long double)(a))))
UNARY(f32, ul2f_rn, u64, IN(RN, f32((long double)(a))))
UNARY(f64, l2d_rz, s64, IN(RZ, f64((long double)(a))))
UNARY(f64, ul2d_rp, u64, IN(RP, f64((long double)(a))))
UNARY(u32, cvt_sat_u8, s32, clampTo<u8>(a))
UNARY(s32, cvt_sat_s8, s32, clampTo<s8>(a))
UNARY(u16, cvt_sat_u16, s64, clampTo<u16>(a))
UNARY(s16, cvt_sat_s16, u32, clampTo<s16>(s64(a)))
UNARY(u64, cvt_s8_wide, u64, s64(s8(a)))
UNARY(u64, cvt_u16_wide, u64, u16(a))
UNARY(u64, cvt_s32_wide, u32, s64(s32(a)))

UNARY(u16, bf16_rn, f32, encode(BFloat, a))
UNARY(u16, bf16_rz, f32, encode(BFloat, a, RZ))
UNARY(f32, bf16_wide, u16, decode(BFloat, a))
UNARY(u16, f16_rz, f32, encode(Half, a, RZ))
UNARY(u16, f16_rp, f64, encode(Half, a, RP))
BINARY(u32, bf16x2, f32, f32, u32(encode(BFloat, a)) << 16 | encode(BFloat, b))
BINARY(u32, f16x2, f32, f32, u32(encode(Half, a)) << 16 | encode(Half, b))
BINARY(u32, hadd2, u32, u32,
       pairwise(
           [](u16 x, u16 y) {
             return encode(Half, oddSum(decode(Half, x), decode(Half, y)));
           },
           a, b))
BINARY(u32, hmul2, u32, u32,
       pairwise(
           [](u16 x, u16 y) {
             return encode(Half, decode(Half, x) * decode(Half, y));
           },
           a, b))
TERNARY(u32, hfma2, u32, u32, u32,
        pairwise([](u16 x, u16 y, u16 z) { return fma16(Half, x, y, z); }, a, b,
                 c))
TERNARY(u32, hfma2_relu, u32, u32, u32,
        pairwise([](u16 x, u16 y, u16 z) { return relu(fma16(Half, x, y, z)); },
                 a, b, c))
TERNARY(u16, hfma_sat, u16, u16, u16,
        encode(Half, saturated(f32(decode(Half, fma16(Half, a, b, c))))))
TERNARY(u32, bfma2, u32, u32, u32,
        pairwise([](u16 x, u16 y, u16 z) { return fma16(BFloat, x, y, z); }, a,
                 b, c))
BINARY(u32, hmax2, u32, u32,
       pairwise([](u16 x, u16 y) { return lesser16(Half, x, y, true); }, a, b))
BINARY(u16, bmin, u16, u16, lesser16(BFloat, a, b, false))

} // extern "C"

// NOLINTEND(readability-identifier-naming)
