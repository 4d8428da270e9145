//===- cuda_bf16.h - Numbers of the type bfloat16 -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The upper half of a float. Arithmetic is that of float, rounded: a float has
/// more than twice a bfloat16's digits, so that rounding twice does no harm. A
/// fused multiply-add is rounded to odd in between.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_BF16_H
#define REGSHARE_CUDA_BF16_H

#define __CUDA_BF16_H__

#include "cuda_runtime.h"

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)

#include <math.h>
#include <string.h>

#define REGSHARE_BF16 static inline __host__ __device__

namespace regshare_bf16 {

enum Rounding { Nearest, Zero, Down, Up };

REGSHARE_BF16 float widen(unsigned short Bits) {
  unsigned int Wide = unsigned(Bits) << 16;
  float Value;
  memcpy(&Value, &Wide, sizeof(Value));
  return Value;
}

/// An infinity comes of itself where the largest number is rounded up.
REGSHARE_BF16 unsigned short round(float Value, Rounding Mode) {
  if (Value != Value)
    return 0x7fff;
  unsigned int Bits;
  memcpy(&Bits, &Value, sizeof(Bits));
  unsigned int Rest = Bits & 0xffff, Kept = Bits >> 16;
  bool IsInfinite = (Bits & 0x7fffffff) == 0x7f800000;
  bool Away = Mode == (Bits >> 31 ? Down : Up);
  bool Next = Mode == Nearest ? Rest > 0x8000 || (Rest == 0x8000 && Kept & 1)
                              : Away && Rest;
  return (unsigned short)(Kept + (Next && !IsInfinite));
}

/// Next to \p Value, to odd: to be rounded again.
REGSHARE_BF16 float toOdd(double Value) {
  float Single = float(Value);
  if (double(Single) == Value || Value != Value)
    return Single;
  unsigned int Bits;
  memcpy(&Bits, &Single, sizeof(Bits));
  if ((double(Single) > Value) == (Value > 0))
    --Bits;
  Bits |= 1;
  memcpy(&Single, &Bits, sizeof(Single));
  return Single;
}

/// A * B + C, rounded once.
REGSHARE_BF16 unsigned short fused(float A, float B, float C) {
#pragma clang fp contract(off)
  double Product = double(A) * double(B), Sum = Product + double(C);
  double Back = Sum - Product;
  double Lost = (Product - (Sum - Back)) + (double(C) - Back);
  unsigned long long Bits;
  memcpy(&Bits, &Sum, sizeof(Bits));
  if (Lost != 0 && Lost == Lost && !(Bits & 1)) {
    Bits += (Lost > 0) == (Sum > 0) ? 1 : -1;
    memcpy(&Sum, &Bits, sizeof(Sum));
  }
  return round(toOdd(Sum), Nearest);
}

/// What is below float's 24 bits can but tell that the rest is not 0.
REGSHARE_BF16 unsigned short
roundInteger(bool IsNegative, unsigned long long Magnitude, Rounding Mode) {
  float Scale = 1;
  for (; Magnitude >> 24; Scale *= 2)
    Magnitude = Magnitude >> 1 | (Magnitude & 1);
  float Value = float(Magnitude) * Scale;
  return round(IsNegative ? -Value : Value, Mode);
}

} // namespace regshare_bf16

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  __host__ __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &Raw)
      : __x(Raw.x) {}
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
  __host__ __device__ operator __nv_bfloat16_raw() const volatile {
    return {__x};
  }
  __host__ __device__ operator float() const {
    return regshare_bf16::widen(__x);
  }
  __host__ __device__ __nv_bfloat16(float V)
      : __x(regshare_bf16::round(V, regshare_bf16::Nearest)) {}
  __host__ __device__ __nv_bfloat16(double V)
      : __x(regshare_bf16::round(regshare_bf16::toOdd(V),
                                 regshare_bf16::Nearest)) {}
