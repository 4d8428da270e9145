//===- surface_indirect_functions.h - Surfaces ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads and writes through surface objects and references, as the CUDA C++
/// programming guide has them: the first coordinate is in bytes. Clang's header
/// for CUDA includes this one and has the instructions.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H
#define REGSHARE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H

#include "surface_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#define REGSHARE_LIST(...) __VA_ARGS__
#define REGSHARE_SURFACE(SHAPE, INSTRUCTION, PARAMETERS, ARGUMENTS)            \
  template <typename T>                                                        \
  static inline __device__ void surf##SHAPE##read(                             \
      T *To, cudaSurfaceObject_t Object, REGSHARE_LIST PARAMETERS,             \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    __nv_tex_surf_handler("__isurf" #INSTRUCTION "read", To, Object,           \
                          REGSHARE_LIST ARGUMENTS, Mode);                      \
  }                                                                            \
  template <typename T>                                                        \
  static inline __device__ T surf##SHAPE##read(                                \
      cudaSurfaceObject_t Object, REGSHARE_LIST PARAMETERS,                    \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    T Value;                                                                   \
    __nv_tex_surf_handler("__isurf" #INSTRUCTION "read", &Value, Object,       \
                          REGSHARE_LIST ARGUMENTS, Mode);                      \
    return Value;                                                              \
  }                                                                            \
  template <typename T>                                                        \
  static inline __device__ void surf##SHAPE##write(                            \
      T Value, cudaSurfaceObject_t Object, REGSHARE_LIST PARAMETERS,           \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    __nv_tex_surf_handler("__isurf" #INSTRUCTION "write_v2", &Value, Object,   \
                          REGSHARE_LIST ARGUMENTS, Mode);                      \
  }

REGSHARE_SURFACE(1D, 1D, (int X), (X))
REGSHARE_SURFACE(2D, 2D, (int X, int Y), (X, Y))
REGSHARE_SURFACE(3D, 3D, (int X, int Y, int Z), (X, Y, Z))
REGSHARE_SURFACE(1DLayered, 1DLayered, (int X, int Layer), (X, Layer))
REGSHARE_SURFACE(2DLayered, 2DLayered, (int X, int Y, int Layer), (X, Y, Layer))
// The faces of cubes are layers.
REGSHARE_SURFACE(Cubemap, 2DLayered, (int X, int Y, int Face), (X, Y, Face))
REGSHARE_SURFACE(CubemapLayered, 2DLayered, (int X, int Y, int LayerFace),
                 (X, Y, LayerFace))

#undef REGSHARE_SURFACE

/// The handle that device code has of a reference.
template <typename T, int Type>
static inline __device__ cudaSurfaceObject_t
regshare_handle_of(surface<T, Type> Reference) {
  typedef unsigned long long __attribute__((may_alias)) Handle;
  return reinterpret_cast<const Handle &>(Reference);
}

#define REGSHARE_SURFACE(SHAPE, PARAMETERS, ARGUMENTS)                         \
  template <typename T, typename S>                                            \
  static inline __device__ void surf##SHAPE##read(                             \
      T *To, surface<S, cudaSurfaceType##SHAPE> Reference,                     \
      REGSHARE_LIST PARAMETERS,                                                \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    surf##SHAPE##read(To, regshare_handle_of(Reference),                       \
                      REGSHARE_LIST ARGUMENTS, Mode);                          \
  }                                                                            \
  template <typename T, typename S>                                            \
  static inline __device__ T surf##SHAPE##read(                                \
      surface<S, cudaSurfaceType##SHAPE> Reference, REGSHARE_LIST PARAMETERS,  \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    return surf##SHAPE##read<T>(regshare_handle_of(Reference),                 \
                                REGSHARE_LIST ARGUMENTS, Mode);                \
  }                                                                            \
  template <typename T, typename S>                                            \
  static inline __device__ void surf##SHAPE##write(                            \
      T Value, surface<S, cudaSurfaceType##SHAPE> Reference,                   \
      REGSHARE_LIST PARAMETERS,                                                \
      cudaSurfaceBoundaryMode Mode = cudaBoundaryModeTrap) {                   \
    surf##SHAPE##write(Value, regshare_handle_of(Reference),                   \
                       REGSHARE_LIST ARGUMENTS, Mode);                         \
  }

REGSHARE_SURFACE(1D, (int X), (X))
REGSHARE_SURFACE(2D, (int X, int Y), (X, Y))
REGSHARE_SURFACE(3D, (int X, int Y, int Z), (X, Y, Z))
REGSHARE_SURFACE(1DLayered, (int X, int Layer), (X, Layer))
REGSHARE_SURFACE(2DLayered, (int X, int Y, int Layer), (X, Y, Layer))
REGSHARE_SURFACE(Cubemap, (int X, int Y, int Face), (X, Y, Face))
REGSHARE_SURFACE(CubemapLayered, (int X, int Y, int LayerFace),
                 (X, Y, LayerFace))

#undef REGSHARE_SURFACE
#undef REGSHARE_LIST

#endif

#endif // REGSHARE_CUDA_SURFACE_INDIRECT_FUNCTIONS_H
