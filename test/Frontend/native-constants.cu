// RUN: regshare-opt %s --code=ptx --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: regshare-opt %s --code=native --emit=ptx -o - | FileCheck %s --check-prefix=NATIVE

// Both do the same.
// RUN: regshare-opt %s --code=ptx --simulate --functional --block=32 --arg=buf:f32*4096=iota --arg=16 --print-arg=0:32 -o - | grep -v instructions > %t.1
// RUN: regshare-opt %s --code=native --simulate --functional --block=32 --arg=buf:f32*4096=iota --arg=16 --print-arg=0:32 -o - | grep -v instructions > %t.2
// RUN: cmp %t.1 %t.2

// Neighbours in a table of constants are read together, except those whose
// address is known: each of them is an operand of what uses it.
// PTX: .entry constants(
// PTX-NOT: ld.const.v
// NATIVE: .const .align 16 .b8 Table[256]
// NATIVE: .entry constants(
// NATIVE: ld.const.v4.b32
// NATIVE-NOT: ld.const.v
// NATIVE-COUNT-4: ld.const.b32
__constant__ float Table[64];
extern "C" __global__ void constants(float *out, int n) {
  float x = out[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; ++i)
    x = x * Table[4 * i] + Table[4 * i + 1] + x * Table[4 * i + 2] +
        Table[4 * i + 3];
  out[threadIdx.x] =
      x * Table[4] + x * x * Table[5] + Table[6] * out[99] + Table[7];
}
