// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Micro-benchmarks of h200.csv that neither tu102.cu nor gpubenches.cu has. Two
// runs with different work tell what the larger one takes more.

#include "chains.h"

// Runs nowhere but for the clock that the result names.
KERNEL barrier(u32 *out, u32 a, u32 b, int n) { __syncthreads(); }

// Cycles that the kernel has taken, of `n` at least.
KERNEL clock_of(u64 *out, u32 a, u32 b, int n) {
  long long begin = clock64(), now;
  do
    now = clock64();
  while (now - begin < n);
  out[0] = now - begin;
}

CHAIN(mul_hi_lat, u32, "r", "mul.hi.u32 %0, %0, %1;")
STREAM(mul_hi_tput, u32, "r", "mul.hi.u32 %0, %0, %1;")
CHAIN(imnmx_lat, u32, "r", "max.u32 %0, %0, %1; min.u32 %0, %0, %2;")
STREAM(imnmx_tput, u32, "r", "max.u32 %0, %0, %1; min.u32 %0, %0, %2;")
CHAIN(fmnmx_lat, float, "f", "max.f32 %0, %0, %1; min.f32 %0, %0, %2;")
STREAM(fmnmx_tput, float, "f", "max.f32 %0, %0, %1; min.f32 %0, %0, %2;")
CHAIN(brev_lat, u32, "r", "brev.b32 %0, %0; add.u32 %0, %0, %1;")
STREAM(brev_tput, u32, "r", "brev.b32 %0, %0; add.u32 %0, %0, %1;")
CHAIN(sqrt_lat, float, "f", "sqrt.approx.ftz.f32 %0, %0; add.f32 %0, %0, %1;")
STREAM(sqrt_tput, float, "f", "sqrt.approx.ftz.f32 %0, %0; add.f32 %0, %0, %1;")
CHAIN(tanh_lat, float, "f", "tanh.approx.f32 %0, %0;")
STREAM(tanh_tput, float, "f", "tanh.approx.f32 %0, %0;")
CHAIN(bf16_lat, u32, "r", "fma.rn.bf16x2 %0, %0, %1, %2;")
STREAM(bf16_tput, u32, "r", "fma.rn.bf16x2 %0, %0, %1, %2;")
CHAIN(d2f_lat, double, "d",
      "{ .reg .f32 t; cvt.rn.f32.f64 t, %0; cvt.f64.f32 %0, t; }")
CHAIN(redux_lat, u32, "r", "redux.sync.add.u32 %0, %0, 0xFFFFFFFF;")
STREAM(redux_tput, u32, "r", "redux.sync.add.u32 %0, %0, 0xFFFFFFFF;")
CHAIN(match_lat, u32, "r", "match.any.sync.b32 %0, %0, 0xFFFFFFFF;")

// Divisions and roots, as the compiler has them, of numbers between 1 and 2.
EXPRESSION(fdiv, float, +a, b / x)
EXPRESSION(fsqrt, float, +a, sqrtf(x))
EXPRESSION(ddiv, double, +a, b / x)

