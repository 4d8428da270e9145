//===- cuComplex.h - Complex numbers --------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COMPLEX_H
#define REGSHARE_CUDA_COMPLEX_H
// By which programs tell that CUDA's header is there.
#define CU_COMPLEX_H_

#include "host_defines.h"
#include "vector_types.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/// The calls for one precision: those of floats have an f at the end. Division
/// and the absolute value scale first, so that nothing in between overflows.
#define REGSHARE_COMPLEX(TYPE, REAL, MAKE, SUFFIX, FABS, SQRT)                 \
  static __inline__ __host__ __device__ TYPE MAKE(REAL X, REAL Y) {            \
    TYPE Z = {X, Y};                                                           \
    return Z;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ REAL cuCreal##SUFFIX(TYPE A) {         \
    return A.x;                                                                \
  }                                                                            \
  static __inline__ __host__ __device__ REAL cuCimag##SUFFIX(TYPE A) {         \
    return A.y;                                                                \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuConj##SUFFIX(TYPE A) {          \
    return MAKE(A.x, -A.y);                                                    \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCadd##SUFFIX(TYPE A, TYPE B) {  \
    return MAKE(A.x + B.x, A.y + B.y);                                         \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCsub##SUFFIX(TYPE A, TYPE B) {  \
    return MAKE(A.x - B.x, A.y - B.y);                                         \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCmul##SUFFIX(TYPE A, TYPE B) {  \
    return MAKE(A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x);                 \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCdiv##SUFFIX(TYPE A, TYPE B) {  \
    REAL Scale = 1 / (FABS(B.x) + FABS(B.y));                                  \
    REAL AX = A.x * Scale, AY = A.y * Scale, BX = B.x * Scale,                 \
         BY = B.y * Scale, Over = 1 / (BX * BX + BY * BY);                     \
    return MAKE((AX * BX + AY * BY) * Over, (AY * BX - AX * BY) * Over);       \
  }                                                                            \
  static __inline__ __host__ __device__ REAL cuCabs##SUFFIX(TYPE A) {          \
    REAL X = FABS(A.x), Y = FABS(A.y);                                         \
    REAL Most = X > Y ? X : Y, Least = X > Y ? Y : X;                          \
    if (Most == 0 || Most == Most / 2 || Least != Least)                       \
      return X + Y;                                                            \
    return Most * SQRT(1 + Least / Most * (Least / Most));                     \
  }                                                                            \
  static __inline__ __host__ __device__ TYPE cuCfma##SUFFIX(TYPE A, TYPE B,    \
                                                            TYPE C) {          \
    return cuCadd##SUFFIX(cuCmul##SUFFIX(A, B), C);                            \
  }
REGSHARE_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, fabsf, sqrtf)
REGSHARE_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , fabs, sqrt)
#undef REGSHARE_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float X,
                                                               float Y) {
  return make_cuFloatComplex(X, Y);
}
static __inline__ __host__ __device__ cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex A) {
  return make_cuDoubleComplex(A.x, A.y);
}
static __inline__ __host__ __device__ cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex A) {
  return make_cuFloatComplex((float)A.x, (float)A.y);
}

#endif // REGSHARE_CUDA_COMPLEX_H
