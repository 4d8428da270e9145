//===- cuda_awbarrier_primitives.h - Barriers -------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions __mbarrier_* of the CUDA C++ programming guide, on barriers in
/// shared memory. They are the instructions mbarrier.* of sm_80 and later;
/// before that the word has, from its lowest bit on, what a phase expects and
/// what is still to arrive, of 20 bits each, and the number of the phase.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_AWBARRIER_PRIMITIVES_H
#define REGSHARE_CUDA_AWBARRIER_PRIMITIVES_H
// By which programs tell that CUDA's header is there.
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "cuda_runtime.h"
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && defined(__CUDA__)

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define REGSHARE_MBARRIER(CODE, ...)                                           \
  asm volatile("mbarrier." CODE ";" __VA_ARGS__ : "memory")
#define REGSHARE_AT(BARRIER) "r"(unsigned(__cvta_generic_to_shared(BARRIER)))
#endif

static inline __device__ uint32_t __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}

static inline __device__ void __mbarrier_init(__mbarrier_t *Barrier,
                                              uint32_t Expected) {
#ifdef REGSHARE_MBARRIER
  REGSHARE_MBARRIER("init.shared.b64 [%0], %1", ::REGSHARE_AT(Barrier),
                    "r"(Expected));
#else
  *static_cast<volatile __mbarrier_t *>(Barrier) = Expected | uint64_t(Expected)
                                                                  << 20;
#endif
}

/// The memory may be used for something else.
static inline __device__ void __mbarrier_inval(__mbarrier_t *Barrier) {
#ifdef REGSHARE_MBARRIER
  REGSHARE_MBARRIER("inval.shared.b64 [%0]", ::REGSHARE_AT(Barrier));
#else
  (void)Barrier;
#endif
}

#ifndef REGSHARE_MBARRIER
/// The barrier before an arrival, after which \p Drops fewer are expected.
static inline __device__ __mbarrier_token_t
regshare_arrive(__mbarrier_t *Barrier, uint32_t Drops) {
  typedef unsigned long long Word;
  const Word Mask = __mbarrier_maximum_count();
  __threadfence_block();
  while (true) {
    Word Old = *static_cast<volatile __mbarrier_t *>(Barrier);
    Word Expected = (Old & Mask) - Drops, Pending = (Old >> 20 & Mask) - 1;
    Word Phase = (Old >> 40) + !Pending;
    Word New = Expected | (Pending ? Pending : Expected) << 20 | Phase << 40;
    if (atomicCAS(reinterpret_cast<Word *>(Barrier), Old, New) == Old)
      return Old;
  }
}
#endif

/// The token is of the phase that the arrival is for.
static inline __device__ __mbarrier_token_t
__mbarrier_arrive(__mbarrier_t *Barrier) {
#ifdef REGSHARE_MBARRIER
  __mbarrier_token_t Token;
  REGSHARE_MBARRIER(
      "arrive.shared.b64 %0, [%1]", : "=l"(Token) : REGSHARE_AT(Barrier));
  return Token;
#else
  return regshare_arrive(Barrier, 0);
#endif
}

/// Later phases expect one arrival fewer.
static inline __device__ __mbarrier_token_t
__mbarrier_arrive_and_drop(__mbarrier_t *Barrier) {
#ifdef REGSHARE_MBARRIER
  __mbarrier_token_t Token;
  REGSHARE_MBARRIER(
      "arrive_drop.shared.b64 %0, [%1]", : "=l"(Token) : REGSHARE_AT(Barrier));
  return Token;
#else
  return regshare_arrive(Barrier, 1);
#endif
}

/// Whether the phase of \p Token has been completed.
static inline __device__ bool __mbarrier_test_wait(__mbarrier_t *Barrier,
                                                   __mbarrier_token_t Token) {
#ifdef REGSHARE_MBARRIER
  unsigned IsDone;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(IsDone)
               : REGSHARE_AT(Barrier), "l"(Token)
               : "memory");
  return IsDone;
#else
  bool IsDone =
      *static_cast<volatile __mbarrier_t *>(Barrier) >> 40 != Token >> 40;
  __threadfence_block();
  return IsDone;
#endif
}

/// What was still to arrive in the phase of \p Token, with that arrival.
static inline __device__ uint32_t
__mbarrier_token_pending_count(__mbarrier_token_t Token) {
#ifdef REGSHARE_MBARRIER
  uint32_t Count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(Count) : "l"(Token));
  return Count;
#else
  return uint32_t(Token >> 20) & __mbarrier_maximum_count();
#endif
}

/// Whether the last phase of that parity has been completed.
static inline __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *Barrier,
                                                          bool Parity) {
#ifdef REGSHARE_MBARRIER
  unsigned IsDone;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], "
               "%2; selp.u32 %0, 1, 0, p; }"
               : "=r"(IsDone)
               : REGSHARE_AT(Barrier), "r"(unsigned(Parity))
               : "memory");
  return IsDone;
#else
  bool Phase = *static_cast<volatile __mbarrier_t *>(Barrier) >> 40 & 1;
  __threadfence_block();
  return Phase != Parity;
#endif
}

/// As __mbarrier_test_wait; a caller tests again until it is so.
static inline __device__ bool __mbarrier_try_wait(__mbarrier_t *Barrier,
                                                  __mbarrier_token_t Token,
                                                  uint32_t /*Nanoseconds*/) {
  return __mbarrier_test_wait(Barrier, Token);
}
static inline __device__ bool
__mbarrier_try_wait_parity(__mbarrier_t *Barrier, bool Parity,
                           uint32_t /*Nanoseconds*/) {
  return __mbarrier_test_wait_parity(Barrier, Parity);
}

#undef REGSHARE_MBARRIER
#undef REGSHARE_AT

#endif

#endif // REGSHARE_CUDA_AWBARRIER_PRIMITIVES_H
