//===- mma.h - Products of matrices by a warp -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the CUDA C++ programming guide describes in "Warp Matrix Functions".
/// Each function is one built-in of clang's, which is one PTX instruction.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_MMA_H
#define REGSHARE_CUDA_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace regshare_detail {
/// How elements of a type are kept, and how many lie in one of these.
template <typename T> struct Storage {
  using type = T;
  static constexpr int together = 1;
};
template <> struct Storage<precision::tf32> : Storage<float> {};
template <> struct Storage<experimental::precision::u4> {
  using type = unsigned;
  static constexpr int together = 8;
};
template <> struct Storage<experimental::precision::s4> {
  using type = int;
  static constexpr int together = 8;
};
template <> struct Storage<experimental::precision::b1> {
  using type = unsigned;
  static constexpr int together = 32;
};

/// Clang's built-in functions access it by words.
template <typename T, int Elements>
struct __attribute__((aligned(8))) Elements_of {
  enum {
    num_elements = Elements,
    num_storage_elements = Elements / Storage<T>::together
  };
  using element_type = T;
  using storage_element_type = typename Storage<T>::type;
  storage_element_type x[num_storage_elements];
};
} // namespace regshare_detail

/// A lane's part of a matrix. Shapes and types that there are, are below.
template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment;

template <typename Use, int m, int n, int k, typename T, typename Layout>
__device__ inline void
fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
              const typename regshare_detail::Storage<T>::type &value) {
  for (int i = 0; i < f.num_storage_elements; ++i)
    f.x[i] = value;
}

#define REGSHARE_WMMA_FRAGMENT(USE, M, N, K, T, LAYOUT, COUNT)                 \
  template <>                                                                  \
  class fragment<USE, M, N, K, T, LAYOUT>                                      \
      : public regshare_detail::Elements_of<T, COUNT> {};

/// A or B in one order, of registers of type REGISTER.
#define REGSHARE_WMMA_FACTOR(USE, M, N, K, T, LAYOUT, ORDER, COUNT, LOAD,      \
                             REGISTER, MEMORY)                                 \
  REGSHARE_WMMA_FRAGMENT(USE, M, N, K, T, LAYOUT, COUNT)                       \
  __device__ inline void load_matrix_sync(                                     \
      fragment<USE, M, N, K, T, LAYOUT> &f, const MEMORY *p, unsigned ldm) {   \
    LOAD(reinterpret_cast<REGISTER *>(f.x),                                    \
         reinterpret_cast<const REGISTER *>(p), ldm, ORDER);                   \
  }

#define REGSHARE_WMMA_FACTORS(M, N, K, T, COUNT_A, COUNT_B, LOAD_A, LOAD_B,    \
                              REGISTER, MEMORY)                                \
  REGSHARE_WMMA_FACTOR(matrix_a, M, N, K, T, row_major, 0, COUNT_A, LOAD_A,    \
                       REGISTER, MEMORY)                                       \
  REGSHARE_WMMA_FACTOR(matrix_a, M, N, K, T, col_major, 1, COUNT_A, LOAD_A,    \
                       REGISTER, MEMORY)                                       \
  REGSHARE_WMMA_FACTOR(matrix_b, M, N, K, T, row_major, 0, COUNT_B, LOAD_B,    \
                       REGISTER, MEMORY)                                       \
  REGSHARE_WMMA_FACTOR(matrix_b, M, N, K, T, col_major, 1, COUNT_B, LOAD_B,    \
                       REGISTER, MEMORY)

/// C and D.
#define REGSHARE_WMMA_ACCUMULATOR(M, N, K, T, COUNT, LOAD, STORE, REGISTER)    \
  REGSHARE_WMMA_FRAGMENT(accumulator, M, N, K, T, void, COUNT)                 \
  __device__ inline void load_matrix_sync(                                     \
      fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm,          \
      layout_t layout) {                                                       \
    auto *to = reinterpret_cast<REGISTER *>(f.x);                              \
    auto *from = reinterpret_cast<const REGISTER *>(p);                        \
    if (layout == mem_row_major)                                               \
      LOAD(to, from, ldm, 0);                                                  \
    else                                                                       \
      LOAD(to, from, ldm, 1);                                                  \
  }                                                                            \
  __device__ inline void store_matrix_sync(                                    \
      T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,          \
      layout_t layout) {                                                       \
    auto *to = reinterpret_cast<REGISTER *>(p);                                \
    auto *from = reinterpret_cast<const REGISTER *>(f.x);                      \
    if (layout == mem_row_major)                                               \
      STORE(to, from, ldm, 0);                                                 \
    else                                                                       \
      STORE(to, from, ldm, 1);                                                 \
  }

