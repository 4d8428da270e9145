//===- hinted_accesses.h - Loads and stores with cache hints -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __ldcg, __ldcs, __ldca and __ldlu, __stwb, __stcg and __stcs, for the types
/// that clang's own __stwt has. clang 22 has the first two as well, as inline
/// PTX that is not volatile: taken to be what it was before, whatever other
/// CTAs write. Its header comes without them (clang/__clang_cuda_intrinsics.h).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_HINTED_ACCESSES_H
#define REGSHARE_CUDA_HINTED_ACCESSES_H

#define REGSHARE_DEVICE                                                        \
  static __inline__ __attribute__((device, always_inline, unused))

// WORD is the type of the register that WIDTH and its constraint C are for.
#define REGSHARE_LOAD1(HINT, TYPE, WIDTH, WORD, C)                             \
  REGSHARE_DEVICE TYPE __ld##HINT(const TYPE *From) {                          \
    WORD X;                                                                    \
    asm volatile("ld.global." #HINT "." WIDTH " %0, [%1];"                     \
                 : "=" C(X)                                                    \
                 : "l"(From)                                                   \
                 : "memory");                                                  \
    return (TYPE)X;                                                            \
  }
#define REGSHARE_LOAD2(HINT, TYPE, WIDTH, WORD, C)                             \
  REGSHARE_DEVICE TYPE __ld##HINT(const TYPE *From) {                          \
    WORD X, Y;                                                                 \
    asm volatile("ld.global." #HINT ".v2." WIDTH " {%0, %1}, [%2];"            \
                 : "=" C(X), "=" C(Y)                                          \
                 : "l"(From)                                                   \
                 : "memory");                                                  \
    return {(decltype(TYPE::x))X, (decltype(TYPE::x))Y};                       \
  }
#define REGSHARE_LOAD4(HINT, TYPE, WIDTH, WORD, C)                             \
  REGSHARE_DEVICE TYPE __ld##HINT(const TYPE *From) {                          \
    WORD X, Y, Z, W;                                                           \
    asm volatile("ld.global." #HINT ".v4." WIDTH " {%0, %1, %2, %3}, [%4];"    \
                 : "=" C(X), "=" C(Y), "=" C(Z), "=" C(W)                      \
                 : "l"(From)                                                   \
                 : "memory");                                                  \
    return {(decltype(TYPE::x))X, (decltype(TYPE::x))Y, (decltype(TYPE::x))Z,  \
            (decltype(TYPE::x))W};                                             \
  }
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
// Loads extend what is narrower than a register by the sign or by zeros.
#define REGSHARE_ACCESSES(ONE, TWO, FOUR, HINT)                                \
  ONE(HINT, char, "s8", int, "r")                                              \
  ONE(HINT, signed char, "s8", int, "r")                                       \
  ONE(HINT, unsigned char, "u8", int, "r")                                     \
  ONE(HINT, short, "s16", short, "h")                                          \
  ONE(HINT, unsigned short, "u16", unsigned short, "h")                        \
  ONE(HINT, int, "b32", int, "r")                                              \
  ONE(HINT, unsigned int, "b32", unsigned int, "r")                            \
  ONE(HINT, long, "b64", long, "l")                                            \
  ONE(HINT, unsigned long, "b64", unsigned long, "l")                          \
  ONE(HINT, long long, "b64", long long, "l")                                  \
  ONE(HINT, unsigned long long, "b64", unsigned long long, "l")                \
  ONE(HINT, float, "f32", float, "f")                                          \
  ONE(HINT, double, "f64", double, "d")                                        \
  TWO(HINT, char2, "s8", int, "r")                                             \
  FOUR(HINT, char4, "s8", int, "r")                                            \
  TWO(HINT, uchar2, "u8", int, "r")                                            \
  FOUR(HINT, uchar4, "u8", int, "r")                                           \
  TWO(HINT, short2, "s16", short, "h")                                         \
  FOUR(HINT, short4, "s16", short, "h")                                        \
  TWO(HINT, ushort2, "u16", unsigned short, "h")                               \
  FOUR(HINT, ushort4, "u16", unsigned short, "h")                              \
  TWO(HINT, int2, "b32", int, "r")                                             \
  FOUR(HINT, int4, "b32", int, "r")                                            \
  TWO(HINT, uint2, "b32", unsigned int, "r")                                   \
  FOUR(HINT, uint4, "b32", unsigned int, "r")                                  \
  TWO(HINT, longlong2, "b64", long long, "l")                                  \
  TWO(HINT, ulonglong2, "b64", unsigned long long, "l")                        \
  TWO(HINT, float2, "f32", float, "f")                                         \
  FOUR(HINT, float4, "f32", float, "f")                                        \
  TWO(HINT, double2, "f64", double, "d")
#define REGSHARE_LOADS(HINT)                                                   \
  REGSHARE_ACCESSES(REGSHARE_LOAD1, REGSHARE_LOAD2, REGSHARE_LOAD4, HINT)
#define REGSHARE_STORES(HINT)                                                  \
  REGSHARE_ACCESSES(REGSHARE_STORE1, REGSHARE_STORE2, REGSHARE_STORE4, HINT)

REGSHARE_LOADS(cg)
REGSHARE_LOADS(cs)
REGSHARE_LOADS(ca)
REGSHARE_LOADS(lu)
REGSHARE_STORES(wb)
REGSHARE_STORES(cg)
REGSHARE_STORES(cs)

#undef REGSHARE_LOADS
#undef REGSHARE_STORES
#undef REGSHARE_ACCESSES
#undef REGSHARE_LOAD1
#undef REGSHARE_LOAD2
#undef REGSHARE_LOAD4
#undef REGSHARE_STORE1
#undef REGSHARE_STORE2
#undef REGSHARE_STORE4
#undef REGSHARE_DEVICE

#endif // REGSHARE_CUDA_HINTED_ACCESSES_H
