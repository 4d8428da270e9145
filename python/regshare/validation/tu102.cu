// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Micro-benchmarks for the rows of tu102.csv. Each kernel repeats a body `n`
// times; two runs with different `n` tell what one repetition takes. What is
// measured is written as PTX where a compiler would make something else of it.

#include "chains.h"

#define BOTH(NAME, TYPE, CONSTRAINT, TEXT)                                     \
  CHAIN(NAME##_lat, TYPE, CONSTRAINT, TEXT)                                    \
  STREAM(NAME##_tput, TYPE, CONSTRAINT, TEXT)

EXPRESSION(fadd, float, , x + a)
EXPRESSION(fmul, float, , x *a)
EXPRESSION(ffma, float, , x *a + b)
EXPRESSION(dadd, double, , x + a)
EXPRESSION(dfma, double, , x *a + b)
BOTH(imad, u32, "r", "mad.lo.u32 %0, %0, %1, %2;")
BOTH(lop3, u32, "r", "lop3.b32 %0, %0, %1, %2, 0x96;")
BOTH(shf, u32, "r", "shf.l.wrap.b32 %0, %0, %1, %2;")
BOTH(prmt, u32, "r", "prmt.b32 %0, %0, %1, %2;")
BOTH(popc, u32, "r", "popc.b32 %0, %0;")
BOTH(flo, u32, "r", "bfind.u32 %0, %0;")
BOTH(idp4a_u8, u32, "r", "dp4a.u32.u32 %0, %1, %2, %0;")
BOTH(idp4a_s8, u32, "r", "dp4a.s32.s32 %0, %1, %2, %0;")
BOTH(hfma2, u32, "r", "fma.rn.f16x2 %0, %0, %1, %2;")
BOTH(iadd3_lop3, u32, "r", "add.u32 %0, %0, %1; lop3.b32 %0, %0, %1, %2, 0x96;")
BOTH(isetp_sel, u32, "r",
     "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %0, %2, p; }")
BOTH(fsetp_sel, float, "f",
     "{ .reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %0, %2, p; }")
BOTH(ex2, float, "f", "ex2.approx.ftz.f32 %0, %0;")
BOTH(lg2, float, "f", "lg2.approx.ftz.f32 %0, %0;")
BOTH(rsq, float, "f", "rsqrt.approx.ftz.f32 %0, %0;")
CHAIN(rcp_fadd_lat, float, "f",
      "rcp.approx.ftz.f32 %0, %0; add.f32 %0, %0, %1;")
BOTH(i2f_f2i, u32, "r",
     "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; cvt.rzi.s32.f32 %0, f; }")
BOTH(f2f, float, "f",
     "{ .reg .b16 h; cvt.rn.f16.f32 h, %0; cvt.f32.f16 %0, h; }")
CHAIN(i2f_f2i_fadd_lat, float, "f",
      "{ .reg .s32 i; cvt.rzi.s32.f32 i, %0; cvt.rn.f32.s32 %0, i; }\n"
      "add.f32 %0, %0, %1;")
CHAIN(f2f_fadd_lat, float, "f",
      "{ .reg .b16 h; cvt.rn.f16.f32 h, %0; cvt.f32.f16 %0, h; }\n"
      "add.f32 %0, %0, %1;")
BOTH(shfl_idx, u32, "r", "shfl.sync.idx.b32 %0, %0, %0, 31, 0xFFFFFFFF;")

// Range reduction and the special unit, as the compiler has them.
EXPRESSION(sin, float, , __sinf(x))
EXPRESSION(cos, float, , __cosf(x))

// A selection whose predicate is not part of the chain.
#define SELECT4(TEXT) TEXT TEXT TEXT TEXT
#define SELECT32(TEXT)                                                         \
  SELECT4(TEXT)                                                                \
  SELECT4(TEXT)                                                                \
  SELECT4(TEXT)                                                                \
  SELECT4(TEXT) SELECT4(TEXT) SELECT4(TEXT) SELECT4(TEXT) SELECT4(TEXT)
#define SELECT128(TEXT)                                                        \
  SELECT32(TEXT) SELECT32(TEXT) SELECT32(TEXT) SELECT32(TEXT)
#define SELECTION(NAME, TYPE, CONSTRAINT, COMPARED, SUFFIX)                    \
  KERNEL NAME(TYPE *out, TYPE a, TYPE b, int n) {                              \
    TYPE x = out[threadIdx.x];                                                 \
    for (int i = 0; i < n; ++i)                                                \
      asm volatile(                                                            \
          "{ .reg .pred p; setp.lt." COMPARED                                  \
          " p, %1, %2;\n" SELECT128("selp." SUFFIX " %0, %0, %1, p;\n") "}"    \
          : "+" CONSTRAINT(x)                                                  \
          : CONSTRAINT(a), CONSTRAINT(b));                                     \
    out[threadIdx.x] = x;                                                      \
  }
SELECTION(sel_lat, u32, "r", "u32", "b32")
SELECTION(fsel_lat, float, "f", "f32", "f32")

// The compiler's own division, by what no iteration changes.
KERNEL idiv_lat(u32 *out, u32 a, u32 b, int n) {
  u32 x = out[threadIdx.x];
  for (int i = 0; i < n; ++i)
    REPEAT x = x / b;
  out[threadIdx.x] = x;
}
KERNEL idiv_tput(u32 *out, u32 a, u32 b, int n) {
  u32 x[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    x[k] = out[threadIdx.x + k * blockDim.x];
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j)
#pragma unroll
      for (int k = 0; k < 4; ++k)
        x[k] = x[k] / b;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[threadIdx.x + k * blockDim.x] = x[k];
}

KERNEL barrier(u32 *out, u32 a, u32 b, int n) {
  for (int i = 0; i < n; ++i)
    REPEAT __syncthreads();
}

// The pairs of four chains side by side, as a scheduler orders them.
KERNEL rcp_fadd_tput(float *out, float a, float b, int n) {
  float x[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    x[k] = out[threadIdx.x + k * blockDim.x];
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j) {
#pragma unroll
      for (int k = 0; k < 4; ++k)
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
#pragma unroll
      for (int k = 0; k < 4; ++k)
        asm volatile("add.f32 %0, %0, %1;" : "+f"(x[k]) : "f"(a));
    }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[threadIdx.x + k * blockDim.x] = x[k];
}

// A ballot whose result gives the next predicate, by a shift by the lane.
KERNEL ballot_lat(u32 *out, u32 a, u32 b, int n) {
  u32 x = out[threadIdx.x];
  for (int i = 0; i < n; ++i)
    REPEAT x = __ballot_sync(~0u, (x >> (threadIdx.x & 31)) & 1);
  out[threadIdx.x] = x;
}
// Four chains: their comparisons, with a number of the lane, and then their
// votes, as a scheduler orders them.
KERNEL ballot_tput(u32 *out, u32 a, u32 b, int n) {
  u32 x[4], mine = threadIdx.x * 0x01234567;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    x[k] = out[threadIdx.x + k * blockDim.x];
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j)
      asm volatile("{ .reg .pred p, q, r, s;\n"
                   "setp.lt.u32 p, %0, %4; setp.lt.u32 q, %1, %4;\n"
                   "setp.lt.u32 r, %2, %4; setp.lt.u32 s, %3, %4;\n"
                   "vote.sync.ballot.b32 %0, p, -1;\n"
                   "vote.sync.ballot.b32 %1, q, -1;\n"
                   "vote.sync.ballot.b32 %2, r, -1;\n"
                   "vote.sync.ballot.b32 %3, s, -1; }"
                   : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
                   : "r"(mine));
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[threadIdx.x + k * blockDim.x] = x[k];
}

// A path of four dependent multiply-adds for each of WAYS groups of lanes. A
// path is no inline PTX, so that it can be predicated.
#define DIVERGENT(WAYS)                                                        \
  KERNEL divergent_##WAYS(float *out, float a, float b, int n) {               \
    float x = out[threadIdx.x];                                                \
    int group = threadIdx.x % WAYS;                                            \
    for (int i = 0; i < n; ++i)                                                \
      _Pragma("unroll") for (int j = 0; j < 16; ++j)                           \
          _Pragma("unroll") for (int way = 0; way < WAYS; ++way) {             \
        if (group == way) {                                                    \
          x = x * a + b;                                                       \
          x = x * a + b;                                                       \
          x = x * a + b;                                                       \
          x = x * a + b;                                                       \
        }                                                                      \
        asm volatile("" : "+f"(x));                                            \
      }                                                                        \
    out[threadIdx.x] = x;                                                      \
  }