/// SATURATES is 1 where the instruction can saturate.
#define REGSHARE_WMMA_PRODUCT(M, N, K, T, TD, TC, A, B, ORDER, MULTIPLY,       \
                              REGISTER, RD, RC, SATURATES)                     \
  __device__ inline void mma_sync(fragment<accumulator, M, N, K, TD> &d,       \
                                  const fragment<matrix_a, M, N, K, T, A> &a,  \
                                  const fragment<matrix_b, M, N, K, T, B> &b,  \
                                  const fragment<accumulator, M, N, K, TC> &c, \
                                  bool satf = false) {                         \
    auto *rd = reinterpret_cast<RD *>(d.x);                                    \
    auto *ra = reinterpret_cast<const REGISTER *>(a.x);                        \
    auto *rb = reinterpret_cast<const REGISTER *>(b.x);                        \
    auto *rc = reinterpret_cast<const RC *>(c.x);                              \
    if (satf)                                                                  \
      MULTIPLY(rd, ra, rb, rc, ORDER, SATURATES);                              \
    else                                                                       \
      MULTIPLY(rd, ra, rb, rc, ORDER, 0);                                      \
  }

#define REGSHARE_WMMA_PRODUCTS(M, N, K, T, TD, TC, MULTIPLY, REGISTER, RD, RC, \
                               SATURATES)                                      \
  REGSHARE_WMMA_PRODUCT(M, N, K, T, TD, TC, row_major, row_major, 0, MULTIPLY, \
                        REGISTER, RD, RC, SATURATES)                           \
  REGSHARE_WMMA_PRODUCT(M, N, K, T, TD, TC, row_major, col_major, 1, MULTIPLY, \
                        REGISTER, RD, RC, SATURATES)                           \
  REGSHARE_WMMA_PRODUCT(M, N, K, T, TD, TC, col_major, row_major, 2, MULTIPLY, \
                        REGISTER, RD, RC, SATURATES)                           \
  REGSHARE_WMMA_PRODUCT(M, N, K, T, TD, TC, col_major, col_major, 3, MULTIPLY, \
                        REGISTER, RD, RC, SATURATES)

