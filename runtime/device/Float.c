//===- Float.c - Functions as a GPU computes them -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exponentials, logarithms, sines and cosines of floats, and the exponential
/// of double precision, for native code, in place of libclc's, which take two
/// to four times the instructions of a GPU's own libraries: reduction of the
/// argument with fused multiply-adds, then an approximate instruction or a
/// short polynomial. The polynomials minimise the largest relative error in
/// their interval (Lawson's algorithm), and their coefficients are rounded to
/// floats.
///
//===----------------------------------------------------------------------===//

#include "libdevice.h"

static unsigned bitsOf(float X) { return __builtin_bit_cast(unsigned, X); }
static float floatOf(unsigned Bits) { return __builtin_bit_cast(float, Bits); }

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// 2 to the power of \p X times \p High + \p Low. The power's whole part N is
/// read from the low bits of a sum with 3 * 2^22, and lies in the range of
/// normal exponents; what is beyond stays in the argument of the instruction.
static float expScaled(float X, float High, float Low) {
  const float Bias = 0x1.8p23f + 127.0f;
  float Sum = __builtin_fmaf(X, High, Bias);
  Sum = __builtin_fminf(__builtin_fmaxf(Sum, Bias - 126.0f), Bias + 127.0f);
  float N = Sum - Bias;
  float Rest = __builtin_fmaf(X, Low, __builtin_fmaf(X, High, -N));
  return __nvvm_ex2_approx_f(Rest) * floatOf(bitsOf(Sum) << 23);
}

float __nv_expf(float X) {
  return expScaled(X, 0x1.715476p+0f, 0x1.4ae0cp-26f);
}
float __nv_exp10f(float X) {
  return expScaled(X, 0x1.a934fp+1f, 0x1.2f346ep-24f);
}
float __nv_exp2f(float X) { return __nvvm_ex2_approx_f(X); }

/// Small arguments have a polynomial, as a sum with 1 would lose their bits.
float __nv_tanhf(float X) {
  float Magnitude = __builtin_fabsf(X), Square = X * X;
  float P = -0.0059058685f;
  P = __builtin_fmaf(P, Square, 0.020805385f);
  P = __builtin_fmaf(P, Square, -0.053786684f);
  P = __builtin_fmaf(P, Square, 0.13331959f);
  P = __builtin_fmaf(P, Square, -0.333333f);
  float Small = __builtin_fmaf(Square * P, X, X);
  float Power = __nvvm_ex2_approx_f(Magnitude * 0x1.715476p+1f);
  float Large =
      __builtin_fmaf(__nvvm_rcp_approx_ftz_f(Power + 1.0f), -2.0f, 1.0f);
  return __builtin_copysignf(Magnitude >= 0.6f ? Large : Small, X);
}

/// The number of double precision whose bits are \p Bits.
static double doubleOf(unsigned long long Bits) {
  return __builtin_bit_cast(double, Bits);
}

/// 2 to the power of \p N, an exponent of a normal number.
static double powerOf2(int N) {
  return doubleOf((unsigned long long)(N + 1023) << 52);
}

