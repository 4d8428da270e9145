//===- __clang_cuda_device_functions.h - clang's, with masks of votes -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Found before clang's header of this name, whose votes without a member mask
/// (__any, __all, __ballot) are of the lanes that are active together, as
/// __clang_cuda_intrinsics.h beside this has it for shuffles. Its atomicCAS
/// orders other accesses (fence.sc.sys and atom.acquire.sys), which CUDA's does
/// not: it is relaxed.
///
//===----------------------------------------------------------------------===//

#define __nvvm_vote_all(P) __nvvm_vote_all_sync(__nvvm_activemask(), P)
#define __nvvm_vote_any(P) __nvvm_vote_any_sync(__nvvm_activemask(), P)
#define __nvvm_vote_ballot(P) __nvvm_vote_ballot_sync(__nvvm_activemask(), P)
#define REGSHARE_CAS(Type, At, Expected, New)                                  \
  __extension__({                                                              \
    Type OldValue = (Expected);                                                \
    __scoped_atomic_compare_exchange_n((At), &OldValue, (Type)(New), false,    \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       __MEMORY_SCOPE_DEVICE);                 \
    OldValue;                                                                  \
  })
#define __nvvm_atom_cas_gen_us(At, Expected, New)                              \
  REGSHARE_CAS(unsigned short, At, Expected, New)
#define __nvvm_atom_cas_gen_i(At, Expected, New)                               \
  REGSHARE_CAS(int, At, Expected, New)
#define __nvvm_atom_cas_gen_ll(At, Expected, New)                              \
  REGSHARE_CAS(long long, At, Expected, New)
#include_next <__clang_cuda_device_functions.h>
#undef __nvvm_atom_cas_gen_us
#undef __nvvm_atom_cas_gen_i
#undef __nvvm_atom_cas_gen_ll
#undef REGSHARE_CAS
#undef __nvvm_vote_all
#undef __nvvm_vote_any
#undef __nvvm_vote_ballot
