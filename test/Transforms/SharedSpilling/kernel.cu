// Registers beyond the limit go to shared memory, as far as that costs no CTA,
// in both forms of the code; the others to local memory.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --device=gtx480 --block=64 -regshare-max-regs=20 -regshare-smem-spilling -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --device=h100 --block=64 -regshare-max-regs=24 -regshare-smem-spilling | FileCheck %s --check-prefix=NATIVE
// RUN: regshare-opt --no-cuda-toolkit %s --emit=report --ptxas=none --device=gtx480 --block=64 -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=REPORT
// RUN: regshare-opt --no-cuda-toolkit %s --emit=json --ptxas=none --device=gtx480 --block=64 -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=JSON
//
// Without the option nothing of it is in the code.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --device=gtx480 --block=64 -regshare-max-regs=20 | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=regshare_spill --implicit-check-not=ntid
//
// Machine code keeps what it says of shared memory.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=mir --device=gtx480 --block=64 -regshare-max-regs=20 -regshare-smem-spilling -o %t.mir
// RUN: regshare-opt %t.mir --emit=ptx --device=gtx480 | FileCheck %s --check-prefix=PTX
//
// Extents that are not known come from special registers; a CTA may have as
// many threads as the device allows, and the code says so.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --device=gtx480 -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=ANY
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --device=gtx480 -DBOUNDS='__launch_bounds__(64)' -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=BOUNDS
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --block=4,4,4 -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=CUBE
//
// The source asks for it as well.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx --device=gtx480 --block=64 -regshare-max-regs=20 -DPRAGMA | FileCheck %s --check-prefix=PTX
//
// Where there is none to be had, the report says why.
// RUN: regshare-opt --no-cuda-toolkit %s --ptxas=none --device=gtx480 --block=64 -DDYNAMIC -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=DYNAMIC
// RUN: regshare-opt --no-cuda-toolkit %s --ptxas=none --device=gtx480 --block=64 -DSTATIC=49152 -regshare-max-regs=20 -regshare-smem-spilling | FileCheck %s --check-prefix=FULL
// RUN: not regshare-opt --no-cuda-toolkit %s --emit=ptx -DDYNAMIC -DPRAGMA 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not regshare-opt --no-cuda-toolkit %s --emit=ptx --scheme=expars --device=gtx480 -regshare-smem-spilling 2>&1 | FileCheck %s --check-prefix=EXPARS
// RUN: not regshare-opt --no-cuda-toolkit %s --emit=ptx --scheme=scratchpad-sharing -regshare-smem-spilling 2>&1 | FileCheck %s --check-prefix=SHARING
//
// The address is a register, which another value has to leave.
// RUN: regshare-opt --no-cuda-toolkit %s --ptxas=none --device=gtx480 --block=32 -regshare-max-regs=60 -regshare-smem-spilling | FileCheck %s --check-prefix=FEW
//
// Values in shared memory break no limit on spills; those in local memory do.
// RUN: regshare-opt --no-cuda-toolkit %s --ptxas=none --device=gtx480 --block=32 -regshare-max-regs=30 -regshare-smem-spilling --no-spills -o %t.report
// RUN: not regshare-opt --no-cuda-toolkit %s --ptxas=none --device=gtx480 --block=32 -regshare-max-regs=30 --no-spills -o %t.report

// PTX: .reqntid 64, 1, 1
// PTX: .local .align 4 .b8 __local_depot0
// PTX: .pragma "regshare.kernel {{.*}} regs=20 {{.*}} shared=[[#BYTES:]] local={{[1-9]}}
// PTX: .shared .align 4 .b8 regshare_spill[[[#BYTES]]];
// PTX: mov.b32 [[ARRAY:%r[0-9]+]], regshare_spill;
// PTX: mov.u32 [[X:%r[0-9]+]], %tid.x;
// PTX-NEXT: mad.lo.s32 [[AT:%r[0-9]+]], [[X]], 4, [[ARRAY]];
// PTX-DAG: st.shared.b32 [[[AT]]], %r
// PTX-DAG: st.local.b32 [%SPL
// PTX-DAG: ld.shared.b32 %r{{[0-9]+}}, [[[AT]]]

// NATIVE: .shared .align 4 .b8 regshare_spill[[[#]]];
// NATIVE: mov.b32 [[ARRAY:%r[0-9]+]], regshare_spill;
// NATIVE: shl.b32 [[SCALED:%r[0-9]+]], %r{{[0-9]+}}, 2;
// NATIVE-NEXT: add.s32 [[AT:%r[0-9]+]], [[SCALED]], [[ARRAY]];
// NATIVE: st.shared.b32 [[[AT]]{{.*}}], %r

// REPORT: memory {{ *}}[[BYTES:[0-9,]+]] B shared per CTA
// REPORT: spilled {{ *[0-9]+}} values to shared memory ({{[0-9]+}} loads, {{[0-9]+}} stores; [[BYTES]] B per CTA)
// REPORT-NEXT: values to local memory ({{.*}}); shared memory takes no more: more would cost a CTA
// REPORT: occupancy {{.*}} 8 CTAs, 16 of 48 warps

// JSON: "shared_bytes": [[#BYTES:]],
// JSON: "shared_spilling": {
// JSON-NEXT: "bytes_per_cta": [[#BYTES]],
// JSON-NEXT: "limit": "more would cost a CTA",
// JSON-NEXT: "loads": [[#]],
// JSON-NEXT: "room_bytes": [[#]],
// JSON-NEXT: "spilled": [[#]],
// JSON-NEXT: "stores": [[#]]

// WITHOUT: regs=20 {{.*}} shared=0 local={{[1-9]}}

// ANY: .maxntid 1024
// ANY-DAG: %ntid.x;
// ANY-DAG: %ntid.y;
// ANY-DAG: %tid.z;
// BOUNDS: .maxntid 64
// BOUNDS: %ntid.y;
// CUBE: .reqntid 4, 4, 4
// CUBE: %tid.z;
// CUBE-NOT: %ntid
// CUBE: mad.lo.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4, %r

// DYNAMIC-NOT: to shared memory
// DYNAMIC: values to local memory {{.*}}; shared memory takes none: the kernel has dynamic shared memory
// FULL-NOT: to shared memory
// FULL: values to local memory {{.*}}; shared memory takes none: static shared memory ends at 49152 bytes
// FEW-NOT: to shared memory
// FEW: spilled {{ *}}{{[12]}} values to local memory {{.*}}; shared memory takes none: a register with their address costs more
// BOTH: error: {{.*}}expected no dynamic shared memory beside pragma 'enable_smem_spilling', found some, which ptxas refuses
// EXPARS: error: {{.*}}-regshare-smem-spilling: expected a scheme that leaves shared memory as it is, found expars, which gives out what spills would take
// SHARING: error: {{.*}}-regshare-smem-spilling: expected a scheme that leaves shared memory as it is, found scratchpad-sharing, which
#include <cuda_runtime.h>
#ifndef BOUNDS
#define BOUNDS
#endif
extern __shared__ float Dynamic[];
__global__ BOUNDS void k(const float *in, float *out) {
#ifdef PRAGMA
  asm volatile(".pragma \"enable_smem_spilling\";");
#endif
#ifdef STATIC
  __shared__ volatile char Own[STATIC];
  Own[0] = 1;
#endif
#ifdef DYNAMIC
  Dynamic[0] = 1;
#endif
  float v[60];
#pragma unroll
  for (int i = 0; i < 60; ++i)
    v[i] = in[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 60; ++i)
    out[i] = v[59 - i] * v[i];
}
