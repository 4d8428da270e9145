//===- cuda_fp16.h - Half precision ---------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// half and half2 as the CUDA math API describes them. Devices from sm_53 on
/// have instructions for the arithmetic; the host, and older ones, calculate
/// with floats and doubles, which gives the same results. The functions of
/// mathematics are those of floats, rounded.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_FP16_H
#define REGSHARE_CUDA_FP16_H
// By which programs tell that CUDA's header is there.
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)

#include <math.h>
#include <string.h>

#define REGSHARE_HALF static inline __host__ __device__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
#define REGSHARE_HALF_DEVICE 1
#else
#define REGSHARE_HALF_DEVICE 0
#endif

namespace regshare_half {

enum Rounding { Nearest, Zero, Down, Up };

/// The half next to \p Value, which is exact if it has been rounded before so
/// that its last bit is set where something was left out.
REGSHARE_HALF unsigned short round(double Value, Rounding Mode) {
  unsigned long long Bits;
  memcpy(&Bits, &Value, sizeof(Bits));
  unsigned int Sign = unsigned(Bits >> 48) & 0x8000;
  int Exponent = int(Bits >> 52 & 0x7ff) - 1023;
  if (Value != Value)
    return 0x7fff;
  bool Away = Mode == (Sign ? Down : Up);
  if (Exponent > 15) {
    bool IsInfinite = Exponent == 1024;
    return Sign | (IsInfinite || Away || Mode == Nearest ? 0x7c00 : 0x7bff);
  }
  if (Exponent < -14)
    Exponent = -14;
  // In units of the last place.
  unsigned long long Scale = (unsigned long long)(1023 + 10 - Exponent) << 52;
  double Units;
  memcpy(&Units, &Scale, sizeof(Units));
  Units *= Sign ? -Value : Value;
  unsigned int Whole = unsigned(Units);
  double Rest = Units - Whole;
  if (Mode == Nearest ? Rest > 0.5 || (Rest == 0.5 && Whole % 2)
                      : Away && Rest > 0)
    ++Whole;
  return Sign | ((unsigned(Exponent + 14) << 10) + Whole);
}

REGSHARE_HALF float widen(unsigned short Half) {
  unsigned int Exponent = Half >> 10 & 31, Fraction = Half & 0x3ff, Bits;
  if (!Exponent) {
    float Small = float(Fraction) * 5.9604644775390625e-8f;
    return Half & 0x8000 ? -Small : Small;
  }
  Bits =
      unsigned(Half & 0x8000) << 16 | (Exponent + 112) << 23 | Fraction << 13;
  if (Exponent == 31)
    Bits = Fraction ? 0x7fffffff : unsigned(Half & 0x8000) << 16 | 0x7f800000;
  float Wide;
  memcpy(&Wide, &Bits, sizeof(Wide));
  return Wide;
}

/// A * B + C, rounded once.
REGSHARE_HALF unsigned short fused(float A, float B, float C) {
#pragma clang fp contract(off)
  double Product = double(A) * double(B), Sum = Product + double(C);
  double Back = Sum - Product;
  double Lost = (Product - (Sum - Back)) + (double(C) - Back);
  unsigned long long Bits;
  memcpy(&Bits, &Sum, sizeof(Bits));
  // To odd, so that it can be rounded again.
  if (Lost != 0 && Lost == Lost && !(Bits & 1)) {
    Bits += (Lost > 0) == (Sum > 0) ? 1 : -1;
    memcpy(&Sum, &Bits, sizeof(Sum));
  }
  return round(Sum, Nearest);
}

REGSHARE_HALF unsigned short saturate(unsigned short Half) {
  float F = widen(Half);
  return F > 0 ? (F < 1 ? Half : 0x3c00) : 0;
}

} // namespace regshare_half

struct __half;
REGSHARE_HALF float __half2float(__half A);

/// A float that instructions of the device make a half of, in all roundings.
#define REGSHARE_FROM(SUFFIX, MODE, TYPE, PTX, CONSTRAINT)                     \
  REGSHARE_HALF unsigned short from##SUFFIX(TYPE Value) {                      \
    REGSHARE_HALF_CHOICE(unsigned short Half;                                  \
                         asm("cvt." #SUFFIX ".f16." PTX                        \
                             " %0, %1;" : "=h"(Half) : CONSTRAINT(Value));     \
                         return Half;, return round(double(Value), MODE);)     \
  }
