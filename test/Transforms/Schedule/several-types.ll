; Accesses of one place by several types stay in order in native code, as they
; do for ptxas, which sees no types: the halfword is read after both stores.
; LABELS: schedule
; RUN: regshare-opt %s -mcpu=sm_80 --code=native --emit=ptx | FileCheck %s
; CHECK-LABEL: .entry halves
; CHECK: st.shared.b32
; CHECK: st.shared.b32
; CHECK: ld.shared.b16

target triple = "nvptx64-nvidia-cuda"

@Words = internal addrspace(3) global [512 x i32] undef, align 4

define ptx_kernel void @halves(ptr addrspace(1) %Out, i32 %At, i32 %Clear) {
  %First = getelementptr i32, ptr addrspace(3) @Words, i32 %Clear
  store i32 0, ptr addrspace(3) %First, align 4, !tbaa !1
  %Second = getelementptr i8, ptr addrspace(3) %First, i32 1024
  store i32 0, ptr addrspace(3) %Second, align 4, !tbaa !1
  %Half = getelementptr i16, ptr addrspace(3) @Words, i32 %At
  %Value = load i16, ptr addrspace(3) %Half, align 2, !tbaa !3
  %Wide = zext i16 %Value to i32
  %Squared = mul i32 %Wide, %Wide
  %Cubed = mul i32 %Squared, %Wide
  store i32 %Cubed, ptr addrspace(1) %Out, align 4, !tbaa !1
  ret void
}

!1 = !{!2, !2, i64 0}
!2 = !{!"int", !5}
!3 = !{!4, !4, i64 0}
!4 = !{!"short", !5}
!5 = !{!"omnipotent char", !6}
!6 = !{!"C++"}
