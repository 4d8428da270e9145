//===- half_arithmetic.h - Arithmetic of halves ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A part of cuda_fp16.h, which includes it. The second half2 of each pair of
/// functions does in both halves what the first does.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_HALF_ARITHMETIC_H
#define REGSHARE_CUDA_HALF_ARITHMETIC_H

#define REGSHARE_BINARY(NAME, NAME2, PTX, HOST)                                \
  REGSHARE_HALF __half NAME(__half A, __half B) {                              \
    REGSHARE_HALF_CHOICE(                                                      \
        unsigned short R;                                                      \
        asm(PTX ".f16 %0, %1, %2;" : "=h"(R) : "h"(A.__x), "h"(B.__x));        \
        return regshare_half::of(R);, float X = A; float Y = B;                \
        return regshare_half::of(HOST);)                                       \
  }                                                                            \
  REGSHARE_HALF __half2 NAME2(__half2 A, __half2 B) {                          \
    REGSHARE_HALF_CHOICE(                                                      \
        unsigned int R;                                                        \
        asm(PTX ".f16x2 %0, %1, %2;" : "=r"(R) : "r"(regshare_half::bits(A)),  \
            "r"(regshare_half::bits(B)));                                      \
        return regshare_half::both(R);                                         \
        , return __half2(NAME(A.x, B.x), NAME(A.y, B.y));)                     \
  }
// Of two halves a float has the exact result or rounds without harm to a second
// rounding.
REGSHARE_BINARY(__hadd, __hadd2, "add", regshare_half::fromrn(X + Y))
REGSHARE_BINARY(__hsub, __hsub2, "sub", regshare_half::fromrn(X - Y))
REGSHARE_BINARY(__hmul, __hmul2, "mul", regshare_half::fromrn(X *Y))
REGSHARE_BINARY(__hadd_rn, __hadd2_rn, "add.rn", regshare_half::fromrn(X + Y))
REGSHARE_BINARY(__hsub_rn, __hsub2_rn, "sub.rn", regshare_half::fromrn(X - Y))
REGSHARE_BINARY(__hmul_rn, __hmul2_rn, "mul.rn", regshare_half::fromrn(X *Y))
REGSHARE_BINARY(__hadd_sat, __hadd2_sat, "add.sat",
                regshare_half::saturate(regshare_half::fromrn(X + Y)))
REGSHARE_BINARY(__hsub_sat, __hsub2_sat, "sub.sat",
                regshare_half::saturate(regshare_half::fromrn(X - Y)))
REGSHARE_BINARY(__hmul_sat, __hmul2_sat, "mul.sat",
                regshare_half::saturate(regshare_half::fromrn(X *Y)))
#undef REGSHARE_BINARY

#define REGSHARE_FUSED(NAME, NAME2, PTX, HOST)                                 \
  REGSHARE_HALF __half NAME(__half A, __half B, __half C) {                    \
    REGSHARE_HALF_CHOICE(unsigned short R;                                     \
                         asm(PTX                                               \
                             ".f16 %0, %1, %2, %3;" : "=h"(R) : "h"(A.__x),    \
                             "h"(B.__x), "h"(C.__x));                          \
                         return regshare_half::of(R);                          \
                         , unsigned short R = regshare_half::fused(A, B, C);   \
                         return regshare_half::of(HOST);)                      \
  }                                                                            \
  REGSHARE_HALF __half2 NAME2(__half2 A, __half2 B, __half2 C) {               \
    REGSHARE_HALF_CHOICE(                                                      \
        unsigned int R;                                                        \
        asm(PTX                                                                \
            ".f16x2 %0, %1, %2, %3;" : "=r"(R) : "r"(regshare_half::bits(A)),  \
            "r"(regshare_half::bits(B)), "r"(regshare_half::bits(C)));         \
        return regshare_half::both(R);                                         \
        , return __half2(NAME(A.x, B.x, C.x), NAME(A.y, B.y, C.y));)           \
  }
