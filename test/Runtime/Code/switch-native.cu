// A jump table in native code by a value that is a constant of the launch: it
// is in a register before the table, of which nothing stands in the middle.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: regshare-opt --cuda-path=%regshare_cuda --code=native --emit=ptx %s | FileCheck %s --check-prefix=PTX
// PTX: mov.b32 [[INDEX:%r[0-9]+]], %r{{[0-9]+}};
// PTX: .branchtargets
// PTX-NOT: mov
// PTX: brx.idx [[INDEX]]
#include <cstdio>

__global__ void choose(int *Out, int Which) {
  switch (Which) {
  case 0:
    Out[0] = Out[threadIdx.x] * 3;
    break;
  case 1:
    Out[1] = int(blockIdx.y) + 10;
    break;
  case 2:
    Out[2] = Out[1] + 7;
    break;
  case 3:
    __syncwarp();
    Out[3] = 33;
    break;
  case 4:
    Out[4] = Out[3] ^ threadIdx.x;
    break;
  case 5:
    Out[5] = blockDim.x;
  }
}

int main() {
  int *Out;
  cudaMallocManaged(&Out, 24);
  for (int N = 0; N != 6; ++N)
    Out[N] = N + 1;
  for (int N = 0; N != 7; ++N)
    choose<<<1, 1>>>(Out, N);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  // CHECK: no error
  // CHECK-NEXT: 3 10 17 33 33 1
  std::printf("%d %d %d %d %d %d\n", Out[0], Out[1], Out[2], Out[3], Out[4],
              Out[5]);
}
