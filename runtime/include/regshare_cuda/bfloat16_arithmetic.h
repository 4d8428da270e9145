//===- bfloat16_arithmetic.h - Functions of __nv_bfloat16 -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What CUDA has for bfloat16 beyond cuda_bf16.h's sums and products, which
/// includes this: integers, saturated forms, comparisons of pairs, functions of
/// pairs, exchange within a warp, accesses with cache hints.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_BFLOAT16_ARITHMETIC_H
#define REGSHARE_CUDA_BFLOAT16_ARITHMETIC_H

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

#define REGSHARE_FROM_INTEGER(NAME, TYPE)                                      \
  REGSHARE_BF16 __nv_bfloat16 NAME##_rn(TYPE A) {                              \
    return regshare_bf16::ofInteger(A, regshare_bf16::Nearest);                \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat16 NAME##_rz(TYPE A) {                              \
    return regshare_bf16::ofInteger(A, regshare_bf16::Zero);                   \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat16 NAME##_rd(TYPE A) {                              \
    return regshare_bf16::ofInteger(A, regshare_bf16::Down);                   \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat16 NAME##_ru(TYPE A) {                              \
    return regshare_bf16::ofInteger(A, regshare_bf16::Up);                     \
  }
REGSHARE_FROM_INTEGER(__short2bfloat16, short)
REGSHARE_FROM_INTEGER(__ushort2bfloat16, unsigned short)
REGSHARE_FROM_INTEGER(__int2bfloat16, int)
REGSHARE_FROM_INTEGER(__uint2bfloat16, unsigned int)
REGSHARE_FROM_INTEGER(__ll2bfloat16, long long)
REGSHARE_FROM_INTEGER(__ull2bfloat16, unsigned long long)
#undef REGSHARE_FROM_INTEGER

/// Numbers too large become the type's largest, NaN 0 or, of 64 bits, the
/// lowest or largest.
#define REGSHARE_CLAMP(NAME, TYPE, LEAST, MOST, NAN)                           \
  namespace regshare_bf16 {                                                    \
  REGSHARE_BF16 TYPE NAME##Of(float F) {                                       \
    return F != F              ? (TYPE)(NAN)                                   \
           : F <= float(LEAST) ? (TYPE)(LEAST)                                 \
           : F >= float(MOST)  ? (TYPE)(MOST)                                  \
                               : (TYPE)(F);                                    \
  }                                                                            \
  }                                                                            \
  REGSHARE_BF16 TYPE __bfloat162##NAME##_rz(__nv_bfloat16 A) {                 \
    return regshare_bf16::NAME##Of(truncf(A));                                 \
  }
#define REGSHARE_TO_INTEGER(NAME, TYPE, LEAST, MOST, NAN)                      \
  REGSHARE_CLAMP(NAME, TYPE, LEAST, MOST, NAN)                                 \
  REGSHARE_BF16 TYPE __bfloat162##NAME##_rn(__nv_bfloat16 A) {                 \
    return regshare_bf16::NAME##Of(rintf(A));                                  \
  }                                                                            \
  REGSHARE_BF16 TYPE __bfloat162##NAME##_rd(__nv_bfloat16 A) {                 \
    return regshare_bf16::NAME##Of(floorf(A));                                 \
  }                                                                            \
  REGSHARE_BF16 TYPE __bfloat162##NAME##_ru(__nv_bfloat16 A) {                 \
    return regshare_bf16::NAME##Of(ceilf(A));                                  \
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

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

#define REGSHARE_PAIR_OF(NAME, FIRST, SECOND)                                  \
  REGSHARE_BF16 __nv_bfloat162 NAME(__nv_bfloat162 A, __nv_bfloat162 B) {      \
    return __nv_bfloat162(FIRST, SECOND);                                      \
  }
REGSHARE_PAIR_OF(__lows2bfloat162, A.x, B.x)
REGSHARE_PAIR_OF(__highs2bfloat162, A.y, B.y)
#undef REGSHARE_PAIR_OF
REGSHARE_BF16 __nv_bfloat162 __low2bfloat162(__nv_bfloat162 A) {
  return __nv_bfloat162(A.x, A.x);
}
REGSHARE_BF16 __nv_bfloat162 __high2bfloat162(__nv_bfloat162 A) {
  return __nv_bfloat162(A.y, A.y);
}
REGSHARE_BF16 __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 A) {
  return __nv_bfloat162(A.y, A.x);
}
REGSHARE_BF16 __nv_bfloat162 __hneg2(__nv_bfloat162 A) {
  return __nv_bfloat162(__hneg(A.x), __hneg(A.y));
}
REGSHARE_BF16 __nv_bfloat162 __habs2(__nv_bfloat162 A) {
  return __nv_bfloat162(__habs(A.x), __habs(A.y));
}
REGSHARE_BF16 __nv_bfloat162 __hisnan2(__nv_bfloat162 A) {
  return __nv_bfloat162(__nv_bfloat16(float(__hisnan(A.x))),
                        __nv_bfloat16(float(__hisnan(A.y))));
}

