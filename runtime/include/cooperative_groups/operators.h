//===- cooperative_groups/operators.h - What joins two values -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operators of reductions and scans.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_COOPERATIVE_GROUPS_OPERATORS_H
#define REGSHARE_CUDA_COOPERATIVE_GROUPS_OPERATORS_H

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

#define REGSHARE_OPERATOR(NAME, RESULT)                                        \
  template <typename T = void> struct NAME {                                   \
    inline __device__ T operator()(T A, T B) const { return RESULT; }          \
  };
REGSHARE_OPERATOR(plus, A + B)
REGSHARE_OPERATOR(less, B < A ? B : A)
REGSHARE_OPERATOR(greater, A < B ? B : A)
REGSHARE_OPERATOR(bit_and, A &B)
REGSHARE_OPERATOR(bit_xor, A ^ B)
REGSHARE_OPERATOR(bit_or, A | B)
#undef REGSHARE_OPERATOR

} // namespace cooperative_groups

#endif

#endif // REGSHARE_CUDA_COOPERATIVE_GROUPS_OPERATORS_H
