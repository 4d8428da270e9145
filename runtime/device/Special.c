//===- Special.c - CUDA's functions beyond the C library's -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Norms, inverse error functions and the normal distribution. The float forms
/// compute in double: they are rare, and so they are exact to the last place.
///
//===----------------------------------------------------------------------===//

#include "libdevice.h"

#define FLOAT1(NAME)                                                           \
  float __nv_##NAME##f(float X) { return (float)__nv_##NAME(X); }

static const double HalfSqrt2 = 0x1.6a09e667f3bcdp-1;
static const double TwoOverSqrtPi = 0x1.20dd750429b6dp+0;

double __nv_rcbrt(double X) { return 1.0 / __nv_cbrt(X); }
double __nv_rhypot(double X, double Y) { return 1.0 / __nv_hypot(X, Y); }
float __nv_rhypotf(float X, float Y) {
  return (float)(1.0 / __builtin_sqrt((double)X * X + (double)Y * Y));
}
double __nv_normcdf(double X) { return 0.5 * __nv_erfc(-X * HalfSqrt2); }
FLOAT1(rcbrt)
FLOAT1(normcdf)

/// exp(X*X)*erfc(X): a continued fraction where the product would multiply an
/// overflow by an underflow.
double __nv_erfcx(double X) {
  if (X < 10.0)
    return __nv_exp(X * X) * __nv_erfc(X);
  double Fraction = X;
  for (int K = 20; K > 0; --K)
    Fraction = X + 0.5 * K / Fraction;
  return 0.5 * TwoOverSqrtPi / Fraction;
}
FLOAT1(erfcx)

/// The X >= 0 with erfc(X) = Y for 0 < Y <= 1, by Newton's method on
/// log(erfc(X)), which is close to a parabola over its whole range. Past 10,
/// log(erfc(X)) comes from erfcx, as erfc loses its relative precision.
static double inverseErfc(double Y) {
  double LogY = __nv_log(Y);
  double X = Y > 0.5 ? (1.0 - Y) / TwoOverSqrtPi : __builtin_sqrt(-LogY);
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
  return Y > 1.0 ? -inverseErfc(2.0 - Y) : inverseErfc(Y);
}
FLOAT1(erfcinv)

double __nv_normcdfinv(double P) {
  return -2.0 * HalfSqrt2 * __nv_erfcinv(2.0 * P);
}
FLOAT1(normcdfinv)

/// Near zero, where 1 - X would lose what matters, Newton's method on erf.
double __nv_erfinv(double X) {
  double Magnitude = __builtin_fabs(X);
  if (!(Magnitude < 0.5))
    return __builtin_copysign(__nv_erfcinv(1.0 - Magnitude), X);
  double Z = X / TwoOverSqrtPi;
  for (int I = 0; I < 6; ++I)
    Z -= (__nv_erf(Z) - X) / (TwoOverSqrtPi * __nv_exp(-Z * Z));
  return Z;
}
FLOAT1(erfinv)

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
