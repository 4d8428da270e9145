// The front end of native code: arrays of a thread are in registers, shared
// memory has addresses of 32 bits and is read 128 bits at a time, and atomics
// on one address are one of the warp. In the form of PTX nothing of that is
// done.
// RUN: regshare-opt %s --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: regshare-opt %s --code=ptx --emit=ptx -o %t.same
// RUN: cmp %t.ptx %t.same
// RUN: regshare-opt %s --code=native --emit=ptx -o %t.native
// RUN: FileCheck %s --check-prefix=NATIVE < %t.native
// RUN: not grep -E '(ld|st).local' %t.native

// A device may say so.
// RUN: sed 's/^target:.*/&\ncode: {value: native, source: a test}/' %configs/hopper.yaml > %t.yaml
// RUN: regshare-opt %s --device=%t.yaml -mcpu=sm_75 --emit=ptx -o %t.device
// RUN: FileCheck %s --check-prefix=NATIVE < %t.device
// RUN: regshare-opt %s --device=%t.yaml -mcpu=sm_75 --code=ptx --emit=ptx -o %t.device
// RUN: cmp %t.ptx %t.device

// Both do the same.
// RUN: regshare-opt %s --simulate --functional --kernel=tile --block=16,8 --arg=buf:f32*4096=iota --arg=buf:f32*4096=fill:2 --arg=buf:f32*4096=fill:4 --arg=128 --arg=16 --arg=128 --arg=16 --print-arg=2:300 -o - | grep -v instructions > %t.1
// RUN: regshare-opt %s --code=native --simulate --functional --kernel=tile --block=16,8 --arg=buf:f32*4096=iota --arg=buf:f32*4096=fill:2 --arg=buf:f32*4096=fill:4 --arg=128 --arg=16 --arg=128 --arg=16 --print-arg=2:300 -o - | grep -v instructions > %t.2
// RUN: cmp %t.1 %t.2

// PTX: .entry tile(
// PTX: .local .align 4 .b8 __local_depot0[64]
// PTX: .shared .align 4
// PTX-NOT: ld.shared.v
// PTX: ld.local
// NATIVE: .entry tile(
// NATIVE: .shared .align 16
// NATIVE: ld.shared.v4.b32

// A register tile: c of a thread, b in shared memory.
extern "C" __global__ void tile(const float *a, const float *b, float *out,
                                int lda, int ldb, int ldc, int k) {
  __shared__ float part[8][16];
  float c[16];
  for (int i = 0; i < 16; i++)
    c[i] = 0;
  int m = blockIdx.x * 128 + threadIdx.y * blockDim.x + threadIdx.x;
  int n = blockIdx.y * 16 + threadIdx.x;
  for (int i = 0; i < k; i += 8) {
    part[threadIdx.y][threadIdx.x] = b[n + (i + threadIdx.y) * ldb];
    __syncthreads();
    for (int j = 0; j < 8; j++) {
      float x = a[m + (i + j) * lda];
      for (int l = 0; l < 16; l++)
        c[l] += x * part[j][l];
    }
    __syncthreads();
  }
  int t = ldc * blockIdx.y * 16 + m;
  for (int i = 0; i < 16; i++)
    out[t + i * ldc] = out[t + i * ldc] * 0.5f + c[i];
}
