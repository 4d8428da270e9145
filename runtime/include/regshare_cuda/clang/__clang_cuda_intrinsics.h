//===- __clang_cuda_intrinsics.h - clang's, without its vector atomics ----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Found before clang 22's header of this name. There atomicAdd of float2 and
/// float4 is inline PTX that is not volatile, so that an addition whose result
/// nobody reads is left out. Ours are in vector_atomics.h.
///
//===----------------------------------------------------------------------===//

#define atomicAdd regshare_clang_atomicAdd
#define atomicAdd_block regshare_clang_atomicAdd_block
#define atomicAdd_system regshare_clang_atomicAdd_system
#include_next <__clang_cuda_intrinsics.h>
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
