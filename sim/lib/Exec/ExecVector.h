//===- ExecVector.h - Vectors of lanes on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As many lanes as one register of the host holds. The compiler's vector
/// types say most of it; what they cannot say is here, once per instruction
/// set.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_EXEC_EXECVECTOR_H
#define REGSHARE_SIM_EXEC_EXECVECTOR_H

#include "ExecContext.h"

#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace regshare::sim::REGSHARE_SIM_ISA {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;

#if defined(__AVX512F__)
inline constexpr unsigned VectorLanes = 16;
#elif defined(__AVX2__)
inline constexpr unsigned VectorLanes = 8;
#else
inline constexpr unsigned VectorLanes = 4;
#endif

using Lanes = u32 __attribute__((vector_size(VectorLanes * sizeof(u32))));

inline Lanes loadLanes(const u32 *From) {
  Lanes Value;
  std::memcpy(&Value, From, sizeof(Value));
  return Value;
}

inline void storeLanes(u32 *To, Lanes Value) {
  std::memcpy(To, &Value, sizeof(Value));
}

/// Lane \p First of the warp comes first: all ones where the mask has it.
inline Lanes expandMask(u32 Mask, unsigned First) {
  Lanes Bits;
  for (unsigned L = 0; L != VectorLanes; ++L)
    Bits[L] = 1u << L;
  return Lanes(((Lanes{} + (Mask >> First)) & Bits) != 0);
}

inline Lanes select(Lanes Choice, Lanes Then, Lanes Else) {
  return (Choice & Then) | (~Choice & Else);
}

/// Writes the lanes of the mask. Others are written as they were: a store of
/// some lanes alone is slow on some processors, and so is a load after it.
inline void writeLanes(u32 *To, Lanes Value, u32 Mask, unsigned First) {
  if (Mask != FullMask) {
    Value = select(expandMask(Mask, First), Value, loadLanes(To));
#ifdef __AVX2__
    // Keeps the compiler from making one of it.
    asm("" : "+x"(Value));
#endif
  }
  storeLanes(To, Value);
}

/// The highest bit of each lane.
inline u32 signBits(Lanes Value) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return _mm512_movepi32_mask(__m512i(Value));
#elif defined(__AVX2__)
  return u32(_mm256_movemask_ps(__m256(Value)));
#elif defined(__SSE2__)
  return u32(_mm_movemask_ps(__m128(Value)));
#else
  u32 Mask = 0;
  for (unsigned L = 0; L != VectorLanes; ++L)
    Mask |= Value[L] >> 31 << L;
  return Mask;
#endif
}

inline bool isZero(Lanes Value) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask(__m512i(Value), __m512i(Value)) == 0;
#elif defined(__AVX2__)
  return _mm256_testz_si256(__m256i(Value), __m256i(Value));
#elif defined(__SSE2__)
  return _mm_movemask_epi8(_mm_cmpeq_epi32(__m128i(Value), __m128i{})) ==
         0xFFFF;
#else
  u32 Bits = 0;
  for (unsigned L = 0; L != VectorLanes; ++L)
    Bits |= Value[L];
  return Bits == 0;
#endif
}

inline Lanes laneNumbers() {
  Lanes Numbers;
  for (unsigned L = 0; L != VectorLanes; ++L)
    Numbers[L] = L;
  return Numbers;
}

} // namespace regshare::sim::REGSHARE_SIM_ISA

#endif // REGSHARE_SIM_EXEC_EXECVECTOR_H
