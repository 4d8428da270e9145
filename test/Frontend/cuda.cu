// CUDA: device functions are inlined at every level, -I and -D reach clang, and
// debug locations reach the PTX.
// RUN: split-file %s %t
// RUN: regshare-opt %t/k.cu -O0 -I %t/inc -DSCALE=3.0f --emit=ptx -o - | FileCheck %s
// RUN: regshare-opt %t/k.cu -O2 -I %t/inc -DSCALE=3.0f --emit=ptx -o - | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: regshare-opt %t/k.cu -mcpu=sm_90 -I %t/inc -DSCALE=3.0f --emit=ptx -o - | FileCheck %s --check-prefix=SM90
// RUN: regshare-opt %t/k.cu --no-cuda-toolkit -I %t/inc -DSCALE=3.0f --emit=ptx -o - | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: not regshare-opt %t/k.cu --cuda-path=%t/none -o %t/out 2>&1 | FileCheck %s --check-prefix=NO-TOOLKIT
// NO-TOOLKIT: error: no CUDA toolkit in '{{.*}}none'
// RUN: regshare-opt -x cuda - -I %t/inc -DSCALE=3.0f --emit=ptx -o - < %t/k.cu | FileCheck %s
// CHECK: .target sm_75
// CHECK-NOT: .func
// CHECK: .entry _Z1kPfi(
// CHECK-NOT: call
// CHECK: .loc
// OPT: fma.rn.f32
// CHECK: ret;
// SM90: .target sm_90
//--- inc/scale.h
__device__ __noinline__ float scale(float x) { return x * SCALE + 1.0f; }
//--- k.cu
#include "scale.h"
__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = scale(a[i]);
}
