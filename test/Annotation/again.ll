; Annotations are written once, for code whose registers are known; those that
; the code brings with it are replaced.
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 -regshare-scheme=baseline -stop-after=regshare-annotate %s -o %t.mir
; RUN: grep 'regshare.kernel' %t.mir
; RUN: regshare-opt %t.mir --emit=ptx | FileCheck %s
; RUN: not regshare-opt %s --passes=regshare-annotate --emit=ptx 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not regshare-opt %s --passes=regshare-analyze-registers --emit=report 2>&1 | FileCheck %s --check-prefix=NONE
; CHECK: .pragma "regshare.kernel v1 name=k
; CHECK-NOT: regshare.kernel
; NONE: error: regshare: k: %{{[0-9]+}}: not an architected register; run regshare-assign-registers first
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
