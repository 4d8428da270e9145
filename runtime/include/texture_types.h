//===- texture_types.h - What textures are -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Texture objects are in driver_types.h. Texture references are none of CUDA's
/// any more: a program that has one is told so, once, by what is here.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TEXTURE_TYPES_H
#define REGSHARE_CUDA_TEXTURE_TYPES_H

#include "driver_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2

template <typename T> struct regshare_has_texture_references {
  static constexpr bool value = false;
};

/// Has what programs name, so that nothing else is said of them.
template <typename T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {
  static_assert(regshare_has_texture_references<T>::value,
                "texture references went with CUDA 12: make a texture object "
                "with cudaCreateTextureObject and hand it to the kernel");
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
};

#define REGSHARE_REFERENCE_FETCH(NAME)                                         \
  template <typename T, int Type, enum cudaTextureReadMode Mode,               \
            typename... Coordinates>                                           \
  __attribute__((device)) T NAME(texture<T, Type, Mode>, Coordinates...);
REGSHARE_REFERENCE_FETCH(tex1Dfetch)
REGSHARE_REFERENCE_FETCH(tex1D)
REGSHARE_REFERENCE_FETCH(tex2D)
REGSHARE_REFERENCE_FETCH(tex3D)
REGSHARE_REFERENCE_FETCH(tex1DLayered)
REGSHARE_REFERENCE_FETCH(tex2DLayered)
#undef REGSHARE_REFERENCE_FETCH

#define REGSHARE_REFERENCE_CALL(NAME)                                          \
  template <typename... Arguments> enum cudaError NAME(Arguments &&...);
REGSHARE_REFERENCE_CALL(cudaBindTexture)
REGSHARE_REFERENCE_CALL(cudaBindTexture2D)
REGSHARE_REFERENCE_CALL(cudaBindTextureToArray)
REGSHARE_REFERENCE_CALL(cudaUnbindTexture)
#undef REGSHARE_REFERENCE_CALL

#endif

#endif // REGSHARE_CUDA_TEXTURE_TYPES_H
