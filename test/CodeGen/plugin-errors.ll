; Names that mean nothing are one error for the whole module, and leave no output.
; RUN: not %llc -load-pass-plugin=%plugin -mcpu=sm_75 -regshare-scheme=ltfr %s -o %t.none 2>&1 | FileCheck %s --check-prefix=SCHEME
; RUN: not ls %t.none
; RUN: not %llc -load-pass-plugin=%plugin -mcpu=sm_75 -regshare-device=gtx9000 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=DEVICE
; RUN: not ls %t.none
; SCHEME: error: regshare: unknown scheme 'ltfr' (did you mean 'ltrf'?); known: baseline
; SCHEME-NOT: error
; DEVICE: error: regshare: unknown device 'gtx9000'; known: a100, ampere
; DEVICE-NOT: error
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @a() { ret void }
define ptx_kernel void @b() { ret void }
