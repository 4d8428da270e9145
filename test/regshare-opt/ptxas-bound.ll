; ptxas leaves -maxrregcount unheeded for kernels that bound their CTAs, so the
; bound on registers is written into those; the smaller one counts. What stands in
; for ptxas here refuses with the bounds that it was given: no toolkit is needed.
; test/regshare-tune/ptxas.cu asks the real one.

; RUN: split-file %s %t && chmod +x %t/ptxas
; RUN: not regshare-opt %t/kernels.ll --ptxas=%t/ptxas -mcpu=sm_90 -regshare-max-regs=32 2>&1 | FileCheck %s --check-prefix=BOUND
; BOUND: entry bounded .maxntid 256 .maxnreg 32 { entry free { entry larger .maxntid 256 .maxnreg 32 { entry smaller .maxntid 256 .maxnreg 24 { -maxrregcount=32
; RUN: not regshare-opt %t/kernels.ll --ptxas=%t/ptxas -mcpu=sm_90 2>&1 | FileCheck %s --check-prefix=FREE
; FREE: entry bounded .maxntid 256 { entry free { entry larger .maxntid 256 .maxnreg 40 { entry smaller .maxntid 256 .maxnreg 24 {
; FREE-NOT: -maxrregcount

;--- ptxas
#!/bin/sh
for word; do
  case $word in *.ptx) ptx=$word ;; -maxrregcount=*) bound=$word ;; esac
done
grep -v regshare_padding "$ptx" | sed -n 's/(.*//; s, *//.*,,; s/^\.visible \.//; /^entry/p; /^\.max/p; /^{/p' | tr '\n' ' '
echo "$bound"
exit 1
;--- kernels.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @bounded() "nvvm.maxntid"="256" {
  ret void
}
define ptx_kernel void @free() {
  ret void
}
define ptx_kernel void @larger() "nvvm.maxntid"="256" "nvvm.maxnreg"="40" {
  ret void
}
define ptx_kernel void @smaller() "nvvm.maxntid"="256" "nvvm.maxnreg"="24" {
  ret void
}
