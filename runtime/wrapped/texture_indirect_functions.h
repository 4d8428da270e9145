//===- texture_indirect_functions.h - Fetches -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fetches through texture objects and references, as the CUDA C++ programming
/// guide has them. Clang's header for CUDA includes this one and has the
/// instructions, by the names that CUDA's own headers call them.
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
REGSHARE_FETCH(texCubemap, "__itexCubemap", (float X, float Y, float Z),
               (X, Y, Z))
REGSHARE_FETCH(texCubemapLayered, "__itexCubemapLayered",
               (float X, float Y, float Z, int Layer), (X, Y, Z, Layer))

REGSHARE_FETCH(tex1DLod, "__itex1DLod", (float X, float Level), (X, Level))
REGSHARE_FETCH(tex2DLod, "__itex2DLod", (float X, float Y, float Level),
               (X, Y, Level))
REGSHARE_FETCH(tex3DLod, "__itex3DLod",
               (float X, float Y, float Z, float Level), (X, Y, Z, Level))
REGSHARE_FETCH(tex1DLayeredLod, "__itex1DLayeredLod",
               (float X, int Layer, float Level), (X, Layer, Level))
REGSHARE_FETCH(tex2DLayeredLod, "__itex2DLayeredLod",
               (float X, float Y, int Layer, float Level), (X, Y, Layer, Level))
REGSHARE_FETCH(texCubemapLod, "__itexCubemapLod",
               (float X, float Y, float Z, float Level), (X, Y, Z, Level))
REGSHARE_FETCH(texCubemapLayeredLod, "__itexCubemapLayeredLod",
               (float X, float Y, float Z, int Layer, float Level),
               (X, Y, Z, Layer, Level))

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
REGSHARE_FETCH(texCubemapGrad, "__itexCubemapGrad_v2",
               (float X, float Y, float Z, float4 Dx, float4 Dy),
               (X, Y, Z, &Dx, &Dy))
REGSHARE_FETCH(texCubemapLayeredGrad, "__itexCubemapLayeredGrad_v2",
               (float X, float Y, float Z, int Layer, float4 Dx, float4 Dy),
               (X, Y, Z, Layer, &Dx, &Dy))

REGSHARE_FETCH(tex2Dgather, "__itex2Dgather",
               (float X, float Y, int Component = 0), (X, Y, Component))

#undef REGSHARE_FETCH

/// The handle that device code has of a reference.
template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __device__ cudaTextureObject_t
regshare_handle_of(texture<T, Type, Mode> Reference) {
  typedef unsigned long long __attribute__((may_alias)) Handle;
  return reinterpret_cast<const Handle &>(Reference);
}

/// Of a type of texels: four components of it, and itself as floats.
template <typename T> struct regshare_texel;
#define REGSHARE_TEXEL(TYPE, NAME, FLOATS)                                     \
  template <> struct regshare_texel<TYPE> {                                    \
    typedef NAME##4 gathered;                                                  \
    typedef FLOATS normalized;                                                 \
  };
