//===- Bessel.c - Bessel functions -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bessel functions of integer order, computed in double. Three ways, by the
/// argument: power series, Miller's backward recurrence with Neumann's series
/// for the second kind, and Hankel's asymptotic expansion.
///
//===----------------------------------------------------------------------===//

#include "libdevice.h"

static const double Pi = 0x1.921fb54442d18p+1;
static const double EulerGamma = 0x1.2788cfc6fb619p-1;

/// Both kinds at orders 0 and 1.
typedef struct {
  double J0, J1, Y0, Y1;
} Bessel;

/// For 0 < X < 2, where the series do not cancel.
static Bessel fromSeries(double X) {
  double Q = -0.25 * X * X, Log = __nv_log(0.5 * X) + EulerGamma;
  double T0 = 1.0, T1 = 0.5 * X, Harmonic = 0.0;
  double J0 = 0.0, J1 = 0.0, S0 = 0.0, S1 = 0.0;
  for (int K = 0; K < 16; ++K) {
    double Next = Harmonic + 1.0 / (K + 1);
    J0 += T0;
    J1 += T1;
    S0 += T0 * Harmonic;
    S1 += T1 * (Harmonic + Next);
    T0 *= Q / ((K + 1.0) * (K + 1.0));
    T1 *= Q / ((K + 1.0) * (K + 2.0));
    Harmonic = Next;
  }
  Bessel B = {J0, J1, 2.0 / Pi * (Log * J0 - S0),
              -2.0 / (Pi * X) + (2.0 * Log * J1 - S1) / Pi};
  return B;
}

/// For 2 <= X < 25. Downwards from an order where J all but vanishes, the
/// recurrence is stable; the sum J0 + 2*J2 + 2*J4 + … = 1 gives the scale.
static Bessel fromRecurrence(double X) {
  double Above = 0.0, Here = 1e-150;
  double Norm = 0.0, S0 = 0.0, S1 = 0.0;
  for (int K = 80; K >= 1; --K) {
    int Half = K / 2;
    double Sign = Half % 2 == 0 ? 1.0 : -1.0;
    if (K % 2 == 0) {
      Norm += 2.0 * Here;
      S0 += Sign * Here / Half;
    } else if (K > 1) {
      S1 += Sign * Here * K / (Half * (Half + 1.0));
    }
    double Below = 2.0 * K / X * Here - Above;
    Above = Here;
    Here = Below;
  }
  Norm += Here;
  double J0 = Here / Norm, J1 = Above / Norm, Log = __nv_log(0.5 * X);
  double Y0 = 2.0 / Pi * ((Log + EulerGamma) * J0 - 2.0 * S0 / Norm);
  // Y1 is the negative derivative of Y0.
  double Y1 = 2.0 / Pi * ((Log + EulerGamma - 1.0) * J1 - J0 / X - S1 / Norm);
  Bessel B = {J0, J1, Y0, Y1};
  return B;
}

/// Amplitude factors P and Q of order \p N for X >= 25, where the terms shrink
/// below a double's precision before they grow again.
static void hankel(int N, double X, double *P, double *Q) {
  double Mu = 4.0 * N * N, Term = 1.0;
  double Sums[2] = {1.0, 0.0};
  for (int K = 1; K <= 20; ++K) {
    double Odd = 2.0 * K - 1.0;
    Term *= (Mu - Odd * Odd) / (K * 8.0 * X);
    Sums[K % 2] += K % 4 < 2 ? Term : -Term;
  }
  *P = Sums[0];
  *Q = Sums[1];
}

static Bessel fromAsymptotics(double X) {
  double P0, Q0, P1, Q1, Sine, Cosine;
  hankel(0, X, &P0, &Q0);
  hankel(1, X, &P1, &Q1);
  __nv_sincos(X, &Sine, &Cosine);
  // Phases X - pi/4 and X - 3*pi/4, expanded so that nothing is lost in them.
  double Scale = 1.0 / __builtin_sqrt(Pi * X);
  double Sum = (Sine + Cosine) * Scale, Difference = (Sine - Cosine) * Scale;
  Bessel B = {P0 * Sum - Q0 * Difference, P1 * Difference + Q1 * Sum,
              P0 * Difference + Q0 * Sum, Q1 * Difference - P1 * Sum};
  return B;
}

static Bessel bessel(double X) {
  return X < 2.0    ? fromSeries(X)
         : X < 25.0 ? fromRecurrence(X)
                    : fromAsymptotics(X);
}

double __nv_j0(double X) {
  X = __builtin_fabs(X);
  return X == 0.0 ? 1.0 : __builtin_isinf(X) ? 0.0 : bessel(X).J0;
}
double __nv_j1(double X) {
  double Magnitude = __builtin_fabs(X);
  if (Magnitude == 0.0 || __builtin_isinf(X))
    return __builtin_copysign(0.0, X);
  double J = bessel(Magnitude).J1;
  return X < 0.0 ? -J : J;
}