#if REGSHARE_HALF_DEVICE
#define REGSHARE_HALF_CHOICE(DEVICE, HOST) DEVICE
#else
#define REGSHARE_HALF_CHOICE(DEVICE, HOST) HOST
#endif
namespace regshare_half {
#define REGSHARE_FROM_ALL(TYPE, PTX, CONSTRAINT)                               \
  REGSHARE_FROM(rn, Nearest, TYPE, PTX, CONSTRAINT)                            \
  REGSHARE_FROM(rz, Zero, TYPE, PTX, CONSTRAINT)                               \
  REGSHARE_FROM(rm, Down, TYPE, PTX, CONSTRAINT)                               \
  REGSHARE_FROM(rp, Up, TYPE, PTX, CONSTRAINT)
REGSHARE_FROM_ALL(float, "f32", "f")
REGSHARE_FROM_ALL(double, "f64", "d")
REGSHARE_FROM_ALL(int, "s32", "r")
REGSHARE_FROM_ALL(unsigned int, "u32", "r")
/// Beyond 2^53 all of them are infinite or the largest half.
REGSHARE_FROM_ALL(long long, "s64", "l")
REGSHARE_FROM_ALL(unsigned long long, "u64", "l")
#undef REGSHARE_FROM_ALL
#undef REGSHARE_FROM
} // namespace regshare_half

struct __attribute__((aligned(2))) __half {
  unsigned short __x;

  __half() = default;
  __host__ __device__ constexpr __half(const __half_raw &Raw) : __x(Raw.x) {}
  __host__ __device__ operator __half_raw() const { return {__x}; }
  __host__ __device__ operator __half_raw() const volatile { return {__x}; }
  __host__ __device__ operator float() const { return __half2float(*this); }
#define REGSHARE_NUMBER(TYPE, AS)                                              \
  __host__ __device__ __half(TYPE V) : __x(regshare_half::fromrn(AS(V))) {}
  REGSHARE_NUMBER(float, float)
  REGSHARE_NUMBER(double, double)
  REGSHARE_NUMBER(short, int)
  REGSHARE_NUMBER(unsigned short, int)
  REGSHARE_NUMBER(int, int)
  REGSHARE_NUMBER(unsigned int, (unsigned int))
  REGSHARE_NUMBER(long, (long long))
  REGSHARE_NUMBER(unsigned long, (unsigned long long))
  REGSHARE_NUMBER(long long, (long long))
  REGSHARE_NUMBER(unsigned long long, (unsigned long long))
#undef REGSHARE_NUMBER
};

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ constexpr __half2(const __half &X, const __half &Y)
      : x(X), y(Y) {}
  __host__ __device__ __half2(const __half2_raw &Raw)
      : x(__half_raw{Raw.x}), y(__half_raw{Raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return {x.__x, y.__x}; }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

namespace regshare_half {
REGSHARE_HALF __half of(unsigned int Bits) {
  return __half_raw{(unsigned short)Bits};
}
REGSHARE_HALF unsigned int bits(__half2 A) {
  return A.x.__x | unsigned(A.y.__x) << 16;
}
REGSHARE_HALF __half2 both(unsigned int Bits) {
  return __half2(of(Bits & 0xffff), of(Bits >> 16));
}
} // namespace regshare_half

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

REGSHARE_HALF float __half2float(__half A) {
  REGSHARE_HALF_CHOICE(float F;
                       asm("cvt.f32.f16 %0, %1;" : "=f"(F) : "h"(A.__x));
                       return F;, return regshare_half::widen(A.__x);)
}
REGSHARE_HALF __half __float2half(float A) { return __half(A); }
REGSHARE_HALF __half __double2half(double A) { return __half(A); }

#define REGSHARE_TO_HALF(NAME, TYPE, AS)                                       \
  REGSHARE_HALF __half NAME##_rn(TYPE A) {                                     \
    return regshare_half::of(regshare_half::fromrn(AS(A)));                    \
  }                                                                            \
  REGSHARE_HALF __half NAME##_rz(TYPE A) {                                     \
    return regshare_half::of(regshare_half::fromrz(AS(A)));                    \
  }                                                                            \
  REGSHARE_HALF __half NAME##_rd(TYPE A) {                                     \
    return regshare_half::of(regshare_half::fromrm(AS(A)));                    \
  }                                                                            \
  REGSHARE_HALF __half NAME##_ru(TYPE A) {                                     \
    return regshare_half::of(regshare_half::fromrp(AS(A)));                    \
  }
REGSHARE_TO_HALF(__float2half, float, float)
REGSHARE_TO_HALF(__short2half, short, int)
REGSHARE_TO_HALF(__ushort2half, unsigned short, int)
REGSHARE_TO_HALF(__int2half, int, int)
REGSHARE_TO_HALF(__uint2half, unsigned int, (unsigned int))
REGSHARE_TO_HALF(__ll2half, long long, (long long))
REGSHARE_TO_HALF(__ull2half, unsigned long long, (unsigned long long))
#undef REGSHARE_TO_HALF

