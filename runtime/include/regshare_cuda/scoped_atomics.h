//===- scoped_atomics.h - Atomic functions with order and scope -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions __nv_atomic_* of CUDA 12.8, as the CUDA C++ programming guide
/// lists them. clang's built-in functions do the work; those that move a value
/// take integers alone, so that others travel as such.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_SCOPED_ATOMICS_H
#define REGSHARE_CUDA_SCOPED_ATOMICS_H

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST

// In clang's numbers; it has no clusters.
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM

namespace regshare_atomics {

template <size_t Bytes> struct Integer;
template <> struct Integer<1> {
  typedef unsigned char Type;
};
template <> struct Integer<2> {
  typedef unsigned short Type;
};
template <> struct Integer<4> {
  typedef unsigned int __attribute__((may_alias)) Type;
};
template <> struct Integer<8> {
  typedef unsigned long long __attribute__((may_alias)) Type;
};
template <typename T> using Word = typename Integer<sizeof(T)>::Type;

template <typename T> struct Same {
  typedef T Type;
};

template <typename To, typename From>
static inline __device__ To bitsOf(const From &Value) {
  To Bits;
  __builtin_memcpy(&Bits, &Value, sizeof(Bits));
  return Bits;
}

} // namespace regshare_atomics

// The order has to be a constant where clang writes an instruction for it, as
// it is once these are part of their callers.
#define REGSHARE_ATOMIC                                                        \
  template <typename T> static inline __device__ __attribute__((always_inline))
#define REGSHARE_VALUE typename regshare_atomics::Same<T>::Type

REGSHARE_ATOMIC T __nv_atomic_load_n(T *P, int Order,
                                     int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  using W = regshare_atomics::Word<T>;
  return regshare_atomics::bitsOf<T>(
      __scoped_atomic_load_n(reinterpret_cast<W *>(P), Order, Scope));
}
REGSHARE_ATOMIC void __nv_atomic_load(T *P, T *Result, int Order,
                                      int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  *Result = __nv_atomic_load_n(P, Order, Scope);
}
REGSHARE_ATOMIC void __nv_atomic_store_n(T *P, REGSHARE_VALUE Value, int Order,
                                         int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  using W = regshare_atomics::Word<T>;
  __scoped_atomic_store_n(reinterpret_cast<W *>(P),
                          regshare_atomics::bitsOf<W>(Value), Order, Scope);
}
REGSHARE_ATOMIC void __nv_atomic_store(T *P, T *Value, int Order,
                                       int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(P, *Value, Order, Scope);
}
REGSHARE_ATOMIC T __nv_atomic_exchange_n(T *P, REGSHARE_VALUE Value, int Order,
                                         int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  using W = regshare_atomics::Word<T>;
  return regshare_atomics::bitsOf<T>(__scoped_atomic_exchange_n(
      reinterpret_cast<W *>(P), regshare_atomics::bitsOf<W>(Value), Order,
      Scope));
}
REGSHARE_ATOMIC void
__nv_atomic_exchange(T *P, T *Value, T *Result, int Order,
                     int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  *Result = __nv_atomic_exchange_n(P, *Value, Order, Scope);
}
REGSHARE_ATOMIC bool
__nv_atomic_compare_exchange_n(T *P, T *Expected, REGSHARE_VALUE Value,
                               bool Weak, int Success, int Failure,
                               int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  using W = regshare_atomics::Word<T>;
  W Old = regshare_atomics::bitsOf<W>(*Expected);
  bool Done = __scoped_atomic_compare_exchange_n(
      reinterpret_cast<W *>(P), &Old, regshare_atomics::bitsOf<W>(Value), Weak,
      Success, Failure, Scope);
  *Expected = regshare_atomics::bitsOf<T>(Old);
  return Done;
}
REGSHARE_ATOMIC bool
__nv_atomic_compare_exchange(T *P, T *Expected, T *Value, bool Weak,
                             int Success, int Failure,
                             int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(P, Expected, *Value, Weak, Success,
                                        Failure, Scope);
}

/// Each with the old value, and without.
#define REGSHARE_CHANGE(NAME)                                                  \
  REGSHARE_ATOMIC T __nv_atomic_fetch_##NAME(                                  \
      T *P, REGSHARE_VALUE Value, int Order,                                   \
      int Scope = __NV_THREAD_SCOPE_SYSTEM) {                                  \
    return __scoped_atomic_fetch_##NAME(P, Value, Order, Scope);               \
  }                                                                            \
  REGSHARE_ATOMIC void __nv_atomic_##NAME(                                     \
      T *P, REGSHARE_VALUE Value, int Order,                                   \
      int Scope = __NV_THREAD_SCOPE_SYSTEM) {                                  \
    __scoped_atomic_fetch_##NAME(P, Value, Order, Scope);                      \
  }
REGSHARE_CHANGE(add)
REGSHARE_CHANGE(sub)
REGSHARE_CHANGE(and)
REGSHARE_CHANGE(or)
REGSHARE_CHANGE(xor)
REGSHARE_CHANGE(min)
REGSHARE_CHANGE(max)
#undef REGSHARE_CHANGE
#undef REGSHARE_VALUE
#undef REGSHARE_ATOMIC

/// Fences of the scope; those of one thread order nothing that others see.
static inline __device__ void
__nv_atomic_thread_fence(int Order, int Scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (Order == __NV_ATOMIC_RELAXED || Scope == __NV_THREAD_SCOPE_THREAD)
    return;
  if (Scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else if (Scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else
    __threadfence();
}

#endif // REGSHARE_CUDA_SCOPED_ATOMICS_H
