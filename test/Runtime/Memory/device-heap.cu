// Memory and objects that kernels take from the heap, in code for either form:
// what a call returns is no constant, though parameters are.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_CODE=ptx %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
#include <cstdio>

struct Curve {
  __device__ virtual float at(float X) const = 0;
  __device__ virtual ~Curve() {}
};
struct Line : Curve {
  float Slope;
  __device__ explicit Line(float Slope) : Slope(Slope) {}
  __device__ float at(float X) const override { return Slope * X; }
};
struct Parabola : Curve {
  __device__ float at(float X) const override { return X * X; }
};

__global__ void make(Curve **Curves, int **Numbers) {
  if (threadIdx.x == 0) {
    Curves[0] = new Line(3);
    Curves[1] = new Parabola;
  }
  int *Own = (int *)malloc(3 * sizeof(int));
  for (int K = 0; K != 3; ++K)
    Own[K] = K * threadIdx.x;
  Numbers[threadIdx.x] = Own;
}

__global__ void use(Curve **Curves, int **Numbers, float *Out) {
  int T = threadIdx.x;
  Out[T] = Curves[T % 2]->at(T) + Numbers[T][2];
  free(Numbers[T]);
}

__global__ void release(Curve **Curves) { delete Curves[threadIdx.x]; }

int main() {
  Curve **Curves;
  int **Numbers;
  float *Out;
  cudaMalloc(&Curves, 2 * sizeof(Curve *));
  cudaMalloc(&Numbers, 64 * sizeof(int *));
  cudaMallocManaged(&Out, 64 * sizeof(float));
  make<<<1, 64>>>(Curves, Numbers);
  use<<<1, 64>>>(Curves, Numbers, Out);
  release<<<1, 2>>>(Curves);
  cudaError_t Error = cudaDeviceSynchronize();
  int Wrong = 0;
  for (int T = 0; T != 64; ++T)
    Wrong += Out[T] != (T % 2 ? T * T : 3 * T) + 2 * T;
  // CHECK: no error, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
