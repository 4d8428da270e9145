//===- FuzzKernel.h - The language of random kernels -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What random kernels may use, twice: as CUDA for clang's NVPTX target, and
/// as plain C++ in which threads are fibers and the warp's operations are
/// functions of HostRuntime.cpp. The same kernel text compiles as both. Both
/// need -fwrapv -fno-strict-aliasing -ffp-contract=off.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_FUZZ_FUZZKERNEL_H
#define REGSHARE_UNITTESTS_FUZZ_FUZZKERNEL_H

// NOLINTBEGIN(readability-identifier-naming): the language is C's, as
// are its names.

using u8 = unsigned char;
using s8 = signed char;
using u16 = unsigned short;
using s16 = short;
using u32 = unsigned;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using f16 = _Float16;
using f32 = float;
using f64 = double;

/// A kernel's argument by value: fields of many sizes.
struct FuzzParams {
  u8 B;
  s16 T;
  u32 U;
  f32 F;
  u64 Q;
  f64 D;
  s8 C[5];
  u16 H[3];
};

/// Words of global memory that one thread owns: results, then scratch.
inline constexpr u32 FuzzResults = 32, FuzzScratch = 16;
inline constexpr u32 FuzzStride = FuzzResults + FuzzScratch;
inline constexpr u32 FuzzInputs = 256, FuzzAccumulators = 64;
inline constexpr u32 FuzzMaxThreads = 128;

struct alignas(8) FuzzV2 {
  u32 X, Y;
};
struct alignas(16) FuzzV4 {
  u32 X, Y, Z, W;
};
struct alignas(8) FuzzH4 {
  u16 X, Y, Z, W;
};
struct alignas(16) FuzzD2 {
  u64 X, Y;
};

#ifdef __CUDA__
#define FUZZ_DEVICE static __attribute__((device))
#define FUZZ_CONSTANT static __attribute__((constant)) const
#define FUZZ_GLOBAL __attribute__((device))
#define FUZZ_SHARED static __attribute__((shared))
#define FUZZ_KERNEL extern "C" __attribute__((global))
#define FUZZ_TID_X __nvvm_read_ptx_sreg_tid_x()
#define FUZZ_TID_Y __nvvm_read_ptx_sreg_tid_y()
#define FUZZ_NTID_X __nvvm_read_ptx_sreg_ntid_x()
#define FUZZ_NTID_Y __nvvm_read_ptx_sreg_ntid_y()
#define FUZZ_CTAID __nvvm_read_ptx_sreg_ctaid_x()
#else
#define FUZZ_DEVICE static
#define FUZZ_CONSTANT static const
#define FUZZ_GLOBAL static
#define FUZZ_SHARED static
#define FUZZ_KERNEL extern "C"
#define FUZZ_TID_X (fz_thread.TidX)
#define FUZZ_TID_Y (fz_thread.TidY)
#define FUZZ_NTID_X (fz_thread.NTidX)
#define FUZZ_NTID_Y (fz_thread.NTidY)
#define FUZZ_CTAID (fz_thread.CtaId)
#endif
#define FUZZ_NOINLINE __attribute__((noinline))

struct FuzzThread {
  u32 TidX, TidY, NTidX, NTidY, CtaId;
};

#ifdef __CUDA__

#define FUZZ_C_u16 "h"
#define FUZZ_C_s16 "h"
#define FUZZ_C_u32 "r"
#define FUZZ_C_s32 "r"
#define FUZZ_C_u64 "l"
#define FUZZ_C_s64 "l"
#define FUZZ_C_f32 "f"
#define FUZZ_C_f64 "d"
#define FUZZ_OP1(R, NAME, A, PTX)                                              \
  FUZZ_DEVICE inline R fz_##NAME(A a) {                                        \
    R r;                                                                       \
    asm(PTX : "=" FUZZ_C_##R(r) : FUZZ_C_##A(a));                              \
    return r;                                                                  \
  }
