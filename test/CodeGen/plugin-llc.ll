; In llc the plugin analyses and leaves the PTX as it was, at any level; with a
; scheme it assigns and annotates. An anchor that does not run is an error.
; RUN: %llc -mcpu=sm_75 -O2 %s -o %t.stock.s
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 -O2 %s -o %t.s -pass-remarks=regshare 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cmp %t.stock.s %t.s
; RUN: %llc -mcpu=sm_75 -O0 %s -o %t.stock0.s
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 -O0 %s -o %t.s -pass-remarks=regshare 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cmp %t.stock0.s %t.s
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 -regshare-scheme=baseline %s -o - | FileCheck %s --check-prefix=PTX
; RUN: not %llc -load-pass-plugin=%plugin -mcpu=sm_75 -regshare-anchor=machine-outliner %s -o %t.none 2>&1 | FileCheck %s --check-prefix=ANCHOR
; RUN: not ls %t.none
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_75 %s -o /dev/null -pass-remarks-output=%t.yaml && FileCheck %s --check-prefix=YAML < %t.yaml
; REMARK: remark: {{.*}}registers per thread ({{[0-9]+}} live at the peak)
; PTX: .pragma "regshare.kernel v1 name=k scheme=baseline
; PTX: .pragma "regshare.map
; ANCHOR: error: regshare: no pass 'machine-outliner' ran to place RegShare's passes after; nothing was done to kernel 'k'
; YAML: Pass: {{ *}}regshare
; YAML: Name: {{ *}}RegistersAssigned
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %a
  %c = icmp slt i32 %i, %n
  br i1 %c, label %then, label %done
then:
  %y = fmul float %x, %x
  store float %y, ptr %a
  br label %done
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
