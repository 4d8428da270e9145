//===- Arithmetic.c - IEEE arithmetic and conversions -*- C -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations that PTX has as instructions: arithmetic and conversions under a
/// given rounding mode, reinterpretation of bits, and approximations.
///
//===----------------------------------------------------------------------===//

#include "libdevice.h"

#define DEFINE_ARITHMETIC(MODE, PTX)                                           \
  float __nv_fadd_##MODE(float X, float Y) {                                   \
    return __nvvm_add_##PTX##_f(X, Y);                                         \
  }                                                                            \
  float __nv_fsub_##MODE(float X, float Y) {                                   \
    return __nvvm_add_##PTX##_f(X, -Y);                                        \
  }                                                                            \
  float __nv_fmul_##MODE(float X, float Y) {                                   \
    return __nvvm_mul_##PTX##_f(X, Y);                                         \
  }                                                                            \
  float __nv_fdiv_##MODE(float X, float Y) {                                   \
    return __nvvm_div_##PTX##_f(X, Y);                                         \
  }                                                                            \
  float __nv_frcp_##MODE(float X) { return __nvvm_rcp_##PTX##_f(X); }          \
  float __nv_fsqrt_##MODE(float X) { return __nvvm_sqrt_##PTX##_f(X); }        \
  float __nv_fmaf_##MODE(float X, float Y, float Z) {                          \
    return __nvvm_fma_##PTX##_f(X, Y, Z);                                      \
  }                                                                            \
  float __nv_fmaf_ieee_##MODE(float X, float Y, float Z) {                     \
    return __nvvm_fma_##PTX##_f(X, Y, Z);                                      \
  }                                                                            \
  double __nv_dadd_##MODE(double X, double Y) {                                \
    return __nvvm_add_##PTX##_d(X, Y);                                         \
  }                                                                            \
  double __nv_dsub_##MODE(double X, double Y) {                                \
    return __nvvm_add_##PTX##_d(X, -Y);                                        \
  }                                                                            \
  double __nv_dmul_##MODE(double X, double Y) {                                \
    return __nvvm_mul_##PTX##_d(X, Y);                                         \
  }                                                                            \
  double __nv_ddiv_##MODE(double X, double Y) {                                \
    return __nvvm_div_##PTX##_d(X, Y);                                         \
  }                                                                            \
  double __nv_drcp_##MODE(double X) { return __nvvm_rcp_##PTX##_d(X); }        \
  double __nv_dsqrt_##MODE(double X) { return __nvvm_sqrt_##PTX##_d(X); }      \
  double __nv_fma_##MODE(double X, double Y, double Z) {                       \
    return __nvvm_fma_##PTX##_d(X, Y, Z);                                      \
  }
FOR_EACH_ROUNDING(DEFINE_ARITHMETIC)

#define DEFINE_CONVERSIONS(MODE, PTX)                                          \
  float __nv_double2float_##MODE(double X) { return __nvvm_d2f_##PTX(X); }     \
  int __nv_double2int_##MODE(double X) { return __nvvm_d2i_##PTX(X); }         \
  unsigned __nv_double2uint_##MODE(double X) {                                 \
    return (unsigned)__nvvm_d2ui_##PTX(X);                                     \
  }                                                                            \
  long long __nv_double2ll_##MODE(double X) { return __nvvm_d2ll_##PTX(X); }   \
  unsigned long long __nv_double2ull_##MODE(double X) {                        \
    return (unsigned long long)__nvvm_d2ull_##PTX(X);                          \
  }                                                                            \
  int __nv_float2int_##MODE(float X) { return __nvvm_f2i_##PTX(X); }           \
  unsigned __nv_float2uint_##MODE(float X) {                                   \
    return (unsigned)__nvvm_f2ui_##PTX(X);                                     \
  }                                                                            \
  long long __nv_float2ll_##MODE(float X) { return __nvvm_f2ll_##PTX(X); }     \
  unsigned long long __nv_float2ull_##MODE(float X) {                          \
    return (unsigned long long)__nvvm_f2ull_##PTX(X);                          \
  }                                                                            \
  float __nv_int2float_##MODE(int X) { return __nvvm_i2f_##PTX(X); }           \
  float __nv_uint2float_##MODE(unsigned X) { return __nvvm_ui2f_##PTX(X); }    \
  float __nv_ll2float_##MODE(long long X) { return __nvvm_ll2f_##PTX(X); }     \
  float __nv_ull2float_##MODE(unsigned long long X) {                          \
    return __nvvm_ull2f_##PTX(X);                                              \
  }                                                                            \
  double __nv_ll2double_##MODE(long long X) { return __nvvm_ll2d_##PTX(X); }   \
  double __nv_ull2double_##MODE(unsigned long long X) {                        \
    return __nvvm_ull2d_##PTX(X);                                              \
  }
