// The descriptor and the map are the first statements of the kernel's body;
// every PTX register that the body names is in the map.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %python %S/Inputs/check-map.py %t.ptx
// CHECK: .entry _Z1kPfPKdi(
// CHECK: .pragma "regshare.kernel v1 name=_Z1kPfPKdi scheme=baseline regs={{[0-9]+}} preds={{[0-9]+}} peak={{[0-9]+}} shared=512 local=0 target=sm_75";
// CHECK: .pragma "regshare.map
// CHECK: .pragma "regshare.temps q=P{{[0-6]}} t0=R{{[0-9]+}} t1=R{{[0-9]+}}";
// CHECK: { .reg .pred q; .reg .b32 t<2>;
#include <cuda_runtime.h>
__global__ void k(float *a, const double *d, int n) {
  __shared__ float s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x, r;
  s[threadIdx.x] = a[i];
  __syncthreads();
  asm("{ .reg .pred q; .reg .b32 t<2>; setp.ne.b32 q, %1, 0; mov.b32 t0, 3; "
      "add.s32 t1, t0, %1; selp.b32 %0, t1, %1, q; }"
      : "=r"(r)
      : "r"(n));
  if (i < n)
    a[i] = s[127 - threadIdx.x] + float(d[i]) + r;
}
