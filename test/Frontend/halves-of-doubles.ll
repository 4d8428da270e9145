; The halves of a double, which libdevice asks for by name, are plain code: LLVM
; would write a register of its own, which has no architected one.
; RUN: regshare-opt %s --emit=ptx -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: regshare-opt %s --simulate --functional --block=4 --arg=buf:f64*4=iota --arg=buf:i32*8 --print-arg=1 --scheme=baseline | FileCheck %s --check-prefix=RESULT
; CHECK-NOT: tmp
; RESULT: [0] 0 0 1072693248 0 1073741824 0 1074266112 0
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr double, ptr %in, i32 %t
  %x = load double, ptr %p
  %h = call i32 @llvm.nvvm.d2i.hi(double %x)
  %l = call i32 @llvm.nvvm.d2i.lo(double %x)
  %q = getelementptr [2 x i32], ptr %out, i32 %t
  store i32 %h, ptr %q
  %r = getelementptr i32, ptr %q, i32 1
  store i32 %l, ptr %r
  ret void
}
