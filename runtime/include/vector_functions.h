//===- vector_functions.h - Vector constructors -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_VECTOR_FUNCTIONS_H
#define REGSHARE_CUDA_VECTOR_FUNCTIONS_H
// By which programs tell that CUDA's header is there.
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define REGSHARE_CUDA_MAKE_VECTORS(NAME, ELEMENT)                              \
  static __inline__ __host__ __device__ NAME##1 make_##NAME##1(ELEMENT X) {    \
    NAME##1 V = {X};                                                           \
    return V;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##2 make_##NAME##2(ELEMENT X,      \
                                                               ELEMENT Y) {    \
    NAME##2 V = {X, Y};                                                        \
    return V;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##3 make_##NAME##3(                \
      ELEMENT X, ELEMENT Y, ELEMENT Z) {                                       \
    NAME##3 V = {X, Y, Z};                                                     \
    return V;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##4 make_##NAME##4(                \
      ELEMENT X, ELEMENT Y, ELEMENT Z, ELEMENT W) {                            \
    NAME##4 V = {X, Y, Z, W};                                                  \
    return V;                                                                  \
  }

REGSHARE_CUDA_MAKE_VECTORS(char, signed char)
REGSHARE_CUDA_MAKE_VECTORS(uchar, unsigned char)
REGSHARE_CUDA_MAKE_VECTORS(short, short)
REGSHARE_CUDA_MAKE_VECTORS(ushort, unsigned short)
REGSHARE_CUDA_MAKE_VECTORS(int, int)
REGSHARE_CUDA_MAKE_VECTORS(uint, unsigned int)
REGSHARE_CUDA_MAKE_VECTORS(long, long)
REGSHARE_CUDA_MAKE_VECTORS(ulong, unsigned long)
REGSHARE_CUDA_MAKE_VECTORS(longlong, long long)
REGSHARE_CUDA_MAKE_VECTORS(ulonglong, unsigned long long)
REGSHARE_CUDA_MAKE_VECTORS(float, float)
REGSHARE_CUDA_MAKE_VECTORS(double, double)

#undef REGSHARE_CUDA_MAKE_VECTORS

#endif // REGSHARE_CUDA_VECTOR_FUNCTIONS_H
