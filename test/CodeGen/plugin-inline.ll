; With a scheme the plugin makes device functions part of their kernels, as
; regshare-opt does; one that calls itself needs PTX with a stack.
; RUN: split-file %s %t
; RUN: %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -mcpu=sm_75 %t/call.ll -o - | FileCheck %s
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 %t/call.ll -o - | FileCheck %s --check-prefix=STOCK
; RUN: %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -mcpu=sm_75 -mattr=+ptx73 %t/recursive.ll -o - | FileCheck %s --check-prefix=RECURSIVE
; RUN: not %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -mcpu=sm_75 %t/recursive.ll -o %t.none 2>&1 | FileCheck %s --check-prefix=OLD
; CHECK-NOT: .func
; CHECK: .entry k(
; CHECK: mul.rn.f32
; STOCK: .func
; RECURSIVE-NOT: .func
; RECURSIVE: alloca.u64
; RECURSIVE: stackrestore.u64
; OLD: error: regshare: {{.*}}kernel 'k' calls 'f', which calls itself: expected +ptx73 or later, where PTX has a stack, found +ptx63
;--- call.ll
target triple = "nvptx64-nvidia-cuda"
define float @f(float %x) noinline {
  %y = fmul float %x, %x
  ret float %y
}
define ptx_kernel void @k(ptr %p) {
  %x = load float, ptr %p
  %y = call float @f(float %x)
  store float %y, ptr %p
  ret void
}
;--- recursive.ll
target triple = "nvptx64-nvidia-cuda"
define float @f(float %x) {
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %end, label %more
more:
  %h = fmul float %x, 0.5
  %y = call float @f(float %h)
  %z = fadd float %x, %y
  ret float %z
end:
  ret float %x
}
define ptx_kernel void @k(ptr %p) {
  %x = load float, ptr %p
  %y = call float @f(float %x)
  store float %y, ptr %p
  ret void
}