REGSHARE_FUSED(__hfma, __hfma2, "fma.rn", R)
REGSHARE_FUSED(__hfma_sat, __hfma2_sat, "fma.rn.sat",
               regshare_half::saturate(R))
#undef REGSHARE_FUSED

REGSHARE_HALF __half __hneg(__half A) {
  return regshare_half::of(A.__x ^ 0x8000);
}
REGSHARE_HALF __half __habs(__half A) {
  return regshare_half::of(A.__x & 0x7fff);
}
REGSHARE_HALF __half __hdiv(__half A, __half B) {
  return __half(__half2float(A) / __half2float(B));
}
REGSHARE_HALF int __hisinf(__half A) {
  return A.__x == 0x7c00 ? 1 : A.__x == 0xfc00 ? -1 : 0;
}
REGSHARE_HALF bool __hisnan(__half A) { return (A.__x & 0x7fff) > 0x7c00; }
// A zero is larger than a negative one, which C leaves open.
REGSHARE_HALF __half __hmax(__half A, __half B) {
  REGSHARE_HALF_CHOICE(
      return __half(fmaxf(__half2float(A), __half2float(B)));
      , return __half2float(A) == __half2float(B)
                   ? regshare_half::of(A.__x & B.__x)
                   : __half(fmaxf(__half2float(A), __half2float(B)));)
}
REGSHARE_HALF __half __hmin(__half A, __half B) {
  REGSHARE_HALF_CHOICE(
      return __half(fminf(__half2float(A), __half2float(B)));
      , return __half2float(A) == __half2float(B)
                   ? regshare_half::of(A.__x | B.__x)
                   : __half(fminf(__half2float(A), __half2float(B)));)
}
REGSHARE_HALF __half __hmax_nan(__half A, __half B) {
  return __hisnan(A) || __hisnan(B) ? regshare_half::of(0x7fff) : __hmax(A, B);
}
REGSHARE_HALF __half __hmin_nan(__half A, __half B) {
  return __hisnan(A) || __hisnan(B) ? regshare_half::of(0x7fff) : __hmin(A, B);
}
REGSHARE_HALF __half __hfma_relu(__half A, __half B, __half C) {
  return __hmax_nan(__hfma(A, B, C), regshare_half::of(0));
}
REGSHARE_HALF __half2 __hfma2_relu(__half2 A, __half2 B, __half2 C) {
  return __half2(__hfma_relu(A.x, B.x, C.x), __hfma_relu(A.y, B.y, C.y));
}
/// A * B + C of complex numbers.
REGSHARE_HALF __half2 __hcmadd(__half2 A, __half2 B, __half2 C) {
  return __half2(__hfma(__hneg(A.y), B.y, __hfma(A.x, B.x, C.x)),
                 __hfma(A.y, B.x, __hfma(A.x, B.y, C.y)));
}
REGSHARE_HALF __half2 __hneg2(__half2 A) {
  return __half2(__hneg(A.x), __hneg(A.y));
}
REGSHARE_HALF __half2 __habs2(__half2 A) {
  return __half2(__habs(A.x), __habs(A.y));
}
#define REGSHARE_PAIR(NAME2, NAME)                                             \
  REGSHARE_HALF __half2 NAME2(__half2 A, __half2 B) {                          \
    return __half2(NAME(A.x, B.x), NAME(A.y, B.y));                            \
  }
