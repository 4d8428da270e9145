//===- texels.h - What a fetch delivers of four components -*- C++ -*------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// clang's header makes texels of two and four components by members that it
/// chooses by their number. From precompiled headers clang 22 takes that for
/// one component since C++20, so that the others were zero. A class for each
/// type of texel leaves nothing to choose.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_TYPES_TEXELS_H
#define REGSHARE_CUDA_TYPES_TEXELS_H

#ifdef __CLANG_CUDA_TEXTURE_INTRINSICS_H__

namespace {
namespace __cuda_tex {

#define REGSHARE_TEXELS(TYPE, COMPONENT, FETCHED)                              \
  template <> struct __convert<TYPE##2, FETCHED> {                             \
    static __device__ TYPE##2 __run(FETCHED From) {                            \
      return {COMPONENT(From.x), COMPONENT(From.y)};                           \
    }                                                                          \
  };                                                                           \
  template <> struct __convert<TYPE##4, FETCHED> {                             \
    static __device__ TYPE##4 __run(FETCHED From) {                            \
      return {COMPONENT(From.x), COMPONENT(From.y), COMPONENT(From.z),         \
              COMPONENT(From.w)};                                              \
    }                                                                          \
  };
REGSHARE_TEXELS(char, (signed char), int4)
REGSHARE_TEXELS(uchar, (unsigned char), uint4)
REGSHARE_TEXELS(short, (short), int4)
REGSHARE_TEXELS(ushort, (unsigned short), uint4)
REGSHARE_TEXELS(int, (int), int4)
REGSHARE_TEXELS(uint, (unsigned), uint4)
REGSHARE_TEXELS(float, (float), float4)
#undef REGSHARE_TEXELS

} // namespace __cuda_tex
} // namespace

#endif

#endif // REGSHARE_CUDA_TYPES_TEXELS_H
