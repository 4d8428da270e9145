// The device math library resolves every function a kernel can call: what is
// left in the PTX are definitions, at -O0 as calls of them.
// RUN: %clang -x cuda --cuda-path=%regshare_cuda --cuda-gpu-arch=sm_75 --cuda-device-only -Werror -O0 -S %s -o %t.O0.ptx
// RUN: %clang -x cuda --cuda-path=%regshare_cuda --cuda-gpu-arch=sm_90 --cuda-device-only -Werror -O2 -S %s -o %t.O2.ptx
// RUN: FileCheck %s --check-prefix=RESOLVED --input-file=%t.O0.ptx
// RUN: FileCheck %s --check-prefix=RESOLVED --input-file=%t.O2.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.O2.ptx

// RESOLVED-NOT: .extern .func

#include <cuda_runtime.h>

#define UNARY(NAME)                                                            \
  F[I] += NAME##f(F[I]);                                                       \
  D[I] += NAME(D[I]);
#define BINARY(NAME)                                                           \
  F[I] += NAME##f(F[I], F[I + 1]);                                             \
  D[I] += NAME(D[I], D[I + 1]);

__global__ void unary(float *F, double *D) {
  int I = threadIdx.x;
  // clang-format off
  UNARY(acos)
  UNARY(acosh) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt)
      UNARY(ceil) UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(j0) UNARY(j1)
          UNARY(y0) UNARY(y1) UNARY(cyl_bessel_i0) UNARY(cyl_bessel_i1)
              UNARY(erf) UNARY(erfc) UNARY(erfcinv) UNARY(erfcx) UNARY(erfinv)
                  UNARY(exp) UNARY(exp10) UNARY(exp2) UNARY(expm1) UNARY(fabs)
                      UNARY(floor) UNARY(lgamma) UNARY(log) UNARY(log10)
                          UNARY(log1p) UNARY(log2) UNARY(logb) UNARY(nearbyint)
                              UNARY(normcdf) UNARY(normcdfinv) UNARY(rcbrt)
                                  UNARY(rint) UNARY(round) UNARY(rsqrt)
                                      UNARY(sin) UNARY(sinh) UNARY(sinpi)
                                          UNARY(sqrt) UNARY(tan) UNARY(tanh)
                                              UNARY(tgamma) UNARY(trunc)
  // clang-format on
}

__global__ void binary(float *F, double *D) {
  int I = threadIdx.x;
  // clang-format off
  BINARY(atan2)
  BINARY(copysign) BINARY(fdim) BINARY(fmax) BINARY(fmin) BINARY(fmod)
      BINARY(hypot) BINARY(nextafter) BINARY(pow) BINARY(remainder)
          BINARY(rhypot)
  // clang-format on
}

__global__ void more(float *F, double *D, int *N) {
  int I = threadIdx.x;
  F[I] = frexpf(F[I], N) + ldexpf(F[I], N[1]) + modff(F[I], F + 1) +
         remquof(F[I], F[2], N + 2) + fmaf(F[I], F[3], F[4]) + powif(F[I], 3);
  D[I] = frexp(D[I], N) + ldexp(D[I], N[1]) + modf(D[I], D + 1) +
         remquo(D[I], D[2], N + 2) + fma(D[I], D[3], D[4]) + powi(D[I], 3);
  sincosf(F[5], F + 6, F + 7);
  sincos(D[5], D + 6, D + 7);
  sincospif(F[8], F + 9, F + 10);
  sincospi(D[8], D + 9, D + 10);
  F[11] = norm3df(F[1], F[2], F[3]) + norm4df(F[1], F[2], F[3], F[4]) +
          normf(5, F) + rnorm3df(F[1], F[2], F[3]) + rnormf(5, F);
  D[11] = norm3d(D[1], D[2], D[3]) + norm4d(D[1], D[2], D[3], D[4]) +
          norm(5, D) + rnorm3d(D[1], D[2], D[3]) + rnorm(5, D);
  N[3] = ilogbf(F[I]) + ilogb(D[I]) + llrintf(F[I]) + llround(D[I]) +
         isnan(F[I]) + isinf(D[I]) + isfinite(F[I]) + signbit(D[I]);
  F[13] = jnf(3, F[1]) + ynf(4, F[2]);
  D[13] = jn(3, D[1]) + yn(4, D[2]);
  // The plain names take floats too.
  F[12] = fmax(F[1], F[2]) + round(F[3]) + pow(F[4], F[5]) + rsqrt(F[6]) +
          max(F[7], F[8]) + hypot(F[9], F[10]);
}

// PTX-LABEL: .entry _Z6singlePfPiPd(
__global__ void single(float *F, int *N, double *D) {
  // PTX: add.rz.f32
  F[0] = __fadd_rz(F[1], F[2]);
  // PTX: mul.rm.f32
  F[3] = __fmul_rd(F[4], F[5]);
  // PTX: fma.rp.f32
  F[6] = __fmaf_ru(F[7], F[8], F[9]);
  // PTX: sqrt.rm.f32
  F[10] = __fsqrt_rd(F[11]);
  // PTX: div.rp.f64
  D[0] = __ddiv_ru(D[1], D[2]);
  // PTX: cvt.rmi.s32.f32
  N[0] = __float2int_rd(F[12]);
  // PTX: cvt.rzi.u32.f64
  N[1] = __double2uint_rz(D[3]);
  // PTX: cvt.rp.f32.s32
  F[13] = __int2float_ru(N[2]);
  // PTX: sin.approx.f32
  F[14] = __sinf(F[15]);
  // PTX: ex2.approx.f32
  F[16] = __expf(F[17]);
  // PTX: div.approx.f32
  F[18] = __fdividef(F[19], F[20]);
  // PTX: rsqrt.approx.f32
  F[21] = rsqrtf(F[22]);
  // PTX: clz.b32
  N[3] = __clz(N[4]);
  // PTX: prmt.b32
  N[5] = __byte_perm(N[6], N[7], N[8]);
  // PTX: mul.hi.s32
  N[9] = __mulhi(N[10], N[11]);
}
