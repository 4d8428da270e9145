//===- texture_indirect_functions.h - Fetches -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fetches through texture objects, as the CUDA C++ programming guide has them.
/// Clang's header for CUDA includes this one and has the instructions, by the
/// names that CUDA's own headers call them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H
#define REGSHARE_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H

#include "texture_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#define REGSHARE_LIST(...) __VA_ARGS__
/// A fetch in its two forms: into a place, and as a value.
#define REGSHARE_FETCH(NAME, OPERATION, PARAMETERS, ARGUMENTS)                 \
  template <typename T>                                                        \
  static inline __device__ void NAME(T *To, cudaTextureObject_t Object,        \
                                     REGSHARE_LIST PARAMETERS) {               \
    __nv_tex_surf_handler(OPERATION, To, Object, REGSHARE_LIST ARGUMENTS);     \
  }                                                                            \
  template <typename T>                                                        \
  static inline __device__ T NAME(cudaTextureObject_t Object,                  \
                                  REGSHARE_LIST PARAMETERS) {                  \
    T Value;                                                                   \
    __nv_tex_surf_handler(OPERATION, &Value, Object, REGSHARE_LIST ARGUMENTS); \
    return Value;                                                              \
  }

REGSHARE_FETCH(tex1Dfetch, "__itex1Dfetch", (int X), (X))
REGSHARE_FETCH(tex1D, "__itex1D", (float X), (X))
REGSHARE_FETCH(tex2D, "__itex2D", (float X, float Y), (X, Y))
REGSHARE_FETCH(tex3D, "__itex3D", (float X, float Y, float Z), (X, Y, Z))
REGSHARE_FETCH(tex1DLayered, "__itex1DLayered", (float X, int Layer),
               (X, Layer))
REGSHARE_FETCH(tex2DLayered, "__itex2DLayered", (float X, float Y, int Layer),
               (X, Y, Layer))

REGSHARE_FETCH(tex1DLod, "__itex1DLod", (float X, float Level), (X, Level))
REGSHARE_FETCH(tex2DLod, "__itex2DLod", (float X, float Y, float Level),
               (X, Y, Level))
REGSHARE_FETCH(tex3DLod, "__itex3DLod",
               (float X, float Y, float Z, float Level), (X, Y, Z, Level))
REGSHARE_FETCH(tex1DLayeredLod, "__itex1DLayeredLod",
               (float X, int Layer, float Level), (X, Layer, Level))
REGSHARE_FETCH(tex2DLayeredLod, "__itex2DLayeredLod",
               (float X, float Y, int Layer, float Level), (X, Y, Layer, Level))

REGSHARE_FETCH(tex1DGrad, "__itex1DGrad", (float X, float Dx, float Dy),
               (X, Dx, Dy))
REGSHARE_FETCH(tex2DGrad, "__itex2DGrad_v2",
               (float X, float Y, float2 Dx, float2 Dy), (X, Y, &Dx, &Dy))
REGSHARE_FETCH(tex3DGrad, "__itex3DGrad_v2",
               (float X, float Y, float Z, float4 Dx, float4 Dy),
               (X, Y, Z, &Dx, &Dy))
REGSHARE_FETCH(tex1DLayeredGrad, "__itex1DLayeredGrad",
               (float X, int Layer, float Dx, float Dy), (X, Layer, Dx, Dy))
REGSHARE_FETCH(tex2DLayeredGrad, "__itex2DLayeredGrad_v2",
               (float X, float Y, int Layer, float2 Dx, float2 Dy),
               (X, Y, Layer, &Dx, &Dy))

REGSHARE_FETCH(tex2Dgather, "__itex2Dgather",
               (float X, float Y, int Component = 0), (X, Y, Component))

#undef REGSHARE_FETCH
#undef REGSHARE_LIST

#endif

#endif // REGSHARE_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H
