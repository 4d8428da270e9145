; Loads go first in native code, as far as registers allow; without the
; scheduler, and in the form of PTX, each stands where LLVM has put it.
; LABELS: schedule
; RUN: regshare-opt %s -mcpu=sm_80 --code=native --emit=ptx -o %t.ptx
; RUN: FileCheck %s --check-prefix=FIRST < %t.ptx
; RUN: regshare-opt %s -mcpu=sm_80 --code=native -regshare-schedule-code=0 --emit=ptx | FileCheck %s --check-prefix=ASIS
; FIRST-COUNT-6: ld.{{.*}}global
; FIRST-NOT: ld.{{.*}}global
; FIRST-COUNT-5: add.rn.f32
; ASIS: ld.global.nc
; ASIS-NEXT: add.rn.f32
; ASIS-NEXT: ld.global.nc
; ASIS-NEXT: add.rn.f32

; The same code whenever it is asked for.
; RUN: regshare-opt %s -mcpu=sm_80 --code=native --emit=ptx | cmp - %t.ptx

; CTAs for which the order leaves registers need a device, and room on it.
; RUN: regshare-opt %s --device=hopper --code=native -regshare-schedule-ctas=8 --emit=ptx -o /dev/null
; RUN: not regshare-opt %s -mcpu=sm_80 --code=native -regshare-schedule-ctas=8 --emit=ptx 2>&1 | FileCheck %s --check-prefix=DEVICE
; RUN: not regshare-opt %s --device=hopper --code=native -regshare-schedule-ctas=400 --emit=ptx 2>&1 | FileCheck %s --check-prefix=ROOM
; RUN: not regshare-opt %s -mcpu=sm_52 --code=native --emit=ptx 2>&1 | FileCheck %s --check-prefix=NONE
; DEVICE: sum: -regshare-schedule-ctas needs a device
; ROOM: sum: 400 CTAs of 256 threads leave no register each on 'hopper'
; RUN: not regshare-opt %s -mcpu=sm_52 --code=native -regshare-schedule-code=0 --emit=report 2>&1 | FileCheck %s --check-prefix=NONE
; NONE-NOT: error:
; NONE: regshare-opt: error: regshare: no native code: it is not known what hardware code for 'sm_52' costs; there are figures for sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90
; NONE-NOT: sm_52

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sum(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 1024
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 2048
  %p3 = getelementptr float, ptr addrspace(1) %in, i64 3072
  %p4 = getelementptr float, ptr addrspace(1) %in, i64 4096
  %p5 = getelementptr float, ptr addrspace(1) %in, i64 5120
  %v0 = load volatile float, ptr addrspace(1) %out
  %v1 = load float, ptr addrspace(1) %p1
  %s1 = fadd float %v0, %v1
  %v2 = load float, ptr addrspace(1) %p2
  %s2 = fadd float %s1, %v2
  %v3 = load float, ptr addrspace(1) %p3
  %s3 = fadd float %s2, %v3
  %v4 = load float, ptr addrspace(1) %p4
  %s4 = fadd float %s3, %v4
  %v5 = load float, ptr addrspace(1) %p5
  %s5 = fadd float %s4, %v5
  store float %s5, ptr addrspace(1) %out
  ret void
}
