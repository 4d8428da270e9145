; Predicates that start as false are no constant operands: there are none for
; predicates, and the SM takes none.
; RUN: regshare-opt --code=native -mcpu=sm_90 --emit=ptx %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: regshare-opt --simulate --functional --block=64 '--arg=buf:i32*64' --arg=5 %t.ptx | FileCheck %s --check-prefix=RUNS
; CHECK: regshare.native
; CHECK-NOT: {{%p[0-9]+=C}}
; RUNS: 1 CTA, 64 threads
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %l, label %x
l:
  %i = phi i32 [0, %entry], [%j, %m]
  %f = phi i1 [false, %entry], [%g, %m]
  %p = getelementptr i32, ptr %o, i32 %i
  %v = load i32, ptr %p
  %d = icmp eq i32 %v, %t
  br i1 %d, label %a, label %m
a:
  store i32 %t, ptr %p
  br label %m
m:
  %g = phi i1 [true, %a], [false, %l]
  %j = add i32 %i, 1
  %e = icmp slt i32 %j, %n
  br i1 %e, label %l, label %x
x:
  %h = phi i1 [false, %entry], [%f, %m]
  %z = zext i1 %h to i32
  store i32 %z, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
