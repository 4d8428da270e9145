// A buffer that a texture object reads by index: the smallest program.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=warpman %run %t | FileCheck %s
#include <cstdio>

__global__ void read(cudaTextureObject_t Squares, int *Out) {
  Out[threadIdx.x] = tex1Dfetch<int>(Squares, 63 - threadIdx.x);
}

int main() {
  int H[64], *D, *Out, Wrong = 0;
  for (int I = 0; I != 64; ++I)
    H[I] = I * I;
  cudaMalloc(&D, sizeof(H));
  cudaMalloc(&Out, sizeof(H));
  cudaMemcpy(D, H, sizeof(H), cudaMemcpyHostToDevice);
  cudaResourceDesc Where = {};
  Where.resType = cudaResourceTypeLinear;
  Where.res.linear.devPtr = D;
  Where.res.linear.desc = cudaCreateChannelDesc<int>();
  Where.res.linear.sizeInBytes = sizeof(H);
  cudaTextureDesc How = {};
  cudaTextureObject_t Squares;
  cudaError_t Error = cudaCreateTextureObject(&Squares, &Where, &How, nullptr);
  // CHECK: made: no error
  std::printf("made: %s\n", cudaGetErrorString(Error));
  read<<<1, 64>>>(Squares, Out);
  Error = cudaMemcpy(H, Out, sizeof(H), cudaMemcpyDeviceToHost);
  for (int I = 0; I != 64; ++I)
    Wrong += H[I] != (63 - I) * (63 - I);
  // CHECK: read: no error, 0 wrong
  std::printf("read: %s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
