; Math intrinsics that NVPTX has no instruction for come from libdevice; those
; it has stay.
; RUN: regshare-opt %s --emit=ptx -o - | FileCheck %s
; RUN: regshare-opt %s --no-cuda-toolkit --emit=ptx -o - | FileCheck %s
; CHECK-NOT: .func
; CHECK: .entry single(
; CHECK: fma.rn.f32
; CHECK: .entry natively(
; CHECK: sin.approx.f32
; CHECK: .entry double(
; CHECK: fma.rn.f64
; CHECK: .entry halves(
; CHECK: ret;
define ptx_kernel void @single(ptr %p) {
  %x = load float, ptr %p
  %y = call float @llvm.exp.f32(float %x)
  store float %y, ptr %p
  ret void
}
define ptx_kernel void @natively(ptr %p) {
  %x = load float, ptr %p
  %y = call afn float @llvm.sin.f32(float %x)
  store float %y, ptr %p
  ret void
}
define ptx_kernel void @double(ptr %p) {
  %x = load double, ptr %p
  %y = call double @llvm.pow.f64(double %x, double %x)
  store double %y, ptr %p
  ret void
}
define ptx_kernel void @halves(ptr %p) {
  %x = load <2 x half>, ptr %p
  %y = call <2 x half> @llvm.log.v2f16(<2 x half> %x)
  store <2 x half> %y, ptr %p
  ret void
}