#define FUZZ_OP2(R, NAME, A, B, PTX)                                           \
  FUZZ_DEVICE inline R fz_##NAME(A a, B b) {                                   \
    R r;                                                                       \
    asm(PTX : "=" FUZZ_C_##R(r) : FUZZ_C_##A(a), FUZZ_C_##B(b));               \
    return r;                                                                  \
  }
#define FUZZ_OP3(R, NAME, A, B, C, PTX)                                        \
  FUZZ_DEVICE inline R fz_##NAME(A a, B b, C c) {                              \
    R r;                                                                       \
    asm(PTX                                                                    \
        : "=" FUZZ_C_##R(r)                                                    \
        : FUZZ_C_##A(a), FUZZ_C_##B(b), FUZZ_C_##C(c));                        \
    return r;                                                                  \
  }
#include "Operations.def"
#undef FUZZ_OP1
#undef FUZZ_OP2
#undef FUZZ_OP3

FUZZ_DEVICE inline void fz_barrier() { __nvvm_bar_sync(0); }
FUZZ_DEVICE inline u32 fz_barrier_count(bool P) { return __nvvm_bar0_popc(P); }
FUZZ_DEVICE inline bool fz_barrier_and(bool P) { return __nvvm_bar0_and(P); }
FUZZ_DEVICE inline bool fz_barrier_or(bool P) { return __nvvm_bar0_or(P); }
FUZZ_DEVICE inline void fz_barrier_named(u32 N, u32 Threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(N), "r"(Threads) : "memory");
}
FUZZ_DEVICE inline void fz_warp_barrier(u32 M) { __nvvm_bar_warp_sync(M); }
FUZZ_DEVICE inline u32 fz_ballot(u32 M, bool P) {
  return __nvvm_vote_ballot_sync(M, P);
}
FUZZ_DEVICE inline bool fz_any(u32 M, bool P) {
  return __nvvm_vote_any_sync(M, P);
}
FUZZ_DEVICE inline bool fz_all(u32 M, bool P) {
  return __nvvm_vote_all_sync(M, P);
}
FUZZ_DEVICE inline bool fz_uni(u32 M, bool P) {
  return __nvvm_vote_uni_sync(M, P);
}
FUZZ_DEVICE inline u32 fz_match_any(u32 M, u32 V) {
  return __nvvm_match_any_sync_i32(M, V);
}
FUZZ_DEVICE inline u32 fz_match_any64(u32 M, u64 V) {
  return __nvvm_match_any_sync_i64(M, V);
}
FUZZ_DEVICE inline u32 fz_match_all(u32 M, u32 V) {
  int P;
  u32 R = __nvvm_match_all_sync_i32p(M, V, &P);
  return R + P;
}
FUZZ_DEVICE inline u32 fz_lane() { return __nvvm_read_ptx_sreg_laneid(); }
FUZZ_DEVICE inline u32 fz_lanemask_lt() {
  return __nvvm_read_ptx_sreg_lanemask_lt();
}
FUZZ_DEVICE inline u32 fz_shfl_raw_idx(u32 M, u32 V, u32 B, u32 C) {
  return __nvvm_shfl_sync_idx_i32(M, V, B, C);
}
FUZZ_DEVICE inline u32 fz_shfl_raw_up(u32 M, u32 V, u32 B, u32 C) {
  return __nvvm_shfl_sync_up_i32(M, V, B, C);
}
FUZZ_DEVICE inline u32 fz_shfl_raw_down(u32 M, u32 V, u32 B, u32 C) {
  return __nvvm_shfl_sync_down_i32(M, V, B, C);
}
FUZZ_DEVICE inline u32 fz_shfl_raw_bfly(u32 M, u32 V, u32 B, u32 C) {
  return __nvvm_shfl_sync_bfly_i32(M, V, B, C);
}

