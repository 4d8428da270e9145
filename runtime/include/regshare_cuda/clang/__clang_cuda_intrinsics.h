//===- __clang_cuda_intrinsics.h - clang's, with some functions set aside -===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Found before clang 22's header of this name, where atomicAdd of float2 and
/// float4, __ldcg and __ldcs are inline PTX that is not volatile: an addition
/// whose result nobody reads is left out, and a load is moved over stores and
/// out of loops. Ours are in vector_atomics.h and hinted_accesses.h.
///
/// Shuffles and votes without a member mask, which programs from before Volta
/// have, are instructions that no later processor has, and LLVM ends with an
/// error for one. They become those with a mask, which names the lanes that are
/// active together.
///
//===----------------------------------------------------------------------===//

#define atomicAdd regshare_clang_atomicAdd
#define atomicAdd_block regshare_clang_atomicAdd_block
#define atomicAdd_system regshare_clang_atomicAdd_system
#define __ldcg regshare_clang_ldcg
#define __ldcs regshare_clang_ldcs
#define __nvvm_shfl_idx_i32(VALUE, LANE, CLAMP)                                \
  __nvvm_shfl_sync_idx_i32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_idx_f32(VALUE, LANE, CLAMP)                                \
  __nvvm_shfl_sync_idx_f32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_up_i32(VALUE, LANE, CLAMP)                                 \
  __nvvm_shfl_sync_up_i32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_up_f32(VALUE, LANE, CLAMP)                                 \
  __nvvm_shfl_sync_up_f32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_down_i32(VALUE, LANE, CLAMP)                               \
  __nvvm_shfl_sync_down_i32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_down_f32(VALUE, LANE, CLAMP)                               \
  __nvvm_shfl_sync_down_f32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_bfly_i32(VALUE, LANE, CLAMP)                               \
  __nvvm_shfl_sync_bfly_i32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#define __nvvm_shfl_bfly_f32(VALUE, LANE, CLAMP)                               \
  __nvvm_shfl_sync_bfly_f32(__nvvm_activemask(), VALUE, LANE, CLAMP)
#include_next <__clang_cuda_intrinsics.h>
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#undef __ldcg
#undef __ldcs
#undef __nvvm_shfl_idx_i32
#undef __nvvm_shfl_idx_f32
#undef __nvvm_shfl_up_i32
#undef __nvvm_shfl_up_f32
#undef __nvvm_shfl_down_i32
#undef __nvvm_shfl_down_f32
#undef __nvvm_shfl_bfly_i32
#undef __nvvm_shfl_bfly_f32
