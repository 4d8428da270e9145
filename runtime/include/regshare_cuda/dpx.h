//===- dpx.h - Functions for dynamic programming -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// DPX, on the host and on every processor, as the CUDA C++ programming guide
/// lists it: minimum and maximum of sums and of three numbers, with `_relu` not
/// below zero. Words of 16-bit halves (s16x2, u16x2) are computed by halves.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_DPX_H
#define REGSHARE_CUDA_DPX_H

#define REGSHARE_BOTH                                                          \
  static inline __attribute__((host, device, always_inline, unused))

namespace regshare_dpx {
template <typename T> REGSHARE_BOTH T least(T A, T B) { return B < A ? B : A; }
template <typename T> REGSHARE_BOTH T most(T A, T B) { return A < B ? B : A; }
// A sum of either sign wraps around.
REGSHARE_BOTH int plus(int A, int B) {
  return (int)((unsigned)A + (unsigned)B);
}
REGSHARE_BOTH unsigned plus(unsigned A, unsigned B) { return A + B; }
REGSHARE_BOTH short plus(short A, short B) { return (short)(A + B); }
REGSHARE_BOTH unsigned short plus(unsigned short A, unsigned short B) {
  return (unsigned short)(A + B);
}
REGSHARE_BOTH unsigned halves(unsigned Low, unsigned High) {
  return (Low & 0xffff) | High << 16;
}
} // namespace regshare_dpx

// TYPE is that of one number; RESULT is computed of A, B and C.
#define REGSHARE_DPX_WORDS(NAME, TYPE, RESULT)                                 \
  REGSHARE_BOTH TYPE NAME(TYPE A, TYPE B, TYPE C) {                            \
    using namespace regshare_dpx;                                              \
    return RESULT;                                                             \
  }
#define REGSHARE_DPX_HALVES(NAME, TYPE, RESULT)                                \
  REGSHARE_BOTH TYPE NAME##_half(TYPE A, TYPE B, TYPE C) {                     \
    using namespace regshare_dpx;                                              \
    return RESULT;                                                             \
  }                                                                            \
  REGSHARE_BOTH unsigned NAME(unsigned A, unsigned B, unsigned C) {            \
    return regshare_dpx::halves(                                               \
        NAME##_half((TYPE)A, (TYPE)B, (TYPE)C),                                \
        NAME##_half((TYPE)(A >> 16), (TYPE)(B >> 16), (TYPE)(C >> 16)));       \
  }
#define REGSHARE_DPX(NAME, RESULT)                                             \
  REGSHARE_DPX_WORDS(NAME##_s32, int, RESULT)                                  \
  REGSHARE_DPX_WORDS(NAME##_u32, unsigned, RESULT)                             \
  REGSHARE_DPX_WORDS(NAME##_s32_relu, int, most(RESULT, 0))                    \
  REGSHARE_DPX_HALVES(NAME##_s16x2, short, RESULT)                             \
  REGSHARE_DPX_HALVES(NAME##_u16x2, unsigned short, RESULT)                    \
  REGSHARE_DPX_HALVES(NAME##_s16x2_relu, short, most(RESULT, (short)0))

REGSHARE_DPX(__vimax3, most(most(A, B), C))
REGSHARE_DPX(__vimin3, least(least(A, B), C))
REGSHARE_DPX(__viaddmax, most(plus(A, B), C))
REGSHARE_DPX(__viaddmin, least(plus(A, B), C))

REGSHARE_BOTH int __vimax_s32_relu(int A, int B) {
  return __vimax3_s32(A, B, 0);
}
REGSHARE_BOTH int __vimin_s32_relu(int A, int B) {
  return __vimin3_s32_relu(A, B, B);
}
REGSHARE_BOTH unsigned __vimax_s16x2_relu(unsigned A, unsigned B) {
  return __vimax3_s16x2(A, B, 0);
}
REGSHARE_BOTH unsigned __vimin_s16x2_relu(unsigned A, unsigned B) {
  return __vimin3_s16x2_relu(A, B, B);
}

// These say whether it is the first number, or either.
#define REGSHARE_DPX_CHOICE(NAME, COMPARE, WORD, HALF, S)                      \
  REGSHARE_BOTH WORD NAME##_##S##32(WORD A, WORD B, bool *IsFirst) {           \
    *IsFirst = A COMPARE B;                                                    \
    return *IsFirst ? A : B;                                                   \
  }                                                                            \
  REGSHARE_BOTH unsigned NAME##_##S##16x2(unsigned A, unsigned B, bool *High,  \
                                          bool *Low) {                         \
    *High = (HALF)(A >> 16) COMPARE(HALF)(B >> 16);                            \
    *Low = (HALF)A COMPARE(HALF) B;                                            \
    return regshare_dpx::halves(*Low ? A : B, (*High ? A : B) >> 16);          \
  }
REGSHARE_DPX_CHOICE(__vibmax, >=, int, short, s)
REGSHARE_DPX_CHOICE(__vibmax, >=, unsigned, unsigned short, u)
REGSHARE_DPX_CHOICE(__vibmin, <=, int, short, s)
REGSHARE_DPX_CHOICE(__vibmin, <=, unsigned, unsigned short, u)

#undef REGSHARE_DPX_CHOICE
#undef REGSHARE_DPX
#undef REGSHARE_DPX_HALVES
#undef REGSHARE_DPX_WORDS
#undef REGSHARE_BOTH

#endif // REGSHARE_CUDA_DPX_H
