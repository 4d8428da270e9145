; Values that are live where setmaxnreg leaves a thread 24 registers are assigned
; below that, whatever they live through before; what follows an increase may
; have more than the launch gave. Too many are refused.
; RUN: regshare-opt %s --mcpu=sm_90a --scheme=setmaxnreg --emit=ptx -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: sed 's/inc.sync.aligned.u32 96/dec.sync.aligned.u32 24/' %s > %t.bad.ll
; RUN: not regshare-opt %t.bad.ll --mcpu=sm_90a --scheme=setmaxnreg --emit=ptx -o %t.bad.ptx 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: sed 's/void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 96;", ""()/void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 96)/' %s > %t.intrinsic.ll
; RUN: not regshare-opt %t.intrinsic.ll --mcpu=sm_90a --scheme=setmaxnreg --emit=ptx -o %t.i.ptx 2>&1 | FileCheck %s --check-prefix=INTRINSIC
; RUN: regshare-opt %s --mcpu=sm_90a --scheme=baseline --emit=ptx -o %t.baseline.ptx
; RUN: FileCheck %s --check-prefix=BASELINE --input-file=%t.baseline.ptx --implicit-check-not=regshare.pool
; CHECK: .maxnreg 48
; CHECK: regs={{(5[0-9]|[6-9][0-9])}}
; CHECK: .pragma "regshare.pool launch=48";
; BAD: roles: {{[0-9]+}} registers are live at once where setmaxnreg leaves a thread 24; what is live there is not spilled
; INTRINSIC: roles: setmaxnreg as a call of LLVM's intrinsic: expected inline PTX, found llvm.nvvm
; BASELINE: regs={{([1-3][0-9]|4[0-8]) }}
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)

