//===- wide_atomics.h - Atomics of 16 bytes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// atomicExch and atomicCAS of types of 16 bytes that are aligned to them, from
/// sm_90 on, as the CUDA C++ programming guide lists them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_WIDE_ATOMICS_H
#define REGSHARE_CUDA_WIDE_ATOMICS_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
struct __regshare_wide {
  unsigned long long Low, High;
};

template <bool Fits, typename T> struct __regshare_if_wide {};
template <typename T> struct __regshare_if_wide<true, T> {
  typedef T type;
};
#define REGSHARE_IF_WIDE(T)                                                    \
  typename __regshare_if_wide<sizeof(T) == 16 && alignof(T) >= 16 &&           \
                                  __is_trivially_copyable(T),                  \
                              T>::type

#define REGSHARE_WIDE_ATOMICS(SUFFIX, SCOPE)                                   \
  template <typename T>                                                        \
  static inline __device__ REGSHARE_IF_WIDE(T)                                 \
      atomicExch##SUFFIX(T *To, T Value) {                                     \
    __regshare_wide Old, New;                                                  \
    __builtin_memcpy(&New, &Value, 16);                                        \
    asm volatile("{\n\t.reg .b128 new, old;\n\t"                               \
                 "mov.b128 new, {%3, %4};\n\t"                                 \
                 "atom" SCOPE ".exch.b128 old, [%2], new;\n\t"                 \
                 "mov.b128 {%0, %1}, old;\n\t}"                                \
                 : "=l"(Old.Low), "=l"(Old.High)                               \
                 : "l"(To), "l"(New.Low), "l"(New.High)                        \
                 : "memory");                                                  \
    __builtin_memcpy(&Value, &Old, 16);                                        \
    return Value;                                                              \
  }                                                                            \
  template <typename T>                                                        \
  static inline __device__ REGSHARE_IF_WIDE(T)                                 \
      atomicCAS##SUFFIX(T *To, T Expected, T Value) {                          \
    __regshare_wide Old, Wanted, New;                                          \
    __builtin_memcpy(&Wanted, &Expected, 16);                                  \
    __builtin_memcpy(&New, &Value, 16);                                        \
    asm volatile("{\n\t.reg .b128 wanted, new, old;\n\t"                       \
                 "mov.b128 wanted, {%3, %4};\n\t"                              \
                 "mov.b128 new, {%5, %6};\n\t"                                 \
                 "atom" SCOPE ".cas.b128 old, [%2], wanted, new;\n\t"          \
                 "mov.b128 {%0, %1}, old;\n\t}"                                \
                 : "=l"(Old.Low), "=l"(Old.High)                               \
                 : "l"(To), "l"(Wanted.Low), "l"(Wanted.High), "l"(New.Low),   \
                   "l"(New.High)                                               \
                 : "memory");                                                  \
    __builtin_memcpy(&Value, &Old, 16);                                        \
    return Value;                                                              \
  }
REGSHARE_WIDE_ATOMICS(, "")
REGSHARE_WIDE_ATOMICS(_block, ".cta")
REGSHARE_WIDE_ATOMICS(_system, ".sys")
#undef REGSHARE_WIDE_ATOMICS
#undef REGSHARE_IF_WIDE
#endif

#endif // REGSHARE_CUDA_WIDE_ATOMICS_H
