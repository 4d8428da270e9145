//===- vector_atomics.h - Atomic additions of vectors -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// atomicAdd of float2 and float4 in global memory, from sm_90 on, as the CUDA
/// C++ programming guide lists them: each element is added atomically, the
/// vector as a whole is not.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_VECTOR_ATOMICS_H
#define REGSHARE_CUDA_VECTOR_ATOMICS_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define REGSHARE_VECTOR_ATOMICS(NAME, SCOPE)                                   \
  static inline __device__ float2 NAME(float2 *To, float2 Value) {             \
    float2 Old;                                                                \
    asm volatile("atom" SCOPE ".add.v2.f32 {%0, %1}, [%2], {%3, %4};"          \
                 : "=f"(Old.x), "=f"(Old.y)                                    \
                 : "l"(To), "f"(Value.x), "f"(Value.y)                         \
                 : "memory");                                                  \
    return Old;                                                                \
  }                                                                            \
  static inline __device__ float4 NAME(float4 *To, float4 Value) {             \
    float4 Old;                                                                \
    asm volatile(                                                              \
        "atom" SCOPE ".add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"   \
        : "=f"(Old.x), "=f"(Old.y), "=f"(Old.z), "=f"(Old.w)                   \
        : "l"(To), "f"(Value.x), "f"(Value.y), "f"(Value.z), "f"(Value.w)      \
        : "memory");                                                           \
    return Old;                                                                \
  }
REGSHARE_VECTOR_ATOMICS(atomicAdd, "")
REGSHARE_VECTOR_ATOMICS(atomicAdd_block, ".cta")
REGSHARE_VECTOR_ATOMICS(atomicAdd_system, ".sys")
#undef REGSHARE_VECTOR_ATOMICS
#endif

#endif // REGSHARE_CUDA_VECTOR_ATOMICS_H
