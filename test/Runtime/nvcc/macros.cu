// What nvcc defines, with the values that sources test for, and what NVIDIA's
// helper_cuda.h takes for the signs of CUDA's headers.
// RUN: %regshare_clang -fsyntax-only %s
// RUN: regshare-opt %s --emit=ptx -o /dev/null

#if !__CUDACC__ || __CUDACC__ != 1
#error __CUDACC__ has no value
#endif
#if __CUDACC_VER_MAJOR__ < 11 || __CUDACC_VER_MAJOR__ > 20
#error __CUDACC_VER_MAJOR__ is no version
#endif
#if __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 != CUDART_VERSION
#error the two versions differ
#endif

#include <cuda_runtime.h>
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) ||            \
    !defined(__CUDA_RUNTIME_API_H__) || !defined(__VECTOR_TYPES_H__)
#error the headers do not tell that they are there
#endif

#ifdef __DRIVER_TYPES_H__
static void check(cudaError_t Error, const char *What) {
  if (Error != cudaSuccess)
    printf("%s: %s\n", What, cudaGetErrorName(Error));
}
#define CHECK(CALL) check(CALL, #CALL)
#endif

__global__ void k() {}
int main() {
  k<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
}
