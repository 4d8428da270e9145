; IR keeps the width of the pointers it came with, in either form of code.
; RUN: regshare-opt %s --emit=ptx -o - | FileCheck %s
; RUN: regshare-opt %s --code=native --emit=ptx -o - | FileCheck %s
; RUN: llvm-as %s -o %t.bc
; RUN: regshare-opt %t.bc --code=native --emit=ptx -o - | FileCheck %s
; RUN: sed '/^target datalayout/d' %s > %t.long.ll
; RUN: regshare-opt %t.long.ll --code=native --emit=ptx -o - | FileCheck %s --check-prefix=LONG
; CHECK: ld.volatile.shared.b32 {{.*}}[%r{{[0-9]+}}
; CHECK: ld.const.b32 {{.*}}[%r{{[0-9]+}}
; CHECK: cvta.const.u64
; LONG: ld.volatile.shared.b32 {{.*}}[%rd{{[0-9]+}}
; LONG: ld.const.b32 {{.*}}[%rd{{[0-9]+}}
; The SM takes both, and a constant's address is one in generic memory as well.
; RUN: regshare-opt %s --simulate --functional --block=8 --arg=buf:i32*8=iota --check-arg=0=16,17,12,13,20,21,16,17 -o /dev/null
; RUN: regshare-opt %s --code=native --simulate --functional --block=8 --arg=buf:i32*8=iota --check-arg=0=16,17,12,13,20,21,16,17 -o /dev/null
; RUN: regshare-opt %t.long.ll --simulate --functional --block=8 --arg=buf:i32*8=iota --check-arg=0=16,17,12,13,20,21,16,17 -o /dev/null
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@part = internal addrspace(3) global [8 x i32] poison
@table = addrspace(4) constant [4 x i32] [i32 7, i32 9, i32 4, i32 6]

; p[t] += table[t] + table[t ^ 1], of which the last is by way of a generic pointer
define ptx_kernel void @k(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr %p, i32 %t
  %x = load i32, ptr %mine
  %slot = getelementptr [8 x i32], ptr addrspace(3) @part, i32 0, i32 %t
  store volatile i32 %x, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %again = load volatile i32, ptr addrspace(3) %slot
  %i = and i32 %t, 3
  %entry = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %i
  %one = load volatile i32, ptr addrspace(4) %entry
  %j = xor i32 %i, 1
  %other = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %j
  %generic = addrspacecast ptr addrspace(4) %other to ptr
  %few = icmp ult i32 %t, 8
  %either = select i1 %few, ptr %generic, ptr %mine
  %two = load volatile i32, ptr %either
  %half = add i32 %one, %two
  %sum = add i32 %half, %again
  store i32 %sum, ptr %mine
  ret void
}
