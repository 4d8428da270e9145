//===- texture_types.h - Texture references -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a texture reference is to the host, as the CUDA C++ programming guide
/// of CUDA 11 has it. The calls that bind one are in cuda_runtime.h, fetches in
/// texture_indirect_functions.h. Texture objects are in driver_types.h.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TEXTURE_TYPES_H
#define REGSHARE_CUDA_TEXTURE_TYPES_H

#include "driver_types.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

struct textureReference {
  int normalized; ///< Coordinates are of 0 to 1.
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
};

#endif // REGSHARE_CUDA_TEXTURE_TYPES_H
