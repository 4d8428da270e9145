//===- atomics.h - CUDA's atomic functions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// atomicAdd and its like for the types and scopes that CUDA documents, on top
/// of the typed primitives that clang's CUDA headers define.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_ATOMICS_H
#define REGSHARE_CUDA_ATOMICS_H

#define REGSHARE_DEVICE                                                        \
  static __inline__ __attribute__((device, always_inline, unused))

// A primitive exists for each scope: no suffix for the device, _block for the
// CTA, _system for the whole machine.
#define REGSHARE_ATOMIC_SCOPES(NAME, TYPE, PRIMITIVE)                          \
  REGSHARE_DEVICE TYPE NAME(TYPE *P, TYPE V) { return PRIMITIVE(P, V); }       \
  REGSHARE_DEVICE TYPE NAME##_block(TYPE *P, TYPE V) {                         \
    return PRIMITIVE##_block(P, V);                                            \
  }                                                                            \
  REGSHARE_DEVICE TYPE NAME##_system(TYPE *P, TYPE V) {                        \
    return PRIMITIVE##_system(P, V);                                           \
  }
#define REGSHARE_ATOMIC_CAS(TYPE, PRIMITIVE)                                   \
  REGSHARE_DEVICE TYPE atomicCAS(TYPE *P, TYPE Expected, TYPE V) {             \
    return PRIMITIVE(P, Expected, V);                                          \
  }                                                                            \
  REGSHARE_DEVICE TYPE atomicCAS_block(TYPE *P, TYPE Expected, TYPE V) {       \
    return PRIMITIVE##_block(P, Expected, V);                                  \
  }                                                                            \
  REGSHARE_DEVICE TYPE atomicCAS_system(TYPE *P, TYPE Expected, TYPE V) {      \
    return PRIMITIVE##_system(P, Expected, V);                                 \
  }

REGSHARE_ATOMIC_SCOPES(atomicAdd, int, __iAtomicAdd)
REGSHARE_ATOMIC_SCOPES(atomicAdd, unsigned int, __uAtomicAdd)
REGSHARE_ATOMIC_SCOPES(atomicAdd, unsigned long long, __ullAtomicAdd)
REGSHARE_ATOMIC_SCOPES(atomicAdd, float, __fAtomicAdd)
REGSHARE_ATOMIC_SCOPES(atomicAdd, double, __dAtomicAdd)
REGSHARE_ATOMIC_SCOPES(atomicExch, int, __iAtomicExch)
REGSHARE_ATOMIC_SCOPES(atomicExch, unsigned int, __uAtomicExch)
REGSHARE_ATOMIC_SCOPES(atomicExch, unsigned long long, __ullAtomicExch)
REGSHARE_ATOMIC_SCOPES(atomicExch, float, __fAtomicExch)
REGSHARE_ATOMIC_SCOPES(atomicMin, int, __iAtomicMin)
REGSHARE_ATOMIC_SCOPES(atomicMin, unsigned int, __uAtomicMin)
REGSHARE_ATOMIC_SCOPES(atomicMin, long long, __illAtomicMin)
REGSHARE_ATOMIC_SCOPES(atomicMin, unsigned long long, __ullAtomicMin)
REGSHARE_ATOMIC_SCOPES(atomicMax, int, __iAtomicMax)
REGSHARE_ATOMIC_SCOPES(atomicMax, unsigned int, __uAtomicMax)
REGSHARE_ATOMIC_SCOPES(atomicMax, long long, __illAtomicMax)
REGSHARE_ATOMIC_SCOPES(atomicMax, unsigned long long, __ullAtomicMax)
REGSHARE_ATOMIC_SCOPES(atomicInc, unsigned int, __uAtomicInc)
REGSHARE_ATOMIC_SCOPES(atomicDec, unsigned int, __uAtomicDec)
REGSHARE_ATOMIC_SCOPES(atomicAnd, int, __iAtomicAnd)
REGSHARE_ATOMIC_SCOPES(atomicAnd, unsigned int, __uAtomicAnd)
REGSHARE_ATOMIC_SCOPES(atomicAnd, unsigned long long, __ullAtomicAnd)
REGSHARE_ATOMIC_SCOPES(atomicOr, int, __iAtomicOr)
REGSHARE_ATOMIC_SCOPES(atomicOr, unsigned int, __uAtomicOr)
REGSHARE_ATOMIC_SCOPES(atomicOr, unsigned long long, __ullAtomicOr)
REGSHARE_ATOMIC_SCOPES(atomicXor, int, __iAtomicXor)
REGSHARE_ATOMIC_SCOPES(atomicXor, unsigned int, __uAtomicXor)
REGSHARE_ATOMIC_SCOPES(atomicXor, unsigned long long, __ullAtomicXor)
REGSHARE_ATOMIC_CAS(int, __iAtomicCAS)
REGSHARE_ATOMIC_CAS(unsigned int, __uAtomicCAS)
REGSHARE_ATOMIC_CAS(unsigned long long, __ullAtomicCAS)
REGSHARE_ATOMIC_CAS(unsigned short, __usAtomicCAS)

// Subtraction is the addition of the two's complement.
#define REGSHARE_ATOMIC_SUB(SUFFIX)                                            \
  REGSHARE_DEVICE int atomicSub##SUFFIX(int *P, int V) {                       \
    return __iAtomicAdd##SUFFIX(P, (int)-(unsigned int)V);                     \
  }                                                                            \
  REGSHARE_DEVICE unsigned int atomicSub##SUFFIX(unsigned int *P,              \
                                                 unsigned int V) {             \
    return __uAtomicAdd##SUFFIX(P, -V);                                        \
  }
REGSHARE_ATOMIC_SUB()
REGSHARE_ATOMIC_SUB(_block)
REGSHARE_ATOMIC_SUB(_system)

#undef REGSHARE_ATOMIC_SCOPES
#undef REGSHARE_ATOMIC_CAS
#undef REGSHARE_ATOMIC_SUB
#undef REGSHARE_DEVICE

#endif // REGSHARE_CUDA_ATOMICS_H
