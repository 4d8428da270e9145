// A gpu.func; a memref is five parameters: two addresses, an offset, a size and
// a stride.
// DEFINE: %{args} = --block=32 --arg=buf:f32*8=iota:0.5 --arg=ref:0 --arg=0 \
// DEFINE:   --arg=8 --arg=1 --arg=7 --print-arg=0
// RUN: regshare-opt %s --simulate --functional %{args} | FileCheck %s
// RUN: regshare-opt %s --simulate %{args} | FileCheck %s
// CHECK: argument 0: f32*8
// CHECK-NEXT: [0] 1 3 5 7 9 11 13 7.5
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%a: memref<?xf32>, %n: index) kernel {
      %i = gpu.thread_id x
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %a[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
}
