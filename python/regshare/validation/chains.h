// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Micro-benchmarks of one instruction or expression: a chain of 128, each of
// which needs the one before it, and four chains side by side.

#ifndef REGSHARE_VALIDATION_CHAINS_H
#define REGSHARE_VALIDATION_CHAINS_H

typedef unsigned int u32;
typedef unsigned long long u64;

#define KERNEL extern "C" __global__ void __launch_bounds__(1024)
// The source of the measurements does not say how far its loops are unrolled;
// what is left of a loop in them is 15 to 18 cycles, shared by as many
// operations.
#define REPEAT _Pragma("unroll") for (int j = 0; j < 128; ++j)

// A chain: each instruction needs the result of the one before.
#define CHAIN(NAME, TYPE, CONSTRAINT, TEXT)                                    \
  KERNEL NAME(TYPE *out, TYPE a, TYPE b, int n) {                              \
    TYPE x = out[threadIdx.x];                                                 \
    for (int i = 0; i < n; ++i)                                                \
      REPEAT asm volatile(TEXT : "+" CONSTRAINT(x) : CONSTRAINT(a),            \
                          CONSTRAINT(b));                                      \
    out[threadIdx.x] = x;                                                      \
  }

// Streams: four independent chains.
#define STREAM(NAME, TYPE, CONSTRAINT, TEXT)                                   \
  KERNEL NAME(TYPE *out, TYPE a, TYPE b, int n) {                              \
    TYPE x[4];                                                                 \
    _Pragma("unroll") for (int k = 0; k < 4; ++k) x[k] =                       \
        out[threadIdx.x + k * blockDim.x];                                     \
    for (int i = 0; i < n; ++i)                                                \
      _Pragma("unroll") for (int j = 0; j < 32; ++j)                           \
          _Pragma("unroll") for (int k = 0; k < 4; ++k) asm volatile(          \
              TEXT : "+" CONSTRAINT(x[k]) : CONSTRAINT(a), CONSTRAINT(b));     \
    _Pragma("unroll") for (int k = 0; k < 4; ++k)                              \
        out[threadIdx.x + k * blockDim.x] = x[k];                              \
  }

// The same of an expression of `x`, which no compiler may change; the first is
// what is in memory and `FROM`.
#define EXPRESSION(NAME, TYPE, FROM, RESULT)                                   \
  KERNEL NAME##_lat(TYPE *out, TYPE a, TYPE b, int n) {                        \
    TYPE x = out[threadIdx.x] FROM;                                            \
    for (int i = 0; i < n; ++i)                                                \
      REPEAT x = RESULT;                                                       \
    out[threadIdx.x] = x;                                                      \
  }                                                                            \
  KERNEL NAME##_tput(TYPE *out, TYPE a, TYPE b, int n) {                       \
    TYPE y[4];                                                                 \
    _Pragma("unroll") for (int k = 0; k < 4; ++k) y[k] =                       \
        out[threadIdx.x + k * blockDim.x] FROM;                                \
    for (int i = 0; i < n; ++i)                                                \
      _Pragma("unroll") for (int j = 0; j < 32; ++j)                           \
          _Pragma("unroll") for (int k = 0; k < 4; ++k) {                      \
        TYPE x = y[k];                                                         \
        y[k] = RESULT;                                                         \
      }                                                                        \
    _Pragma("unroll") for (int k = 0; k < 4; ++k)                              \
        out[threadIdx.x + k * blockDim.x] = y[k];                              \
  }

#endif // REGSHARE_VALIDATION_CHAINS_H