REGSHARE_PAIR(__h2div, __hdiv)
REGSHARE_PAIR(__hmax2, __hmax)
REGSHARE_PAIR(__hmin2, __hmin)
REGSHARE_PAIR(__hmax2_nan, __hmax_nan)
REGSHARE_PAIR(__hmin2_nan, __hmin_nan)
#undef REGSHARE_PAIR
REGSHARE_HALF __half2 __hisnan2(__half2 A) {
  return __half2(__half(float(__hisnan(A.x))), __half(float(__hisnan(A.y))));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// As a bool; of half2 as 1 and 0, as masks, and as a bool of both.
#define REGSHARE_COMPARE(NAME, HOST)                                           \
  REGSHARE_HALF bool __h##NAME(__half A, __half B) {                           \
    float X = __half2float(A), Y = __half2float(B);                            \
    return HOST;                                                               \
  }                                                                            \
  REGSHARE_HALF __half2 __h##NAME##2(__half2 A, __half2 B) {                   \
    return __half2(regshare_half::of(__h##NAME(A.x, B.x) ? 0x3c00 : 0),        \
                   regshare_half::of(__h##NAME(A.y, B.y) ? 0x3c00 : 0));       \
  }                                                                            \
  REGSHARE_HALF unsigned int __h##NAME##2_mask(__half2 A, __half2 B) {         \
    return (__h##NAME(A.x, B.x) ? 0xffffu : 0) |                               \
           (__h##NAME(A.y, B.y) ? 0xffff0000u : 0);                            \
  }                                                                            \
  REGSHARE_HALF bool __hb##NAME##2(__half2 A, __half2 B) {                     \
    return __h##NAME(A.x, B.x) && __h##NAME(A.y, B.y);                         \
  }
REGSHARE_COMPARE(eq, X == Y)
REGSHARE_COMPARE(ne, X<Y || X> Y)
REGSHARE_COMPARE(lt, X < Y)
REGSHARE_COMPARE(le, X <= Y)
REGSHARE_COMPARE(gt, X > Y)
REGSHARE_COMPARE(ge, X >= Y)
REGSHARE_COMPARE(equ, !(X < Y || X > Y))
REGSHARE_COMPARE(neu, X != Y)
REGSHARE_COMPARE(ltu, !(X >= Y))
REGSHARE_COMPARE(leu, !(X > Y))
REGSHARE_COMPARE(gtu, !(X <= Y))
REGSHARE_COMPARE(geu, !(X < Y))
#undef REGSHARE_COMPARE

#define REGSHARE_OPERATORS(TYPE, ADD, SUB, MUL, DIV, NEG)                      \
  REGSHARE_HALF TYPE operator+(const TYPE &A, const TYPE &B) {                 \
    return ADD(A, B);                                                          \
  }                                                                            \
  REGSHARE_HALF TYPE operator-(const TYPE &A, const TYPE &B) {                 \
    return SUB(A, B);                                                          \
  }                                                                            \
  REGSHARE_HALF TYPE operator*(const TYPE &A, const TYPE &B) {                 \
    return MUL(A, B);                                                          \
  }                                                                            \
  REGSHARE_HALF TYPE operator/(const TYPE &A, const TYPE &B) {                 \
    return DIV(A, B);                                                          \
  }                                                                            \
  REGSHARE_HALF TYPE &operator+=(TYPE &A, const TYPE &B) {                     \
    return A = ADD(A, B);                                                      \
  }                                                                            \
  REGSHARE_HALF TYPE &operator-=(TYPE &A, const TYPE &B) {                     \
    return A = SUB(A, B);                                                      \
  }                                                                            \
  REGSHARE_HALF TYPE &operator*=(TYPE &A, const TYPE &B) {                     \
    return A = MUL(A, B);                                                      \
  }                                                                            \
  REGSHARE_HALF TYPE &operator/=(TYPE &A, const TYPE &B) {                     \
    return A = DIV(A, B);                                                      \
  }                                                                            \
  REGSHARE_HALF TYPE operator+(const TYPE &A) { return A; }                    \
  REGSHARE_HALF TYPE operator-(const TYPE &A) { return NEG(A); }
REGSHARE_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv, __hneg)
REGSHARE_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
#undef REGSHARE_OPERATORS

#define REGSHARE_RELATION(SIGN, NAME)                                          \
  REGSHARE_HALF bool operator SIGN(const __half &A, const __half &B) {         \
    return __h##NAME(A, B);                                                    \
  }                                                                            \
  REGSHARE_HALF bool operator SIGN(const __half2 &A, const __half2 &B) {       \
    return __hb##NAME##2(A, B);                                                \
  }
REGSHARE_RELATION(==, eq)
REGSHARE_RELATION(!=, neu)
REGSHARE_RELATION(<, lt)
REGSHARE_RELATION(<=, le)
REGSHARE_RELATION(>, gt)
REGSHARE_RELATION(>=, ge)
#undef REGSHARE_RELATION

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

#define REGSHARE_FUNCTION(NAME, RESULT)                                        \
  REGSHARE_HALF __half h##NAME(__half A) {                                     \
    float X = __half2float(A);                                                 \
    return __half(RESULT);                                                     \
  }                                                                            \
  REGSHARE_HALF __half2 h2##NAME(__half2 A) {                                  \
    return __half2(h##NAME(A.x), h##NAME(A.y));                                \
  }
