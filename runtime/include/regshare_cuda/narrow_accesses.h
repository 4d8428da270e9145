//===- narrow_accesses.h - Hinted accesses to narrow floats -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// REGSHARE_NARROW_ACCESSES(TYPE, WORD): __ldg, __ldcs, __stcs and the other
/// accesses with cache hints, of a half or bfloat16 or a pair of them, by those
/// of the integer \c WORD of its size.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_NARROW_ACCESSES_H
#define REGSHARE_CUDA_NARROW_ACCESSES_H

#define REGSHARE_NARROW_LOAD(NAME, TYPE, WORD)                                 \
  static inline __device__ TYPE NAME(const TYPE *From) {                       \
    WORD Bits = NAME(reinterpret_cast<const WORD *>(From));                    \
    TYPE Value;                                                                \
    memcpy(&Value, &Bits, sizeof(Value));                                      \
    return Value;                                                              \
  }
#define REGSHARE_NARROW_STORE(NAME, TYPE, WORD)                                \
  static inline __device__ void NAME(TYPE *To, TYPE Value) {                   \
    WORD Bits;                                                                 \
    memcpy(&Bits, &Value, sizeof(Value));                                      \
    NAME(reinterpret_cast<WORD *>(To), Bits);                                  \
  }
#define REGSHARE_NARROW_ACCESSES(TYPE, WORD)                                   \
  REGSHARE_NARROW_LOAD(__ldg, TYPE, WORD)                                      \
  REGSHARE_NARROW_LOAD(__ldca, TYPE, WORD)                                     \
  REGSHARE_NARROW_LOAD(__ldcg, TYPE, WORD)                                     \
  REGSHARE_NARROW_LOAD(__ldcs, TYPE, WORD)                                     \
  REGSHARE_NARROW_LOAD(__ldcv, TYPE, WORD)                                     \
  REGSHARE_NARROW_LOAD(__ldlu, TYPE, WORD)                                     \
  REGSHARE_NARROW_STORE(__stwb, TYPE, WORD)                                    \
  REGSHARE_NARROW_STORE(__stcg, TYPE, WORD)                                    \
  REGSHARE_NARROW_STORE(__stcs, TYPE, WORD)                                    \
  REGSHARE_NARROW_STORE(__stwt, TYPE, WORD)

#endif // REGSHARE_CUDA_NARROW_ACCESSES_H
