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
/// __clang_cuda_intrinsics.h beside this has it for shuffles.
///
//===----------------------------------------------------------------------===//

#define __nvvm_vote_all(P) __nvvm_vote_all_sync(__nvvm_activemask(), P)
#define __nvvm_vote_any(P) __nvvm_vote_any_sync(__nvvm_activemask(), P)
#define __nvvm_vote_ballot(P) __nvvm_vote_ballot_sync(__nvvm_activemask(), P)
#include_next <__clang_cuda_device_functions.h>
#undef __nvvm_vote_all
#undef __nvvm_vote_any
#undef __nvvm_vote_ballot
