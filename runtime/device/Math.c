//===- Math.c - The C library's functions -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The C library's functions on top of libclc, whose OpenCL functions go by
/// their mangled names, and of instructions where PTX has them.
///
//===----------------------------------------------------------------------===//

#include "libdevice.h"

// NAME and its OpenCL equivalent CLC, whose mangled name is _Z, the length of
// its name, its name and the parameter types.
#define UNARY(NAME, LENGTH, CLC)                                               \
  double clc_##NAME(double) __asm__("_Z" #LENGTH #CLC "d");                    \
  float clc_##NAME##f(float) __asm__("_Z" #LENGTH #CLC "f");                   \
  double __nv_##NAME(double X) { return clc_##NAME(X); }                       \
  float __nv_##NAME##f(float X) { return clc_##NAME##f(X); }
#define BINARY(NAME, LENGTH, CLC)                                              \
  double clc_##NAME(double, double) __asm__("_Z" #LENGTH #CLC "dd");           \
  float clc_##NAME##f(float, float) __asm__("_Z" #LENGTH #CLC "ff");           \
  double __nv_##NAME(double X, double Y) { return clc_##NAME(X, Y); }          \
  float __nv_##NAME##f(float X, float Y) { return clc_##NAME##f(X, Y); }

UNARY(acos, 4, acos)
UNARY(acosh, 5, acosh)
UNARY(asin, 4, asin)
UNARY(asinh, 5, asinh)
UNARY(atan, 4, atan)
UNARY(atanh, 5, atanh)
UNARY(cbrt, 4, cbrt)
UNARY(cos, 3, cos)
UNARY(cosh, 4, cosh)
UNARY(cospi, 5, cospi)
UNARY(erf, 3, erf)
UNARY(erfc, 4, erfc)
UNARY(exp, 3, exp)
UNARY(exp10, 5, exp10)
UNARY(exp2, 4, exp2)
UNARY(expm1, 5, expm1)
UNARY(lgamma, 6, lgamma)
UNARY(log, 3, log)
UNARY(log10, 5, log10)
UNARY(log1p, 5, log1p)
UNARY(log2, 4, log2)
UNARY(logb, 4, logb)
UNARY(sin, 3, sin)
UNARY(sinh, 4, sinh)
UNARY(sinpi, 5, sinpi)
UNARY(tan, 3, tan)
UNARY(tanh, 4, tanh)
BINARY(atan2, 5, atan2)
BINARY(fdim, 4, fdim)
BINARY(fmod, 4, fmod)
BINARY(hypot, 5, hypot)
BINARY(nextafter, 9, nextafter)
BINARY(pow, 3, pow)
BINARY(remainder, 9, remainder)

#define INSTRUCTION1(NAME)                                                     \
  double __nv_##NAME(double X) { return __builtin_##NAME(X); }                 \
  float __nv_##NAME##f(float X) { return __builtin_##NAME##f(X); }
INSTRUCTION1(ceil)
INSTRUCTION1(fabs)
INSTRUCTION1(floor)
INSTRUCTION1(nearbyint)
INSTRUCTION1(rint)
INSTRUCTION1(round)
INSTRUCTION1(sqrt)
INSTRUCTION1(trunc)

#define INSTRUCTION2(NAME)                                                     \
  double __nv_##NAME(double X, double Y) { return __builtin_##NAME(X, Y); }    \
  float __nv_##NAME##f(float X, float Y) { return __builtin_##NAME##f(X, Y); }
INSTRUCTION2(copysign)
INSTRUCTION2(fmax)
INSTRUCTION2(fmin)

double __nv_fma(double X, double Y, double Z) { return __builtin_fma(X, Y, Z); }
float __nv_fmaf(float X, float Y, float Z) { return __builtin_fmaf(X, Y, Z); }