//===----------------------------------------------------------------------===//
// Forms of sums and products
//===----------------------------------------------------------------------===//

#define REGSHARE_BINARY(NAME, NAME2, VALUE)                                    \
  REGSHARE_BF16 __nv_bfloat16 NAME(__nv_bfloat16 A, __nv_bfloat16 B) {         \
    return VALUE;                                                              \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat162 NAME2(__nv_bfloat162 A, __nv_bfloat162 B) {     \
    return __nv_bfloat162(NAME(A.x, B.x), NAME(A.y, B.y));                     \
  }
REGSHARE_BINARY(__hadd_rn, __hadd2_rn, __hadd(A, B))
REGSHARE_BINARY(__hsub_rn, __hsub2_rn, __hsub(A, B))
REGSHARE_BINARY(__hmul_rn, __hmul2_rn, __hmul(A, B))
REGSHARE_BINARY(__hadd_sat, __hadd2_sat, regshare_bf16::clamped(__hadd(A, B)))
REGSHARE_BINARY(__hsub_sat, __hsub2_sat, regshare_bf16::clamped(__hsub(A, B)))
REGSHARE_BINARY(__hmul_sat, __hmul2_sat, regshare_bf16::clamped(__hmul(A, B)))
REGSHARE_BINARY(__hmax_nan, __hmax2_nan,
                __hisnan(A) || __hisnan(B) ? __ushort_as_bfloat16(0x7fff)
                                           : __hmax(A, B))
REGSHARE_BINARY(__hmin_nan, __hmin2_nan,
                __hisnan(A) || __hisnan(B) ? __ushort_as_bfloat16(0x7fff)
                                           : __hmin(A, B))
#undef REGSHARE_BINARY

#define REGSHARE_TERNARY(NAME, NAME2, VALUE)                                   \
  REGSHARE_BF16 __nv_bfloat16 NAME(__nv_bfloat16 A, __nv_bfloat16 B,           \
                                   __nv_bfloat16 C) {                          \
    return VALUE;                                                              \
  }                                                                            \
  REGSHARE_BF16 __nv_bfloat162 NAME2(__nv_bfloat162 A, __nv_bfloat162 B,       \
                                     __nv_bfloat162 C) {                       \
    return __nv_bfloat162(NAME(A.x, B.x, C.x), NAME(A.y, B.y, C.y));           \
  }
REGSHARE_TERNARY(__hfma_sat, __hfma2_sat,
                 regshare_bf16::clamped(__hfma(A, B, C)))
REGSHARE_TERNARY(__hfma_relu, __hfma2_relu,
                 __hmax_nan(__hfma(A, B, C), __ushort_as_bfloat16(0)))
#undef REGSHARE_TERNARY

/// A * B + C of complex numbers.
REGSHARE_BF16 __nv_bfloat162 __hcmadd(__nv_bfloat162 A, __nv_bfloat162 B,
                                      __nv_bfloat162 C) {
  return __nv_bfloat162(__hfma(__hneg(A.y), B.y, __hfma(A.x, B.x, C.x)),
                        __hfma(A.y, B.x, __hfma(A.x, B.y, C.y)));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Of pairs as 1 and 0, as masks, and as a bool of both.
#define REGSHARE_PAIRS(NAME)                                                   \
  REGSHARE_BF16 __nv_bfloat162 __h##NAME##2(__nv_bfloat162 A,                  \
                                            __nv_bfloat162 B) {                \
    return __nv_bfloat162(                                                     \
        __ushort_as_bfloat16(__h##NAME(A.x, B.x) ? 0x3f80 : 0),                \
        __ushort_as_bfloat16(__h##NAME(A.y, B.y) ? 0x3f80 : 0));               \
  }                                                                            \
  REGSHARE_BF16 unsigned int __h##NAME##2_mask(__nv_bfloat162 A,               \
                                               __nv_bfloat162 B) {             \
    return (__h##NAME(A.x, B.x) ? 0xffffu : 0) |                               \
           (__h##NAME(A.y, B.y) ? 0xffff0000u : 0);                            \
  }                                                                            \
  REGSHARE_BF16 bool __hb##NAME##2(__nv_bfloat162 A, __nv_bfloat162 B) {       \
    return __h##NAME(A.x, B.x) && __h##NAME(A.y, B.y);                         \
  }
/// True of NaN, too.
#define REGSHARE_UNORDERED(NAME, VALUE)                                        \
  REGSHARE_BF16 bool __h##NAME(__nv_bfloat16 A, __nv_bfloat16 B) {             \
    float X = A, Y = B;                                                        \
    return VALUE;                                                              \
  }                                                                            \
  REGSHARE_PAIRS(NAME)
REGSHARE_PAIRS(eq)
REGSHARE_PAIRS(ne)
REGSHARE_PAIRS(lt)
REGSHARE_PAIRS(le)
REGSHARE_PAIRS(gt)
REGSHARE_PAIRS(ge)
REGSHARE_UNORDERED(equ, !(X < Y || X > Y))
REGSHARE_UNORDERED(neu, X != Y)
REGSHARE_UNORDERED(ltu, !(X >= Y))
REGSHARE_UNORDERED(leu, !(X > Y))
REGSHARE_UNORDERED(gtu, !(X <= Y))
REGSHARE_UNORDERED(geu, !(X < Y))
#undef REGSHARE_UNORDERED
#undef REGSHARE_PAIRS

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

REGSHARE_BF16 __nv_bfloat16 htanh(__nv_bfloat16 A) {
  return __nv_bfloat16(tanhf(A));
}

#define REGSHARE_FUNCTION(NAME)                                                \
  REGSHARE_BF16 __nv_bfloat162 h2##NAME(__nv_bfloat162 A) {                    \
    return __nv_bfloat162(h##NAME(A.x), h##NAME(A.y));                         \
  }
REGSHARE_FUNCTION(sqrt)
REGSHARE_FUNCTION(rsqrt)
REGSHARE_FUNCTION(rcp)
REGSHARE_FUNCTION(exp)
REGSHARE_FUNCTION(exp2)
REGSHARE_FUNCTION(exp10)
REGSHARE_FUNCTION(log)
REGSHARE_FUNCTION(log2)
REGSHARE_FUNCTION(log10)
REGSHARE_FUNCTION(sin)
REGSHARE_FUNCTION(cos)
REGSHARE_FUNCTION(tanh)
REGSHARE_FUNCTION(floor)
REGSHARE_FUNCTION(ceil)
REGSHARE_FUNCTION(trunc)
REGSHARE_FUNCTION(rint)
#undef REGSHARE_FUNCTION

//===----------------------------------------------------------------------===//
// Warps and memory
//===----------------------------------------------------------------------===//

#if defined(__CUDA__)
#define REGSHARE_SHUFFLE(NAME, TYPE)                                           \
  static inline __device__ __nv_bfloat16 NAME(                                 \
      unsigned int Mask, __nv_bfloat16 Value, TYPE Lane, int Width = 32) {     \
    return __ushort_as_bfloat16(                                               \
        (unsigned short)NAME(Mask, unsigned(Value.__x), Lane, Width));         \
  }                                                                            \
  static inline __device__ __nv_bfloat162 NAME(                                \
      unsigned int Mask, __nv_bfloat162 Value, TYPE Lane, int Width = 32) {    \
    unsigned int Word;                                                         \
    memcpy(&Word, &Value, sizeof(Word));                                       \
    Word = NAME(Mask, Word, Lane, Width);                                      \
    memcpy(&Value, &Word, sizeof(Word));                                       \
    return Value;                                                              \
  }
REGSHARE_SHUFFLE(__shfl_sync, int)
REGSHARE_SHUFFLE(__shfl_up_sync, unsigned int)
REGSHARE_SHUFFLE(__shfl_down_sync, unsigned int)
REGSHARE_SHUFFLE(__shfl_xor_sync, int)
#undef REGSHARE_SHUFFLE

REGSHARE_NARROW_ACCESSES(__nv_bfloat16, unsigned short)
REGSHARE_NARROW_ACCESSES(__nv_bfloat162, unsigned int)
#endif

#endif // REGSHARE_CUDA_BFLOAT16_ARITHMETIC_H
