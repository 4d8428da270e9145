//===- device_functions.h - Device functions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Device functions that clang's own CUDA headers leave to the toolkit:
/// minimum and maximum of all types, matching, packed dot products, swapped
/// bytes, and the float overloads of functions outside the C library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_DEVICE_FUNCTIONS_H
#define REGSHARE_CUDA_DEVICE_FUNCTIONS_H

#define REGSHARE_DEVICE                                                        \
  static __inline__ __attribute__((device, always_inline, unused))

#define REGSHARE_DEVICE_MINMAX(RESULT, A, B)                                   \
  REGSHARE_DEVICE RESULT min(A X, B Y) {                                       \
    return (RESULT)X < (RESULT)Y ? (RESULT)X : (RESULT)Y;                      \
  }                                                                            \
  REGSHARE_DEVICE RESULT max(A X, B Y) {                                       \
    return (RESULT)X < (RESULT)Y ? (RESULT)Y : (RESULT)X;                      \
  }
REGSHARE_DEVICE_MINMAX(unsigned, unsigned, unsigned)
REGSHARE_DEVICE_MINMAX(unsigned, int, unsigned)
REGSHARE_DEVICE_MINMAX(unsigned, unsigned, int)
REGSHARE_DEVICE_MINMAX(long, long, long)
REGSHARE_DEVICE_MINMAX(unsigned long, unsigned long, unsigned long)
REGSHARE_DEVICE_MINMAX(unsigned long, long, unsigned long)
REGSHARE_DEVICE_MINMAX(unsigned long, unsigned long, long)
REGSHARE_DEVICE_MINMAX(long long, long long, long long)
REGSHARE_DEVICE_MINMAX(unsigned long long, unsigned long long,
                       unsigned long long)
REGSHARE_DEVICE_MINMAX(unsigned long long, long long, unsigned long long)
REGSHARE_DEVICE_MINMAX(unsigned long long, unsigned long long, long long)
#undef REGSHARE_DEVICE_MINMAX