__device__ float exp2Of(float x) {
  asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
// Two pipes at a time: as many of the one as of the other.
#define MIXED(NAME, FIRST, SECOND)                                             \
  KERNEL NAME(float *out, float a, float b, int n) {                           \
    float x[4];                                                                \
    u32 y[4];                                                                  \
    u32 c = __float_as_uint(a), d = __float_as_uint(b);                        \
    _Pragma("unroll") for (int k = 0; k < 4; ++k) {                            \
      x[k] = out[threadIdx.x + k * blockDim.x];                                \
      y[k] = __float_as_uint(x[k]) + k;                                        \
    }                                                                          \
    for (int i = 0; i < n; ++i)                                                \
      _Pragma("unroll") for (int j = 0; j < 16; ++j)                           \
          _Pragma("unroll") for (int k = 0; k < 4; ++k) {                      \
        x[k] = FIRST;                                                          \
        asm volatile(SECOND : "+r"(y[k]) : "r"(c), "r"(d));                    \
      }                                                                        \
    _Pragma("unroll") for (int k = 0; k < 4; ++k)                              \
        out[threadIdx.x + k * blockDim.x] = x[k] + __uint_as_float(y[k]);      \
  }
#define FMA x[k] * a + b
MIXED(mixed_fma_lop3, FMA, "lop3.b32 %0, %0, %1, %2, 0x96;")
MIXED(mixed_fma_imad, FMA, "mad.lo.u32 %0, %0, %1, %2;")
MIXED(mixed_fma_popc, FMA, "popc.b32 %0, %0;")
MIXED(mixed_fma_half, FMA, "fma.rn.f16x2 %0, %0, %1, %2;")
MIXED(mixed_fma_shfl, FMA, "shfl.sync.idx.b32 %0, %0, %0, 31, 0xFFFFFFFF;")
MIXED(mixed_mufu_lop3, exp2Of(x[k]), "lop3.b32 %0, %0, %1, %2, 0x96;")

// Rings in shared memory with elements of 8 and 16 bytes; lanes `words` words
// of four bytes apart.
template <int Words> __device__ void sharedRing(u32 *out, u32 words, int n) {
  __shared__ __align__(16) u32 ring[8192];
  u32 mine;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
               : "=r"(mine)
               : "l"(&ring[threadIdx.x * words]));
  ring[threadIdx.x * words] = mine;
  __syncthreads();
  u32 other;
  for (int i = 0; i < n; ++i)
    REPEAT {
      if (Words == 2)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%0];"
                     : "+r"(mine), "=r"(other));
      else
        asm volatile(
            "{ .reg .u32 a, b; ld.shared.v4.u32 {%0, %1, a, b}, [%0]; }"
            : "+r"(mine), "=r"(other));
    }
  out[threadIdx.x] = mine + other;
}
KERNEL smem_lat64(u32 *out, u32 words, u32 b, int n) {
  sharedRing<2>(out, words, n);
}
KERNEL smem_lat128(u32 *out, u32 words, u32 b, int n) {
  sharedRing<4>(out, words, n);
}

// Loads side by side from shared memory, whose results nobody waits for until
// the end of a repetition.
#define SHARED_STREAM(NAME, TEXT, APART)                                       \
  KERNEL NAME(u32 *out, u32 apart, u32 b, int n) {                             \
    __shared__ __align__(16) u32 buffer[8192];                                 \
    u32 mine;                                                                  \
    asm volatile(                                                              \
        "{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"        \
        : "=r"(mine)                                                           \
        : "l"(&buffer[threadIdx.x % 32 * APART * apart]));                     \
    buffer[threadIdx.x % 1024 * 8] = b;                                        \
    __syncthreads();                                                           \
    u32 sum[4] = {};                                                           \
    for (int i = 0; i < n; ++i)                                                \
      REPEAT {                                                                 \
        u32 v;                                                                 \
        asm volatile(TEXT : "=r"(v) : "r"(mine));                              \
        sum[j % 4] += v;                                                       \
      }                                                                        \
    out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];                      \
  }
SHARED_STREAM(smem_stream32, "ld.volatile.shared.u32 %0, [%1];", 1)
SHARED_STREAM(smem_stream64,
              "{ .reg .u32 a; ld.volatile.shared.v2.u32 {%0, a}, [%1]; }", 2)
SHARED_STREAM(
    smem_stream128,
    "{ .reg .u32 a, b, c; ld.volatile.shared.v4.u32 {%0, a, b, c}, [%1]; }", 4)

// Stores side by side to shared memory.
KERNEL smem_store(u32 *out, u32 apart, u32 b, int n) {
  __shared__ u32 buffer[8192];
  u32 mine;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
               : "=r"(mine)
               : "l"(&buffer[threadIdx.x % 32 * apart]));
  for (int i = 0; i < n; ++i)
    REPEAT asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(mine),
                        "r"(b));
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x];
}

