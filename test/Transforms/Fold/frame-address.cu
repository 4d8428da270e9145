// An address in the thread's frame takes neither a register nor an issue slot:
// the stack pointer and an offset are operands of what reads it.
// RUN: regshare-opt --code=native -mcpu=sm_90 --emit=ptx %s | FileCheck %s
// RUN: regshare-opt --code=native -mcpu=sm_90 --emit=mir %s | FileCheck %s --check-prefix=MIR
// RUN: regshare-opt --code=ptx -mcpu=sm_90 --emit=mir %s | FileCheck %s --check-prefix=PTX

// CHECK: mov.b64 %SPL, __local_depot0;
// CHECK-NOT: regshare.issue
// CHECK: add.u64 %rd{{[0-9]+}}, %SPL, 0;
// MIR: [[FRAME:%C[0-9]+]]:b64 = LEA_ADDRi64 $vrframelocal64, 0
// MIR: %C{{[0-9]+}}:b32 = CVT_u32_u64 [[FRAME]]
// PTX: %R{{[0-9_]+}}:b64 = LEA_ADDRi64 $vrframelocal64, 0
extern "C" __global__ void indexed(const float *In, float *Out, int N) {
  float Last[8];
#pragma unroll 1
  for (int I = 0; I < N; ++I)
    Last[I & 7] = In[I];
  Out[threadIdx.x] = Last[N & 7];
}