DIVERGENT(1)
DIVERGENT(2)
DIVERGENT(4)
DIVERGENT(32)

// Shared memory: rings of addresses, `words` words from lane to lane.
KERNEL smem_lat(u32 *out, u32 words, u32 b, int n) {
  __shared__ u32 ring[1024];
  u32 mine;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
               : "=r"(mine)
               : "l"(&ring[threadIdx.x * words]));
  ring[threadIdx.x * words] = mine;
  __syncthreads();
  for (int i = 0; i < n; ++i)
    REPEAT asm volatile("ld.shared.u32 %0, [%0];" : "+r"(mine));
  out[threadIdx.x] = mine;
}

// What a warp reads side by side, from shared memory or the L1. In the L1's the
// pointer moves by nothing, which a compiler does not know.
#define SHARED_STREAM(NAME, TYPE)                                              \
  KERNEL NAME(u32 *out, u32 a, u32 b, int n) {                                 \
    __shared__ TYPE buffer[1024];                                              \
    buffer[threadIdx.x] = TYPE(threadIdx.x);                                   \
    __syncthreads();                                                           \
    TYPE sum = 0;                                                              \
    for (int i = 0; i < n; ++i)                                                \
      REPEAT sum += *(volatile TYPE *)&buffer[threadIdx.x];                    \
    out[threadIdx.x] = u32(sum);                                               \
  }
