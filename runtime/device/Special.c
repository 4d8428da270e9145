//===- Special.c - CUDA's functions beyond the C library's -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Norms, error functions, the normal distribution and gamma, which libclc
/// lacks or has with too large an error. The float forms compute in double:
/// they are rare, and so they are exact to the last place.
///
//===----------------------------------------------------------------------===//

#include "libdevice.h"

#define FLOAT1(NAME)                                                           \
  float __nv_##NAME##f(float X) { return (float)__nv_##NAME(X); }

static const double HalfSqrt2 = 0x1.6a09e667f3bcdp-1;
static const double HalfSqrt2Low = -0x1.bdd3413b26456p-55;
static const double Pi = 0x1.921fb54442d18p+1;
static const double SqrtTwoPi = 0x1.40d931ff62706p+1;
static const double TwoOverSqrtPi = 0x1.20dd750429b6dp+0;

double __nv_rcbrt(double X) { return 1.0 / __nv_cbrt(X); }
double __nv_rhypot(double X, double Y) { return 1.0 / __nv_hypot(X, Y); }
float __nv_rhypotf(float X, float Y) {
  return (float)(1.0 / __builtin_sqrt((double)X * X + (double)Y * Y));
}

/// erfc(-X/sqrt(2)), halved. The argument's rounding error would be amplified
/// in the tail, so it is carried along and corrected for by erfc's derivative.
double __nv_normcdf(double X) {
  double High = -X * HalfSqrt2;
  double Low = __builtin_fma(-X, HalfSqrt2, -High) - X * HalfSqrt2Low;
  double Value = __nv_erfc(High);
  double Slope = TwoOverSqrtPi * __nv_exp(-High * High);
  return 0.5 * (Slope > 0.0 ? Value - Slope * Low : Value);
}
FLOAT1(rcbrt)
FLOAT1(normcdf)

/// exp(X*X)*erfc(X), with the square's rounding error made good; a continued
/// fraction where the product would multiply an overflow by an underflow.
double __nv_erfcx(double X) {
  if (X < 10.0) {
    double Square = X * X;
    double Power = __nv_exp(Square);
    if (__builtin_isinf(Power))
      return Power;
    double Low = __builtin_fma(X, X, -Square);
    return __builtin_fma(Power, Low, Power) * __nv_erfc(X);
  }
  double Fraction = X;
  for (int K = 20; K > 0; --K)
    Fraction = X + 0.5 * K / Fraction;
  return 0.5 * TwoOverSqrtPi / Fraction;
}
FLOAT1(erfcx)

/// The X with erf(X) = Y for |Y| <= 0.5, by Newton's method.
static double inverseErf(double Y) {
  double X = Y / TwoOverSqrtPi;
  for (int I = 0; I < 6; ++I)
    X -= (__nv_erf(X) - Y) / (TwoOverSqrtPi * __nv_exp(-X * X));
  return X;
}

/// The X with erfc(X) = Y for 0 < Y < 0.5, by Newton's method on log(erfc(X)),
/// which is close to a parabola; erfcx gives it without erfc's underflow.
static double inverseErfc(double Y) {
  double LogY = __nv_log(Y);
  double X = __builtin_sqrt(-LogY);
  for (int I = 0; I < 12; ++I) {
    double Scaled = __nv_erfcx(X);
    double Error = __nv_log(Scaled) - X * X - LogY;
    X += Error * Scaled / TwoOverSqrtPi;
  }
  return X;
}

double __nv_erfcinv(double Y) {
  if (!(Y > 0.0 && Y < 2.0))
    return Y == 0.0   ? __builtin_inf()
           : Y == 2.0 ? -__builtin_inf()
                      : __builtin_nan("");
  if (Y < 0.5)
    return inverseErfc(Y);
  // 1 - Y and 2 - Y are exact from here on.
  return Y <= 1.5 ? inverseErf(1.0 - Y) : -inverseErfc(2.0 - Y);
}
FLOAT1(erfcinv)

double __nv_normcdfinv(double P) {
  return -2.0 * HalfSqrt2 * __nv_erfcinv(2.0 * P);
}
FLOAT1(normcdfinv)

double __nv_erfinv(double X) {
  double Magnitude = __builtin_fabs(X);
  if (Magnitude <= 0.5)
    return inverseErf(X);
  return __builtin_copysign(__nv_erfcinv(1.0 - Magnitude), X);
}
FLOAT1(erfinv)

