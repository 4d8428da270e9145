; '$' stands for an operand in LLVM's inline assembly, and is a letter in PTX
; and CUDA: kernels of such names compile, run, and pass through MIR.
; RUN: regshare-opt --emit=ptx %s -o %t.ptx
; RUN: FileCheck %s --check-prefix=PTX < %t.ptx
; PTX: "regshare.kernel v1 name=price$0 scheme=baseline
; PTX: "regshare.kernel v1 name=a$b$$_tag_$ scheme=baseline
; RUN: regshare-opt --simulate --functional '--kernel=price$0' --block=32 '--arg=buf:i32*32' %t.ptx | FileCheck %s --check-prefix=RUNS
; RUNS: 1 CTA, 32 threads
; RUN: regshare-opt --emit=mir %s -o %t.mir
; RUN: regshare-opt --emit=ptx %t.mir -o %t.again.ptx
; RUN: grep regshare.kernel %t.again.ptx | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @"price$0"(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define ptx_kernel void @"a$b$$_tag_$"(ptr %p) {
  store i32 2, ptr %p
  ret void
}
