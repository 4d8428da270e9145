; With a scheme the plugin makes device functions part of their kernels, as
; regshare-opt does; a recursive one is an error that names it.
; RUN: split-file %s %t
; RUN: %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -mcpu=sm_75 %t/call.ll -o - | FileCheck %s
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 %t/call.ll -o - | FileCheck %s --check-prefix=STOCK
; RUN: not %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -mcpu=sm_75 %t/recursive.ll -o %t.none 2>&1 | FileCheck %s --check-prefix=RECURSIVE
; CHECK-NOT: .func
; CHECK: .entry k(
; CHECK: mul.rn.f32
; STOCK: .func
; RECURSIVE: error: regshare: {{.*}}f
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
  %y = call float @f(float %x)
  ret float %y
}
define ptx_kernel void @k(ptr %p) {
  %x = load float, ptr %p
  %y = call float @f(float %x)
  store float %y, ptr %p
  ret void
}