SHARED_STREAM(smem_f32, float)
SHARED_STREAM(smem_f64, u64)

// A ring of pointers: each leads `step` bytes on, round the `bytes` bytes of
// the buffer. It goes through all of them, or, where a step is more than a
// page, through one for each step.
__device__ void makeRing(char *buffer, u64 bytes, u32 step) {
  u64 apart = step > 4096 ? step : 8;
  u64 entries = bytes / apart;
  for (u64 e = threadIdx.x; e < entries; e += blockDim.x)
    *(u64 *)(buffer + e * apart) =
        u64(buffer + (e + step / apart) % entries * apart);
  __syncthreads();
  // All of it is in the L2, as far as it has room, and nothing in the L1.
  u64 line = apart > 128 ? apart : 128;
  for (u64 at = threadIdx.x * line; at < entries * apart;
       at += blockDim.x * line)
    (void)*(volatile u64 *)(buffer + at);
  __syncthreads();
}
#define CHASE(NAME, LOAD)                                                      \
  KERNEL NAME(char *buffer, u64 bytes, u32 step, int warm, int n) {            \
    makeRing(buffer, bytes, step);                                             \
    if (threadIdx.x >= 32)                                                     \
      return;                                                                  \
    u64 p = u64(buffer);                                                       \
    for (int i = 0; i < warm + n; ++i)                                         \
      _Pragma("unroll") for (int j = 0; j < 8;                                 \
                             ++j) asm volatile(LOAD " %0, [%0];" : "+l"(p));   \
    if (p == 1)                                                                \
      *buffer = 0;                                                             \
  }
