// The toolkit's libraries that are headers are found without being told where.
// REQUIRES: cuda-toolkit
// RUN: regshare-opt %s --cuda-path=%cuda_path --emit=ptx | FileCheck %s
// CHECK: .entry {{.*}}swapped
#include <cuda/std/utility>
#include <thrust/pair.h>

__global__ void swapped(int *P) {
  thrust::pair<int, int> Two(P[0], P[1]);
  cuda::std::swap(Two.first, Two.second);
  P[0] = Two.first;
  P[1] = Two.second;
}
