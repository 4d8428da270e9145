// What a CUDA kernel that does wrong is told: the rule, the kernel, the thread
// and the line of the source; the same with timing and without.
// DEFINE: %{mode} =
// DEFINE: %{run} = not regshare-opt %t.ptx --simulate %{mode} --instruction-limit=100000
// DEFINE: %{check} = 2>&1 | FileCheck %s --check-prefix

// RUN: regshare-opt %s --emit=ptx -o %t.ptx
// RUN: not regshare-opt %s --simulate --kernel=fill --block=64 --arg=64 --arg=buf:i32*50 %{check}=BOUNDS
// RUN: %{run} --kernel=fill --block=64 --arg=64 --arg=buf:i32*50 %{check}=BOUNDS
// RUN: %{run} --kernel=fill --block=64 --arg=64 --arg=freed:i32*64 %{check}=FREED
// RUN: %{run} --kernel=fill --block=64 --arg=64 --arg=null %{check}=NULL
// RUN: %{run} --kernel=shared --arg=64 --arg=buf:i32*1 %{check}=SHARED
// RUN: %{run} --kernel=doubles --arg=buf:b32*64 %{check}=ALIGN
// RUN: %{run} --kernel=sides --block=64 --arg=buf:i32*8 %{check}=SIDES
// RUN: %{run} --kernel=count --arg=buf:i32*2 %{check}=ENDLESS
// RUN: %{run} --kernel=fill --block=1025 --arg=64 --arg=null %{check}=THREADS
// RUN: %{run} --kernel=fill --dynamic-shared=50000 --arg=1 --arg=null %{check}=MEMORY
// RUN: %{run} --kernel=fill --arg=64 %{check}=ARGUMENTS
// RUN: %{run} --kernel=checked --block=64 --arg=2 %{check}=ASSERT

// REDEFINE: %{mode} = --functional
// RUN: %{run} --kernel=fill --block=64 --arg=64 --arg=buf:i32*50 %{check}=BOUNDS
// RUN: %{run} --kernel=fill --block=64 --arg=64 --arg=freed:i32*64 %{check}=FREED
// RUN: %{run} --kernel=fill --block=64 --arg=64 --arg=null %{check}=NULL
// RUN: %{run} --kernel=shared --arg=64 --arg=buf:i32*1 %{check}=SHARED
// RUN: %{run} --kernel=doubles --arg=buf:b32*64 %{check}=ALIGN
// RUN: %{run} --kernel=sides --block=64 --arg=buf:i32*8 %{check}=SIDES
// RUN: %{run} --kernel=count --arg=buf:i32*2 %{check}=ENDLESS
// RUN: %{run} --kernel=fill --block=1025 --arg=64 --arg=null %{check}=THREADS
// RUN: %{run} --kernel=fill --dynamic-shared=50000 --arg=1 --arg=null %{check}=MEMORY
// RUN: %{run} --kernel=fill --arg=64 %{check}=ARGUMENTS
// RUN: %{run} --kernel=checked --block=64 --arg=2 %{check}=ASSERT

// RUN: not regshare-opt %t.ptx --simulate --cycle-limit=20000 --kernel=count --arg=buf:i32*2 %{check}=CYCLES
// RUN: not regshare-opt %t.ptx --simulate --functional --kernel=spin --arg=buf:i32*1 %{check}=SPIN

// BOUNDS: error: out-of-bounds write of 4 bytes at 0x{{.*}} in global memory: the address lies just past the end of the buffer (argument 1) of 200 bytes
// BOUNDS-NEXT: kernel '_Z4filliPi'{{.*}}, warp 1, lane 18 (thread (50,0,0))
// BOUNDS-NEXT: bad-cuda.cu:[[@LINE+27]]
// FREED: error: use of freed memory: write of 4 bytes at 0x{{.*}} into a freed buffer (argument 1) of 256 bytes
// NULL: error: null pointer: write of 4 bytes at 0x0 in global memory
// SHARED: error: out-of-bounds read of 4 bytes at 0x100 in shared memory: there are 128 bytes
// SHARED-NEXT: kernel '_Z6sharediPi'
// ALIGN: error: misaligned read of 8 bytes
// ALIGN-NEXT: kernel '_Z7doublesPd'{{.*}}, warp 0, lane 1 (thread (1,0,0))
// SIDES: error: a barrier in divergent code
// SIDES-NEXT: kernel '_Z5sidesPVi'
// ENDLESS: error: instruction limit of 100000 warp instructions reached: an endless loop?
// ENDLESS-NEXT: kernel '_Z5countPVi'
// ENDLESS-NEXT: bad-cuda.cu:[[#]]
// SPIN: error: livelock: no memory changes any more, and every warp that runs repeats what it did
// SPIN: kernel '_Z4spinPVi', CTA (0,0,0), warp 0
// CYCLES: error: cycle limit of 20000 cycles reached: an endless loop?
// CYCLES-NEXT: kernel '_Z5countPVi'
// THREADS: error: kernel '_Z4filliPi': 1025 threads in a CTA, the device allows 1024
// MEMORY: error: kernel '_Z4filliPi': 50000 bytes of shared memory in a CTA, the device allows 49152
// ARGUMENTS: error: kernel '_Z4filliPi' takes 2 arguments, 1 argument was given; it declares:
// ARGUMENTS-NEXT: fill(int, int*)
// ARGUMENTS-NEXT: .param .u32 _Z4filliPi_param_0
// ASSERT: error: assertion 'n < 2' failed: {{.*}}bad-cuda.cu:[[#]]: void checked(int)

#include <cassert>
__global__ void fill(int n, int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = i;
}
__global__ void shared(int n, int *p) {
  __shared__ int s[32];
  s[threadIdx.x % 32] = n;
  p[0] = s[n];
}
__global__ void doubles(double *p) {
  double *q =
      reinterpret_cast<double *>(reinterpret_cast<char *>(p) + 4 * threadIdx.x);
  p[threadIdx.x] = *q;
}
__global__ void sides(volatile int *p) {
  if (threadIdx.x < 7) {
    p[0] = 1;
    __syncthreads();
    p[1] = 2;
  } else {
    p[2] = 3;
    __syncthreads();
    p[3] = 4;
  }
}
__global__ void spin(volatile int *p) {
  while (p[0] == 0)
    ;
}
__global__ void count(volatile int *p) {
  while (p[0] == 0)
    p[1] = p[1] + 1;
}
__global__ void checked(int n) { assert(n < 2); }
