// Variables of the device from the host, in constant and global memory.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t

#include "../Inputs/expect.h"

__constant__ float Weights[8];
__constant__ int Preset[3] = {3, 5, 7};
__device__ int Total = 100;
__device__ double Table[4][2];
static __device__ int Hidden;

__global__ void use(float *Out) {
  Out[threadIdx.x] = Weights[threadIdx.x] * Preset[threadIdx.x % 3];
  atomicAdd(&Total, 1);
  Table[1][1] = 0.5;
  Hidden = Total;
}

int main() {
  float Host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, Out[8], *P;
  // All but the first two elements.
  EXPECT_OK(cudaMemcpyToSymbol(Weights, Host + 2, 24, 8));
  EXPECT_OK(
      cudaMemcpyToSymbolAsync(Weights, Host, 8, 0, cudaMemcpyHostToDevice, 0));
  EXPECT_OK(cudaMalloc(&P, sizeof(Out)));
  use<<<1, 8>>>(P);
  EXPECT_OK(cudaMemcpy(Out, P, sizeof(Out), cudaMemcpyDeviceToHost));
  for (int I = 0; I < 8; ++I)
    EXPECT(Out[I] == Host[I] * (3 + 2 * (I % 3)));
  int Count = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&Count, Total, 4));
  EXPECT(Count == 108);
  double Value = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&Value, Table, 8, 24));
  EXPECT(Value == 0.5);
  void *Address;
  size_t Size;
  EXPECT_OK(cudaGetSymbolAddress(&Address, Table));
  EXPECT_OK(cudaGetSymbolSize(&Size, Table));
  EXPECT(Size == 64);
  EXPECT_OK(
      cudaMemcpy(&Value, (char *)Address + 24, 8, cudaMemcpyDeviceToHost));
  EXPECT(Value == 0.5);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpyFromSymbol(&Value, Table, 8, 60));
  EXPECT_ERROR(cudaErrorInvalidMemcpyDirection,
               cudaMemcpyToSymbol(Table, &Value, 8, 0, cudaMemcpyDeviceToHost));
  // A reset puts initial values back.
  EXPECT_OK(cudaDeviceReset());
  EXPECT_OK(cudaMemcpyFromSymbol(&Count, Total, 4));
  EXPECT(Count == 100);
  EXPECT_OK(cudaMemcpyFromSymbol(&Count, Hidden, 4));
  EXPECT(Count == 0);
  return failures();
}