/// What Y is outside of its domain or at its ends; 1 if \p X is inside.
static int isRegular(double X, double *Value) {
  if (X > 0.0 && !__builtin_isinf(X))
    return 1;
  *Value = X == 0.0 ? -__builtin_inf() : X > 0.0 ? 0.0 : __builtin_nan("");
  return 0;
}

double __nv_y0(double X) {
  double Value;
  return isRegular(X, &Value) ? bessel(X).Y0 : Value;
}
double __nv_y1(double X) {
  double Value;
  return isRegular(X, &Value) ? bessel(X).Y1 : Value;
}

/// J of order \p N >= 2 at X > 0: upwards while the order is below X, where
/// that is stable, else downwards and scaled to the larger of J0 and J1.
static double besselJn(int N, double X) {
  Bessel B = bessel(X);
  if (N <= X) {
    double Below = B.J0, Here = B.J1;
    for (int K = 1; K < N; ++K) {
      double Above = 2.0 * K / X * Here - Below;
      Below = Here;
      Here = Above;
    }
    return Here;
  }
  double Above = 0.0, Here = 1e-300, Wanted = 0.0;
  int Start = N + 30 + (int)__builtin_sqrt(60.0 * N);
  for (int K = Start; K >= 1; --K) {
    double Below = 2.0 * K / X * Here - Above;
    Above = Here;
    Here = Below;
    if (K - 1 == N)
      Wanted = Here;
    if (__builtin_fabs(Here) > 1e200) {
      Above *= 1e-200;
      Here *= 1e-200;
      Wanted *= 1e-200;
    }
  }
  return __builtin_fabs(B.J0) > __builtin_fabs(B.J1) ? Wanted / Here * B.J0
                                                     : Wanted / Above * B.J1;
}

double __nv_jn(int N, double X) {
  if (N < 0)
    return __builtin_nan("");
  if (N == 0)
    return __nv_j0(X);
  if (N == 1)
    return __nv_j1(X);
  double Magnitude = __builtin_fabs(X);
  if (Magnitude == 0.0 || __builtin_isinf(X))
    return 0.0;
  double J = besselJn(N, Magnitude);
  return X < 0.0 && N % 2 == 1 ? -J : J;
}

double __nv_yn(int N, double X) {
  double Below, Here;
  if (N < 0)
    return __builtin_nan("");
  if (!isRegular(X, &Here))
    return Here;
  Bessel B = bessel(X);
  Below = B.Y0;
  Here = B.Y1;
  if (N == 0)
    return Below;
  for (int K = 1; K < N && !__builtin_isinf(Here); ++K) {
    double Above = 2.0 * K / X * Here - Below;
    Below = Here;
    Here = Above;
  }
  return Here;
}

/// The modified functions of order 0 and 1: all terms of the series are
/// positive, and past 30 the asymptotic expansion takes over.
static double modified(int N, double X) {
  if (X < 30.0) {
    double Q = 0.25 * X * X, Term = N == 0 ? 1.0 : 0.5 * X, Sum = 0.0;
    for (int K = 1; K < 80; ++K) {
      Sum += Term;
      Term *= Q / (K * (K + (double)N));
    }
    return Sum;
  }
  double Mu = 4.0 * N * N, Term = 1.0, Sum = 1.0;
  for (int K = 1; K <= 25; ++K) {
    double Odd = 2.0 * K - 1.0;
    Term *= (Odd * Odd - Mu) / (K * 8.0 * X);
    Sum += Term;
  }
  // In halves, since exp(X) overflows before the quotient does.
  double Half = __nv_exp(0.5 * X);
  return Half / __builtin_sqrt(2.0 * Pi * X) * Sum * Half;
}

double __nv_cyl_bessel_i0(double X) {
  return __builtin_isinf(X) ? __builtin_inf() : modified(0, __builtin_fabs(X));
}
double __nv_cyl_bessel_i1(double X) {
  if (__builtin_isinf(X))
    return X;
  return __builtin_copysign(modified(1, __builtin_fabs(X)), X);
}

float __nv_j0f(float X) { return (float)__nv_j0(X); }
float __nv_j1f(float X) { return (float)__nv_j1(X); }
float __nv_y0f(float X) { return (float)__nv_y0(X); }
float __nv_y1f(float X) { return (float)__nv_y1(X); }
float __nv_jnf(int N, float X) { return (float)__nv_jn(N, X); }
float __nv_ynf(int N, float X) { return (float)__nv_yn(N, X); }
float __nv_cyl_bessel_i0f(float X) { return (float)__nv_cyl_bessel_i0(X); }
float __nv_cyl_bessel_i1f(float X) { return (float)__nv_cyl_bessel_i1(X); }
