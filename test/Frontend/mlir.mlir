// MLIR in the forms people have it. Each keeps the lines of its source.
// RUN: split-file %s %t
// RUN: regshare-opt %t/gpu.mlir --emit=ptx -o - | FileCheck %s --check-prefix=GPU
// RUN: regshare-opt %t/gpu.mlir -O0 -mcpu=sm_90 --emit=ptx -o - | FileCheck %s --check-prefixes=GPU,SM90
// RUN: regshare-opt -x mlir - --emit=ptx -o - < %t/gpu.mlir | FileCheck %s --check-prefix=GPU
// RUN: regshare-opt %t/launch.mlir --emit=ptx -o - | FileCheck %s --check-prefix=LAUNCH
// RUN: regshare-opt %t/nvvm.mlir --emit=ptx -o - | FileCheck %s --check-prefix=NVVM
// RUN: regshare-opt %t/nvvm.mlir -mcpu=sm_75 --emit=ptx -o - | FileCheck %s --check-prefix=NVVM75
// RUN: regshare-opt %t/llvm.mlir --emit=ptx -o - | FileCheck %s --check-prefix=LLVM

// SM90: .target sm_90
// GPU: .entry twice(
// GPU: .loc {{[0-9]+}} 5
// GPU: add{{(.rn)?}}.f32
// GPU-NOT: call
// GPU: ret;
//--- gpu.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%a: memref<?xf32>, %n: index) kernel {
      %i = gpu.thread_id x
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = arith.addf %x, %x : f32
        %z = math.exp %y : f32
        memref.store %z, %a[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
}

// Host code stays behind, and each gpu.launch becomes a kernel.
// LAUNCH-DAG: .entry host_kernel(
// LAUNCH-DAG: .entry other_kernel(
//--- launch.mlir
func.func @host(%a: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    %v = memref.load %a[%x] : memref<?xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %a[%x] : memref<?xf32>
    gpu.terminator
  }
  return
}
func.func @other(%a: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    %v = memref.load %a[%x] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%x] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A target that the module names is its own; -mcpu wins over it.
// NVVM: .target sm_90
// NVVM: .entry tid(
// NVVM75: .target sm_75
//--- nvvm.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    llvm.func @tid(%p: !llvm.ptr) attributes {nvvm.kernel} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      llvm.store %t, %p : i32, !llvm.ptr
      llvm.return
    }
  }
}

// LLVM: .target sm_75
// LLVM: .entry plain(
// LLVM: .loc {{[0-9]+}} 2
//--- llvm.mlir
llvm.func @plain(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  llvm.store %t, %p : i32, !llvm.ptr
  llvm.return
}
