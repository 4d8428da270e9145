// In clang: remarks through -Rpass, options through -mllvm, native code, and
// without a scheme PTX that is byte for byte what clang makes alone.
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O2 -S %s -o %t.stock.s
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O2 -S %s -o %t.s -fpass-plugin=%plugin -Rpass=regshare 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cmp %t.stock.s %t.s
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O0 -S %s -o %t.stock0.s
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O0 -S %s -o %t.0.s -fpass-plugin=%plugin -Rpass=regshare 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cmp %t.stock0.s %t.0.s
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O2 -S %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -regshare-scheme=baseline | FileCheck %s --check-prefix=PTX
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O3 -S %s -o - -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -regshare-scheme=baseline -mllvm -regshare-code=native | FileCheck %s --check-prefixes=PTX,NATIVE
// REMARK: registers per thread ({{[0-9]+}} live at the peak){{.*}}[-Rpass=regshare]
// PTX: .pragma "regshare.kernel v1 name=_Z1kPfi scheme=baseline
// NATIVE: .pragma "regshare.native instructions=
#define __global__ __attribute__((global))
__global__ void k(float *a, int n) {
  for (int i = __nvvm_read_ptx_sreg_tid_x(); i < n; i += 32)
    a[i] = a[i] * a[i + 1] + 2;
}