// Loads that hit in the L1, by their width: a ring of addresses of 16 bytes
// each.
#define L1_RING(NAME, TEXT)                                                    \
  KERNEL NAME(u64 *out, u64 a, u64 b, int n) {                                 \
    u64 *ring = out + threadIdx.x * 2;                                         \
    *ring = u64(ring);                                                         \
    __syncthreads();                                                           \
    u64 p = u64(ring), other = 0;                                              \
    for (int i = 0; i < n; ++i)                                                \
      REPEAT asm volatile(TEXT : "+l"(p), "+l"(other));                        \
    if (p + other == 1)                                                        \
      *ring = 0;                                                               \
  }
L1_RING(l1_lat64, "ld.global.u64 %0, [%0];")
L1_RING(l1_lat128, "ld.global.v2.u64 {%0, %1}, [%0];")

// Bandwidth of the L1 by loads of 128 bits. `nothing` is zero, which a compiler
// does not know, here and below.
KERNEL l1_stream128(u32 *out, u32 nothing, u32 b, int n) {
  u32 sum[4] = {};
  u32 *at = out + threadIdx.x * 4;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      u32 v;
      asm volatile(
          "{ .reg .u32 a, b, c; ld.global.v4.u32 {%0, a, b, c}, [%1]; }"
          : "=r"(v)
          : "l"(at + j % 4 * 4096));
      sum[j % 4] += v;
      if (j % 4 == 3)
        at += nothing;
    }
  out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

// Local memory: a store and the load of what it has stored, loads, and stores
// of what has been loaded from beside it.
KERNEL local_lat(u32 *out, u32 nothing, u32 b, int n) {
  u32 local[16];
  for (int i = 0; i < 16; ++i)
    local[i] = out[i];
  u32 x = nothing;
  for (int i = 0; i < n; ++i)
    REPEAT {
      local[x & 15] = x;
      x = local[x + nothing & 15];
    }
  out[threadIdx.x] = x;
}
template <int Words> __device__ void localLoad(u32 *out, u32 nothing, int n) {
  u32 local[Words];
  for (int i = 0; i < Words; ++i)
    local[i + nothing & Words - 1] = out[i];
  u32 sum = 0, at = 0;
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int j = 0; j < Words; ++j)
      sum += local[j ^ at];
    at = at + nothing & Words - 1;
    local[at] = sum;
  }
  out[threadIdx.x] = sum;
}
KERNEL local_load_4(u32 *out, u32 nothing, u32 b, int n) {
  localLoad<4>(out, nothing, n);
}
KERNEL local_load_16(u32 *out, u32 nothing, u32 b, int n) {
  localLoad<16>(out, nothing, n);
}
KERNEL local_load_32(u32 *out, u32 nothing, u32 b, int n) {
  localLoad<32>(out, nothing, n);
}
KERNEL local_load_64(u32 *out, u32 nothing, u32 b, int n) {
  localLoad<64>(out, nothing, n);
}
template <int Words> __device__ void localRewrite(u32 *out, int n) {
  volatile u32 local[Words];
  u32 mine = threadIdx.x & 1;
  for (int i = 0; i < Words; ++i)
    local[i ^ mine] = out[i];
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < Words; ++j)
      local[j ^ mine] = local[(j + 1) % Words ^ mine];
  out[threadIdx.x + blockIdx.x * blockDim.x] = local[0];
}
KERNEL local_spill_4(u32 *out, u32 a, u32 b, int n) { localRewrite<4>(out, n); }
KERNEL local_spill_16(u32 *out, u32 a, u32 b, int n) {
  localRewrite<16>(out, n);
}
KERNEL local_spill_32(u32 *out, u32 a, u32 b, int n) {
  localRewrite<32>(out, n);
}

