//===- cuda_fp8.h - Numbers of eight bits ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The types of the "FP8 Formats for Deep Learning" paper as CUDA's math API
/// has them: E4M3, without infinities and with one NaN of each sign, and E5M2,
/// the upper half of a half. They are for storage; arithmetic is that of the
/// types they convert to. Conversions are whole numbers' arithmetic on every
/// processor, with the results of the instructions of sm_89.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_FP8_H
#define REGSHARE_CUDA_FP8_H

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/// What numbers too large become: an infinity or a NaN, or the largest.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2
} __nv_fp8_interpretation_t;

#if defined(__cplusplus)

#define REGSHARE_FP8 static inline __host__ __device__

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// To the nearest, to even between two. What NaNs become, CUDA has decided
/// differently for doubles and for floats.
REGSHARE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double X, __nv_saturation_t Saturate, __nv_fp8_interpretation_t Type) {
  const int Digits = Type == __NV_E4M3 ? 3 : 2,
            Bias = Type == __NV_E4M3 ? 7 : 15;
  const unsigned int Largest = Type == __NV_E4M3 ? 0x7e : 0x7b;
  unsigned long long Bits;
  memcpy(&Bits, &X, sizeof(Bits));
  unsigned int Sign = (unsigned int)(Bits >> 56) & 0x80;
  if (X != X)
    return (__nv_fp8_storage_t)(Sign | (Type == __NV_E4M3 ? 0x7f : 0x7e));
  int Exponent = int(Bits >> 52 & 0x7ff) - 1023;
  Exponent = Exponent < 1 - Bias ? 1 - Bias : Exponent;
  unsigned int Code = Largest + 1;
  if (Exponent <= Bias + 1) {
    // In units of the last digit.
    unsigned long long Scale = (unsigned long long)(1023 + Digits - Exponent)
                               << 52;
    double Units;
    memcpy(&Units, &Scale, sizeof(Units));
    Units *= Sign ? -X : X;
    unsigned int Whole = (unsigned int)Units;
    double Rest = Units - Whole;
    Whole += Rest > 0.5 || (Rest == 0.5 && Whole & 1);
    // Rounding up to the next power of two carries into the exponent.
    Code = ((unsigned int)(Exponent + Bias - 1) << Digits) + Whole;
  }
  if (Code > Largest)
    Code = Saturate == __NV_SATFINITE ? Largest
           : Type == __NV_E4M3        ? 0x7f
                                      : 0x7c;
  return (__nv_fp8_storage_t)(Sign | Code);
}
REGSHARE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float X, __nv_saturation_t Saturate, __nv_fp8_interpretation_t Type) {
  return X != X ? 0x7f : __nv_cvt_double_to_fp8(X, Saturate, Type);
}
REGSHARE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw X, __nv_saturation_t Saturate, __nv_fp8_interpretation_t Type) {
  return __nv_cvt_float_to_fp8(__half2float(__half(X)), Saturate, Type);
}
REGSHARE_FP8 __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw X, __nv_saturation_t Saturate,
                            __nv_fp8_interpretation_t Type) {
  return __nv_cvt_float_to_fp8(float(__nv_bfloat16(X)), Saturate, Type);
}

/// Two numbers, the first in the lower byte.
#define REGSHARE_TWO(FROM, NAME, RAW)                                          \
  REGSHARE_FP8 __nv_fp8x2_storage_t __nv_cvt_##FROM##_to_fp8x2(                \
      RAW X, __nv_saturation_t Saturate, __nv_fp8_interpretation_t Type) {     \
    return (__nv_fp8x2_storage_t)(NAME(X.y, Saturate, Type) << 8 |             \
                                  NAME(X.x, Saturate, Type));                  \
  }
REGSHARE_TWO(float2, __nv_cvt_float_to_fp8, float2)
REGSHARE_TWO(double2, __nv_cvt_double_to_fp8, double2)
#undef REGSHARE_TWO
REGSHARE_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw X, __nv_saturation_t Saturate, __nv_fp8_interpretation_t Type) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(X)), Saturate, Type);
}
REGSHARE_FP8 __nv_fp8x2_storage_t
__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw X, __nv_saturation_t Saturate,
                               __nv_fp8_interpretation_t Type) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(X)),
                                  Saturate, Type);
}