#define REGSHARE_NUMBER(TYPE)                                                  \
  __host__ __device__ __nv_bfloat16(TYPE V) : __nv_bfloat16(double(V)) {}
  REGSHARE_NUMBER(short)
  REGSHARE_NUMBER(unsigned short)
  REGSHARE_NUMBER(int)
  REGSHARE_NUMBER(unsigned int)
#undef REGSHARE_NUMBER
#define REGSHARE_NUMBER(TYPE)                                                  \
  __host__ __device__ __nv_bfloat16(TYPE V)                                    \
      : __x(regshare_bf16::roundInteger(V < 0, V < 0 ? 0ull - V : V,           \
                                        regshare_bf16::Nearest)) {}
  REGSHARE_NUMBER(long)
  REGSHARE_NUMBER(unsigned long)
  REGSHARE_NUMBER(long long)
  REGSHARE_NUMBER(unsigned long long)
#undef REGSHARE_NUMBER
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ constexpr __nv_bfloat162(const __nv_bfloat16 &X,
                                               const __nv_bfloat16 &Y)
      : x(X), y(Y) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &Raw)
      : x(__nv_bfloat16_raw{Raw.x}), y(__nv_bfloat16_raw{Raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return {x.__x, y.__x};
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

REGSHARE_BF16 float __bfloat162float(__nv_bfloat16 A) {
  return regshare_bf16::widen(A.__x);
}
REGSHARE_BF16 __nv_bfloat16 __float2bfloat16(float A) {
  return __nv_bfloat16(A);
}
REGSHARE_BF16 __nv_bfloat16 __double2bfloat16(double A) {
  return __nv_bfloat16(A);
}
#define REGSHARE_FROM_FLOAT(NAME, MODE)                                        \
  REGSHARE_BF16 __nv_bfloat16 NAME(float A) {                                  \
    return __nv_bfloat16_raw{regshare_bf16::round(A, regshare_bf16::MODE)};    \
  }
REGSHARE_FROM_FLOAT(__float2bfloat16_rn, Nearest)
REGSHARE_FROM_FLOAT(__float2bfloat16_rz, Zero)
REGSHARE_FROM_FLOAT(__float2bfloat16_rd, Down)
REGSHARE_FROM_FLOAT(__float2bfloat16_ru, Up)
#undef REGSHARE_FROM_FLOAT
REGSHARE_BF16 short __bfloat16_as_short(__nv_bfloat16 A) {
  return short(A.__x);
}
REGSHARE_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 A) {
  return A.__x;
}
REGSHARE_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short A) {
  return __nv_bfloat16_raw{A};
}
REGSHARE_BF16 __nv_bfloat16 __short_as_bfloat16(short A) {
  return __nv_bfloat16_raw{(unsigned short)A};
}
REGSHARE_BF16 __nv_bfloat162 make_bfloat162(__nv_bfloat16 X, __nv_bfloat16 Y) {
  return __nv_bfloat162(X, Y);
}
REGSHARE_BF16 __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 X,
                                                __nv_bfloat16 Y) {
  return __nv_bfloat162(X, Y);
}
REGSHARE_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 A) {
  return __nv_bfloat162(A, A);
}
REGSHARE_BF16 __nv_bfloat162 __float2bfloat162_rn(float A) {
  return __bfloat162bfloat162(__nv_bfloat16(A));
}
REGSHARE_BF16 __nv_bfloat162 __floats2bfloat162_rn(float X, float Y) {
  return __nv_bfloat162(__nv_bfloat16(X), __nv_bfloat16(Y));
}
REGSHARE_BF16 __nv_bfloat162 __float22bfloat162_rn(float2 A) {
  return __floats2bfloat162_rn(A.x, A.y);
}
REGSHARE_BF16 float2 __bfloat1622float2(__nv_bfloat162 A) {
  return make_float2(A.x, A.y);
}
REGSHARE_BF16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 A) { return A.x; }
REGSHARE_BF16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 A) { return A.y; }
REGSHARE_BF16 float __low2float(__nv_bfloat162 A) { return A.x; }
REGSHARE_BF16 float __high2float(__nv_bfloat162 A) { return A.y; }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

