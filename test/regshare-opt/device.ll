; What a device decides: the target of code that does not name one, and with the
; launch's sizes the occupancy.
; RUN: split-file %s %t
; RUN: regshare-opt %t/plain.ll --device=hopper --emit=ptx | FileCheck %s --check-prefix=H100
; RUN: regshare-opt %t/plain.ll --device=hopper -mcpu=sm_80 --emit=ptx | FileCheck %s --check-prefix=SM80
; RUN: regshare-opt %t/own.ll --device=hopper --emit=ptx | FileCheck %s --check-prefix=SM80
; RUN: regshare-opt %t/own.ll -mcpu=sm_90 --device=gtx480 --emit=ptx | FileCheck %s --check-prefix=H100
; RUN: regshare-opt %t/plain.ll --emit=ptx | FileCheck %s --check-prefix=SM75
; RUN: regshare-opt -x cuda %t/k.cu --device=hopper --no-cuda-toolkit --emit=ptx | FileCheck %s --check-prefix=H100
; RUN: regshare-opt %t/k.mlir --device=hopper --emit=ptx | FileCheck %s --check-prefix=H100
; H100: .target sm_90
; SM80: .target sm_80
; SM75: .target sm_75
; RUN: regshare-opt %t/dynamic.ll --device=gtx480 --block=64 | FileCheck %s --check-prefix=NONE
; RUN: regshare-opt %t/dynamic.ll --device=gtx480 --block=64 --dynamic-shared=20000 | FileCheck %s --check-prefix=SOME
; RUN: regshare-opt %t/plain.ll --device=gtx480 --block=64 --dynamic-shared=20000 | FileCheck %s --check-prefix=UNUSED
; RUN: regshare-opt %t/dynamic.ll --device=gtx480 --block=64 --dynamic-shared=20000 --emit=json | FileCheck %s --check-prefix=JSON
; RUN: regshare-opt %t/plain.ll --device=gtx480,registers=1024 --block=64 | FileCheck %s --check-prefix=FEWER
; RUN: regshare-opt %t/plain.ll --device=%configs/gtx480.yaml,registers=1024,max_ctas=3 --block=64 | FileCheck %s --check-prefix=TWO
; RUN: not regshare-opt %t/plain.ll --device=gtx480,regs=1024 2>&1 | FileCheck %s --check-prefix=FIGURE
; FEWER: occupancy gtx480,registers=1024, 64 threads per CTA: 4 CTAs, 8 of 48 warps (17%), limited by registers
; TWO: occupancy gtx480,registers=1024,max_ctas=3, 64 threads per CTA: 3 CTAs, 6 of 48 warps {{.*}}, limited by CTA slots
; FIGURE: gtx480,regs=1024: 'gtx480' has no figure 'regs'; it has sms, {{.*}}and timing.
; NONE: memory 0 B shared per CTA and dynamic (none assumed; --dynamic-shared=n),
; NONE: occupancy {{.*}}: 8 CTAs, 16 of 48 warps (33%), limited by CTA slots
; SOME: memory 0 B shared per CTA and 20,000 B dynamic,
; SOME: occupancy {{.*}}: 2 CTAs, 4 of 48 warps (8%), limited by shared memory
; UNUSED: memory 0 B shared per CTA, 0 B local
; UNUSED: 8 CTAs
; JSON: "limited_by": [
; JSON-NEXT: "shared memory"
; JSON: "shared_bytes_per_cta": 20{{[0-9]+}}
;--- plain.ll
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
;--- own.ll
define ptx_kernel void @k(ptr %p) "target-cpu"="sm_80" {
  store i32 1, ptr %p
  ret void
}
;--- k.cu
__global__ void k(int *P) { *P = 1; }
;--- k.mlir
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
;--- dynamic.ll
@Buffer = external addrspace(3) global [0 x i32]
define ptx_kernel void @k(ptr %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(3) @Buffer, i32 %i
  store i32 1, ptr addrspace(3) %a
  ret void
}