CHASE(chase, "ld.global.u64")
// With more shared memory than the larger of the two L1s leaves.
KERNEL chase_beside(char *buffer, u64 bytes, u32 step, int warm, int n) {
  __shared__ u32 beside[10 << 10];
  beside[threadIdx.x] = step;
  __syncthreads();
  makeRing(buffer, bytes, beside[threadIdx.x ^ 1]);
  if (threadIdx.x >= 32)
    return;
  u64 p = u64(buffer);
  for (int i = 0; i < warm + n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      asm volatile("ld.global.u64 %0, [%0];" : "+l"(p));
  if (p == 1)
    *buffer = 0;
}
CHASE(chase_cg, "ld.global.cg.u64")
CHASE(chase_cs, "ld.global.cs.u64")
CHASE(chase_nc, "ld.global.nc.u64")

KERNEL l1_stream32(u32 *out, u32 a, u32 b, int n) {
  u32 sum[4] = {}, *at = out + threadIdx.x;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      u32 v;
      asm volatile("ld.global.u32 %0, [%1];"
                   : "=r"(v)
                   : "l"(at + j % 4 * blockDim.x));
      sum[j % 4] += v;
      if (j % 4 == 3)
        at += a - b;
    }
  out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}
KERNEL l1_stream64(u64 *out, u64 a, u64 b, int n) {
  u64 sum[4] = {}, *at = out + threadIdx.x;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      u64 v;
      asm volatile("ld.global.u64 %0, [%1];"
                   : "=l"(v)
                   : "l"(at + j % 4 * blockDim.x));
      sum[j % 4] += v;
      if (j % 4 == 3)
        at += a - b;
    }
  out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

// Atomics that return a value, `lanes` lanes to each address.
KERNEL atomic_global_lat(u32 *out, u32 lanes, u32 b, int n) {
  u32 x = 0;
  u32 *mine = out + threadIdx.x / lanes * 64;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(mine));
  out[threadIdx.x + 4096] = x;
}
KERNEL atomic_shared_lat(u32 *out, u32 lanes, u32 b, int n) {
  __shared__ u32 slots[32];
  slots[threadIdx.x] = 0;
  __syncthreads();
  u32 x = 0;
  u32 *slot = &slots[threadIdx.x / lanes];
  for (int i = 0; i < n; ++i)
    REPEAT x = atomicAdd(slot, x);
  out[threadIdx.x] = x;
}

KERNEL atomic_shared_cas(u32 *out, u32 a, u32 b, int n) {
  __shared__ u32 slots[32];
  slots[threadIdx.x] = 0;
  __syncthreads();
  u32 x = 0;
  for (int i = 0; i < n; ++i)
    REPEAT x = atomicCAS(&slots[threadIdx.x], x, x + 1);
  out[threadIdx.x] = x;
}
KERNEL atomic_shared_tput(u32 *out, u32 a, u32 b, int n) {
  __shared__ u32 slots[1024];
  slots[threadIdx.x] = 0;
  u32 slot;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
               : "=r"(slot)
               : "l"(&slots[threadIdx.x]));
  __syncthreads();
  for (int i = 0; i < n; ++i)
    REPEAT asm volatile("red.shared.add.u32 [%0], %1;" : : "r"(slot), "r"(a));
  out[threadIdx.x] = slots[threadIdx.x];
}
// Additions without a result, to a line of its own for every `lanes` lanes.
KERNEL atomic_global_red(u32 *out, u32 lanes, u32 b, int n) {
  u32 *mine = out + threadIdx.x / lanes * 64;
  for (int i = 0; i < n; ++i)
    REPEAT asm volatile("red.global.add.u32 [%0], %1;" : : "l"(mine), "r"(b));
}

// Constants: rings of addresses. Slot 0 is one that all lanes share.
__constant__ u32 constants[64];
KERNEL constant_lat(u32 *out, u32 apart, u32 b, int n) {
  u32 x = (threadIdx.x & 31) * apart;
  for (int i = 0; i < n; ++i)
    REPEAT x = x + constants[x];
  out[threadIdx.x] = x;
}

