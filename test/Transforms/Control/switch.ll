; What is said of a switch's branch, or of what comes before it, does not stand in
; the table of its targets, and the text is read again.
;
; RUN: regshare-opt %s -mcpu=sm_75 --code=native -regshare-control-code=1 --emit=ptx -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: regshare-opt %t.ptx --simulate --device=rtx6000 --block=32 --arg=buf:u32=3 --arg=2 --check-arg=0=20

target triple = "nvptx64-nvidia-cuda"

; CHECK: .visible .entry jump
; CHECK: .branchtargets
; CHECK-NOT: .pragma
; CHECK: brx.idx
define ptx_kernel void @jump(ptr addrspace(1) %p, i32 %n) {
  %v = load i32, ptr addrspace(1) %p
  %x = mul i32 %v, %n
  switch i32 %n, label %d [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
    i32 3, label %e
    i32 4, label %f
    i32 5, label %g
  ]
a:
  store i32 10, ptr addrspace(1) %p
  ret void
b:
  store i32 %x, ptr addrspace(1) %p
  ret void
c:
  store i32 20, ptr addrspace(1) %p
  ret void
e:
  %y = add i32 %x, 7
  store i32 %y, ptr addrspace(1) %p
  ret void
f:
  %z = xor i32 %x, 7
  store i32 %z, ptr addrspace(1) %p
  ret void
g:
  %w = sub i32 %x, 7
  store i32 %w, ptr addrspace(1) %p
  ret void
d:
  ret void
}
