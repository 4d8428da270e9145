; LLVM IR as a file, from standard input, and as bitcode. Without a triple the
; target is NVPTX; a kernel of an old module says so in !nvvm.annotations.
; RUN: split-file %s %t
; RUN: regshare-opt %t/new.ll --emit=ptx -o - | FileCheck %s
; RUN: regshare-opt - --emit=ptx -o - < %t/new.ll | FileCheck %s
; RUN: llvm-as %t/new.ll -o %t/new.bc
; RUN: regshare-opt %t/new.bc --emit=ptx -o - | FileCheck %s
; RUN: regshare-opt - --emit=ptx -o - < %t/new.bc | FileCheck %s
; RUN: regshare-opt %t/old.ll --emit=ptx -o - | FileCheck %s --check-prefix=OLD
; RUN: regshare-opt %t/attributes.ll --emit=ptx -o - | FileCheck %s --check-prefix=ATTR
; RUN: regshare-opt %t/attributes.ll -mcpu=sm_70 --emit=ptx -o - | FileCheck %s --check-prefix=MCPU
; CHECK: .version 8.8
; CHECK: .target sm_75
; CHECK: .entry k(
; CHECK: fma.rn.f32
; OLD: .entry old(
; OLD: .maxntid 64
; ATTR: .version 8.2
; ATTR: .target sm_80
; MCPU: .version 8.8
; MCPU: .target sm_70
;--- new.ll
define ptx_kernel void @k(ptr %p) {
  %x = load float, ptr %p
  %y = fmul contract float %x, %x
  %z = fadd contract float %y, %x
  store float %z, ptr %p
  ret void
}
;--- old.ll
target triple = "nvptx64-nvidia-cuda"
define void @old(ptr %p) {
  store i32 1, ptr %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @old, !"kernel", i32 1, !"maxntidx", i32 64}
;--- attributes.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) #0 {
  store i32 1, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx82,+sm_80" }