#define FUZZ_ATOMIC(NAME, T, PTX, CONSTRAINT)                                  \
  FUZZ_DEVICE inline T fz_atomic_##NAME(T *P, T V) {                           \
    T R;                                                                       \
    asm volatile("atom." PTX " %0, [%1], %2;"                                  \
                 : "=" CONSTRAINT(R)                                           \
                 : "l"(P), CONSTRAINT(V)                                       \
                 : "memory");                                                  \
    return R;                                                                  \
  }                                                                            \
  FUZZ_DEVICE inline void fz_red_##NAME(T *P, T V) {                           \
    asm volatile("red." PTX " [%0], %1;" ::"l"(P), CONSTRAINT(V) : "memory");  \
  }
FUZZ_ATOMIC(add32, u32, "add.u32", "r")
FUZZ_ATOMIC(add64, u64, "add.u64", "l")
FUZZ_ATOMIC(addf, f32, "add.f32", "f")
FUZZ_ATOMIC(addd, f64, "add.f64", "d")
FUZZ_ATOMIC(and32, u32, "and.b32", "r")
FUZZ_ATOMIC(or32, u32, "or.b32", "r")
FUZZ_ATOMIC(xor64, u64, "xor.b64", "l")
FUZZ_ATOMIC(mins32, s32, "min.s32", "r")
FUZZ_ATOMIC(maxu32, u32, "max.u32", "r")
FUZZ_ATOMIC(maxs64, s64, "max.s64", "l")
FUZZ_ATOMIC(minu64, u64, "min.u64", "l")
FUZZ_ATOMIC(inc, u32, "inc.u32", "r")
FUZZ_ATOMIC(dec, u32, "dec.u32", "r")
#undef FUZZ_ATOMIC
FUZZ_DEVICE inline u32 fz_atomic_exch(u32 *P, u32 V) {
  return __nvvm_atom_xchg_gen_i((int *)P, V);
}
FUZZ_DEVICE inline u32 fz_atomic_cas(u32 *P, u32 Old, u32 New) {
  return __nvvm_atom_cas_gen_i((int *)P, Old, New);
}
FUZZ_DEVICE inline u64 fz_atomic_cas64(u64 *P, u64 Old, u64 New) {
  return __nvvm_atom_cas_gen_ll((long long *)P, Old, New);
}

#else

extern "C" FuzzThread fz_thread;
#define FUZZ_OP1(R, NAME, A, PTX) extern "C" R fz_##NAME(A);
#define FUZZ_OP2(R, NAME, A, B, PTX) extern "C" R fz_##NAME(A, B);
#define FUZZ_OP3(R, NAME, A, B, C, PTX) extern "C" R fz_##NAME(A, B, C);
#include "Operations.def"
#undef FUZZ_OP1
#undef FUZZ_OP2
#undef FUZZ_OP3

extern "C" {
void fz_barrier();
u32 fz_barrier_count(bool P);
bool fz_barrier_and(bool P);
bool fz_barrier_or(bool P);
void fz_barrier_named(u32 N, u32 Threads);
void fz_warp_barrier(u32 M);
u32 fz_ballot(u32 M, bool P);
bool fz_any(u32 M, bool P);
bool fz_all(u32 M, bool P);
bool fz_uni(u32 M, bool P);
u32 fz_match_any(u32 M, u32 V);
u32 fz_match_any64(u32 M, u64 V);
u32 fz_match_all(u32 M, u32 V);
u32 fz_lane();
u32 fz_shfl_raw_idx(u32 M, u32 V, u32 B, u32 C);
u32 fz_shfl_raw_up(u32 M, u32 V, u32 B, u32 C);
u32 fz_shfl_raw_down(u32 M, u32 V, u32 B, u32 C);
u32 fz_shfl_raw_bfly(u32 M, u32 V, u32 B, u32 C);
}
inline u32 fz_lanemask_lt() { return (1u << fz_lane()) - 1; }

