//===- references.h - Texture references -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Texture and surface references and the calls that bind them, as the CUDA C++
/// programming guide of CUDA 11 has them. cuda_runtime.h includes this one.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_REFERENCES_H
#define REGSHARE_CUDA_REFERENCES_H

/// To device code clang makes it a handle of 64 bits.
template <typename T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture
    : public textureReference {
  texture(int Normalized = 0,
          enum cudaTextureFilterMode Filter = cudaFilterModePoint,
          enum cudaTextureAddressMode Address = cudaAddressModeClamp)
      : texture(Normalized, Filter, Address, cudaCreateChannelDesc<T>()) {}
  texture(int Normalized, enum cudaTextureFilterMode Filter,
          enum cudaTextureAddressMode Address,
          struct cudaChannelFormatDesc Desc)
      : textureReference{} {
    normalized = Normalized;
    filterMode = Filter;
    for (enum cudaTextureAddressMode &A : addressMode)
      A = Address;
    channelDesc = Desc;
  }
};

template <typename T, int Type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface
    : public surfaceReference {
  surface() : surfaceReference{} {}
};

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t cudaBindTexture(
    size_t *Offset, const texture<T, Type, Mode> &Reference, const void *Ptr,
    const struct cudaChannelFormatDesc &Desc, size_t Size = 0xffffffffu) {
  return ::cudaBindTexture(Offset, &Reference, Ptr, &Desc, Size);
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t
cudaBindTexture(size_t *Offset, const texture<T, Type, Mode> &Reference,
                const void *Ptr, size_t Size = 0xffffffffu) {
  return ::cudaBindTexture(Offset, &Reference, Ptr, &Reference.channelDesc,
                           Size);
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t
cudaBindTexture2D(size_t *Offset, const texture<T, Type, Mode> &Reference,
                  const void *Ptr, const struct cudaChannelFormatDesc &Desc,
                  size_t Width, size_t Height, size_t Pitch) {
  return ::cudaBindTexture2D(Offset, &Reference, Ptr, &Desc, Width, Height,
                             Pitch);
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t
cudaBindTexture2D(size_t *Offset, const texture<T, Type, Mode> &Reference,
                  const void *Ptr, size_t Width, size_t Height, size_t Pitch) {
  return ::cudaBindTexture2D(Offset, &Reference, Ptr, &Reference.channelDesc,
                             Width, Height, Pitch);
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t cudaBindTextureToArray(
    const texture<T, Type, Mode> &Reference, cudaArray_const_t Array,
    const struct cudaChannelFormatDesc &Desc) {
  return ::cudaBindTextureToArray(&Reference, Array, &Desc);
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t cudaBindTextureToArray(
    const texture<T, Type, Mode> &Reference, cudaArray_const_t Array) {
  struct cudaChannelFormatDesc Desc;
  cudaError_t Error = ::cudaGetChannelDesc(&Desc, Array);
  return Error == cudaSuccess
             ? ::cudaBindTextureToArray(&Reference, Array, &Desc)
             : Error;
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t
cudaUnbindTexture(const texture<T, Type, Mode> &Reference) {
  return ::cudaUnbindTexture(&Reference);
}

template <typename T, int Type, enum cudaTextureReadMode Mode>
static inline __host__ cudaError_t cudaGetTextureAlignmentOffset(
    size_t *Offset, const texture<T, Type, Mode> &Reference) {
  return ::cudaGetTextureAlignmentOffset(Offset, &Reference);
}

template <typename T, int Type>
static inline __host__ cudaError_t cudaBindSurfaceToArray(
    const surface<T, Type> &Reference, cudaArray_const_t Array,
    const struct cudaChannelFormatDesc &Desc) {
  return ::cudaBindSurfaceToArray(&Reference, Array, &Desc);
}

template <typename T, int Type>
static inline __host__ cudaError_t cudaBindSurfaceToArray(
    const surface<T, Type> &Reference, cudaArray_const_t Array) {
  struct cudaChannelFormatDesc Desc;
  cudaError_t Error = ::cudaGetChannelDesc(&Desc, Array);
  return Error == cudaSuccess
             ? ::cudaBindSurfaceToArray(&Reference, Array, &Desc)
             : Error;
}

#endif // REGSHARE_CUDA_REFERENCES_H
