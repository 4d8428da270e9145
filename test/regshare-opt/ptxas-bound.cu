// A bound on registers holds in ptxas for kernels with launch bounds too, which
// -maxrregcount alone leaves as they are.
// REQUIRES: cuda-toolkit
//
// RUN: regshare-opt %s --ptxas=%ptxas -mcpu=sm_90 -regshare-max-regs=32 --emit=json | grep '"ptxas"' -A2 | FileCheck %s
// CHECK-COUNT-3: "registers": 32,
// CHECK-NOT: "registers"
// The smaller bound counts.
// RUN: regshare-opt %s --ptxas=%ptxas -mcpu=sm_90 -regshare-max-regs=48 --emit=json | grep '"ptxas"' -A2 | FileCheck %s --check-prefix=OWN
// OWN-COUNT-2: "registers": 48,
// OWN: "registers": 40,

template <int Values>
__device__ void keep(const float *In, float *Out, int Threads) {
  int First = threadIdx.x;
  float Kept[Values], Sum = 0;
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Kept[I] = In[First + I * Threads];
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Sum = Sum * 3 + Kept[I] / Kept[(I * 7 + 5) % Values];
  Out[First] = Sum;
}

__global__ void free(const float *In, float *Out, int Threads) {
  keep<48>(In, Out, Threads);
}
__global__ void __launch_bounds__(256)
    bounded(const float *In, float *Out, int Threads) {
  keep<48>(In, Out, Threads);
}
__global__ void __launch_bounds__(256, 6)
    resident(const float *In, float *Out, int Threads) {
  keep<48>(In, Out, Threads);
}
