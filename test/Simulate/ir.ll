; A kernel in LLVM IR. A struct by value is bytes; a half and a double have types
; that no parameter of PTX shows.
; DEFINE: %{args} = --block=4 --arg=buf:f32*4=1,2,3,4 --arg=f16:0.5 \
; DEFINE:   --arg=f64:0.25 --arg=hex:0000a040feffffff --arg=null --print-arg=0
; RUN: regshare-opt %s --simulate --functional %{args} | FileCheck %s
; RUN: regshare-opt %s --simulate %{args} | FileCheck %s
; RUN: regshare-opt %s -O0 --simulate --functional %{args} | FileCheck %s
; CHECK: argument 0: f32*4
; CHECK-NEXT: [0] 3.75 4.25 4.75 5.25
target triple = "nvptx64-nvidia-cuda"

; out[t] = half * out[t] + double + pair.0 + pair.1, where pair is {5, -2}.
define ptx_kernel void @mix(ptr addrspace(1) %out, half %h, double %d, ptr byval({float, i32}) align 4 %pair, ptr %unused) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr addrspace(1) %out, i32 %t
  %x = load float, ptr addrspace(1) %a
  %hf = fpext half %h to float
  %df = fptrunc double %d to float
  %p0 = load float, ptr %pair
  %p1.addr = getelementptr i8, ptr %pair, i32 4
  %p1 = load i32, ptr %p1.addr
  %p1f = sitofp i32 %p1 to float
  %1 = fmul float %x, %hf
  %2 = fadd float %1, %df
  %3 = fadd float %2, %p0
  %4 = fadd float %3, %p1f
  store float %4, ptr addrspace(1) %a
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
