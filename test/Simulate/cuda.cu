// A CUDA kernel alone, at -O0 and -O2, on every way to give and see a buffer:
// the block sums of 1,000 numbers, and the histogram of their last digits.
// DEFINE: %{args} = --kernel=sums --grid=8 --block=128 --arg=1000 \
// DEFINE:   --arg=buf:i32*1000=iota --arg=buf:i32*8 --arg=buf:u32*10 \
// DEFINE:   --print-arg=2 --print-arg=3:3 \
// DEFINE:   --check-arg=2=8128,24512,40896,57280,73664,90048,106432,98540 \
// DEFINE:   --check-arg=3=fill:100
// RUN: regshare-opt %s -O0 --simulate --functional %{args} | FileCheck %s
// RUN: regshare-opt %s -O2 --simulate --functional %{args} | FileCheck %s
// RUN: regshare-opt %s -O0 --simulate %{args} | FileCheck %s
// RUN: regshare-opt %s -O2 --simulate %{args} | FileCheck %s
// RUN: regshare-opt %s --no-cuda-toolkit --simulate --functional %{args} | FileCheck %s
// CHECK: argument 2: i32*8
// CHECK-NEXT: [0] 8128 24512 40896 57280 73664 90048 106432 98540
// CHECK-NEXT: argument 3: u32*10
// CHECK-NEXT: [0] 100 100 100{{$}}

// What a kernel prints comes before its results.
// RUN: regshare-opt %s --simulate --functional --kernel=greet --arg=7 | FileCheck %s --check-prefix=PRINTF
// RUN: regshare-opt %s --simulate --kernel=greet --arg=7 | FileCheck %s --check-prefix=PRINTF
// PRINTF: hello 7
// PRINTF-NEXT: hello 8
// PRINTF: kernel {{.*}}greet

__global__ void sums(int n, const int *values, int *sums, unsigned *digits) {
  __shared__ int partial[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
  if (i < n)
    atomicAdd(&digits[values[i] % 10], 1u);
}

#include <cstdio>
__global__ void __launch_bounds__(2) greet(int who) {
  printf("hello %d\n", who + int(threadIdx.x));
}