REGSHARE_BF16 __nv_bfloat16 __hneg(__nv_bfloat16 A) {
  return __ushort_as_bfloat16(A.__x ^ 0x8000);
}
REGSHARE_BF16 __nv_bfloat16 __habs(__nv_bfloat16 A) {
  return __ushort_as_bfloat16(A.__x & 0x7fff);
}
REGSHARE_BF16 bool __hisnan(__nv_bfloat16 A) {
  return (A.__x & 0x7fff) > 0x7f80;
}
REGSHARE_BF16 int __hisinf(__nv_bfloat16 A) {
  return A.__x == 0x7f80 ? 1 : A.__x == 0xff80 ? -1 : 0;
}

/// A function of one number, or of two, and the same of pairs.
#define REGSHARE_BINARY(NAME, NAME2, VALUE)                                    \
  REGSHARE_BF16 __nv_bfloat16 NAME(__nv_bfloat16 A, __nv_bfloat16 B) {         \
    float X = A, Y = B;                                                        \
    return __nv_bfloat16(VALUE);                                               \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat162 NAME2(__nv_bfloat162 A, __nv_bfloat162 B) {     \
    return __nv_bfloat162(NAME(A.x, B.x), NAME(A.y, B.y));                     \
  }
REGSHARE_BINARY(__hadd, __hadd2, X + Y)
REGSHARE_BINARY(__hsub, __hsub2, X - Y)
REGSHARE_BINARY(__hmul, __hmul2, X *Y)
REGSHARE_BINARY(__hdiv, __h2div, X / Y)
REGSHARE_BINARY(__hmax, __hmax2, fmaxf(X, Y))
REGSHARE_BINARY(__hmin, __hmin2, fminf(X, Y))
#undef REGSHARE_BINARY

REGSHARE_BF16 __nv_bfloat16 __hfma(__nv_bfloat16 A, __nv_bfloat16 B,
                                   __nv_bfloat16 C) {
  return __ushort_as_bfloat16(regshare_bf16::fused(A, B, C));
}
REGSHARE_BF16 __nv_bfloat162 __hfma2(__nv_bfloat162 A, __nv_bfloat162 B,
                                     __nv_bfloat162 C) {
  return __nv_bfloat162(__hfma(A.x, B.x, C.x), __hfma(A.y, B.y, C.y));
}

#define REGSHARE_UNARY(NAME, VALUE)                                            \
  REGSHARE_BF16 __nv_bfloat16 NAME(__nv_bfloat16 A) {                          \
    float X = A;                                                               \
    return __nv_bfloat16(VALUE);                                               \
  }
REGSHARE_UNARY(hsqrt, sqrtf(X))
REGSHARE_UNARY(hrsqrt, 1.0f / sqrtf(X))
REGSHARE_UNARY(hrcp, 1.0f / X)
REGSHARE_UNARY(hexp, expf(X))
REGSHARE_UNARY(hexp2, exp2f(X))
REGSHARE_UNARY(hlog, logf(X))
REGSHARE_UNARY(hexp10, powf(10, X))
REGSHARE_UNARY(hlog2, log2f(X))
REGSHARE_UNARY(hlog10, log10f(X))
REGSHARE_UNARY(hsin, sinf(X))
REGSHARE_UNARY(hcos, cosf(X))
REGSHARE_UNARY(hfloor, floorf(X))
REGSHARE_UNARY(hceil, ceilf(X))
REGSHARE_UNARY(htrunc, truncf(X))
REGSHARE_UNARY(hrint, rintf(X))
#undef REGSHARE_UNARY

#define REGSHARE_COMPARE(NAME, OPERATOR)                                       \
  REGSHARE_BF16 bool NAME(__nv_bfloat16 A, __nv_bfloat16 B) {                  \
    float X = A, Y = B;                                                        \
    return X == X && Y == Y && X OPERATOR Y;                                   \
  }                                                                            \
  REGSHARE_BF16 bool operator OPERATOR(__nv_bfloat16 A, __nv_bfloat16 B) {     \
    return float(A) OPERATOR float(B);                                         \
  }
REGSHARE_COMPARE(__heq, ==)
REGSHARE_COMPARE(__hne, !=)
REGSHARE_COMPARE(__hlt, <)
REGSHARE_COMPARE(__hle, <=)
REGSHARE_COMPARE(__hgt, >)
REGSHARE_COMPARE(__hge, >=)
#undef REGSHARE_COMPARE

#define REGSHARE_OPERATOR(OPERATOR, NAME, NAME2)                               \
  REGSHARE_BF16 __nv_bfloat16 operator OPERATOR(__nv_bfloat16 A,               \
                                                __nv_bfloat16 B) {             \
    return NAME(A, B);                                                         \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat162 operator OPERATOR(__nv_bfloat162 A,             \
                                                 __nv_bfloat162 B) {           \
    return NAME2(A, B);                                                        \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat16 &operator OPERATOR## =                           \
      (__nv_bfloat16 & A, __nv_bfloat16 B) {                                   \
    return A = NAME(A, B);                                                     \
  }
REGSHARE_OPERATOR(+, __hadd, __hadd2)
REGSHARE_OPERATOR(-, __hsub, __hsub2)
REGSHARE_OPERATOR(*, __hmul, __hmul2)
REGSHARE_OPERATOR(/, __hdiv, __h2div)
#undef REGSHARE_OPERATOR
REGSHARE_BF16 __nv_bfloat16 operator-(__nv_bfloat16 A) { return __hneg(A); }

namespace regshare_bf16 {

template <typename T> REGSHARE_BF16 __nv_bfloat16 ofInteger(T A, Rounding To) {
  return __nv_bfloat16_raw{roundInteger(A < 0, A < 0 ? 0ull - A : A, To)};
}

/// Within 0 to 1; NaN is 0.
REGSHARE_BF16 __nv_bfloat16 clamped(__nv_bfloat16 A) {
  float X = A;
  return X > 0 ? __nv_bfloat16(X < 1 ? X : 1.0f) : __ushort_as_bfloat16(0);
}

} // namespace regshare_bf16

#include "regshare_cuda/narrow_accesses.h"

#include "regshare_cuda/bfloat16_arithmetic.h"

//===----------------------------------------------------------------------===//
// Atomic addition, of which each half of a pair is one of its own
//===----------------------------------------------------------------------===//

#ifdef __CUDA__
static inline __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *To,
                                                  __nv_bfloat162 Value) {
  unsigned int *Word = reinterpret_cast<unsigned int *>(To), Old = *Word, Seen;
  __nv_bfloat162 Before;
  do {
    Seen = Old;
    memcpy(&Before, &Seen, sizeof(Before));
    __nv_bfloat162 Sum = __hadd2(Before, Value);
    Old = atomicCAS(Word, Seen, Sum.x.__x | unsigned(Sum.y.__x) << 16);
  } while (Old != Seen);
  return Before;
}

static inline __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *To,
                                                 __nv_bfloat16 Value) {
  size_t Address = reinterpret_cast<size_t>(To);
  unsigned int *Word = reinterpret_cast<unsigned int *>(Address & ~size_t(3));
  unsigned int Shift = Address & 2 ? 16 : 0, Old = *Word, Seen;
  __nv_bfloat16 Before;
  do {
    Seen = Old;
    Before = __ushort_as_bfloat16((unsigned short)(Seen >> Shift));
    Old = atomicCAS(Word, Seen,
                    (Seen & ~(0xffffu << Shift)) |
                        unsigned(__hadd(Before, Value).__x) << Shift);
  } while (Old != Seen);
  return Before;
}
#endif

#undef REGSHARE_BF16

#endif // __cplusplus

#endif // REGSHARE_CUDA_BF16_H
