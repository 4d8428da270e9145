; An operand that the next instruction reads in the same slot is kept for it.
; RUN: regshare-opt %s -mcpu=sm_75 --code=native --emit=ptx -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -regshare-code=native -mcpu=sm_75 %s -o - | FileCheck %s
; RUN: regshare-opt %s -mcpu=sm_75 --code=native -regshare-reuse-bits=0 --emit=ptx | FileCheck %s --check-prefix=NONE
; RUN: regshare-opt %s -mcpu=sm_75 --code=ptx --emit=ptx | FileCheck %s --check-prefix=NONE
; NONE-NOT: regshare.reuse

; CHECK: .pragma "regshare.reuse slots=0";
; CHECK: fma.rn.f32 {{[^,]*}}, [[A:%r[0-9]+]], {{.*}};
; CHECK-NEXT: fma.rn.f32 {{[^,]*}}, [[A]], {{.*}};

; One warp finds each operand that is kept: the SM sees the slots that the
; compiler has given.
; RUN: regshare-opt %t.ptx --simulate --device=rtx6000 --block=32 --arg=buf:f32*128=iota --emit=json -o %t.json
; RUN: grep -o '"reused_operands": *[0-9]*' %t.json | grep -o '[0-9]*$' > %t.found
; RUN: grep -o 'regshare.reuse slots=.*"' %t.ptx | grep -o '[0-9]' | wc -l | tr -d ' ' > %t.kept
; RUN: diff %t.kept %t.found

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @products(ptr addrspace(1) %buf) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %buf, i32 %t
  %a = load float, ptr addrspace(1) %p
  %q1 = getelementptr float, ptr addrspace(1) %p, i32 32
  %b = load float, ptr addrspace(1) %q1
  %q2 = getelementptr float, ptr addrspace(1) %p, i32 64
  %c = load float, ptr addrspace(1) %q2
  %q3 = getelementptr float, ptr addrspace(1) %p, i32 96
  %d = load float, ptr addrspace(1) %q3
  %m = call float @llvm.fma.f32(float %a, float %b, float %c)
  %n = call float @llvm.fma.f32(float %a, float %d, float %b)
  %s = fadd float %m, %n
  store float %s, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
