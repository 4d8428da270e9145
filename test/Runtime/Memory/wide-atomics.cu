// atomicExch and atomicCAS of 16 bytes, from sm_90 on.
// RUN: %regshare_clang -O2 --cuda-gpu-arch=sm_90 %s -o %t
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_SCHEME=rfv %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_CODE=native %run %t | FileCheck %s
// CHECK: 192 steps, sum 18336, 0 torn
// CHECK: exchanged 18336

#include <cstdio>

struct alignas(16) Sum {
  unsigned long long Steps, Total;
};

/// Each thread adds a step and its number, both or none.
__global__ void add(Sum *To, unsigned *Torn) {
  unsigned long long Mine = blockIdx.x * blockDim.x + threadIdx.x;
  Sum Seen = *To;
  while (true) {
    Sum Old = atomicCAS(To, Seen, Sum{Seen.Steps + 1, Seen.Total + Mine});
    if (Old.Steps == Seen.Steps && Old.Total == Seen.Total)
      break;
    Seen = Old;
    if (Old.Total > 18336)
      ++*Torn;
  }
}

/// Of a chain of exchanges each value but the last is somebody's again.
__global__ void exchange(ulonglong2 *At, unsigned long long *Total) {
  unsigned long long Mine = blockIdx.x * blockDim.x + threadIdx.x;
  ulonglong2 Old = atomicExch(At, make_ulonglong2(Mine, ~Mine));
  if (Old.x == ~Old.y)
    atomicAdd(Total, Old.x);
}

int main() {
  Sum *To, Out;
  unsigned *Torn, NumTorn;
  unsigned long long *Total, Exchanged;
  cudaMalloc(&To, 32);
  cudaMalloc(&Torn, 4);
  cudaMalloc(&Total, 8);
  cudaMemset(To, 0, 32);
  cudaMemset(Torn, 0, 4);
  cudaMemset(Total, 0, 8);
  add<<<2, 96>>>(To, Torn);
  cudaMemcpy(&Out, To, sizeof(Out), cudaMemcpyDeviceToHost);
  cudaMemcpy(&NumTorn, Torn, 4, cudaMemcpyDeviceToHost);
  printf("%llu steps, sum %llu, %u torn\n", Out.Steps, Out.Total, NumTorn);

  cudaMemset(To, 0, 16);
  exchange<<<2, 96>>>(reinterpret_cast<ulonglong2 *>(To), Total);
  cudaMemcpy(&Out, To, sizeof(Out), cudaMemcpyDeviceToHost);
  cudaMemcpy(&Exchanged, Total, 8, cudaMemcpyDeviceToHost);
  printf("exchanged %llu\n", Exchanged + Out.Steps);
}
