//===- cuda_pipeline_primitives.h - Asynchronous copies ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions __pipeline_* of the CUDA C++ programming guide. They are the
/// instructions cp.async of sm_80 and later; before that copies are done when
/// the call returns.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_PIPELINE_PRIMITIVES_H
#define REGSHARE_CUDA_PIPELINE_PRIMITIVES_H
// By which programs tell that CUDA's header is there.
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)

/// Copies \p Size bytes, 4, 8 or 16, which both addresses are aligned to; the
/// last \p ZFill of them are 0 instead.
static inline __device__ void
__pipeline_memcpy_async(void *__restrict__ Shared,
                        const void *__restrict__ Global, size_t Size,
                        size_t ZFill = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned To = unsigned(__cvta_generic_to_shared(Shared));
  size_t From = __cvta_generic_to_global(Global);
#define REGSHARE_COPY(CACHES, SIZE)                                            \
  if (Size == SIZE) {                                                          \
    if (ZFill)                                                                 \
      asm volatile("cp.async." CACHES ".shared.global [%0], [%1], " #SIZE      \
                   ", %2;" ::"r"(To),                                          \
                   "l"(From), "r"(SIZE - unsigned(ZFill))                      \
                   : "memory");                                                \
    else                                                                       \
      asm volatile("cp.async." CACHES ".shared.global [%0], [%1], " #SIZE      \
                   ";" ::"r"(To),                                              \
                   "l"(From)                                                   \
                   : "memory");                                                \
  }
  REGSHARE_COPY("ca", 4)
  REGSHARE_COPY("ca", 8)
  REGSHARE_COPY("cg", 16)
#undef REGSHARE_COPY
#else
  typedef unsigned int __attribute__((may_alias)) Word;
  if (!ZFill) {
    for (size_t At = 0; At != Size / sizeof(Word); ++At)
      static_cast<Word *>(Shared)[At] = static_cast<const Word *>(Global)[At];
    return;
  }
  for (size_t At = 0; At != Size; ++At)
    static_cast<char *>(Shared)[At] =
        At < Size - ZFill ? static_cast<const char *>(Global)[At] : 0;
#endif
}

/// The thread's copies since its last commit are a group.
static inline __device__ void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits for all groups but the last \p Prior. The instruction takes a
/// constant, so that a larger number than 8 counts as 8, which waits for more.
static inline __device__ void __pipeline_wait_prior(size_t Prior) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define REGSHARE_WAIT(COUNT)                                                   \
  case COUNT:                                                                  \
    asm volatile("cp.async.wait_group " #COUNT ";" ::: "memory");              \
    return;
  switch (Prior) {
    REGSHARE_WAIT(0)
    REGSHARE_WAIT(1)
    REGSHARE_WAIT(2)
    REGSHARE_WAIT(3)
    REGSHARE_WAIT(4)
    REGSHARE_WAIT(5)
    REGSHARE_WAIT(6)
    REGSHARE_WAIT(7)
  default:
    asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
#undef REGSHARE_WAIT
#else
  (void)Prior;
#endif
}

/// The phase of \p Barrier also waits for the thread's copies so far, and the
/// number of arrivals that it expects stays as it is.
static inline __device__ void __pipeline_arrive_on(__mbarrier_t *Barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                   unsigned(__cvta_generic_to_shared(Barrier)))
               : "memory");
#else
  (void)Barrier;
#endif
}

#endif

#endif // REGSHARE_CUDA_PIPELINE_PRIMITIVES_H
