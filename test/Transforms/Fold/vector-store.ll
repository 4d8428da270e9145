; The low word of a register pair is no operand of a vector store, which takes
; neighbouring registers; one that computes the address is folded.
; RUN: regshare-opt --code=native --emit=ptx %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK:      regshare.map {{[^F]*}}[[SUM:%rd[0-9]+]]=F";
; CHECK:      mul.wide.u32 [[SUM]],
; CHECK-NEXT: add.s64
; CHECK:      cvt.u32.u64 [[LOW:%r[0-9]+]],
; CHECK:      st.global.v2.b32 [{{.*}}], {[[LOW]], %r
define ptx_kernel void @pair(ptr addrspace(1) %a) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i64, ptr addrspace(1) %a, i32 %i
  %old = load i64, ptr addrspace(1) %at
  %new = mul i64 %old, %old
  %low = trunc i64 %new to i32
  %one = insertelement <2 x i32> poison, i32 %low, i32 0
  %two = insertelement <2 x i32> %one, i32 %i, i32 1
  store <2 x i32> %two, ptr addrspace(1) %at
  %more = getelementptr i64, ptr addrspace(1) %at, i32 99
  store i64 %new, ptr addrspace(1) %more
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