// Fibers change only where they wait: plain operations are atomic.
#define FUZZ_ATOMIC(NAME, T, EXPR)                                             \
  inline T fz_atomic_##NAME(T *P, T V) {                                       \
    T Old = *P;                                                                \
    *P = EXPR;                                                                 \
    return Old;                                                                \
  }                                                                            \
  inline void fz_red_##NAME(T *P, T V) { fz_atomic_##NAME(P, V); }
FUZZ_ATOMIC(add32, u32, Old + V)
FUZZ_ATOMIC(add64, u64, Old + V)
FUZZ_ATOMIC(addf, f32, Old + V)
FUZZ_ATOMIC(addd, f64, Old + V)
FUZZ_ATOMIC(and32, u32, Old &V)
FUZZ_ATOMIC(or32, u32, Old | V)
FUZZ_ATOMIC(xor64, u64, Old ^ V)
FUZZ_ATOMIC(mins32, s32, Old < V ? Old : V)
FUZZ_ATOMIC(maxu32, u32, Old > V ? Old : V)
FUZZ_ATOMIC(maxs64, s64, Old > V ? Old : V)
FUZZ_ATOMIC(minu64, u64, Old < V ? Old : V)
FUZZ_ATOMIC(inc, u32, Old >= V ? 0 : Old + 1)
FUZZ_ATOMIC(dec, u32, Old == 0 || Old > V ? V : Old - 1)
FUZZ_ATOMIC(exch, u32, V)
#undef FUZZ_ATOMIC
inline u32 fz_atomic_cas(u32 *P, u32 Compare, u32 New) {
  u32 Old = *P;
  *P = Old == Compare ? New : Old;
  return Old;
}
inline u64 fz_atomic_cas64(u64 *P, u64 Compare, u64 New) {
  u64 Old = *P;
  *P = Old == Compare ? New : Old;
  return Old;
}

#endif

// What both sides build from the above.

template <typename T> FUZZ_DEVICE inline T fz_add(T A, T B) { return A + B; }
template <typename T> FUZZ_DEVICE inline T fz_sub(T A, T B) { return A - B; }
template <typename T> FUZZ_DEVICE inline T fz_mul(T A, T B) { return A * B; }

template <typename T> FUZZ_DEVICE inline T fz_div(T A, T B) {
  if (B == 0)
    return A;
  if (T(-1) < T(0) && B == T(-1))
    return 0 - A;
  return A / B;
}
template <typename T> FUZZ_DEVICE inline T fz_rem(T A, T B) {
  if (B == 0 || (T(-1) < T(0) && B == T(-1)))
    return 0;
  return A % B;
}
/// NaNs of different origin differ in bits that nobody promises.
FUZZ_DEVICE inline u32 fz_bits(f32 V) {
  return V != V ? 0x7FC00000u : __builtin_bit_cast(u32, V);
}
FUZZ_DEVICE inline u64 fz_bits(f64 V) {
  return V != V ? 0x7FF8000000000000ull : __builtin_bit_cast(u64, V);
}
FUZZ_DEVICE inline u16 fz_bits(f16 V) {
  return V != V ? u16(0x7E00) : __builtin_bit_cast(u16, V);
}
FUZZ_DEVICE inline f32 fz_f32(u32 V) { return __builtin_bit_cast(f32, V); }
FUZZ_DEVICE inline f64 fz_f64(u64 V) { return __builtin_bit_cast(f64, V); }
FUZZ_DEVICE inline f16 fz_f16(u16 V) { return __builtin_bit_cast(f16, V); }
FUZZ_DEVICE inline f32 fz_copysign(f32 A, f32 B) {
  return __builtin_copysignf(A, B != B ? 1.0f : B);
}
FUZZ_DEVICE inline f64 fz_copysign(f64 A, f64 B) {
  return __builtin_copysign(A, B != B ? 1.0 : B);
}

