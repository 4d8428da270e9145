//===- hinted_stores.h - Stores with cache hints -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __stwb, __stcg and __stcs, for the types that clang's own __stwt has.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_HINTED_STORES_H
#define REGSHARE_CUDA_HINTED_STORES_H

#define REGSHARE_DEVICE                                                        \
  static __inline__ __attribute__((device, always_inline, unused))

// WORD is the type of the register that WIDTH and its constraint C are for.
#define REGSHARE_STORE1(HINT, TYPE, WIDTH, WORD, C)                            \
  REGSHARE_DEVICE void __st##HINT(TYPE *To, TYPE V) {                          \
    asm("st.global." #HINT "." WIDTH " [%0], %1;" ::"l"(To), C((WORD)V)        \
        : "memory");                                                           \
  }
#define REGSHARE_STORE2(HINT, TYPE, WIDTH, WORD, C)                            \
  REGSHARE_DEVICE void __st##HINT(TYPE *To, TYPE V) {                          \
    asm("st.global." #HINT ".v2." WIDTH " [%0], {%1, %2};" ::"l"(To),          \
        C((WORD)V.x), C((WORD)V.y)                                             \
        : "memory");                                                           \
  }
#define REGSHARE_STORE4(HINT, TYPE, WIDTH, WORD, C)                            \
  REGSHARE_DEVICE void __st##HINT(TYPE *To, TYPE V) {                          \
    asm("st.global." #HINT ".v4." WIDTH " [%0], {%1, %2, %3, %4};" ::"l"(To),  \
        C((WORD)V.x), C((WORD)V.y), C((WORD)V.z), C((WORD)V.w)                 \
        : "memory");                                                           \
  }
#define REGSHARE_STORES(HINT)                                                  \
  REGSHARE_STORE1(HINT, char, "b8", int, "r")                                  \
  REGSHARE_STORE1(HINT, signed char, "b8", int, "r")                           \
  REGSHARE_STORE1(HINT, unsigned char, "b8", int, "r")                         \
  REGSHARE_STORE1(HINT, short, "b16", short, "h")                              \
  REGSHARE_STORE1(HINT, unsigned short, "b16", unsigned short, "h")            \
  REGSHARE_STORE1(HINT, int, "b32", int, "r")                                  \
  REGSHARE_STORE1(HINT, unsigned int, "b32", unsigned int, "r")                \
  REGSHARE_STORE1(HINT, long, "b64", long, "l")                                \
  REGSHARE_STORE1(HINT, unsigned long, "b64", unsigned long, "l")              \
  REGSHARE_STORE1(HINT, long long, "b64", long long, "l")                      \
  REGSHARE_STORE1(HINT, unsigned long long, "b64", unsigned long long, "l")    \
  REGSHARE_STORE1(HINT, float, "f32", float, "f")                              \
  REGSHARE_STORE1(HINT, double, "f64", double, "d")                            \
  REGSHARE_STORE2(HINT, char2, "b8", int, "r")                                 \
  REGSHARE_STORE4(HINT, char4, "b8", int, "r")                                 \
  REGSHARE_STORE2(HINT, uchar2, "b8", int, "r")                                \
  REGSHARE_STORE4(HINT, uchar4, "b8", int, "r")                                \
  REGSHARE_STORE2(HINT, short2, "b16", short, "h")                             \
  REGSHARE_STORE4(HINT, short4, "b16", short, "h")                             \
  REGSHARE_STORE2(HINT, ushort2, "b16", unsigned short, "h")                   \
  REGSHARE_STORE4(HINT, ushort4, "b16", unsigned short, "h")                   \
  REGSHARE_STORE2(HINT, int2, "b32", int, "r")                                 \
  REGSHARE_STORE4(HINT, int4, "b32", int, "r")                                 \
  REGSHARE_STORE2(HINT, uint2, "b32", unsigned int, "r")                       \
  REGSHARE_STORE4(HINT, uint4, "b32", unsigned int, "r")                       \
  REGSHARE_STORE2(HINT, longlong2, "b64", long long, "l")                      \
  REGSHARE_STORE2(HINT, ulonglong2, "b64", unsigned long long, "l")            \
  REGSHARE_STORE2(HINT, float2, "f32", float, "f")                             \
  REGSHARE_STORE4(HINT, float4, "f32", float, "f")                             \
  REGSHARE_STORE2(HINT, double2, "f64", double, "d")

REGSHARE_STORES(wb)
REGSHARE_STORES(cg)
REGSHARE_STORES(cs)

#undef REGSHARE_STORES
#undef REGSHARE_STORE1
#undef REGSHARE_STORE2
#undef REGSHARE_STORE4
#undef REGSHARE_DEVICE

#endif // REGSHARE_CUDA_HINTED_STORES_H
