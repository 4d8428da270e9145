// What a kernel's inline PTX does with registers is said before it. A function
// that stays beside the kernels, as a pointer's target does at -O0, has no
// registers that anybody knows, and its PTX is left as it is.
// RUN: regshare-opt %s -O0 --code=ptx --emit=ptx | FileCheck %s
// RUN: regshare-opt %s -O0 --code=native --emit=ptx | FileCheck %s
// CHECK: .func (.param .b32 func_retval0) _Z6chosenj(
// CHECK-NEXT: .param
// CHECK-NOT: regshare.
// CHECK: .reg .pred p;
// CHECK: .visible .entry
// CHECK: regshare.kernel
// CHECK: regshare.temps p=P
__device__ unsigned chosen(unsigned X) {
  asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; selp.u32 %0, 1, 2, p; }"
      : "=r"(X)
      : "r"(X));
  return X;
}
__global__ void kernel(unsigned *Out) {
  unsigned (*volatile Call)(unsigned) = chosen;
  Out[0] = Call(Out[1]);
}
