// At -O0 the address of local memory is copied whether anybody reads it or not;
// analysis leaves such copies alone.
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O0 -S %s -o %t.stock.s
// RUN: %clang_cuda --cuda-device-only --cuda-gpu-arch=sm_75 -O0 -S %s -o %t.s -fpass-plugin=%plugin
// RUN: cmp %t.stock.s %t.s
#define __global__ __attribute__((global))
struct Vector {
  float V[4];
};
__global__ void k(Vector In, float *Out) {
  float Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum += In.V[I];
  *Out = Sum;
}