// Additions by all CTAs: to one address, to one for each warp, each lane, and
// to a histogram of `bins` by chance.
template <u32 Lanes> __device__ void addAll(u32 *out, u32 apart, u32 b, int n) {
  u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
  u32 *mine = out + u64(thread / Lanes) * apart;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      asm volatile("red.global.add.u32 [%0], %1;" : : "l"(mine), "r"(b));
}
KERNEL atomic_same(u32 *out, u32 apart, u32 b, int n) {
  addAll<32>(out, apart, b, n);
}
KERNEL atomic_lanes(u32 *out, u32 apart, u32 b, int n) {
  addAll<1>(out, apart, b, n);
}
KERNEL histogram_global(u32 *out, u32 bins, u32 b, int n) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      x = x * 1664525u + 1013904223u;
      atomicAdd(out + (x >> 8) % bins, 1);
    }
}
KERNEL histogram_shared(u32 *out, u32 bins, u32 b, int n) {
  __shared__ u32 table[4096];
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      x = x * 1664525u + 1013904223u;
      atomicAdd(table + (x >> 8) % bins, 1);
    }
  __syncthreads();
  out[threadIdx.x] = table[threadIdx.x];
}

// The whole chip's loads of a word of four bytes a lane, four of them under
// way.
KERNEL read_4(u32 *buffer, u64 count, u32 b, int n) {
  u64 stride = u64(gridDim.x) * blockDim.x;
  for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += 4 * stride) {
    u32 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      v[k] = i + k * stride < count ? buffer[i + k * stride] : 0;
    if (v[0] + v[1] + v[2] + v[3] == 12345)
      *buffer = b;
  }
}

// Sectors by chance in a buffer whose size is a power of two: sixteen loads of
// a lane are under way.
KERNEL gather(u32 *buffer, u64 mask, u32 b, int n) {
  u32 x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
  u32 sum = 0;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      x = x * 1664525u + 1013904223u;
      u64 at = (u64(x) << 5 ^ x >> 3) & mask & ~u64(7);
      u32 v;
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(buffer + at));
      sum += v;
    }
  if (sum == 12345)
    buffer[0] = 1;
}
KERNEL scatter(u32 *buffer, u64 mask, u32 b, int n) {
  u32 x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      x = x * 1664525u + 1013904223u;
      u64 at = (u64(x) << 5 ^ x >> 3) & mask & ~u64(7);
      asm volatile("st.global.u32 [%0], %1;" : : "l"(buffer + at), "r"(x));
    }
}

// Barriers of an mbarrier: an arrival, and the wait for the phase that it ends.
KERNEL mbarrier_lat(u32 *out, u32 a, u32 b, int n) {
  __shared__ __align__(8) u64 barrier;
  u32 at;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
               : "=r"(at)
               : "l"(&barrier));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;"
                 :
                 : "r"(at), "r"(blockDim.x));
  __syncthreads();
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      asm volatile("{ .reg .b64 state; .reg .pred done;\n"
                   "mbarrier.arrive.shared.b64 state, [%0];\n"
                   "WAIT: mbarrier.try_wait.shared.b64 done, [%0], state;\n"
                   "@!done bra WAIT; }"
                   :
                   : "r"(at)
                   : "memory");
  out[threadIdx.x] = at;
}

// Matrix multiply-additions of a warp, in one chain and in four.
#define MMA(X)                                                                 \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "            \
               "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "                \
               "{%0, %1, %2, %3};"                                             \
               : "+f"(X[0]), "+f"(X[1]), "+f"(X[2]), "+f"(X[3])                \
               : "r"(a));
KERNEL mma_lat(float *out, u32 a, u32 b, int n) {
  float x[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j)
      MMA(x)
  out[threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
KERNEL mma_tput(float *out, u32 a, u32 b, int n) {
  float x[4][4] = {};
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int k = 0; k < 4; ++k)
        MMA(x[k])
  out[threadIdx.x] = x[0][0] + x[1][1] + x[2][2] + x[3][3];
}