/// Every number of either type is one of half's.
REGSHARE_FP8 __half_raw
__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t X, __nv_fp8_interpretation_t Type) {
  __half_raw Half;
  Half.x = (unsigned short)(X << 8);
  if (Type == __NV_E5M2)
    return Half;
  unsigned int Magnitude = X & 0x7f;
  if (Magnitude == 0x7f) {
    Half.x = 0x7fff;
    return Half;
  }
  // Eight apart in the exponent; what has none is 1/512 for each unit.
  unsigned int Wide = Magnitude << 7;
  if (Magnitude >= 8)
    Wide += 8 << 10;
  else if (Magnitude)
    Wide = __half_as_ushort(__half(float(Magnitude) / 512.0f));
  Half.x = (unsigned short)((X & 0x80) << 8 | Wide);
  return Half;
}
REGSHARE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t X, __nv_fp8_interpretation_t Type) {
  __half2_raw Pair;
  Pair.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)X, Type).x;
  Pair.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(X >> 8), Type).x;
  return Pair;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

#define REGSHARE_MEMBER inline __host__ __device__
#define REGSHARE_FROM(SOURCE)                                                  \
  explicit REGSHARE_MEMBER REGSHARE_NAME(SOURCE V)                             \
      : __x(__nv_cvt_double_to_fp8(double(V), __NV_SATFINITE,                  \
                                   REGSHARE_TYPE)) {}
#define REGSHARE_INTO(TARGET, CONVERSION)                                      \
  explicit REGSHARE_MEMBER operator TARGET() const {                           \
    return CONVERSION(__half(__nv_cvt_fp8_to_halfraw(__x, REGSHARE_TYPE)));    \
  }

#define REGSHARE_ONE                                                           \
  struct __attribute__((aligned(1))) REGSHARE_NAME {                           \
    __nv_fp8_storage_t __x;                                                    \
    REGSHARE_NAME() = default;                                                 \
    explicit REGSHARE_MEMBER REGSHARE_NAME(__half V)                           \
        : REGSHARE_NAME(__half2float(V)) {}                                    \
    explicit REGSHARE_MEMBER REGSHARE_NAME(__nv_bfloat16 V)                    \
        : REGSHARE_NAME(float(V)) {}                                           \
    explicit REGSHARE_MEMBER REGSHARE_NAME(float V)                            \
        : __x(__nv_cvt_float_to_fp8(V, __NV_SATFINITE, REGSHARE_TYPE)) {}      \
    REGSHARE_FROM(double)                                                      \
    REGSHARE_FROM(short)                                                       \
    REGSHARE_FROM(unsigned short)                                              \
    REGSHARE_FROM(int)                                                         \
    REGSHARE_FROM(unsigned int)                                                \
    REGSHARE_FROM(long)                                                        \
    REGSHARE_FROM(unsigned long)                                               \
    REGSHARE_FROM(long long)                                                   \
    REGSHARE_FROM(unsigned long long)                                          \
    REGSHARE_INTO(__half, )                                                    \
    REGSHARE_INTO(float, __half2float)                                         \
    REGSHARE_INTO(double, __half2float)                                        \
    REGSHARE_INTO(short, __half2short_rz)                                      \
    REGSHARE_INTO(unsigned short, __half2ushort_rz)                            \
    REGSHARE_INTO(int, __half2int_rz)                                          \
    REGSHARE_INTO(unsigned int, __half2uint_rz)                                \
    REGSHARE_INTO(long long, __half2ll_rz)                                     \
    REGSHARE_INTO(unsigned long long, __half2ull_rz)                           \
    REGSHARE_INTO(long, __half2ll_rz)                                          \
    REGSHARE_INTO(unsigned long, __half2ull_rz)                                \
    explicit REGSHARE_MEMBER operator __nv_bfloat16() const {                  \
      return __nv_bfloat16(float(*this));                                      \
    }                                                                          \
    explicit REGSHARE_MEMBER operator bool() const { return __x & 0x7f; }      \
  };

