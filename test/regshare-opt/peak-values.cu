// A report names the values that hold registers where most are live.
// RUN: regshare-opt %s --ptxas=none | FileCheck %s
// RUN: regshare-opt %s --ptxas=none --code=native | FileCheck %s --check-prefix=NATIVE
// RUN: regshare-opt %s --emit=json | %python %S/Inputs/named-at-peak.py | FileCheck %s --check-prefix=JSON

struct Weights {
  float First, Second;
};

__device__ float blend(float Left, float Right, Weights W) {
  return Left * W.First + Right * W.Second;
}

__global__ void mix(const float *In, float *Out, int Stride, Weights W) {
  int Index = blockIdx.x * blockDim.x + threadIdx.x;
  float Near = In[Index], Far = In[Index + Stride];
  float Sum = 0;
  for (int Step = 0; Step != Stride; ++Step) {
    float Next = In[Step];
    Sum += blend(Near, Next, W) + blend(Far, Next * Sum, W);
  }
  Out[Index] = Sum * Near + Far;
}

// CHECK: values that hold registers at line 11; those read last come first
// CHECK-NEXT: regs set at read at in value could be computed again
// CHECK-DAG: 1 16 22 {{.*}} Near, Left (blend) no: read from global memory
// CHECK-DAG: 1 16 22 {{.*}} Far, Left (blend) no: read from global memory
// CHECK-DAG: 1 18 18 {{.*}} Step no: set in several places
// CHECK-DAG: 1 20 20 {{.*}} Sum no: set in several places
// CHECK-DAG: 1 ? 11 {{.*}} W.Second (blend) yes: parameter
// What has no name is what stands where it is defined, or read.
// CHECK-DAG: 2 18 19 {{.*}} address of In[Step] no: set in several places
// CHECK-DAG: 1 11 20 {{.*}} Left * W.First + Right * W.Second yes: from live values

// NATIVE: values that hold registers
// NATIVE-DAG: 1 15 22 {{.*}} Index no:
// NATIVE-DAG: 1 16 22 {{.*}} Near, Left (blend) no: read from global memory

// JSON-DAG: Near: memory global, defined at line 16
// JSON-DAG: Sum: several_places, defined at line 20
// JSON-DAG: W.Second: parameter

// What debug information knows of variables is in the report and not in the PTX
// of it, which ptxas gets: this one prints what it gets.
// RUN: printf '#!/bin/sh\nfor A; do case "$A" in *.ptx) cp "$A" %t.ptx;; esac; done\nexit 1\n' > %t.ptxas && chmod +x %t.ptxas
// RUN: not regshare-opt %s --ptxas=%t.ptxas
// RUN: FileCheck %s --check-prefix=PTX --implicit-check-not=DEBUG_VALUE --implicit-check-not=debug_info --input-file=%t.ptx
// PTX: .visible .entry
