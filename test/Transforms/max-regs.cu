// A limit is kept: by recomputing, then by spilling to local memory. Launch
// bounds and .maxnreg are limits too, on the device they are for.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=json -regshare-max-regs=20 | FileCheck %s --check-prefix=TWENTY
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx -regshare-max-regs=20 | FileCheck %s --check-prefix=PTX
// RUN: regshare-opt --no-cuda-toolkit %s --emit=json --device=gtx480 -DBOUNDS="__launch_bounds__(512,2)" | FileCheck %s --check-prefix=BOUNDS
// RUN: not regshare-opt --no-cuda-toolkit %s --emit=json -regshare-max-regs=1 2>&1 | FileCheck %s --check-prefix=ONE
// TWENTY: "registers": 20,
// TWENTY: "spilled": {{[1-9]}}
// PTX: .local
// PTX: regs=20
// PTX: st.local.b32 [%SPL
// PTX: ld.local.b32 %r{{[0-9]+}}, [%SPL
// BOUNDS: "registers": 32,
// ONE: error: {{.*}}too few for the operands of one instruction
#include <cuda_runtime.h>
#ifndef BOUNDS
#define BOUNDS
#endif
__global__ BOUNDS void k(const float *in, float *out) {
  float v[40];
#pragma unroll
  for (int i = 0; i < 40; ++i)
    v[i] = in[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 40; ++i)
    out[i] = v[39 - i] * v[i];
}
