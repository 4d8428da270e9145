; Kernels have their functions inlined. One whose address is taken stays besides;
; the report says what it is, and counts no statement of a scheme as an
; instruction.
; RUN: regshare-opt --emit=report %s | FileCheck %s
; RUN: regshare-opt --emit=report --scheme=shrf %s | FileCheck --check-prefixes=CHECK,SHRF %s
; RUN: regshare-opt --emit=report --scheme=ltrf-plus %s | FileCheck --check-prefixes=CHECK,LTRF %s
; RUN: regshare-opt --emit=json --scheme=ltrf %s | FileCheck --check-prefix=JSON %s
; RUN: regshare-opt --emit=ptx --scheme=ltrf %s | FileCheck --check-prefix=PTX %s

; CHECK-LABEL: function square
; CHECK-NEXT: target {{.*}}, 4 instructions,
; CHECK-LABEL: kernel k
; CHECK-NEXT: target {{.*}}, 6 instructions,
; SHRF: SHRF 1 strands
; LTRF: LTRF 1 intervals
; JSON: "is_kernel": false
; JSON: "name": "square"
; JSON: "is_kernel": true
; JSON: "name": "k"
; PTX-LABEL: .func {{.*}} square(
; PTX-NOT: regshare
; PTX-LABEL: .entry k(
; PTX: .pragma "regshare.intervals count=1 registers=16";

target triple = "nvptx64-nvidia-cuda"
@address = global ptr @square

define i32 @square(i32 %a) noinline {
  %b = mul i32 %a, %a
  ret i32 %b
}

define ptx_kernel void @k(ptr %out, i32 %n) {
  %v = call i32 @square(i32 %n)
  store i32 %v, ptr %out
  ret void
}