#define REGSHARE_PAIR                                                          \
  struct __attribute__((aligned(2))) REGSHARE_NAME {                           \
    __nv_fp8x2_storage_t __x;                                                  \
    REGSHARE_NAME() = default;                                                 \
    explicit REGSHARE_MEMBER REGSHARE_NAME(float2 V)                           \
        : __x(__nv_cvt_float2_to_fp8x2(V, __NV_SATFINITE, REGSHARE_TYPE)) {}   \
    explicit REGSHARE_MEMBER REGSHARE_NAME(double2 V)                          \
        : __x(__nv_cvt_double2_to_fp8x2(V, __NV_SATFINITE, REGSHARE_TYPE)) {}  \
    explicit REGSHARE_MEMBER REGSHARE_NAME(__half2 V)                          \
        : REGSHARE_NAME(__half22float2(V)) {}                                  \
    explicit REGSHARE_MEMBER REGSHARE_NAME(__nv_bfloat162 V)                   \
        : REGSHARE_NAME(__bfloat1622float2(V)) {}                              \
    explicit REGSHARE_MEMBER operator __half2() const {                        \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, REGSHARE_TYPE));          \
    }                                                                          \
    explicit REGSHARE_MEMBER operator float2() const {                         \
      return __half22float2(__half2(*this));                                   \
    }                                                                          \
  };

#define REGSHARE_FOUR                                                          \
  struct __attribute__((aligned(4))) REGSHARE_NAME {                           \
    __nv_fp8x4_storage_t __x;                                                  \
    REGSHARE_NAME() = default;                                                 \
    explicit REGSHARE_MEMBER REGSHARE_NAME(float4 V)                           \
        : __x(__nv_cvt_float2_to_fp8x2(make_float2(V.x, V.y), __NV_SATFINITE,  \
                                       REGSHARE_TYPE) |                        \
              (__nv_fp8x4_storage_t)__nv_cvt_float2_to_fp8x2(                  \
                  make_float2(V.z, V.w), __NV_SATFINITE, REGSHARE_TYPE)        \
                  << 16) {}                                                    \
    explicit REGSHARE_MEMBER REGSHARE_NAME(double4 V)                          \
        : __x(__nv_cvt_double2_to_fp8x2(make_double2(V.x, V.y),                \
                                        __NV_SATFINITE, REGSHARE_TYPE) |       \
              (__nv_fp8x4_storage_t)__nv_cvt_double2_to_fp8x2(                 \
                  make_double2(V.z, V.w), __NV_SATFINITE, REGSHARE_TYPE)       \
                  << 16) {}                                                    \
    explicit REGSHARE_MEMBER REGSHARE_NAME(__half2 Low, __half2 High)          \
        : REGSHARE_NAME(joined(__half22float2(Low), __half22float2(High))) {}  \
    explicit REGSHARE_MEMBER REGSHARE_NAME(__nv_bfloat162 Low,                 \
                                           __nv_bfloat162 High)                \
        : REGSHARE_NAME(                                                       \
              joined(__bfloat1622float2(Low), __bfloat1622float2(High))) {}    \
    explicit REGSHARE_MEMBER operator float4() const {                         \
      return joined(half(__x), half(__x >> 16));                               \
    }                                                                          \
                                                                               \
  private:                                                                     \
    static REGSHARE_MEMBER float4 joined(float2 Low, float2 High) {            \
      return make_float4(Low.x, Low.y, High.x, High.y);                        \
    }                                                                          \
    static REGSHARE_MEMBER float2 half(unsigned int X) {                       \
      return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(                \
          (__nv_fp8x2_storage_t)X, REGSHARE_TYPE)));                           \
    }                                                                          \
  };

#define REGSHARE_TYPE __NV_E4M3
#define REGSHARE_NAME __nv_fp8_e4m3
REGSHARE_ONE
#undef REGSHARE_NAME
#define REGSHARE_NAME __nv_fp8x2_e4m3
REGSHARE_PAIR
#undef REGSHARE_NAME
#define REGSHARE_NAME __nv_fp8x4_e4m3
REGSHARE_FOUR
#undef REGSHARE_NAME
#undef REGSHARE_TYPE

#define REGSHARE_TYPE __NV_E5M2
#define REGSHARE_NAME __nv_fp8_e5m2
REGSHARE_ONE
#undef REGSHARE_NAME
#define REGSHARE_NAME __nv_fp8x2_e5m2
REGSHARE_PAIR
#undef REGSHARE_NAME
#define REGSHARE_NAME __nv_fp8x4_e5m2
REGSHARE_FOUR
#undef REGSHARE_NAME
#undef REGSHARE_TYPE

#undef REGSHARE_FOUR
#undef REGSHARE_PAIR
#undef REGSHARE_ONE
#undef REGSHARE_INTO
#undef REGSHARE_FROM
#undef REGSHARE_MEMBER
#undef REGSHARE_FP8

#endif // __cplusplus

#endif // REGSHARE_CUDA_FP8_H