double clc_frexp(double, int *) __asm__("_Z5frexpdPi");
float clc_frexpf(float, int *) __asm__("_Z5frexpfPi");
double clc_ldexp(double, int) __asm__("_Z5ldexpdi");
float clc_ldexpf(float, int) __asm__("_Z5ldexpfi");
double clc_modf(double, double *) __asm__("_Z4modfdPd");
float clc_modff(float, float *) __asm__("_Z4modffPf");
double clc_pown(double, int) __asm__("_Z4powndi");
float clc_pownf(float, int) __asm__("_Z4pownfi");
double clc_remquo(double, double, int *) __asm__("_Z6remquoddPi");
float clc_remquof(float, float, int *) __asm__("_Z6remquoffPi");
double clc_sincos(double, double *) __asm__("_Z6sincosdPd");
float clc_sincosf(float, float *) __asm__("_Z6sincosfPf");
int clc_ilogb(double) __asm__("_Z5ilogbd");
int clc_ilogbf(float) __asm__("_Z5ilogbf");

double __nv_frexp(double X, int *Exponent) { return clc_frexp(X, Exponent); }
float __nv_frexpf(float X, int *Exponent) { return clc_frexpf(X, Exponent); }
double __nv_ldexp(double X, int N) { return clc_ldexp(X, N); }
float __nv_ldexpf(float X, int N) { return clc_ldexpf(X, N); }
double __nv_scalbn(double X, int N) { return clc_ldexp(X, N); }
float __nv_scalbnf(float X, int N) { return clc_ldexpf(X, N); }
double __nv_modf(double X, double *Whole) { return clc_modf(X, Whole); }
float __nv_modff(float X, float *Whole) { return clc_modff(X, Whole); }
double __nv_powi(double X, int N) { return clc_pown(X, N); }
float __nv_powif(float X, int N) { return clc_pownf(X, N); }
double __nv_remquo(double X, double Y, int *Quotient) {
  return clc_remquo(X, Y, Quotient);
}
float __nv_remquof(float X, float Y, int *Quotient) {
  return clc_remquof(X, Y, Quotient);
}
void __nv_sincos(double X, double *Sine, double *Cosine) {
  *Sine = clc_sincos(X, Cosine);
}
void __nv_sincosf(float X, float *Sine, float *Cosine) {
  *Sine = clc_sincosf(X, Cosine);
}
void __nv_sincospi(double X, double *Sine, double *Cosine) {
  *Sine = clc_sinpi(X);
  *Cosine = clc_cospi(X);
}
void __nv_sincospif(float X, float *Sine, float *Cosine) {
  *Sine = clc_sinpif(X);
  *Cosine = clc_cospif(X);
}
int __nv_ilogb(double X) { return clc_ilogb(X); }
int __nv_ilogbf(float X) { return clc_ilogbf(X); }

long long __nv_llrint(double X) { return __nvvm_d2ll_rn(X); }
long long __nv_llrintf(float X) { return __nvvm_f2ll_rn(X); }
long long __nv_llround(double X) { return __nvvm_d2ll_rz(__builtin_round(X)); }
long long __nv_llroundf(float X) { return __nvvm_f2ll_rz(__builtin_roundf(X)); }

int __nv_isnand(double X) { return __builtin_isnan(X); }
int __nv_isnanf(float X) { return __builtin_isnan(X); }
int __nv_isinfd(double X) { return __builtin_isinf(X); }
int __nv_isinff(float X) { return __builtin_isinf(X); }
int __nv_isfinited(double X) { return __builtin_isfinite(X); }
int __nv_finitef(float X) { return __builtin_isfinite(X); }
int __nv_signbitd(double X) {
  return (int)(__builtin_bit_cast(unsigned long long, X) >> 63);
}
int __nv_signbitf(float X) {
  return (int)(__builtin_bit_cast(unsigned, X) >> 31);
}
double __nv_nan(const signed char *Tag) { return __builtin_nan(""); }
float __nv_nanf(const signed char *Tag) { return __builtin_nanf(""); }
