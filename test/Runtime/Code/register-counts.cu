// The tool, the remark and a program count the same registers when they compile
// the same: the same device library, scheme and device.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_TIMING=0 REGSHARE_REPORT=%t.txt %run %t
// RUN: grep -o 'registers *[0-9]* a thread' %t.txt | grep -o '[0-9]*' > %t.counts
// RUN: regshare-opt -O2 --cuda-path=%cudart_dir/regshare/cuda --device=gtx480 --emit=ptx %s | grep -o ' regs=[0-9]*' | grep -o '[0-9]*' > %t.tool
// RUN: diff %t.counts %t.tool
// RUN: %run %clang -x cuda --cuda-path=%cudart_dir/regshare/cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_75 -O2 --cuda-device-only -S -fpass-plugin=%plugin -mllvm -regshare-scheme=baseline -mllvm -regshare-device=gtx480 -Rpass=regshare %s -o %t.ptx
// RUN: grep -o ' regs=[0-9]*' %t.ptx | grep -o '[0-9]*' > %t.remark
// RUN: diff %t.counts %t.remark
#include <cmath>
#include <cstdio>

__global__ void series(const float *In, float *Out, int N) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0, X = In[T];
  for (int K = 0; K != N; ++K)
    Sum += expf(-X * K) * sinf(X + K) + In[(T + K) % N];
  Out[T] = Sum;
}

int main() {
  float *In, *Out;
  cudaMalloc(&In, 256);
  cudaMalloc(&Out, 256);
  cudaMemset(In, 0, 256);
  series<<<2, 32>>>(In, Out, 8);
  return cudaDeviceSynchronize();
}
