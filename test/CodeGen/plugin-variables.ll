; A variable that nobody reads is told once a compilation, with the nearest one; those of a loaded scheme are known.
; RUN: env REGSHARE_SCHMEE=ltrf REGSHARE_DEVICE= REGSHARE_TIMING=0 %llc -load-pass-plugin=%plugin -mcpu=sm_75 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning
; CHECK: {{^}}regshare: warning: REGSHARE_SCHMEE is no variable of RegShare; did you mean REGSHARE_SCHEME?{{$}}
; RUN: env REGSHARE_SCHEME=ltrf %llc -load-pass-plugin=%plugin -mcpu=sm_75 %s -o /dev/null 2>&1 | count 0
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @a() { ret void }
define ptx_kernel void @b() { ret void }