/// A value of any type out of the input words, which hold what arithmetic goes
/// wrong with.
template <typename T> FUZZ_DEVICE inline T fz_in(const u32 *In, u32 At) {
  u32 Word = In[At & 255];
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, u64(Word) << 32 | In[(At >> 3) & 255]);
  else if constexpr (T(0.5) == T(0))
    return T(Word);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, Word);
  else
    return __builtin_bit_cast(T, u16(Word >> 16));
}
/// A checksum over values of any type.
template <typename T> FUZZ_DEVICE inline u32 fz_mix(u32 Sum, T V) {
  u64 Bits;
  if constexpr (T(0.5) == T(0))
    Bits = u64(V);
  else
    Bits = fz_bits(V);
  return ((Sum << 5 | Sum >> 27) ^ u32(Bits)) + u32(Bits >> 32);
}

/// Lanes of the warp that exist, in blocks that are no multiple of 32.
FUZZ_DEVICE inline u32 fz_warp_mask() {
  u32 Threads = FUZZ_NTID_X * FUZZ_NTID_Y;
  u32 First = (FUZZ_TID_Y * FUZZ_NTID_X + FUZZ_TID_X) & ~31u;
  return Threads - First >= 32 ? ~0u : (1u << (Threads - First)) - 1;
}
/// A lane of the mask, chosen by Which.
FUZZ_DEVICE inline u32 fz_pick(u32 Mask, u32 Which) {
  for (Which %= fz_popc32(Mask); Which; --Which)
    Mask &= Mask - 1;
  return 31 - fz_clz32(Mask & -Mask);
}
FUZZ_DEVICE inline u32 fz_shfl_idx(u32 M, u32 V, u32 Which) {
  return fz_shfl_raw_idx(M, V, fz_pick(M, Which), 31);
}
/// The other shuffles deliver the lane's own value where the source is not a
/// member. Width is a power of two.
FUZZ_DEVICE inline u32 fz_shfl_up(u32 M, u32 V, u32 D, u32 Width) {
  D &= 31;
  u32 Got = fz_shfl_raw_up(M, V, D, (32 - Width) << 8);
  u32 In = fz_lane() & (Width - 1);
  return D > In || (M >> (fz_lane() - D) & 1) ? Got : V;
}
FUZZ_DEVICE inline u32 fz_shfl_down(u32 M, u32 V, u32 D, u32 Width) {
  D &= 31;
  u32 Got = fz_shfl_raw_down(M, V, D, (32 - Width) << 8 | 31);
  u32 In = fz_lane() & (Width - 1);
  return In + D >= Width || (M >> (fz_lane() + D) & 1) ? Got : V;
}
FUZZ_DEVICE inline u32 fz_shfl_xor(u32 M, u32 V, u32 D, u32 Width) {
  D &= 31;
  u32 Got = fz_shfl_raw_bfly(M, V, D, (32 - Width) << 8 | 31);
  u32 From = fz_lane() ^ D;
  return From > (fz_lane() | (Width - 1)) || (M >> From & 1) ? Got : V;
}
FUZZ_DEVICE inline u64 fz_shfl_idx64(u32 M, u64 V, u32 Which) {
  return u64(fz_shfl_idx(M, u32(V >> 32), Which)) << 32 |
         fz_shfl_idx(M, u32(V), Which);
}

enum FuzzReduction { FuzzAdd, FuzzMin, FuzzMax, FuzzAnd, FuzzOr, FuzzXor };
/// A reduction over the members: redux.sync where there is one.
template <FuzzReduction Op, typename T>
FUZZ_DEVICE inline T fz_redux(u32 M, T V) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  constexpr bool Signed = T(-1) < T(0);
  u32 R;
  if (Op == FuzzAdd)
    asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else if (Op == FuzzMin && Signed)
    asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else if (Op == FuzzMin)
    asm volatile("redux.sync.min.u32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else if (Op == FuzzMax && Signed)
    asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else if (Op == FuzzMax)
    asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else if (Op == FuzzAnd)
    asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else if (Op == FuzzOr)
    asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  else
    asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(R) : "r"(V), "r"(M));
  return T(R);
