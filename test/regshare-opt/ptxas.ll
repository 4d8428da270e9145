; What ptxas makes of the same PTX stands beside our figures, if it is asked.
; REQUIRES: cuda-toolkit

; RUN: regshare-opt %s --ptxas=%ptxas -mcpu=sm_75 --device=ampere --block=256 | FileCheck %s --check-prefix=TEXT
; TEXT: occupancy
; TEXT: ptxas {{[0-9]+}} registers per thread, {{[0-9]+}} instructions, 64 of 64 warps; a GPU runs ptxas's code

; RUN: regshare-opt %s --ptxas=%ptxas -mcpu=sm_75 --emit=json | FileCheck %s --check-prefix=JSON
; JSON: "ptxas": {
; JSON-NEXT: "instructions": {{[0-9]+}},
; JSON-NEXT: "registers": {{[0-9]+}},
; JSON-NEXT: "spill_load_bytes": 0,
; JSON-NEXT: "spill_store_bytes": 0
; JSON-NEXT: }

; The rest of the report is as it is without.
; RUN: regshare-opt %s --ptxas=%ptxas -mcpu=sm_75 | grep -v "^  ptxas" > %t.with
; RUN: regshare-opt %s --ptxas=none -mcpu=sm_75 > %t.without
; RUN: diff %t.with %t.without
; RUN: env REGSHARE_PTXAS=%ptxas regshare-opt %s -mcpu=sm_75 | FileCheck %s --check-prefix=FOUND
; FOUND: a GPU runs ptxas's code

; A target that this ptxas does not know is an error where it was named alone.
; RUN: not regshare-opt %s --ptxas=%ptxas -mcpu=sm_50 2>&1 | FileCheck %s --check-prefix=REFUSED
; REFUSED: regshare-opt: {{.*}}ptxas{{.*}}sm_50
; RUN: env REGSHARE_PTXAS=%ptxas regshare-opt %s -mcpu=sm_50 > %t.old
; RUN: not grep ptxas %t.old
; RUN: not regshare-opt %s --ptxas=%t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
; MISSING: regshare-opt: {{.*}}.missing

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @scale(ptr addrspace(1) %data, float %by) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %data, i32 %i
  %old = load float, ptr addrspace(1) %at
  %new = fmul float %old, %by
  store float %new, ptr addrspace(1) %at
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