define ptx_kernel void @roles(ptr addrspace(1) %p, i32 %n) "nvvm.maxnreg"="48" {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a0.p = getelementptr i32, ptr addrspace(1) %p, i32 0
  %a0 = load volatile i32, ptr addrspace(1) %a0.p
  %a1.p = getelementptr i32, ptr addrspace(1) %p, i32 1
  %a1 = load volatile i32, ptr addrspace(1) %a1.p
  %a2.p = getelementptr i32, ptr addrspace(1) %p, i32 2
  %a2 = load volatile i32, ptr addrspace(1) %a2.p
  %a3.p = getelementptr i32, ptr addrspace(1) %p, i32 3
  %a3 = load volatile i32, ptr addrspace(1) %a3.p
  %a4.p = getelementptr i32, ptr addrspace(1) %p, i32 4
  %a4 = load volatile i32, ptr addrspace(1) %a4.p
  %a5.p = getelementptr i32, ptr addrspace(1) %p, i32 5
  %a5 = load volatile i32, ptr addrspace(1) %a5.p
  %a6.p = getelementptr i32, ptr addrspace(1) %p, i32 6
  %a6 = load volatile i32, ptr addrspace(1) %a6.p
  %a7.p = getelementptr i32, ptr addrspace(1) %p, i32 7
  %a7 = load volatile i32, ptr addrspace(1) %a7.p
  %a8.p = getelementptr i32, ptr addrspace(1) %p, i32 8
  %a8 = load volatile i32, ptr addrspace(1) %a8.p
  %a9.p = getelementptr i32, ptr addrspace(1) %p, i32 9
  %a9 = load volatile i32, ptr addrspace(1) %a9.p
  %a10.p = getelementptr i32, ptr addrspace(1) %p, i32 10
  %a10 = load volatile i32, ptr addrspace(1) %a10.p
  %a11.p = getelementptr i32, ptr addrspace(1) %p, i32 11
  %a11 = load volatile i32, ptr addrspace(1) %a11.p
  %a12.p = getelementptr i32, ptr addrspace(1) %p, i32 12
  %a12 = load volatile i32, ptr addrspace(1) %a12.p
  %a13.p = getelementptr i32, ptr addrspace(1) %p, i32 13
  %a13 = load volatile i32, ptr addrspace(1) %a13.p
  %a14.p = getelementptr i32, ptr addrspace(1) %p, i32 14
  %a14 = load volatile i32, ptr addrspace(1) %a14.p
  %a15.p = getelementptr i32, ptr addrspace(1) %p, i32 15
  %a15 = load volatile i32, ptr addrspace(1) %a15.p
  %a16.p = getelementptr i32, ptr addrspace(1) %p, i32 16
  %a16 = load volatile i32, ptr addrspace(1) %a16.p
  %a17.p = getelementptr i32, ptr addrspace(1) %p, i32 17
  %a17 = load volatile i32, ptr addrspace(1) %a17.p
  %a18.p = getelementptr i32, ptr addrspace(1) %p, i32 18
  %a18 = load volatile i32, ptr addrspace(1) %a18.p
  %a19.p = getelementptr i32, ptr addrspace(1) %p, i32 19
  %a19 = load volatile i32, ptr addrspace(1) %a19.p
  %a20.p = getelementptr i32, ptr addrspace(1) %p, i32 20
  %a20 = load volatile i32, ptr addrspace(1) %a20.p
  %a21.p = getelementptr i32, ptr addrspace(1) %p, i32 21
  %a21 = load volatile i32, ptr addrspace(1) %a21.p
  %a22.p = getelementptr i32, ptr addrspace(1) %p, i32 22
  %a22 = load volatile i32, ptr addrspace(1) %a22.p
  %a23.p = getelementptr i32, ptr addrspace(1) %p, i32 23
  %a23 = load volatile i32, ptr addrspace(1) %a23.p
  %a24.p = getelementptr i32, ptr addrspace(1) %p, i32 24
  %a24 = load volatile i32, ptr addrspace(1) %a24.p
  %a25.p = getelementptr i32, ptr addrspace(1) %p, i32 25
  %a25 = load volatile i32, ptr addrspace(1) %a25.p
  %a26.p = getelementptr i32, ptr addrspace(1) %p, i32 26
  %a26 = load volatile i32, ptr addrspace(1) %a26.p
  %a27.p = getelementptr i32, ptr addrspace(1) %p, i32 27
  %a27 = load volatile i32, ptr addrspace(1) %a27.p
  %a28.p = getelementptr i32, ptr addrspace(1) %p, i32 28
  %a28 = load volatile i32, ptr addrspace(1) %a28.p
  %a29.p = getelementptr i32, ptr addrspace(1) %p, i32 29
  %a29 = load volatile i32, ptr addrspace(1) %a29.p
  %a30.p = getelementptr i32, ptr addrspace(1) %p, i32 30
  %a30 = load volatile i32, ptr addrspace(1) %a30.p
  %a31.p = getelementptr i32, ptr addrspace(1) %p, i32 31
  %a31 = load volatile i32, ptr addrspace(1) %a31.p
  %kept.p = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %kept = load volatile i32, ptr addrspace(1) %kept.p
  store volatile i32 %a0, ptr addrspace(1) %p
  store volatile i32 %a1, ptr addrspace(1) %p
  store volatile i32 %a2, ptr addrspace(1) %p
  store volatile i32 %a3, ptr addrspace(1) %p
  store volatile i32 %a4, ptr addrspace(1) %p
  store volatile i32 %a5, ptr addrspace(1) %p
  store volatile i32 %a6, ptr addrspace(1) %p
  store volatile i32 %a7, ptr addrspace(1) %p
  store volatile i32 %a8, ptr addrspace(1) %p
  store volatile i32 %a9, ptr addrspace(1) %p
  store volatile i32 %a10, ptr addrspace(1) %p
  store volatile i32 %a11, ptr addrspace(1) %p
  store volatile i32 %a12, ptr addrspace(1) %p
  store volatile i32 %a13, ptr addrspace(1) %p
  store volatile i32 %a14, ptr addrspace(1) %p
  store volatile i32 %a15, ptr addrspace(1) %p
  store volatile i32 %a16, ptr addrspace(1) %p
  store volatile i32 %a17, ptr addrspace(1) %p
  store volatile i32 %a18, ptr addrspace(1) %p
  store volatile i32 %a19, ptr addrspace(1) %p
  store volatile i32 %a20, ptr addrspace(1) %p
  store volatile i32 %a21, ptr addrspace(1) %p
  store volatile i32 %a22, ptr addrspace(1) %p
  store volatile i32 %a23, ptr addrspace(1) %p
  store volatile i32 %a24, ptr addrspace(1) %p
  store volatile i32 %a25, ptr addrspace(1) %p
  store volatile i32 %a26, ptr addrspace(1) %p
  store volatile i32 %a27, ptr addrspace(1) %p
  store volatile i32 %a28, ptr addrspace(1) %p
  store volatile i32 %a29, ptr addrspace(1) %p
  store volatile i32 %a30, ptr addrspace(1) %p
  store volatile i32 %a31, ptr addrspace(1) %p
  %gives = icmp slt i32 %n, 5
  br i1 %gives, label %few, label %many

few:
  call void asm sideeffect "setmaxnreg.dec.sync.aligned.u32 24;", ""()
  store volatile i32 %kept, ptr addrspace(1) %kept.p
  ret void

many:
  call void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 96;", ""()
  %b0.p = getelementptr i32, ptr addrspace(1) %p, i32 0
  %b0 = load volatile i32, ptr addrspace(1) %b0.p
  %b1.p = getelementptr i32, ptr addrspace(1) %p, i32 1
  %b1 = load volatile i32, ptr addrspace(1) %b1.p
  %b2.p = getelementptr i32, ptr addrspace(1) %p, i32 2
  %b2 = load volatile i32, ptr addrspace(1) %b2.p
  %b3.p = getelementptr i32, ptr addrspace(1) %p, i32 3
  %b3 = load volatile i32, ptr addrspace(1) %b3.p
  %b4.p = getelementptr i32, ptr addrspace(1) %p, i32 4
  %b4 = load volatile i32, ptr addrspace(1) %b4.p
  %b5.p = getelementptr i32, ptr addrspace(1) %p, i32 5
  %b5 = load volatile i32, ptr addrspace(1) %b5.p
  %b6.p = getelementptr i32, ptr addrspace(1) %p, i32 6
  %b6 = load volatile i32, ptr addrspace(1) %b6.p
  %b7.p = getelementptr i32, ptr addrspace(1) %p, i32 7
  %b7 = load volatile i32, ptr addrspace(1) %b7.p
  %b8.p = getelementptr i32, ptr addrspace(1) %p, i32 8
  %b8 = load volatile i32, ptr addrspace(1) %b8.p
  %b9.p = getelementptr i32, ptr addrspace(1) %p, i32 9
  %b9 = load volatile i32, ptr addrspace(1) %b9.p
  %b10.p = getelementptr i32, ptr addrspace(1) %p, i32 10
  %b10 = load volatile i32, ptr addrspace(1) %b10.p
  %b11.p = getelementptr i32, ptr addrspace(1) %p, i32 11
  %b11 = load volatile i32, ptr addrspace(1) %b11.p
  %b12.p = getelementptr i32, ptr addrspace(1) %p, i32 12
  %b12 = load volatile i32, ptr addrspace(1) %b12.p
  %b13.p = getelementptr i32, ptr addrspace(1) %p, i32 13
  %b13 = load volatile i32, ptr addrspace(1) %b13.p
  %b14.p = getelementptr i32, ptr addrspace(1) %p, i32 14
  %b14 = load volatile i32, ptr addrspace(1) %b14.p
  %b15.p = getelementptr i32, ptr addrspace(1) %p, i32 15
  %b15 = load volatile i32, ptr addrspace(1) %b15.p
  %b16.p = getelementptr i32, ptr addrspace(1) %p, i32 16
  %b16 = load volatile i32, ptr addrspace(1) %b16.p
  %b17.p = getelementptr i32, ptr addrspace(1) %p, i32 17
  %b17 = load volatile i32, ptr addrspace(1) %b17.p
  %b18.p = getelementptr i32, ptr addrspace(1) %p, i32 18
  %b18 = load volatile i32, ptr addrspace(1) %b18.p
  %b19.p = getelementptr i32, ptr addrspace(1) %p, i32 19
  %b19 = load volatile i32, ptr addrspace(1) %b19.p
  %b20.p = getelementptr i32, ptr addrspace(1) %p, i32 20
  %b20 = load volatile i32, ptr addrspace(1) %b20.p
  %b21.p = getelementptr i32, ptr addrspace(1) %p, i32 21
  %b21 = load volatile i32, ptr addrspace(1) %b21.p
  %b22.p = getelementptr i32, ptr addrspace(1) %p, i32 22
  %b22 = load volatile i32, ptr addrspace(1) %b22.p
  %b23.p = getelementptr i32, ptr addrspace(1) %p, i32 23
  %b23 = load volatile i32, ptr addrspace(1) %b23.p
  %b24.p = getelementptr i32, ptr addrspace(1) %p, i32 24
  %b24 = load volatile i32, ptr addrspace(1) %b24.p
  %b25.p = getelementptr i32, ptr addrspace(1) %p, i32 25
  %b25 = load volatile i32, ptr addrspace(1) %b25.p
  %b26.p = getelementptr i32, ptr addrspace(1) %p, i32 26
  %b26 = load volatile i32, ptr addrspace(1) %b26.p
  %b27.p = getelementptr i32, ptr addrspace(1) %p, i32 27
  %b27 = load volatile i32, ptr addrspace(1) %b27.p
  %b28.p = getelementptr i32, ptr addrspace(1) %p, i32 28
  %b28 = load volatile i32, ptr addrspace(1) %b28.p
  %b29.p = getelementptr i32, ptr addrspace(1) %p, i32 29
  %b29 = load volatile i32, ptr addrspace(1) %b29.p
  %b30.p = getelementptr i32, ptr addrspace(1) %p, i32 30
  %b30 = load volatile i32, ptr addrspace(1) %b30.p
  %b31.p = getelementptr i32, ptr addrspace(1) %p, i32 31
  %b31 = load volatile i32, ptr addrspace(1) %b31.p
  %b32.p = getelementptr i32, ptr addrspace(1) %p, i32 32
  %b32 = load volatile i32, ptr addrspace(1) %b32.p
  %b33.p = getelementptr i32, ptr addrspace(1) %p, i32 33
  %b33 = load volatile i32, ptr addrspace(1) %b33.p
  %b34.p = getelementptr i32, ptr addrspace(1) %p, i32 34
  %b34 = load volatile i32, ptr addrspace(1) %b34.p
  %b35.p = getelementptr i32, ptr addrspace(1) %p, i32 35
  %b35 = load volatile i32, ptr addrspace(1) %b35.p
  %b36.p = getelementptr i32, ptr addrspace(1) %p, i32 36
  %b36 = load volatile i32, ptr addrspace(1) %b36.p
  %b37.p = getelementptr i32, ptr addrspace(1) %p, i32 37
  %b37 = load volatile i32, ptr addrspace(1) %b37.p
  %b38.p = getelementptr i32, ptr addrspace(1) %p, i32 38
  %b38 = load volatile i32, ptr addrspace(1) %b38.p
  %b39.p = getelementptr i32, ptr addrspace(1) %p, i32 39
  %b39 = load volatile i32, ptr addrspace(1) %b39.p
  %b40.p = getelementptr i32, ptr addrspace(1) %p, i32 40
  %b40 = load volatile i32, ptr addrspace(1) %b40.p
  %b41.p = getelementptr i32, ptr addrspace(1) %p, i32 41
  %b41 = load volatile i32, ptr addrspace(1) %b41.p
  %b42.p = getelementptr i32, ptr addrspace(1) %p, i32 42
  %b42 = load volatile i32, ptr addrspace(1) %b42.p
  %b43.p = getelementptr i32, ptr addrspace(1) %p, i32 43
  %b43 = load volatile i32, ptr addrspace(1) %b43.p
  %b44.p = getelementptr i32, ptr addrspace(1) %p, i32 44
  %b44 = load volatile i32, ptr addrspace(1) %b44.p
  %b45.p = getelementptr i32, ptr addrspace(1) %p, i32 45
  %b45 = load volatile i32, ptr addrspace(1) %b45.p
  %b46.p = getelementptr i32, ptr addrspace(1) %p, i32 46
  %b46 = load volatile i32, ptr addrspace(1) %b46.p
  %b47.p = getelementptr i32, ptr addrspace(1) %p, i32 47
  %b47 = load volatile i32, ptr addrspace(1) %b47.p
  %b48.p = getelementptr i32, ptr addrspace(1) %p, i32 48
  %b48 = load volatile i32, ptr addrspace(1) %b48.p
  %b49.p = getelementptr i32, ptr addrspace(1) %p, i32 49
  %b49 = load volatile i32, ptr addrspace(1) %b49.p
  %b50.p = getelementptr i32, ptr addrspace(1) %p, i32 50
  %b50 = load volatile i32, ptr addrspace(1) %b50.p
  %b51.p = getelementptr i32, ptr addrspace(1) %p, i32 51
  %b51 = load volatile i32, ptr addrspace(1) %b51.p
  %b52.p = getelementptr i32, ptr addrspace(1) %p, i32 52
  %b52 = load volatile i32, ptr addrspace(1) %b52.p
  %b53.p = getelementptr i32, ptr addrspace(1) %p, i32 53
  %b53 = load volatile i32, ptr addrspace(1) %b53.p
  %b54.p = getelementptr i32, ptr addrspace(1) %p, i32 54
  %b54 = load volatile i32, ptr addrspace(1) %b54.p
  %b55.p = getelementptr i32, ptr addrspace(1) %p, i32 55
  %b55 = load volatile i32, ptr addrspace(1) %b55.p
  %b56.p = getelementptr i32, ptr addrspace(1) %p, i32 56
  %b56 = load volatile i32, ptr addrspace(1) %b56.p
  %b57.p = getelementptr i32, ptr addrspace(1) %p, i32 57
  %b57 = load volatile i32, ptr addrspace(1) %b57.p
  %b58.p = getelementptr i32, ptr addrspace(1) %p, i32 58
  %b58 = load volatile i32, ptr addrspace(1) %b58.p
  %b59.p = getelementptr i32, ptr addrspace(1) %p, i32 59
  %b59 = load volatile i32, ptr addrspace(1) %b59.p
  store volatile i32 %b0, ptr addrspace(1) %p
  store volatile i32 %b1, ptr addrspace(1) %p
  store volatile i32 %b2, ptr addrspace(1) %p
  store volatile i32 %b3, ptr addrspace(1) %p
  store volatile i32 %b4, ptr addrspace(1) %p
  store volatile i32 %b5, ptr addrspace(1) %p
  store volatile i32 %b6, ptr addrspace(1) %p
  store volatile i32 %b7, ptr addrspace(1) %p
  store volatile i32 %b8, ptr addrspace(1) %p
  store volatile i32 %b9, ptr addrspace(1) %p
  store volatile i32 %b10, ptr addrspace(1) %p
  store volatile i32 %b11, ptr addrspace(1) %p
  store volatile i32 %b12, ptr addrspace(1) %p
  store volatile i32 %b13, ptr addrspace(1) %p
  store volatile i32 %b14, ptr addrspace(1) %p
  store volatile i32 %b15, ptr addrspace(1) %p
  store volatile i32 %b16, ptr addrspace(1) %p
  store volatile i32 %b17, ptr addrspace(1) %p
  store volatile i32 %b18, ptr addrspace(1) %p
  store volatile i32 %b19, ptr addrspace(1) %p
  store volatile i32 %b20, ptr addrspace(1) %p
  store volatile i32 %b21, ptr addrspace(1) %p
  store volatile i32 %b22, ptr addrspace(1) %p
  store volatile i32 %b23, ptr addrspace(1) %p
  store volatile i32 %b24, ptr addrspace(1) %p
  store volatile i32 %b25, ptr addrspace(1) %p
  store volatile i32 %b26, ptr addrspace(1) %p
  store volatile i32 %b27, ptr addrspace(1) %p
  store volatile i32 %b28, ptr addrspace(1) %p
  store volatile i32 %b29, ptr addrspace(1) %p
  store volatile i32 %b30, ptr addrspace(1) %p
  store volatile i32 %b31, ptr addrspace(1) %p
  store volatile i32 %b32, ptr addrspace(1) %p
  store volatile i32 %b33, ptr addrspace(1) %p
  store volatile i32 %b34, ptr addrspace(1) %p
  store volatile i32 %b35, ptr addrspace(1) %p
  store volatile i32 %b36, ptr addrspace(1) %p
  store volatile i32 %b37, ptr addrspace(1) %p
  store volatile i32 %b38, ptr addrspace(1) %p
  store volatile i32 %b39, ptr addrspace(1) %p
  store volatile i32 %b40, ptr addrspace(1) %p
  store volatile i32 %b41, ptr addrspace(1) %p
  store volatile i32 %b42, ptr addrspace(1) %p
  store volatile i32 %b43, ptr addrspace(1) %p
  store volatile i32 %b44, ptr addrspace(1) %p
  store volatile i32 %b45, ptr addrspace(1) %p
  store volatile i32 %b46, ptr addrspace(1) %p
  store volatile i32 %b47, ptr addrspace(1) %p
  store volatile i32 %b48, ptr addrspace(1) %p
  store volatile i32 %b49, ptr addrspace(1) %p
  store volatile i32 %b50, ptr addrspace(1) %p
  store volatile i32 %b51, ptr addrspace(1) %p
  store volatile i32 %b52, ptr addrspace(1) %p
  store volatile i32 %b53, ptr addrspace(1) %p
  store volatile i32 %b54, ptr addrspace(1) %p
  store volatile i32 %b55, ptr addrspace(1) %p
  store volatile i32 %b56, ptr addrspace(1) %p
  store volatile i32 %b57, ptr addrspace(1) %p
  store volatile i32 %b58, ptr addrspace(1) %p
  store volatile i32 %b59, ptr addrspace(1) %p
  store volatile i32 %kept, ptr addrspace(1) %kept.p
  ret void
}