/// The polynomial interpolates where Chebyshev's nodes are.
double __nv_exp(double X) {
  double Sum = __builtin_fma(X, 0x1.71547652b82fep+0, 0x1.8p52);
  int N = (int)__builtin_bit_cast(unsigned long long, Sum);
  double Whole = Sum - 0x1.8p52;
  double R = __builtin_fma(Whole, -0x1.62e42fefa39efp-1, X);
  R = __builtin_fma(Whole, -0x1.abc9e3b39803fp-56, R);
  double P = 0x1.af389ecfc4b9cp-26;
  P = __builtin_fma(P, R, 0x1.28917c89a43a7p-22);
  P = __builtin_fma(P, R, 0x1.71de0db2f6b19p-19);
  P = __builtin_fma(P, R, 0x1.a019b9149a41cp-16);
  P = __builtin_fma(P, R, 0x1.a01a01a7c2efep-13);
  P = __builtin_fma(P, R, 0x1.6c16c17889ef1p-10);
  P = __builtin_fma(P, R, 0x1.11111111109b5p-7);
  P = __builtin_fma(P, R, 0x1.5555555553d68p-5);
  P = __builtin_fma(P, R, 0x1.5555555555556p-3);
  P = __builtin_fma(P, R, 0x1.0000000000001p-1);
  P = __builtin_fma(P, R, 1.0);
  P = __builtin_fma(P, R, 1.0);
  if (__builtin_fabs(X) < 708.0)
    return doubleOf(__builtin_bit_cast(unsigned long long, P) +
                    ((unsigned long long)N << 52));
  // Too large or too small a number comes of two steps.
  if (X >= 710.0 || X <= -746.0)
    return X > 0 ? __builtin_inf() : 0.0;
  return P * powerOf2(N / 2) * powerOf2(N - N / 2);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// A positive X is 2^Exponent * (1 + Fraction). The sum is from sqrt(1/2) to
/// sqrt(2), so that adding the exponent's logarithm cancels at most a bit.
struct Split {
  float Exponent, Fraction;
};

static struct Split split(float X) {
  int IsSubnormal = X < 0x1p-126f;
  unsigned Bits = bitsOf(IsSubnormal ? X * 0x1p23f : X);
  unsigned Exponent = (Bits - 0x3f3504f3u) & 0xff800000u;
  struct Split S;
  S.Exponent = __builtin_fmaf((float)(int)Exponent, 0x1p-23f,
                              IsSubnormal ? -23.0f : 0.0f);
  S.Fraction = floatOf(Bits - Exponent) - 1.0f;
  return S;
}

/// \p Result where \p X is positive and finite, else what a logarithm is there.
static float orSpecial(float X, float Result) {
  if (bitsOf(X) >= 0x7f800000u)
    Result = __builtin_fmaf(X, __builtin_inff(), __builtin_inff());
  return X == 0.0f ? -__builtin_inff() : Result;
}

/// The logarithm of \p X times \p Scale, where that of 2 is \p LogOf2.
static float scaledLog(float X, float Scale, float LogOf2) {
  struct Split S = split(X);
  float F = S.Fraction;
  float P = -0.07623605f;
  P = __builtin_fmaf(P, F, 0.12906694f);
  P = __builtin_fmaf(P, F, -0.13243397f);
  P = __builtin_fmaf(P, F, 0.14181522f);
  P = __builtin_fmaf(P, F, -0.16609001f);
  P = __builtin_fmaf(P, F, 0.20001987f);
  P = __builtin_fmaf(P, F, -0.25001585f);
  P = __builtin_fmaf(P, F, 0.33333325f);
  P = __builtin_fmaf(P, F, -0.49999988f);
  float Log = __builtin_fmaf(F * F, P, F) * Scale;
  return orSpecial(X, __builtin_fmaf(S.Exponent, LogOf2, Log));
}

float __nv_logf(float X) { return scaledLog(X, 1.0f, 0x1.62e43p-1f); }

float __nv_log10f(float X) {
  return scaledLog(X, 0x1.bcb7b2p-2f, 0x1.344136p-2f);
}

float __nv_log2f(float X) {
  struct Split S = split(X);
  float F = S.Fraction;
  float P = -0.109985374f;
  P = __builtin_fmaf(P, F, 0.18620424f);
  P = __builtin_fmaf(P, F, -0.19106184f);
  P = __builtin_fmaf(P, F, 0.2045961f);
  P = __builtin_fmaf(P, F, -0.23961723f);
  P = __builtin_fmaf(P, F, 0.28856766f);
  P = __builtin_fmaf(P, F, -0.36069664f);
  P = __builtin_fmaf(P, F, 0.48089823f);
  P = __builtin_fmaf(P, F, -0.72134733f);
  float Low = __builtin_fmaf(F, 0x1.4ae0cp-26f, F * F * P);
  float Log = __builtin_fmaf(F, 0x1.715476p+0f, Low);
  return orSpecial(X, S.Exponent + Log);
}

//===----------------------------------------------------------------------===//
// Sines and cosines
//===----------------------------------------------------------------------===//

/// X is Rest + Quadrant * pi/2, Rest from -pi/4 to pi/4; quadrants are counted
/// modulo 4.
struct Reduced {
  float Rest;
  unsigned Quadrant;
};

/// The bits of 2/pi after its point, after 32 zeros.
static const __attribute__((address_space(4))) unsigned TwoOverPi[] = {
    0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
    0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/// For large arguments, as Payne and Hanek: X * 2/pi modulo 4, from the 96 bits
/// of 2/pi that its exponent leaves.
static struct Reduced reduceLarge(float X) {
  unsigned Bits = bitsOf(X);
  unsigned Mantissa = (Bits & 0x7fffff) | 0x800000;
  unsigned Position = ((Bits >> 23) & 0xff) - 120;
  unsigned Word = Position / 32;
  unsigned Shift = Position % 32;
  const __attribute__((address_space(4))) unsigned *W = TwoOverPi + Word;
  unsigned W0 = __builtin_elementwise_fshl(W[0], W[1], Shift);
  unsigned W1 = __builtin_elementwise_fshl(W[1], W[2], Shift);
  unsigned W2 = __builtin_elementwise_fshl(W[2], W[3], Shift);
  unsigned long long Low = (unsigned long long)Mantissa * W2;
  unsigned long long Middle = (unsigned long long)Mantissa * W1 + (Low >> 32);
  unsigned High = Mantissa * W0 + (unsigned)(Middle >> 32);
  unsigned long long Turns =
      ((unsigned long long)High << 32) | (unsigned)Middle;
  struct Reduced R;
  R.Quadrant = (High >> 30) + ((High >> 29) & 1);
  // Two bits of whole quadrants go; a fraction of a half or more is negative.
  R.Rest = (float)((double)(long long)(Turns << 2) * 0x1.921fb54442d18p-64);
  if ((int)Bits < 0) {
    R.Rest = -R.Rest;
    R.Quadrant = -R.Quadrant;
  }
  if ((Bits & 0x7f800000) == 0x7f800000)
    R.Rest = __builtin_nanf("");
  return R;
}

/// As Cody and Waite, with pi/2 in three parts. The first has 22 bits, so that
/// its product is taken from X without rounding; all are rounded to zero, so
/// that -0 stays as it is.
static struct Reduced reduce(float X) {
  const float Bias = 0x1.8p23f;
  float Sum = __builtin_fmaf(X, 0x1.45f306p-1f, Bias);
  float N = Sum - Bias;
  struct Reduced R;
  R.Quadrant = bitsOf(Sum);
  R.Rest = __builtin_fmaf(N, -0x1.921fb4p+0f, X);
  R.Rest = __builtin_fmaf(N, -0x1.4442dp-24f, R.Rest);
  R.Rest = __builtin_fmaf(N, -0x1.846988p-48f, R.Rest);
  if (!(__builtin_fabsf(X) <= 65536.0f))
    R = reduceLarge(X);
  return R;
}

/// The sine of \p R, one polynomial whose coefficients the quadrant chooses.
static float sineOf(struct Reduced R) {
  int IsCosine = R.Quadrant & 1;
  float Square = R.Rest * R.Rest;
  float P = IsCosine ? 0x1.991852p-16f : 0x1.6cd87ap-19f;
  P = __builtin_fmaf(P, Square, IsCosine ? -0.0013886682f : -0x1.a00f9ep-13f);
  P = __builtin_fmaf(P, Square, IsCosine ? 0.04166662f : 0x1.111108p-7f);
  P = __builtin_fmaf(P, Square, IsCosine ? -0.5f : -0x1.555556p-3f);
  P = __builtin_fmaf(P, Square, 1.0f) * (IsCosine ? 1.0f : R.Rest);
  return floatOf(bitsOf(P) ^ ((R.Quadrant & 2) << 30));
}

float __nv_sinf(float X) { return sineOf(reduce(X)); }

float __nv_cosf(float X) {
  struct Reduced R = reduce(X);
  ++R.Quadrant;
  return sineOf(R);
}

void __nv_sincosf(float X, float *Sine, float *Cosine) {
  struct Reduced R = reduce(X);
  *Sine = sineOf(R);
  ++R.Quadrant;
  *Cosine = sineOf(R);
}