#define REGSHARE_DEVICE_FMINMAX(RESULT, A, B, SUFFIX)                          \
  REGSHARE_DEVICE RESULT min(A X, B Y) { return __nv_fmin##SUFFIX(X, Y); }     \
  REGSHARE_DEVICE RESULT max(A X, B Y) { return __nv_fmax##SUFFIX(X, Y); }
REGSHARE_DEVICE_FMINMAX(float, float, float, f)
REGSHARE_DEVICE_FMINMAX(double, double, double, )
REGSHARE_DEVICE_FMINMAX(double, float, double, )
REGSHARE_DEVICE_FMINMAX(double, double, float, )
#undef REGSHARE_DEVICE_FMINMAX

#define REGSHARE_DEVICE_FLOAT(NAME)                                            \
  REGSHARE_DEVICE float NAME(float X) { return __nv_##NAME##f(X); }
REGSHARE_DEVICE_FLOAT(rsqrt)
REGSHARE_DEVICE_FLOAT(rcbrt)
REGSHARE_DEVICE_FLOAT(sinpi)
REGSHARE_DEVICE_FLOAT(cospi)
REGSHARE_DEVICE_FLOAT(erfinv)
REGSHARE_DEVICE_FLOAT(erfcinv)
REGSHARE_DEVICE_FLOAT(normcdf)
REGSHARE_DEVICE_FLOAT(normcdfinv)
REGSHARE_DEVICE_FLOAT(erfcx)
REGSHARE_DEVICE_FLOAT(exp10)

// The C library's functions for float under their plain names, which clang
// only declares.
REGSHARE_DEVICE_FLOAT(acosh)
REGSHARE_DEVICE_FLOAT(asinh)
REGSHARE_DEVICE_FLOAT(atanh)
REGSHARE_DEVICE_FLOAT(cbrt)
REGSHARE_DEVICE_FLOAT(erfc)
REGSHARE_DEVICE_FLOAT(erf)
REGSHARE_DEVICE_FLOAT(exp2)
REGSHARE_DEVICE_FLOAT(expm1)
REGSHARE_DEVICE_FLOAT(lgamma)
REGSHARE_DEVICE_FLOAT(log1p)
REGSHARE_DEVICE_FLOAT(log2)
REGSHARE_DEVICE_FLOAT(logb)
REGSHARE_DEVICE_FLOAT(nearbyint)
REGSHARE_DEVICE_FLOAT(rint)
REGSHARE_DEVICE_FLOAT(round)
REGSHARE_DEVICE_FLOAT(tgamma)
REGSHARE_DEVICE_FLOAT(trunc)
#undef REGSHARE_DEVICE_FLOAT

#define REGSHARE_DEVICE_FLOAT2(NAME)                                           \
  REGSHARE_DEVICE float NAME(float X, float Y) { return __nv_##NAME##f(X, Y); }
REGSHARE_DEVICE_FLOAT2(copysign)
REGSHARE_DEVICE_FLOAT2(fdim)
REGSHARE_DEVICE_FLOAT2(fmax)
REGSHARE_DEVICE_FLOAT2(fmin)
REGSHARE_DEVICE_FLOAT2(hypot)
REGSHARE_DEVICE_FLOAT2(nextafter)
REGSHARE_DEVICE_FLOAT2(remainder)
#undef REGSHARE_DEVICE_FLOAT2

REGSHARE_DEVICE float fma(float X, float Y, float Z) {
  return __nv_fmaf(X, Y, Z);
}
REGSHARE_DEVICE int ilogb(float X) { return __nv_ilogbf(X); }
REGSHARE_DEVICE long lrint(float X) { return __nv_llrintf(X); }
REGSHARE_DEVICE long lround(float X) { return __nv_llroundf(X); }
REGSHARE_DEVICE long long llrint(float X) { return __nv_llrintf(X); }
REGSHARE_DEVICE long long llround(float X) { return __nv_llroundf(X); }
REGSHARE_DEVICE float scalbn(float X, int N) { return __nv_scalbnf(X, N); }
REGSHARE_DEVICE float scalbln(float X, long N) {
  int Clamped = N > 1000 ? 1000 : N < -1000 ? -1000 : (int)N;
  return __nv_scalbnf(X, Clamped);
}

REGSHARE_DEVICE void sincospi(float X, float *Sine, float *Cosine) {
  __nv_sincospif(X, Sine, Cosine);
}
REGSHARE_DEVICE void sincos(float X, float *Sine, float *Cosine) {
  __nv_sincosf(X, Sine, Cosine);
}

REGSHARE_DEVICE unsigned short __nv_bswap16(unsigned short X) {
  return __builtin_bswap16(X);
}
REGSHARE_DEVICE unsigned __nv_bswap32(unsigned X) {
  return __builtin_bswap32(X);
}
REGSHARE_DEVICE unsigned long long __nv_bswap64(unsigned long long X) {
  return __builtin_bswap64(X);
}

// Addresses within a memory space, and back.
#define REGSHARE_DEVICE_CVTA(SPACE, NUMBER)                                    \
  REGSHARE_DEVICE size_t __cvta_generic_to_##SPACE(const void *P) {            \
    return (size_t)(void __attribute__((address_space(NUMBER))) *)P;           \
  }                                                                            \
  REGSHARE_DEVICE void *__cvta_##SPACE##_to_generic(size_t P) {                \
    return (void *)(void __attribute__((address_space(NUMBER))) *)P;           \
  }
REGSHARE_DEVICE_CVTA(global, 1)
REGSHARE_DEVICE_CVTA(shared, 3)
REGSHARE_DEVICE_CVTA(constant, 4)
REGSHARE_DEVICE_CVTA(local, 5)
#undef REGSHARE_DEVICE_CVTA

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
// Match compares bit patterns, so types of one size share an instruction.
#define REGSHARE_DEVICE_MATCH(TYPE, BITS, WORD)                                \
  REGSHARE_DEVICE unsigned __match_any_sync(unsigned Mask, TYPE V) {           \
    WORD Bits;                                                                 \
    __builtin_memcpy(&Bits, &V, sizeof(V));                                    \
    return __nvvm_match_any_sync_i##BITS(Mask, Bits);                          \
  }                                                                            \
  REGSHARE_DEVICE unsigned __match_all_sync(unsigned Mask, TYPE V,             \
                                            int *Pred) {                       \
    WORD Bits;                                                                 \
    __builtin_memcpy(&Bits, &V, sizeof(V));                                    \
    return __nvvm_match_all_sync_i##BITS##p(Mask, Bits, Pred);                 \
  }
REGSHARE_DEVICE_MATCH(int, 32, unsigned)
REGSHARE_DEVICE_MATCH(unsigned, 32, unsigned)
REGSHARE_DEVICE_MATCH(float, 32, unsigned)
REGSHARE_DEVICE_MATCH(long, 64, unsigned long long)
REGSHARE_DEVICE_MATCH(unsigned long, 64, unsigned long long)
REGSHARE_DEVICE_MATCH(long long, 64, unsigned long long)
REGSHARE_DEVICE_MATCH(unsigned long long, 64, unsigned long long)
REGSHARE_DEVICE_MATCH(double, 64, unsigned long long)
#undef REGSHARE_DEVICE_MATCH

REGSHARE_DEVICE void __nanosleep(unsigned Nanoseconds) {
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(Nanoseconds));
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define REGSHARE_DEVICE_DOT(NAME, OP, TYPE)                                    \
  REGSHARE_DEVICE TYPE NAME(TYPE A, TYPE B, TYPE C) {                          \
    TYPE D;                                                                    \
    __asm__(OP " %0, %1, %2, %3;" : "=r"(D) : "r"(A), "r"(B), "r"(C));         \
    return D;                                                                  \
  }
REGSHARE_DEVICE_DOT(__dp4a, "dp4a.s32.s32", int)
REGSHARE_DEVICE_DOT(__dp4a, "dp4a.u32.u32", unsigned)
REGSHARE_DEVICE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int)
REGSHARE_DEVICE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned)
REGSHARE_DEVICE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int)
REGSHARE_DEVICE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned)
#undef REGSHARE_DEVICE_DOT
#endif

#undef REGSHARE_DEVICE

#endif // REGSHARE_CUDA_DEVICE_FUNCTIONS_H