/// Numbers too large become the type's largest, NaN 0 or, of 64 bits, the
/// lowest or largest.
#define REGSHARE_CLAMP(NAME, TYPE, LEAST, MOST, NAN)                           \
  REGSHARE_HALF TYPE regshare_##NAME(float F) {                                \
    return F != F              ? (TYPE)(NAN)                                   \
           : F <= float(LEAST) ? (TYPE)(LEAST)                                 \
           : F >= float(MOST)  ? (TYPE)(MOST)                                  \
                               : (TYPE)(F);                                    \
  }                                                                            \
  REGSHARE_HALF TYPE __half2##NAME##_rz(__half A) {                            \
    return regshare_##NAME(truncf(__half2float(A)));                           \
  }
#define REGSHARE_TO_INTEGER(NAME, TYPE, LEAST, MOST, NAN)                      \
  REGSHARE_CLAMP(NAME, TYPE, LEAST, MOST, NAN)                                 \
  REGSHARE_HALF TYPE __half2##NAME##_rn(__half A) {                            \
    return regshare_##NAME(rintf(__half2float(A)));                            \
  }                                                                            \
  REGSHARE_HALF TYPE __half2##NAME##_rd(__half A) {                            \
    return regshare_##NAME(floorf(__half2float(A)));                           \
  }                                                                            \
  REGSHARE_HALF TYPE __half2##NAME##_ru(__half A) {                            \
    return regshare_##NAME(ceilf(__half2float(A)));                            \
  }
REGSHARE_CLAMP(char, signed char, -128, 127, 0)
REGSHARE_CLAMP(uchar, unsigned char, 0, 255, 0)
REGSHARE_TO_INTEGER(short, short, -32768, 32767, 0)
REGSHARE_TO_INTEGER(ushort, unsigned short, 0, 65535, 0)
REGSHARE_TO_INTEGER(int, int, -2147483647 - 1, 2147483647, 0)
REGSHARE_TO_INTEGER(uint, unsigned int, 0, 4294967295u, 0)
REGSHARE_TO_INTEGER(ll, long long, -9223372036854775807ll - 1,
                    9223372036854775807ll, -9223372036854775807ll - 1)
REGSHARE_TO_INTEGER(ull, unsigned long long, 0, 18446744073709551615ull,
                    9223372036854775808ull)
#undef REGSHARE_TO_INTEGER
#undef REGSHARE_CLAMP

REGSHARE_HALF short __half_as_short(__half A) { return short(A.__x); }
REGSHARE_HALF unsigned short __half_as_ushort(__half A) { return A.__x; }
REGSHARE_HALF __half __short_as_half(short A) {
  return regshare_half::of((unsigned short)A);
}
REGSHARE_HALF __half __ushort_as_half(unsigned short A) {
  return regshare_half::of(A);
}

REGSHARE_HALF __half2 make_half2(__half X, __half Y) { return __half2(X, Y); }
REGSHARE_HALF __half2 __halves2half2(__half X, __half Y) {
  return __half2(X, Y);
}
REGSHARE_HALF __half2 __half2half2(__half A) { return __half2(A, A); }
REGSHARE_HALF __half2 __float2half2_rn(float A) {
  return __half2half2(__half(A));
}
REGSHARE_HALF __half2 __floats2half2_rn(float X, float Y) {
  return __half2(__half(X), __half(Y));
}
REGSHARE_HALF __half2 __float22half2_rn(float2 A) {
  return __floats2half2_rn(A.x, A.y);
}
REGSHARE_HALF float2 __half22float2(__half2 A) {
  return make_float2(__half2float(A.x), __half2float(A.y));
}
REGSHARE_HALF __half __low2half(__half2 A) { return A.x; }
REGSHARE_HALF __half __high2half(__half2 A) { return A.y; }
REGSHARE_HALF float __low2float(__half2 A) { return __half2float(A.x); }
REGSHARE_HALF float __high2float(__half2 A) { return __half2float(A.y); }
REGSHARE_HALF __half2 __low2half2(__half2 A) { return __half2(A.x, A.x); }
REGSHARE_HALF __half2 __high2half2(__half2 A) { return __half2(A.y, A.y); }
REGSHARE_HALF __half2 __lows2half2(__half2 A, __half2 B) {
  return __half2(A.x, B.x);
}
REGSHARE_HALF __half2 __highs2half2(__half2 A, __half2 B) {
  return __half2(A.y, B.y);
}
REGSHARE_HALF __half2 __lowhigh2highlow(__half2 A) { return __half2(A.y, A.x); }

#include "regshare_cuda/narrow_accesses.h"

#include "regshare_cuda/half_arithmetic.h"

#undef REGSHARE_HALF_CHOICE
#undef REGSHARE_HALF_DEVICE
#undef REGSHARE_HALF

#endif // __cplusplus

#endif // REGSHARE_CUDA_FP16_H