REGSHARE_FUNCTION(sqrt, sqrtf(X))
REGSHARE_FUNCTION(rsqrt, float(1 / sqrt(double(X))))
REGSHARE_FUNCTION(rcp, 1 / X)
REGSHARE_FUNCTION(log, logf(X))
REGSHARE_FUNCTION(log2, log2f(X))
REGSHARE_FUNCTION(log10, log10f(X))
REGSHARE_FUNCTION(exp, expf(X))
REGSHARE_FUNCTION(exp2, exp2f(X))
REGSHARE_FUNCTION(exp10, powf(10, X))
REGSHARE_FUNCTION(sin, sinf(X))
REGSHARE_FUNCTION(cos, cosf(X))
REGSHARE_FUNCTION(tanh, tanhf(X))
REGSHARE_FUNCTION(floor, floorf(X))
REGSHARE_FUNCTION(ceil, ceilf(X))
REGSHARE_FUNCTION(trunc, truncf(X))
REGSHARE_FUNCTION(rint, rintf(X))
#undef REGSHARE_FUNCTION

#if defined(__CUDA__)
#define REGSHARE_SHUFFLE(NAME, TYPE)                                           \
  static inline __device__ __half NAME(unsigned int Mask, __half Value,        \
                                       TYPE Lane, int Width = 32) {            \
    return regshare_half::of(NAME(Mask, unsigned(Value.__x), Lane, Width));    \
  }                                                                            \
  static inline __device__ __half2 NAME(unsigned int Mask, __half2 Value,      \
                                        TYPE Lane, int Width = 32) {           \
    return regshare_half::both(                                                \
        NAME(Mask, regshare_half::bits(Value), Lane, Width));                  \
  }
REGSHARE_SHUFFLE(__shfl_sync, int)
REGSHARE_SHUFFLE(__shfl_up_sync, unsigned int)
REGSHARE_SHUFFLE(__shfl_down_sync, unsigned int)
REGSHARE_SHUFFLE(__shfl_xor_sync, int)
#undef REGSHARE_SHUFFLE

REGSHARE_NARROW_ACCESSES(__half, unsigned short)
REGSHARE_NARROW_ACCESSES(__half2, unsigned int)

/// Both halves are added to, each by itself.
static inline __device__ __half2 atomicAdd(__half2 *To, __half2 Value) {
  unsigned int *Word = reinterpret_cast<unsigned int *>(To), Old = *Word, Seen;
  do {
    Seen = Old;
    Old = atomicCAS(
        Word, Seen,
        regshare_half::bits(__hadd2(regshare_half::both(Seen), Value)));
  } while (Old != Seen);
  return regshare_half::both(Old);
}

static inline __device__ __half atomicAdd(__half *To, __half Value) {
  size_t Address = reinterpret_cast<size_t>(To);
  unsigned int *Word = reinterpret_cast<unsigned int *>(Address & ~size_t(3));
  unsigned int Shift = Address & 2 ? 16 : 0, Old = *Word, Seen;
  do {
    Seen = Old;
    __half Sum = __hadd(regshare_half::of(Seen >> Shift & 0xffff), Value);
    Old = atomicCAS(Word, Seen,
                    (Seen & ~(0xffffu << Shift)) | unsigned(Sum.__x) << Shift);
  } while (Old != Seen);
  return regshare_half::of(Old >> Shift & 0xffff);
}
#endif

#endif // REGSHARE_CUDA_HALF_ARITHMETIC_H
