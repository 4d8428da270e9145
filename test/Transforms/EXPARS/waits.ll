; What other warps have to give up first ends a bundle; what comes from beyond
; the SM is not named in the bundle that asks for it.
; RUN: regshare-opt %s --scheme=expars --regshare-tau=1 --emit=mir | FileCheck %s
; RUN: regshare-opt %s --scheme=shrf --emit=mir -o /dev/null

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare void @llvm.nvvm.tcgen05.alloc.cg1(ptr, i32)
declare i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6), i1)
declare void @llvm.nvvm.tcgen05.wait.ld()
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1), i32)

; CHECK-LABEL: name: {{ *}}registers
; CHECK: anonymous_{{[0-9]+}} 96
; CHECK-NEXT: regshare.pref
define ptx_kernel void @registers(ptr addrspace(1) %p, i32 %a) "target-cpu"="sm_100a" {
  %b = mul i32 %a, 5
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 96)
  %c = add i32 %b, 3
  store i32 %c, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: name: {{ *}}tensor
; CHECK: TCGEN05_ALLOC
; CHECK-NEXT: regshare.pref
; CHECK: TCGEN05_LD
; CHECK: tcgen05_wait_ld
; CHECK-NEXT: regshare.pref
define ptx_kernel void @tensor(ptr addrspace(1) %p, ptr %s, ptr addrspace(6) %t) "target-cpu"="sm_100a" {
  call void @llvm.nvvm.tcgen05.alloc.cg1(ptr %s, i32 32)
  %v = call i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6) %t, i1 false)
  call void @llvm.nvvm.tcgen05.wait.ld()
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: name: {{ *}}matrix
; CHECK: anonymous_{{[0-9]+}}
; CHECK: regshare.pref
; CHECK: ST_
define ptx_kernel void @matrix(ptr addrspace(1) %p, ptr addrspace(1) %q) "target-cpu"="sm_100a" {
  %v = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1) %p, i32 16)
  %e = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %v, 0
  store <2 x half> %e, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: name: {{ *}}cluster
; CHECK: LD_i32
; CHECK: regshare.pref
; CHECK: ADD
define ptx_kernel void @cluster(ptr addrspace(7) %p, ptr addrspace(1) %q) "target-cpu"="sm_100a" {
  %v = load i32, ptr addrspace(7) %p
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %q
  ret void
}
