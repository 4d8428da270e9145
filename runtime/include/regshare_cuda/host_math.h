//===- host_math.h - CUDA math on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions that CUDA offers to host code beyond those of the C library, and
/// clang's CUDA headers expect to find.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_HOST_MATH_H
#define REGSHARE_CUDA_HOST_MATH_H

#include "host_defines.h"
#include <math.h>

#define REGSHARE_HOST static inline __host__

REGSHARE_HOST double rsqrt(double X) { return 1.0 / sqrt(X); }
REGSHARE_HOST double rcbrt(double X) { return 1.0 / cbrt(X); }
REGSHARE_HOST double fdivide(double X, double Y) { return X / Y; }
REGSHARE_HOST double normcdf(double X) { return 0.5 * erfc(-X * M_SQRT1_2); }

/// sin(pi*X), exact where the result is.
REGSHARE_HOST double sinpi(double X) {
  double R = fmod(X, 2.0);
  double A = fabs(R);
  if (A == 0.0 || A == 1.0)
    return copysign(0.0, X);
  double Folded = A > 1.0 ? A - 1.0 : A;
  double Sine = Folded > 0.25 && Folded < 0.75 ? cos(M_PI * (0.5 - Folded))
                : Folded <= 0.25               ? sin(M_PI * Folded)
                                               : sin(M_PI * (1.0 - Folded));
  return (A > 1.0) != (R < 0.0) ? -Sine : Sine;
}

REGSHARE_HOST double cospi(double X) { return sinpi(fmod(fabs(X), 2.0) + 0.5); }

REGSHARE_HOST void sincospi(double X, double *Sine, double *Cosine) {
  *Sine = sinpi(X);
  *Cosine = cospi(X);
}

/// exp(X*X)*erfc(X) without the overflow and underflow of its factors: a
/// continued fraction once erfc leaves the range where it is precise.
REGSHARE_HOST double erfcx(double X) {
  if (X < 10.0)
    return exp(X * X) * erfc(X);
  double Fraction = X;
  for (int K = 20; K > 0; --K)
    Fraction = X + 0.5 * K / Fraction;
  return 0.5 * M_2_SQRTPI / Fraction;
}

/// The X with erfc(X) = Y, by Newton's method on log(erfc), which is nearly
/// parabolic and so converges over the whole range.
REGSHARE_HOST double erfcinv(double Y) {
  if (!(Y > 0.0 && Y < 2.0))
    return Y == 0.0 ? HUGE_VAL : Y == 2.0 ? -HUGE_VAL : NAN;
  if (Y > 1.0)
    return -erfcinv(2.0 - Y);
  double X = Y > 0.5 ? (1.0 - Y) / M_2_SQRTPI : sqrt(-log(Y));
  for (int I = 0; I < 12; ++I)
    X += (log(erfc(X)) - log(Y)) * erfcx(X) / M_2_SQRTPI;
  return X;
}

REGSHARE_HOST double normcdfinv(double P) {
  return -M_SQRT2 * erfcinv(2.0 * P);
}

/// Near zero, where 1 - X loses what matters, Newton's method on erf itself.
REGSHARE_HOST double erfinv(double X) {
  if (fabs(X) > 0.5)
    return copysign(erfcinv(1.0 - fabs(X)), X);
  double Z = X / M_2_SQRTPI;
  for (int I = 0; I < 8; ++I)
    Z -= (erf(Z) - X) / (M_2_SQRTPI * exp(-Z * Z));
  return Z;
}

#define REGSHARE_HOST_FLOAT(NAME)                                              \
  REGSHARE_HOST float NAME##f(float X) { return (float)NAME((double)X); }
REGSHARE_HOST_FLOAT(rsqrt)
REGSHARE_HOST_FLOAT(rcbrt)
REGSHARE_HOST_FLOAT(normcdf)
REGSHARE_HOST_FLOAT(sinpi)
REGSHARE_HOST_FLOAT(cospi)
REGSHARE_HOST_FLOAT(erfcx)
REGSHARE_HOST_FLOAT(erfinv)
REGSHARE_HOST_FLOAT(erfcinv)
REGSHARE_HOST_FLOAT(normcdfinv)
#undef REGSHARE_HOST_FLOAT

REGSHARE_HOST float fdividef(float X, float Y) { return X / Y; }
REGSHARE_HOST void sincospif(float X, float *Sine, float *Cosine) {
  *Sine = sinpif(X);
  *Cosine = cospif(X);
}

// CUDA has min and max in the global namespace, with C's conversions between
// the operands.
#define REGSHARE_HOST_MINMAX(RESULT, A, B)                                     \
  REGSHARE_HOST RESULT min(A X, B Y) {                                         \
    return (RESULT)X < (RESULT)Y ? (RESULT)X : (RESULT)Y;                      \
  }                                                                            \
  REGSHARE_HOST RESULT max(A X, B Y) {                                         \
    return (RESULT)X < (RESULT)Y ? (RESULT)Y : (RESULT)X;                      \
  }
REGSHARE_HOST_MINMAX(int, int, int)
REGSHARE_HOST_MINMAX(unsigned, unsigned, unsigned)
REGSHARE_HOST_MINMAX(unsigned, int, unsigned)
REGSHARE_HOST_MINMAX(unsigned, unsigned, int)
REGSHARE_HOST_MINMAX(long, long, long)
REGSHARE_HOST_MINMAX(unsigned long, unsigned long, unsigned long)
REGSHARE_HOST_MINMAX(unsigned long, long, unsigned long)
REGSHARE_HOST_MINMAX(unsigned long, unsigned long, long)
REGSHARE_HOST_MINMAX(long long, long long, long long)
REGSHARE_HOST_MINMAX(unsigned long long, unsigned long long, unsigned long long)
REGSHARE_HOST_MINMAX(unsigned long long, long long, unsigned long long)
REGSHARE_HOST_MINMAX(unsigned long long, unsigned long long, long long)
#undef REGSHARE_HOST_MINMAX

#define REGSHARE_HOST_FMINMAX(RESULT, A, B)                                    \
  REGSHARE_HOST RESULT min(A X, B Y) { return fmin(X, Y); }                    \
  REGSHARE_HOST RESULT max(A X, B Y) { return fmax(X, Y); }
REGSHARE_HOST_FMINMAX(float, float, float)
REGSHARE_HOST_FMINMAX(double, double, double)
REGSHARE_HOST_FMINMAX(double, float, double)
REGSHARE_HOST_FMINMAX(double, double, float)
#undef REGSHARE_HOST_FMINMAX
#undef REGSHARE_HOST

#endif // REGSHARE_CUDA_HOST_MATH_H