/// Stirling's series for X >= 13, with the power in two halves so that it does
/// not overflow before the result does.
static double stirling(double X) {
  double Z = 1.0 / (X * X);
  double Log =
      (1.0 / 12 -
       Z * (1.0 / 360 -
            Z * (1.0 / 1260 -
                 Z * (1.0 / 1680 - Z * (1.0 / 1188 - Z * (691.0 / 360360)))))) /
      X;
  double Half = __nv_pow(X, 0.5 * X - 0.25);
  return SqrtTwoPi * Half * __nv_exp(-X) * Half * __nv_exp(Log);
}

double __nv_tgamma(double X) {
  if (X == 0.0)
    return __builtin_copysign(__builtin_inf(), X);
  if (X < 0.0) {
    if (X == __builtin_floor(X))
      return __builtin_nan("");
    double Sine = __nv_sinpi(X);
    return X < -185.0 ? __builtin_copysign(0.0, Sine)
                      : Pi / (Sine * -X * __nv_tgamma(-X));
  }
  if (X > 172.0)
    return __builtin_inf();
  if (X >= 13.0)
    return stirling(X);
  double Product = X, Steps = __builtin_ceil(13.0 - X);
  for (double I = 1.0; I < Steps; I += 1.0)
    Product *= X + I;
  // What the sum loses moves the logarithm of gamma by its derivative, digamma.
  double Shifted = X + Steps, Part = Shifted - X;
  double Lost = (X - (Shifted - Part)) + (Steps - Part);
  double Value = stirling(Shifted) / Product;
  return __builtin_fma(Value, Lost * (__nv_log(Shifted) - 0.5 / Shifted),
                       Value);
}
FLOAT1(tgamma)

/// Scales by a power of two, so that squares neither overflow nor vanish.
static double norm(int Count, const double *Values) {
  double Largest = 0.0, Total = 0.0;
  for (int I = 0; I < Count; ++I) {
    Largest = __builtin_fmax(Largest, __builtin_fabs(Values[I]));
    Total += __builtin_fabs(Values[I]);
  }
  if (__builtin_isinf(Largest))
    return Largest;
  if (Largest == 0.0)
    return Total; // zero, or not a number if nothing else was given
  int Exponent = __nv_ilogb(Largest);
  double Sum = 0.0;
  for (int I = 0; I < Count; ++I) {
    double Scaled = __nv_ldexp(Values[I], -Exponent);
    Sum = __builtin_fma(Scaled, Scaled, Sum);
  }
  return __nv_ldexp(__builtin_sqrt(Sum), Exponent);
}

double __nv_norm(int Count, const double *Values) {
  return norm(Count, Values);
}
double __nv_norm3d(double X, double Y, double Z) {
  double Values[] = {X, Y, Z};
  return norm(3, Values);
}
double __nv_norm4d(double X, double Y, double Z, double W) {
  double Values[] = {X, Y, Z, W};
  return norm(4, Values);
}
double __nv_rnorm(int Count, const double *Values) {
  return 1.0 / norm(Count, Values);
}
double __nv_rnorm3d(double X, double Y, double Z) {
  return 1.0 / __nv_norm3d(X, Y, Z);
}
double __nv_rnorm4d(double X, double Y, double Z, double W) {
  return 1.0 / __nv_norm4d(X, Y, Z, W);
}

// A float's square cannot leave the range of a double.
static double squares(int Count, const float *Values) {
  double Sum = 0.0;
  for (int I = 0; I < Count; ++I)
    Sum += (double)Values[I] * Values[I];
  return Sum;
}

float __nv_normf(int Count, const float *Values) {
  return (float)__builtin_sqrt(squares(Count, Values));
}
float __nv_norm3df(float X, float Y, float Z) {
  float Values[] = {X, Y, Z};
  return __nv_normf(3, Values);
}
float __nv_norm4df(float X, float Y, float Z, float W) {
  float Values[] = {X, Y, Z, W};
  return __nv_normf(4, Values);
}
float __nv_rnormf(int Count, const float *Values) {
  return (float)(1.0 / __builtin_sqrt(squares(Count, Values)));
}
float __nv_rnorm3df(float X, float Y, float Z) {
  float Values[] = {X, Y, Z};
  return __nv_rnormf(3, Values);
}
float __nv_rnorm4df(float X, float Y, float Z, float W) {
  float Values[] = {X, Y, Z, W};
  return __nv_rnormf(4, Values);
}
