; A division as IEEE rounds it is called for some operands: ptxas branches there, and
; what comes after stays there. An approximation is straight code, which loads pass.
; LABELS: schedule
; RUN: regshare-opt %s -mcpu=sm_90 --code=native --emit=ptx | FileCheck %s
; RUN: sed s/div.rn.f/div.approx.f/ %s | regshare-opt - -mcpu=sm_90 --code=native --emit=ptx | FileCheck %s --check-prefix=STRAIGHT
; CHECK-COUNT-2: ld.global
; CHECK-NOT: ld.global
; CHECK: div.rn.f32
; CHECK: ld.global
; CHECK: div.rn.f32
; STRAIGHT-COUNT-3: ld.global
; STRAIGHT-COUNT-2: div.approx.f32

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.div.rn.f(float, float)

define ptx_kernel void @quotients(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 1024
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 2048
  %a = load float, ptr addrspace(1) %in
  %b = load float, ptr addrspace(1) %p1
  %q = call float @llvm.nvvm.div.rn.f(float %a, float %b)
  %c = load float, ptr addrspace(1) %p2
  %r = call float @llvm.nvvm.div.rn.f(float %q, float %c)
  store float %r, ptr addrspace(1) %out
  ret void
}
