//===- vector_types.h - CUDA's built-in vector types -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two, three and four component vectors with CUDA's sizes and alignments, and
/// dim3.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_VECTOR_TYPES_H
#define REGSHARE_CUDA_VECTOR_TYPES_H
// By which programs tell that CUDA's header is there.
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// A two or four component vector is aligned to its size, up to 16 bytes, so
// that it is read and written by one instruction. One and three component
// vectors have their element's alignment.
#define REGSHARE_CUDA_VECTORS(NAME, ELEMENT, ALIGN2, ALIGN4)                   \
  struct NAME##1 { ELEMENT x; };                                               \
  struct __align__(ALIGN2) NAME##2 { ELEMENT x, y; };                          \
  struct NAME##3 { ELEMENT x, y, z; };                                         \
  struct __align__(ALIGN4) NAME##4 { ELEMENT x, y, z, w; };                    \
  typedef struct NAME##1 NAME##1;                                              \
  typedef struct NAME##2 NAME##2;                                              \
  typedef struct NAME##3 NAME##3;                                              \
  typedef struct NAME##4 NAME##4

REGSHARE_CUDA_VECTORS(char, signed char, 2, 4);
REGSHARE_CUDA_VECTORS(uchar, unsigned char, 2, 4);
REGSHARE_CUDA_VECTORS(short, short, 4, 8);
REGSHARE_CUDA_VECTORS(ushort, unsigned short, 4, 8);
REGSHARE_CUDA_VECTORS(int, int, 8, 16);
REGSHARE_CUDA_VECTORS(uint, unsigned int, 8, 16);
REGSHARE_CUDA_VECTORS(long, long, 16, 16);
REGSHARE_CUDA_VECTORS(ulong, unsigned long, 16, 16);
REGSHARE_CUDA_VECTORS(longlong, long long, 16, 16);
REGSHARE_CUDA_VECTORS(ulonglong, unsigned long long, 16, 16);
REGSHARE_CUDA_VECTORS(float, float, 8, 16);
REGSHARE_CUDA_VECTORS(double, double, 16, 16);

#undef REGSHARE_CUDA_VECTORS

/// The extent of a grid in CTAs or of a CTA in threads; omitted ones are 1.
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int X = 1, unsigned int Y = 1,
                                     unsigned int Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#endif
};
typedef struct dim3 dim3;

#endif // REGSHARE_CUDA_VECTOR_TYPES_H
