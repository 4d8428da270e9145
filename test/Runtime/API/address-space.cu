// Where the host limits the address space of processes, programs that need
// little run, and an allocation for which there is no room says why.
// UNSUPPORTED: asan
// RUN: %regshare_clang %s -o %t
// RUN: bash -c 'ulimit -v 2500000 && REGSHARE_TIMING=0 exec %t' 2>&1 | FileCheck %s
// RUN: env REGSHARE_TIMING=0 %t | FileCheck %s --check-prefix=FREE
// CHECK: sum 2016
// CHECK-NEXT: regshare: warning: an allocation of 3221225472 bytes fails, for which the device has room: the host's limit on address space (ulimit -v) leaves {{[0-9]+}} MB for device memory
// CHECK-NEXT: large: not enough memory for the request
// FREE: sum 2016
// FREE-NEXT: large: no error
#include <cstdio>

__global__ void write(int *Out) { Out[threadIdx.x] = threadIdx.x; }

int main() {
  int *Device, Host[64], Sum = 0;
  if (cudaMalloc(&Device, 64 << 20))
    return 1;
  write<<<1, 64>>>(Device);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  for (int Value : Host)
    Sum += Value;
  std::printf("sum %d\n", Sum);
  std::fflush(stdout);
  void *Large;
  std::printf("large: %s\n",
              cudaGetErrorString(cudaMalloc(&Large, size_t(3) << 30)));
}