#define REGSHARE_TEXELS(NAME)                                                  \
  REGSHARE_TEXEL(NAME##1, NAME, float)                                         \
  REGSHARE_TEXEL(NAME##2, NAME, float2)                                        \
  REGSHARE_TEXEL(NAME##4, NAME, float4)
REGSHARE_TEXEL(char, char, float)
REGSHARE_TEXEL(signed char, char, float)
REGSHARE_TEXEL(unsigned char, uchar, float)
REGSHARE_TEXEL(short, short, float)
REGSHARE_TEXEL(unsigned short, ushort, float)
REGSHARE_TEXEL(int, int, float)
REGSHARE_TEXEL(unsigned int, uint, float)
REGSHARE_TEXEL(float, float, float)
REGSHARE_TEXELS(char)
REGSHARE_TEXELS(uchar)
REGSHARE_TEXELS(short)
REGSHARE_TEXELS(ushort)
REGSHARE_TEXELS(int)
REGSHARE_TEXELS(uint)
REGSHARE_TEXELS(float)
#undef REGSHARE_TEXELS
#undef REGSHARE_TEXEL

/// What fetches through a reference deliver.
template <typename T, enum cudaTextureReadMode Mode> struct regshare_fetched {
  typedef T type;
  typedef typename regshare_texel<T>::gathered gathered;
};
template <typename T> struct regshare_fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename regshare_texel<T>::normalized type;
  typedef float4 gathered;
};

#define REGSHARE_FETCH(NAME, TYPE, PARAMETERS, ARGUMENTS)                      \
  template <typename T, enum cudaTextureReadMode Mode>                         \
  static inline __device__ typename regshare_fetched<T, Mode>::type NAME(      \
      texture<T, TYPE, Mode> Reference, REGSHARE_LIST PARAMETERS) {            \
    return NAME<typename regshare_fetched<T, Mode>::type>(                     \
        regshare_handle_of(Reference), REGSHARE_LIST ARGUMENTS);               \
  }

REGSHARE_FETCH(tex1Dfetch, cudaTextureType1D, (int X), (X))
REGSHARE_FETCH(tex1D, cudaTextureType1D, (float X), (X))
REGSHARE_FETCH(tex2D, cudaTextureType2D, (float X, float Y), (X, Y))
REGSHARE_FETCH(tex3D, cudaTextureType3D, (float X, float Y, float Z), (X, Y, Z))
REGSHARE_FETCH(tex1DLayered, cudaTextureType1DLayered, (float X, int Layer),
               (X, Layer))
REGSHARE_FETCH(tex2DLayered, cudaTextureType2DLayered,
               (float X, float Y, int Layer), (X, Y, Layer))
REGSHARE_FETCH(texCubemap, cudaTextureTypeCubemap, (float X, float Y, float Z),
               (X, Y, Z))
REGSHARE_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered,
               (float X, float Y, float Z, int Layer), (X, Y, Z, Layer))

REGSHARE_FETCH(tex1DLod, cudaTextureType1D, (float X, float Level), (X, Level))
REGSHARE_FETCH(tex2DLod, cudaTextureType2D, (float X, float Y, float Level),
               (X, Y, Level))
REGSHARE_FETCH(tex3DLod, cudaTextureType3D,
               (float X, float Y, float Z, float Level), (X, Y, Z, Level))
REGSHARE_FETCH(tex1DLayeredLod, cudaTextureType1DLayered,
               (float X, int Layer, float Level), (X, Layer, Level))
REGSHARE_FETCH(tex2DLayeredLod, cudaTextureType2DLayered,
               (float X, float Y, int Layer, float Level), (X, Y, Layer, Level))
REGSHARE_FETCH(texCubemapLod, cudaTextureTypeCubemap,
               (float X, float Y, float Z, float Level), (X, Y, Z, Level))
REGSHARE_FETCH(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
               (float X, float Y, float Z, int Layer, float Level),
               (X, Y, Z, Layer, Level))

REGSHARE_FETCH(tex1DGrad, cudaTextureType1D, (float X, float Dx, float Dy),
               (X, Dx, Dy))
REGSHARE_FETCH(tex2DGrad, cudaTextureType2D,
               (float X, float Y, float2 Dx, float2 Dy), (X, Y, Dx, Dy))
REGSHARE_FETCH(tex3DGrad, cudaTextureType3D,
               (float X, float Y, float Z, float4 Dx, float4 Dy),
               (X, Y, Z, Dx, Dy))
REGSHARE_FETCH(tex1DLayeredGrad, cudaTextureType1DLayered,
               (float X, int Layer, float Dx, float Dy), (X, Layer, Dx, Dy))
REGSHARE_FETCH(tex2DLayeredGrad, cudaTextureType2DLayered,
               (float X, float Y, int Layer, float2 Dx, float2 Dy),
               (X, Y, Layer, Dx, Dy))
REGSHARE_FETCH(texCubemapGrad, cudaTextureTypeCubemap,
               (float X, float Y, float Z, float4 Dx, float4 Dy),
               (X, Y, Z, Dx, Dy))
REGSHARE_FETCH(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered,
               (float X, float Y, float Z, int Layer, float4 Dx, float4 Dy),
               (X, Y, Z, Layer, Dx, Dy))

template <typename T, enum cudaTextureReadMode Mode>
static inline __device__ typename regshare_fetched<T, Mode>::gathered
tex2Dgather(texture<T, cudaTextureType2D, Mode> Reference, float X, float Y,
            int Component = 0) {
  return tex2Dgather<typename regshare_fetched<T, Mode>::gathered>(
      regshare_handle_of(Reference), X, Y, Component);
}

#undef REGSHARE_FETCH
#undef REGSHARE_LIST

#endif

#endif // REGSHARE_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H
