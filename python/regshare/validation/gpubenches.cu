// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Micro-benchmarks for the rows of gpubenches.csv. Two runs with different work
// tell what the larger one takes more.

typedef unsigned int u32;
typedef unsigned long long u64;

#define KERNEL extern "C" __global__ void __launch_bounds__(1024)

// Runs nowhere but for the clock that the result names.
KERNEL barrier(u32 *out, u32 a, u32 b, int n) { __syncthreads(); }

// The place of the `k`th element of a ring of `count`: a permutation of the
// numbers below a power of two, applied until it is below `count`.
__device__ u32 placeOf(u32 k, u32 count) {
  u32 bits = 32 - __clz(count - 1);
  u32 mask = bits == 32 ? ~0u : (1u << bits) - 1;
  do {
    k = k * 0x9e3779b1u + 0x7f4a7c15u & mask;
    k ^= k >> (bits + 1) / 2;
    k = k * 0x85ebca6bu + 0x1656667bu & mask;
    k ^= k >> (bits + 1) / 2;
    k = k * 0xc2b2ae35u + 0x27d4eb2fu & mask;
  } while (k >= count);
  return k;
}

// A chase through all elements, 64 bytes apart, in an order by chance. The
// warps of a CTA go through them in this order before, so that the caches have
// what a chase of several rounds leaves there.
KERNEL chase(char *buffer, u32 count, u32 laps, int n) {
  for (u32 k = threadIdx.x; k < count; k += blockDim.x) {
    u32 next = k + 1 == count ? 0 : k + 1;
    *(u64 *)(buffer + u64(placeOf(k, count)) * 64) =
        u64(buffer + u64(placeOf(next, count)) * 64);
  }
  __syncthreads();
  for (u32 lap = 0; lap < laps; ++lap)
    for (u32 k = threadIdx.x; k < count; k += blockDim.x) {
      u64 v;
      asm volatile("ld.global.u64 %0, [%1];"
                   : "=l"(v)
                   : "l"(buffer + u64(placeOf(k, count)) * 64));
    }
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  u64 p = u64(buffer + u64(placeOf(0, count)) * 64);
  for (int i = 0; i < n; ++i)
    _Pragma("unroll") for (int j = 0; j < 32; ++j) asm volatile(
        "ld.global.u64 %0, [%0];" : "+l"(p));
  if (p == 1)
    *buffer = 0;
}

// The same pointer, of which a compiler does not know that it is.
template <typename T> __device__ const T *opaque(const T *p) {
  u64 nothing = 0;
  asm volatile("" : "+l"(nothing));
  return p + nothing;
}

// Eight loads of a thread, 16 bytes (32 with double precision) apart, and what
// is computed of them. `nothing` is zero, which a compiler does not know.
template <typename T>
__device__ void loads(const T *p, T *out, u32 nothing, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i) {
    p += nothing;
    _Pragma("unroll") for (int j = 0; j < 32; j += 8) sum += p[j] * p[j + 4];
  }
  if (sum == T(12345))
    *out = sum;
}
// Threads are `stride` elements apart, 64 of them.
KERNEL stride_f32(float *buffer, int stride, u32 nothing, int n) {
  loads(buffer + threadIdx.x % 64 * stride, buffer, nothing, n);
}
KERNEL stride_f64(double *buffer, int stride, u32 nothing, int n) {
  loads(buffer + threadIdx.x % 64 * stride, buffer, nothing, n);
}
// A block of `width` columns, whose rows are 4,098 elements apart.
KERNEL block_f32(float *buffer, u32 width, u32 nothing, int n) {
  loads(buffer + threadIdx.x % width + (threadIdx.x / width % 32 + 1) * 4098,
        buffer, nothing, n);
}
KERNEL block_f64(double *buffer, u32 width, u32 nothing, int n) {
  loads(buffer + threadIdx.x % width + (threadIdx.x / width % 32 + 1) * 4098,
        buffer, nothing, n);
}

// All CTAs go through one buffer of `rounds` times U words for each thread,
// after they have brought it into the L2 together.
#define CACHE(U)                                                               \
  KERNEL cache_##U(float *buffer, u32 rounds, u32 warm, u32 n) {               \
    const float *mine = buffer + threadIdx.x;                                  \
    u32 chunks = rounds * U;                                                   \
    float sum[4] = {};                                                         \
    for (u32 c = blockIdx.x; c < chunks; c += gridDim.x)                       \
      sum[0] += *opaque(mine + c * 256);                                       \
    const float *at = mine;                                                    \
    u32 left = rounds;                                                         \
    for (u32 i = 0; i < warm + n; ++i) {                                       \
      const float *now = opaque(at);                                           \
      _Pragma("unroll") for (int j = 0; j < U; ++j) sum[j % 4] +=              \
          now[j * 256];                                                        \
      at += U * 256;                                                           \
      if (--left == 0) {                                                       \
        at = mine;                                                             \
        left = rounds;                                                         \
      }                                                                        \
    }                                                                          \
    if (sum[0] + sum[1] + sum[2] + sum[3] == 12345)                            \
      buffer[0] = 0;                                                           \
  }
CACHE(32)
CACHE(34)
CACHE(35)
CACHE(37)
CACHE(41)
CACHE(43)

// CTAs of 1,024 threads, each of which reads every `run`th piece of 16 KiB of
// the buffer, 32 of them.
KERNEL l2_read(double *buffer, u32 run, u32 b, u32 c) {
  const double *at = buffer + blockIdx.x % run * 2048 + threadIdx.x;
  double sum = 0;
#pragma unroll 4
  for (u32 i = 0; i < 32; ++i) {
    const double *now = opaque(at);
    sum += now[0] * now[1024];
    at += u64(run) * 2048;
  }
  if (sum == 12345)
    buffer[0] = sum;
}

// Streams: an element for each thread. What is written to shared memory, which
// is nothing, has the size of the source's, whose amount decides on the L1's.
enum Stream { Init, Read, Scale, Triad, ThreePoints, FivePoints };
template <Stream Kind>
__device__ void stream(double *__restrict__ a, const double *__restrict__ b,
                       const double *__restrict__ c, u32 count, u32 never) {
  __shared__ double beside[768];
  u32 i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count)
    return;
  if (never)
    beside[threadIdx.x] = b[threadIdx.x];
  if (Kind == Read) {
    double v = b[i];
    if (never || v == 123.0)
      a[i] = v + beside[i];
    return;
  }
  a[i] = Kind == Init          ? 0.23
         : Kind == Scale       ? 1.2 * b[i]
         : Kind == Triad       ? 1.2 * b[i] + c[i]
         : Kind == ThreePoints ? 0.5 * b[i] - b[i + 1] + 0.5 * b[i + 2]
                               : 0.25 * b[i] + 0.25 * b[i + 1] - b[i + 2] +
                                     0.5 * b[i + 3] + 0.5 * b[i + 4];
  if (never)
    a[i] = beside[i];
}
#define STREAM(NAME, KIND)                                                     \
  KERNEL stream_##NAME(double *__restrict__ a, const double *__restrict__ b,   \
                       const double *__restrict__ c, u32 count, u32 never) {   \
    stream<KIND>(a, b, c, count, never);                                       \
  }
STREAM(init, Init)
STREAM(read, Read)
STREAM(scale, Scale)
STREAM(triad, Triad)
STREAM(3pt, ThreePoints)
STREAM(5pt, FivePoints)