#define REGSHARE_WMMA_HALF(M, N, K, SHAPE)                                     \
  REGSHARE_WMMA_FACTORS(M, N, K, __half, 16, 16, __hmma_##SHAPE##_ld_a,        \
                        __hmma_##SHAPE##_ld_b, int, __half)                    \
  REGSHARE_WMMA_ACCUMULATOR(M, N, K, __half, 8, __hmma_##SHAPE##_ld_c_f16,     \
                            __hmma_##SHAPE##_st_c_f16, int)                    \
  REGSHARE_WMMA_ACCUMULATOR(M, N, K, float, 8, __hmma_##SHAPE##_ld_c_f32,      \
                            __hmma_##SHAPE##_st_c_f32, float)                  \
  REGSHARE_WMMA_PRODUCTS(M, N, K, __half, __half, __half,                      \
                         __hmma_##SHAPE##_mma_f16f16, int, int, int, 1)        \
  REGSHARE_WMMA_PRODUCTS(M, N, K, __half, float, __half,                       \
                         __hmma_##SHAPE##_mma_f32f16, int, float, int, 1)      \
  REGSHARE_WMMA_PRODUCTS(M, N, K, __half, __half, float,                       \
                         __hmma_##SHAPE##_mma_f16f32, int, int, float, 1)      \
  REGSHARE_WMMA_PRODUCTS(M, N, K, __half, float, float,                        \
                         __hmma_##SHAPE##_mma_f32f32, int, float, float, 1)

REGSHARE_WMMA_HALF(16, 16, 16, m16n16k16)
REGSHARE_WMMA_HALF(32, 8, 16, m32n8k16)
REGSHARE_WMMA_HALF(8, 32, 16, m8n32k16)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define REGSHARE_WMMA_BYTE(M, N, K, SHAPE, T, NAME, COUNT_A, COUNT_B)          \
  REGSHARE_WMMA_FACTORS(M, N, K, T, COUNT_A, COUNT_B,                          \
                        __imma_##SHAPE##_ld_a_##NAME,                          \
                        __imma_##SHAPE##_ld_b_##NAME, int, T)                  \
  REGSHARE_WMMA_PRODUCTS(M, N, K, T, int, int, __imma_##SHAPE##_mma_##NAME,    \
                         int, int, int, 1)

#define REGSHARE_WMMA_BYTES(M, N, K, SHAPE, COUNT_A, COUNT_B)                  \
  REGSHARE_WMMA_ACCUMULATOR(M, N, K, int, 8, __imma_##SHAPE##_ld_c,            \
                            __imma_##SHAPE##_st_c_i32, int)                    \
  REGSHARE_WMMA_BYTE(M, N, K, SHAPE, signed char, s8, COUNT_A, COUNT_B)        \
  REGSHARE_WMMA_BYTE(M, N, K, SHAPE, unsigned char, u8, COUNT_A, COUNT_B)

REGSHARE_WMMA_BYTES(16, 16, 16, m16n16k16, 8, 8)
REGSHARE_WMMA_BYTES(32, 8, 16, m32n8k16, 16, 4)
REGSHARE_WMMA_BYTES(8, 32, 16, m8n32k16, 4, 16)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
#define REGSHARE_WMMA_NIBBLE(T, NAME)                                          \
  REGSHARE_WMMA_FACTOR(matrix_a, 8, 8, 32, experimental::precision::T,         \
                       row_major, 0, 8, __imma_m8n8k32_ld_a_##NAME, int, void) \
  REGSHARE_WMMA_FACTOR(matrix_b, 8, 8, 32, experimental::precision::T,         \
                       col_major, 1, 8, __imma_m8n8k32_ld_b_##NAME, int, void) \
  REGSHARE_WMMA_PRODUCT(8, 8, 32, experimental::precision::T, int, int,        \
                        row_major, col_major, 1, __imma_m8n8k32_mma_##NAME,    \
                        int, int, int, 1)

REGSHARE_WMMA_ACCUMULATOR(8, 8, 32, int, 2, __imma_m8n8k32_ld_c,
                          __imma_m8n8k32_st_c_i32, int)
REGSHARE_WMMA_NIBBLE(s4, s4)
REGSHARE_WMMA_NIBBLE(u4, u4)

REGSHARE_WMMA_ACCUMULATOR(8, 8, 128, int, 2, __bmma_m8n8k128_ld_c,
                          __bmma_m8n8k128_st_c_i32, int)
REGSHARE_WMMA_FACTOR(matrix_a, 8, 8, 128, experimental::precision::b1,
                     row_major, 0, 32, __bmma_m8n8k128_ld_a_b1, int, void)
REGSHARE_WMMA_FACTOR(matrix_b, 8, 8, 128, experimental::precision::b1,
                     col_major, 1, 32, __bmma_m8n8k128_ld_b_b1, int, void)

__device__ inline void bmma_sync(
    fragment<accumulator, 8, 8, 128, int> &d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>
        &a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>
        &b,
    const fragment<accumulator, 8, 8, 128, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  auto *ra = reinterpret_cast<const int *>(a.x);
  auto *rb = reinterpret_cast<const int *>(b.x);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if (op == experimental::bmmaBitOpAND) {
    __bmma_m8n8k128_mma_and_popc_b1(d.x, ra, rb, c.x, 1);
    return;
  }
#endif
  __bmma_m8n8k128_mma_xor_popc_b1(d.x, ra, rb, c.x, 1);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define REGSHARE_WMMA_BFLOAT(M, N, K, SHAPE, COUNT_A, COUNT_B)                 \
  REGSHARE_WMMA_FACTORS(M, N, K, __nv_bfloat16, COUNT_A, COUNT_B,              \
                        __mma_bf16_##SHAPE##_ld_a, __mma_bf16_##SHAPE##_ld_b,  \
                        int, __nv_bfloat16)                                    \
  REGSHARE_WMMA_PRODUCTS(M, N, K, __nv_bfloat16, float, float,                 \
                         __mma_bf16_##SHAPE##_mma_f32, int, float, float, 0)

REGSHARE_WMMA_BFLOAT(16, 16, 16, m16n16k16, 8, 8)
REGSHARE_WMMA_BFLOAT(32, 8, 16, m32n8k16, 16, 4)
REGSHARE_WMMA_BFLOAT(8, 32, 16, m8n32k16, 4, 16)

REGSHARE_WMMA_ACCUMULATOR(16, 16, 8, float, 8, __mma_tf32_m16n16k8_ld_c,
                          __mma_m16n16k8_st_c_f32, float)
REGSHARE_WMMA_FACTORS(16, 16, 8, precision::tf32, 4, 4,
                      __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b, int,
                      float)
REGSHARE_WMMA_PRODUCTS(16, 16, 8, precision::tf32, float, float,
                       __mma_tf32_m16n16k8_mma_f32, int, float, float, 0)

REGSHARE_WMMA_ACCUMULATOR(8, 8, 4, double, 2, __dmma_m8n8k4_ld_c,
                          __dmma_m8n8k4_st_c_f64, double)
REGSHARE_WMMA_FACTORS(8, 8, 4, double, 1, 1, __dmma_m8n8k4_ld_a,
                      __dmma_m8n8k4_ld_b, double, double)
REGSHARE_WMMA_PRODUCTS(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64,
                       double, double, double, 0)

/// Rounds to the nearest number that has tf32's ten bits, ties away from zero.
__device__ inline float __float_to_tf32(float value) {
  float rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=f"(rounded) : "f"(value));
  return rounded;
}
#endif

#undef REGSHARE_WMMA_FRAGMENT
#undef REGSHARE_WMMA_FACTOR
#undef REGSHARE_WMMA_FACTORS
#undef REGSHARE_WMMA_ACCUMULATOR
#undef REGSHARE_WMMA_PRODUCT
#undef REGSHARE_WMMA_PRODUCTS
#undef REGSHARE_WMMA_HALF
#undef REGSHARE_WMMA_BYTE
#undef REGSHARE_WMMA_BYTES
#undef REGSHARE_WMMA_NIBBLE
#undef REGSHARE_WMMA_BFLOAT

} // namespace wmma
} // namespace nvcuda

#endif // of sm_70 and newer
#endif // REGSHARE_CUDA_MMA_H