FOR_EACH_ROUNDING(DEFINE_CONVERSIONS)

double __nv_int2double_rn(int X) { return X; }
double __nv_uint2double_rn(unsigned X) { return X; }

float __nv_half2float(unsigned short X) {
  return (float)__builtin_bit_cast(_Float16, X);
}
unsigned short __nv_float2half_rn(float X) {
  return __builtin_bit_cast(unsigned short, (_Float16)X);
}

int __nv_float_as_int(float X) { return __builtin_bit_cast(int, X); }
unsigned __nv_float_as_uint(float X) { return __builtin_bit_cast(unsigned, X); }
float __nv_int_as_float(int X) { return __builtin_bit_cast(float, X); }
float __nv_uint_as_float(unsigned X) { return __builtin_bit_cast(float, X); }
unsigned long long __nv_double_as_longlong(double X) {
  return __builtin_bit_cast(unsigned long long, X);
}
double __nv_longlong_as_double(long long X) {
  return __builtin_bit_cast(double, X);
}
int __nv_double2hiint(double X) {
  return (int)(__builtin_bit_cast(unsigned long long, X) >> 32);
}
int __nv_double2loint(double X) {
  return (int)__builtin_bit_cast(unsigned long long, X);
}
double __nv_hiloint2double(int High, int Low) {
  return __builtin_bit_cast(double, ((unsigned long long)(unsigned)High << 32) |
                                        (unsigned)Low);
}

float __nv_rsqrtf(float X) { return __nvvm_rsqrt_approx_f(X); }
double __nv_rsqrt(double X) { return __nvvm_rsqrt_approx_d(X); }
double __nv_rcp64h(double X) { return __nvvm_rcp_approx_ftz_d(X); }
float __nv_saturatef(float X) { return __nvvm_saturate_f(X); }

/// Two roundings in double come before the one to float, so the error exceeds
/// half a unit in the last place by less than 2^-28 of it.
float __nv_frsqrt_rn(float X) { return (float)(1.0 / __builtin_sqrt(X)); }

static const float Log2E = 0x1.715476p+0f;
static const float Log2Of10 = 0x1.a934fp+1f;
static const float Ln2 = 0x1.62e43p-1f;
static const float Log10Of2 = 0x1.344136p-2f;

float __nv_fast_sinf(float X) { return __nvvm_sin_approx_f(X); }
float __nv_fast_cosf(float X) { return __nvvm_cos_approx_f(X); }
void __nv_fast_sincosf(float X, float *Sine, float *Cosine) {
  *Sine = __nvvm_sin_approx_f(X);
  *Cosine = __nvvm_cos_approx_f(X);
}
float __nv_fast_fdividef(float X, float Y) { return __nvvm_div_approx_f(X, Y); }
float __nv_fast_tanf(float X) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(X), __nvvm_cos_approx_f(X));
}
float __nv_fast_expf(float X) { return __nvvm_ex2_approx_f(X * Log2E); }
float __nv_fast_exp10f(float X) { return __nvvm_ex2_approx_f(X * Log2Of10); }
float __nv_fast_log2f(float X) { return __nvvm_lg2_approx_f(X); }
float __nv_fast_logf(float X) { return __nvvm_lg2_approx_f(X) * Ln2; }
float __nv_fast_log10f(float X) { return __nvvm_lg2_approx_f(X) * Log10Of2; }
float __nv_fast_powf(float X, float Y) {
  return __nvvm_ex2_approx_f(Y * __nvvm_lg2_approx_f(X));
}
