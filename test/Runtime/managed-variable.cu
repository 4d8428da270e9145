// clang has managed variables for HIP alone; that is said where one is used.
// RUN: not %regshare_clang %s -o %t 2>&1 | FileCheck %s
// CHECK: error: 'Counter' is unavailable: clang has no __managed__ variables for CUDA; use cudaMallocManaged
#include <cuda_runtime.h>

__managed__ int Counter;
__global__ void count() { ++Counter; }
int main() { count<<<1, 1>>>(); }
