; MIR that we write can be read again where only inline PTX defines a register.
; RUN: regshare-opt %s --emit=mir -o %t.mir
; RUN: FileCheck %s --input-file=%t.mir
; RUN: regshare-opt %t.mir --emit=ptx | FileCheck %s --check-prefix=PTX
; CHECK: INLINEASM &"mov.u32 $0, %laneid;", {{.*}} def %R{{[0-9]+}}:b32
; CHECK: INLINEASM &"mov.u64 $0, %clock64;", {{.*}} def %R{{[0-9]+_[0-9]+}}:b64
; CHECK: INLINEASM &"{ mov.u32 $0, %smid; add.u32 $0, $0, $1; }", {{.*}} def early-clobber %R{{[0-9]+}}:b32
; CHECK: INLINEASM &"mov.u32 $0, %nsmid;", {{.*}} def dead %R{{[0-9]+}}:b32
; PTX: mov.u32 %r{{[0-9]+}}, %laneid;
; PTX: mov.u64 %rd{{[0-9]+}}, %clock64;
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @lanes(ptr addrspace(1) %lane, ptr addrspace(1) %time) {
  %l = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()
  %t = call i64 asm sideeffect "mov.u64 $0, %clock64;", "=l"()
  %s = call i32 asm sideeffect "{ mov.u32 $0, %smid; add.u32 $0, $0, $1; }", "=r,r"(i32 %l)
  %d = call i32 asm sideeffect "mov.u32 $0, %nsmid;", "=r"()
  store volatile i32 %s, ptr addrspace(1) %lane
  store i32 %l, ptr addrspace(1) %lane
  store i64 %t, ptr addrspace(1) %time
  ret void
}