// Code in a straight line: 16 bytes for each multiply-add of hardware.
#define FMA4                                                                   \
  x = x * a + b;                                                               \
  y = y * a + b;                                                               \
  z = z * a + b;                                                               \
  w = w * a + b;
#define FMA16 FMA4 FMA4 FMA4 FMA4
#define FMA64 FMA16 FMA16 FMA16 FMA16
#define FMA256 FMA64 FMA64 FMA64 FMA64
#define FMA1024 FMA256 FMA256 FMA256 FMA256
#define FMA2048 FMA1024 FMA1024
#define FMA4096 FMA2048 FMA2048
#define FMA8192 FMA4096 FMA4096
#define STRAIGHT(COUNT)                                                        \
  KERNEL straight_##COUNT(float *out, float a, float b, int n) {               \
    float x = out[0], y = out[1], z = out[2], w = out[3];                      \
    _Pragma("unroll 1") for (int i = 0; i < n; ++i){                           \
        FMA##COUNT} out[threadIdx.x] = x + y + z + w;                          \
  }
STRAIGHT(64)
STRAIGHT(256)
STRAIGHT(1024)
STRAIGHT(2048)
STRAIGHT(4096)
STRAIGHT(8192)

// Bytes, `stride` from thread to thread, in a buffer whose size is a power of
// two: sixteen loads of a thread are under way.
KERNEL u8_stride(unsigned char *buffer, u64 size, u32 stride, int n) {
  u32 sum = 0;
  u64 thread = u64(blockIdx.x) * blockDim.x + threadIdx.x;
  u64 threads = u64(gridDim.x) * blockDim.x;
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      u64 at = (thread + u64(i * 16 + j) * threads) * stride & (size - 1);
      u32 v;
      asm volatile("ld.global.u8 %0, [%1];" : "=r"(v) : "l"(buffer + at));
      sum += v;
    }
  if (sum == 12345)
    buffer[0] = 1;
}

// The whole device: reads, writes and copies.
KERNEL dram_read(float4 *buffer, u64 count, u32 b, int n) {
  float4 sum = make_float4(0, 0, 0, 0);
  u64 stride = u64(gridDim.x) * blockDim.x;
  for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    float4 v = buffer[i];
    sum.x += v.x + v.y + v.z + v.w;
  }
  if (sum.x == 12345)
    buffer[0] = sum;
}
KERNEL dram_write(float4 *buffer, u64 count, u32 b, int n) {
  u64 stride = u64(gridDim.x) * blockDim.x;
  for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    buffer[i] = make_float4(1, 2, 3, 4);
}
// Each CTA writes a part of its own.
KERNEL dram_write_tiles(float4 *buffer, u64 count, u32 b, int n) {
  u64 each = count / gridDim.x;
  for (u64 i = threadIdx.x; i < each; i += blockDim.x)
    buffer[blockIdx.x * each + i] = make_float4(1, 2, 3, 4);
}
#define DRAM_WRITE(NAME, STORE)                                                \
  KERNEL NAME(float4 *buffer, u64 count, u32 b, int n) {                       \
    u64 stride = u64(gridDim.x) * blockDim.x;                                  \
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count;        \
         i += stride)                                                          \
      asm volatile(STORE " [%0], {%1, %1, %1, %1};"                            \
                   :                                                           \
                   : "l"(buffer + i), "f"(1.0f));                              \
  }
DRAM_WRITE(dram_write_wb, "st.global.wb.v4.f32")
DRAM_WRITE(dram_write_cg, "st.global.cg.v4.f32")
DRAM_WRITE(dram_write_cs, "st.global.cs.v4.f32")
DRAM_WRITE(dram_write_wt, "st.global.wt.v4.f32")
KERNEL dram_copy(float4 *buffer, u64 count, u32 b, int n) {
  u64 stride = u64(gridDim.x) * blockDim.x;
  for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count / 2;
       i += stride)
    buffer[count / 2 + i] = buffer[i];
}