#else
  u32 First = fz_pick(M, 0);
  T R = T(fz_shfl_raw_idx(M, u32(V), First, 31));
  for (u32 L = First + 1; L < 32; ++L) {
    if (!(M >> L & 1))
      continue;
    T O = T(fz_shfl_raw_idx(M, u32(V), L, 31));
    R = Op == FuzzAdd   ? R + O
        : Op == FuzzMin ? (O < R ? O : R)
        : Op == FuzzMax ? (O > R ? O : R)
        : Op == FuzzAnd ? R & O
        : Op == FuzzOr  ? R | O
                        : R ^ O;
  }
  return R;
#endif
}

/// Adds by compare and swap.
FUZZ_DEVICE inline void fz_cas_add(u32 *P, u32 V) {
  u32 Old = *(volatile u32 *)P, Seen;
  while ((Seen = fz_atomic_cas(P, Old, Old + V)) != Old)
    Old = Seen;
}

/// Read-only tables in the memory spaces that initialisers fill.
FUZZ_CONSTANT u32 fz_ctab[16] = {
    0x00000000, 0x00000001, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x0000FFFF,
    0x12345678, 0x9ABCDEF0, 0x00008000, 0xFFFF8000, 0x55555555, 0xAAAAAAAA,
    0x3F800000, 0xC0490FDB, 0x00000020, 0x0000001F};
FUZZ_CONSTANT u16 fz_chalf[8] = {0, 1, 0x8000, 0x7FFF, 0xFFFF, 0x3C00, 77, 300};
#ifdef __CUDA__
#define FUZZ_TABLE static FUZZ_GLOBAL
#else
#define FUZZ_TABLE static
#endif
FUZZ_TABLE u32 fz_gtab[8] = {3, 1u << 31, 0xFFFFFF01, 7, 0xDEADBEEF, 2, 64, 10};
FUZZ_TABLE const u64 fz_qtab[4] = {1, ~0ull, 1ull << 63, 0x123456789ABCDEFull};
FUZZ_TABLE u32 *fz_ptab[4] = {fz_gtab, fz_gtab + 4, fz_gtab + 1, fz_gtab + 2};

// The variables of every kernel, and where they go at its end.
#define FUZZ_BEGIN                                                             \
  const u32 Tid = FUZZ_TID_Y * FUZZ_NTID_X + FUZZ_TID_X;                       \
  const u32 NThreads = FUZZ_NTID_X * FUZZ_NTID_Y;                              \
  const u32 Gid = FUZZ_CTAID * NThreads + Tid;                                 \
  u32 *Own = Out + Gid * FuzzStride;                                           \
  u32 *Scratch = Own + FuzzResults;                                            \
  u32 m0 = fz_warp_mask(), sum = 0;                                            \
  u32 u0 = In[Tid & 255], u1 = Gid, u2 = P.U;                                  \
  s32 s0 = s32(In[(Tid * 7 + 3) & 255]), s1 = s32(Tid) - 11, s2 = P.T;         \
  u64 q0 = P.Q, q1 = u64(In[(Tid + 9) & 255]) << 32 | In[Gid & 255];           \
  s64 t0 = s64(q1 >> 7) - s64(Tid), t1 = -s64(Gid);                            \
  u8 b0 = u8(Gid * 37), b1 = P.B;                                              \
  s8 c0 = P.C[Tid % 5];                                                        \
  u16 h0 = P.H[Tid % 3], h1 = u16(In[(Gid * 3) & 255]);                        \
  s16 i0 = s16(In[(Gid * 5 + 1) & 255] >> 3);                                  \
  f32 f0 = P.F * f32(s32(Tid)), f1 = fz_f32(In[(Tid * 3 + 64) & 255]);         \
  f64 d0 = P.D, d1 = f64(s1) / 3.0;                                            \
  f16 e0 = f16(f32(Tid) * 0.25f);                                              \
  u32 la[8];                                                                   \
  u8 lb[16];                                                                   \
  u64 lq[4];                                                                   \
  for (u32 I = 0; I < 16; ++I) {                                               \
    la[I & 7] = In[(Gid + I) & 255];                                           \
    lb[I] = u8(Tid + I * 31);                                                  \
    lq[I & 3] = q1 + I;                                                        \
    Scratch[I] = In[(Tid + 16 * I) & 255];                                     \
  }
