//===- warpgroups/sm90.h - Inline PTX of sm_90a -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What kernels need whose warpgroups have roles: barriers in shared memory,
/// bulk copies, and registers that warpgroups hand to each other. With
/// -DPLAIN the registers stay where they are, and with -DUNBOUNDED launch
/// bounds do not limit them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_KERNELS_WARPGROUPS_SM90_H
#define REGSHARE_KERNELS_WARPGROUPS_SM90_H

#include "../common/check.h"

static constexpr int GroupThreads = 128;

#ifdef UNBOUNDED
#define LAUNCH_BOUNDS(Threads, CTAs) __launch_bounds__(Threads)
#else
#define LAUNCH_BOUNDS(Threads, CTAs) __launch_bounds__(Threads, CTAs)
#endif

/// The thread's warpgroup, which the compiler is to know to be the same for all
/// of a warp.
__device__ inline int warpgroup() {
  return __shfl_sync(~0u, threadIdx.x / GroupThreads, 0);
}

template <int Count> __device__ inline void giveUpRegisters() {
#ifndef PLAIN
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
#endif
}
template <int Count> __device__ inline void getRegisters() {
#ifndef PLAIN
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
#endif
}

__device__ inline unsigned sharedAddress(const void *Pointer) {
  return (unsigned)__cvta_generic_to_shared(Pointer);
}

/// A barrier in shared memory.
struct Barrier {
  unsigned long long Word;

  __device__ void init(unsigned Arrivals) {
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(&Word)),
        "r"(Arrivals)
        : "memory");
  }
  __device__ void arrive() {
    asm volatile(
        "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(&Word))
        : "memory");
  }
  /// One arrival; the phase also needs \p Bytes to be copied.
  __device__ void arriveAndExpect(unsigned Bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     sharedAddress(&Word)),
                 "r"(Bytes)
                 : "memory");
  }
  /// Waits until the phase of that parity is over.
  __device__ void wait(unsigned Parity) {
    unsigned IsOver;
    do
      asm volatile("{\n"
                   ".reg .pred p;\n"
                   "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                   "selp.b32 %0, 1, 0, p;\n"
                   "}"
                   : "=r"(IsOver)
                   : "r"(sharedAddress(&Word)), "r"(Parity)
                   : "memory");
    while (!IsOver);
  }
};

/// Makes barriers visible to copies.
__device__ inline void fenceBarriers() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Copies \p Bytes, a multiple of 16, and tells \p Full.
__device__ inline void copyBulk(void *To, const void *From, unsigned Bytes,
                                Barrier &Full) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(To)),
               "l"(__cvta_generic_to_global(From)), "r"(Bytes),
               "r"(sharedAddress(&Full.Word))
               : "memory");
}

#endif // REGSHARE_KERNELS_WARPGROUPS_SM90_H
