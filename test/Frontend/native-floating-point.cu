// Both forms obey what clang is told about floating point. IR that clang has
// not made is contracted in the form of PTX.
// RUN: regshare-opt %s --code=native --emit=ptx -o - | FileCheck %s --check-prefix=FUSED
// RUN: regshare-opt %s --code=native --Xclang-arg=-ffp-contract=off --emit=ptx -o - | FileCheck %s --check-prefix=APART
// RUN: regshare-opt %s --code=native --Xclang-arg=-ffp-contract=on --emit=ptx -o - | FileCheck %s --check-prefix=STATEMENT
// RUN: regshare-opt %s --emit=ptx -o - | FileCheck %s --check-prefix=FUSED
// RUN: regshare-opt %s --Xclang-arg=-ffp-contract=off --emit=ptx -o - | FileCheck %s --check-prefix=APART
// RUN: regshare-opt %s --Xclang-arg=-ffp-contract=on --emit=ptx -o - | FileCheck %s --check-prefix=STATEMENT
// RUN: regshare-opt %s --code=native --Xclang-arg=-ffast-math --Xclang-arg=-fgpu-flush-denormals-to-zero --emit=ptx -o - | FileCheck %s --check-prefix=FAST

// FUSED: .entry within(
// FUSED: fma.rn.f32
// FUSED: .entry across(
// FUSED: fma.rn.f32
// APART: .entry within(
// APART-NOT: fma
// APART: mul.rn.f32
// APART: add.rn.f32
// APART-NOT: fma
// APART: .entry divide(
// STATEMENT: .entry within(
// STATEMENT: fma.rn.f32
// STATEMENT: .entry across(
// STATEMENT: mul.rn.f32
// STATEMENT: add.rn.f32
// STATEMENT: .entry divide(
// FAST: fma.rn.ftz.f32
// FAST: .entry divide(
// FAST: div.approx.ftz.f32

extern "C" __global__ void within(float *p) { p[0] = p[0] * p[1] + p[2]; }
extern "C" __global__ void across(float *p) {
  float x = p[0] * p[1];
  float y = x + p[2];
  p[0] = y;
}
extern "C" __global__ void divide(float *p) { p[0] = p[1] / p[2]; }