#define FUZZ_END                                                               \
  Own[0] = u0, Own[1] = u1, Own[2] = u2, Own[3] = u32(s0), Own[4] = u32(s1),   \
  Own[5] = u32(s2), Own[6] = u32(q0), Own[7] = u32(q0 >> 32),                  \
  Own[8] = u32(q1), Own[9] = u32(q1 >> 32), Own[10] = u32(t0),                 \
  Own[11] = u32(t0 >> 32), Own[12] = u32(t1), Own[13] = u32(t1 >> 32),         \
  Own[14] = b0, Own[15] = b1, Own[16] = u32(s32(c0)), Own[17] = h0,            \
  Own[18] = h1, Own[19] = u32(s32(i0)), Own[20] = fz_bits(f0),                 \
  Own[21] = fz_bits(f1), Own[22] = u32(fz_bits(d0)),                           \
  Own[23] = u32(fz_bits(d0) >> 32), Own[24] = u32(fz_bits(d1)),                \
  Own[25] = u32(fz_bits(d1) >> 32), Own[26] = fz_bits(e0),                     \
  Own[27] = la[u0 & 7] + la[0], Own[28] = lb[s0 & 15] + 256u * lb[3],          \
  Own[29] = u32(lq[q0 & 3]), Own[30] = la[7] ^ u32(lq[1] >> 32),               \
  Own[31] = m0 + sum;

/// A mixture of all words, for each thread another one.
FUZZ_DEVICE inline u32 sh_acc_words(const u32 *Words, u32 Start) {
  u32 Mix = Start;
  for (u32 I = 0; I < FuzzAccumulators; ++I)
    Mix = (Mix << 5 | Mix >> 27) ^ Words[(Start + I) % FuzzAccumulators];
  return Mix;
}

/// What an accumulator holds before the first operation: the kind of operation
/// is its index modulo 10, see Generator::sharedAtomic.
FUZZ_DEVICE inline u32 fz_acc_start(u32 Index) {
  return Index >= 32       ? 0
         : Index % 10 == 1 ? 0xFFFFFFFF
         : Index % 10 == 3 ? 0x7FFFFFFF
                           : 0;
}

#define FUZZ_SHARED_BEGIN                                                      \
  FUZZ_SHARED u32 sh_ro[32], sh_w[FuzzMaxThreads];                             \
  FUZZ_SHARED u64 sh_q[FuzzMaxThreads];                                        \
  FUZZ_SHARED u8 sh_b[FuzzMaxThreads];                                         \
  FUZZ_SHARED u64 sh_acc_pairs[FuzzAccumulators / 2];                          \
  u32 *const sh_acc = (u32 *)sh_acc_pairs;                                     \
  sh_w[Tid] = Gid, sh_q[Tid] = q1, sh_b[Tid] = u8(Gid);                        \
  for (u32 I = Tid; I < FuzzAccumulators; I += NThreads) {                     \
    sh_ro[I & 31] = In[((I & 31) * 5 + FUZZ_CTAID) & 255];                     \
    sh_acc[I] = fz_acc_start(I);                                               \
  }                                                                            \
  fz_barrier();
#define FUZZ_SHARED_END                                                        \
  fz_barrier();                                                                \
  Own[31] += sh_acc_words(sh_acc, Tid);

/// What the host's build exports for the harness.
using FuzzKernelFn = void (*)(const u32 *In, u32 *Out, u32 *Acc, FuzzParams P);

// NOLINTEND(readability-identifier-naming)

#endif // REGSHARE_UNITTESTS_FUZZ_FUZZKERNEL_H
