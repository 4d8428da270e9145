; Each instruction says how long its warp waits after it, which counters it
; raises and for which it waits.
; RUN: regshare-opt %s -mcpu=sm_75 --code=native -regshare-control-code=1 --emit=ptx -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -regshare-code=native -regshare-control-code=1 -mcpu=sm_75 %s -o - | FileCheck %s
; RUN: regshare-opt %s -mcpu=sm_75 --code=native --emit=ptx | FileCheck %s --check-prefix=NONE
; RUN: regshare-opt %s -mcpu=sm_75 --code=ptx -regshare-control-code=1 --emit=ptx | FileCheck %s --check-prefix=NONE
; NONE-NOT: regshare.control

; The index is a special register, which has no fixed latency; nor has the load.
; CHECK: .pragma "regshare.control write=[[I:[0-5]]]";
; CHECK: mov.u32 {{.*}}, %tid.x;
; CHECK: .pragma "regshare.control stall=6 wait=[[I]]";
; CHECK: mul.wide.u32
; CHECK: .pragma "regshare.control stall=2 write=[[L:[0-5]]]";
; CHECK: ld.global.b32
; CHECK: .pragma "regshare.control stall=4 wait=[[L]]";
; CHECK: add.rn.f32
; CHECK: .pragma "regshare.control stall=6";
; CHECK: mul.rn.f32
; CHECK: .pragma "regshare.control read={{[0-5]}}";
; CHECK: st.global.b32

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @twice(ptr addrspace(1) %buf) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %buf, i32 %t
  %v = load float, ptr addrspace(1) %p
  %s = fadd float %v, 1.0
  %m = fmul float %s, %s
  store float %m, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
