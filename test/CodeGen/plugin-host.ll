; The host half of a CUDA compilation is none of the plugin's business.
; RUN: %llc -mtriple=x86_64 %s -o %t.stock.s
; RUN: %llc -load-pass-plugin=%plugin -regshare-scheme=baseline -mtriple=x86_64 %s -o %t.s
; RUN: cmp %t.stock.s %t.s
define i32 @host(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
