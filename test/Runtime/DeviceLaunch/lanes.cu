// Lanes of a warp launch grids of their own sizes, kernels and arguments, some
// of which are structures; CTAs launch at the same time. What the grids compute
// is what the host does, in every form of code and under schemes, and cycles do
// not depend on the host's threads.
// RUN: %regshare_clang -O2 -rdc=true %s -o %t -lcudadevrt
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_REPORT=%t.1.json %run %t | FileCheck %s
// RUN: env REGSHARE_THREADS=2 REGSHARE_REPORT=%t.2.json %run %t | FileCheck %s
// RUN: %python %S/Inputs/launches.py %t.1.json > %t.1.txt
// RUN: FileCheck %s --check-prefix=TREE < %t.1.txt
// RUN: %python %S/Inputs/launches.py %t.2.json | diff %t.1.txt -
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_REPORT=%t.txt %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// RUN: env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=ltrf %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=rfv REGSHARE_CODE=native %run %t | FileCheck %s
// CHECK: grids: 0 wrong of 39
// CHECK: scaled: 0 wrong of 12
//
// TREE: {{^}}1 parent(int*, float*) [3, 1, 1] [64, 1, 1] by the host, {{[1-9][0-9]*}} cycles
// TREE-NEXT: {{^}}2 add(int*, int, char, Shift, short) [1, 1, 1] [39, 1, 1] by 1, {{[1-9][0-9]*}} cycles
// TREE: {{^}}43 {{.*}} by 1, {{[1-9][0-9]*}} cycles
// TREE-NOT: {{^}}44
//
// TEXT: launch 2:
// TEXT-NEXT: when
// TEXT-NEXT: launched by launch 1
#include <cstdio>
#include <vector>

struct alignas(16) Shift {
  double By;
  char Sign;
};

/// Grids of several CTAs and of any width, with dynamic shared memory.
__global__ void add(int *To, int Count, char Much, Shift S, short Last) {
  extern __shared__ int Copy[];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Copy[threadIdx.x] = I;
  __syncthreads();
  if (I < Count)
    To[I] +=
        Copy[blockDim.x - 1 - threadIdx.x] + Much + S.Sign * int(S.By) + Last;
}

__global__ void scale(float *To, float By) { To[threadIdx.x] *= By; }

static const int Ctas = 3, Threads = 64, Most = 256;

__host__ __device__ static bool adds(int T) { return T % 5 == 1; }
__host__ __device__ static int countOf(int T) { return 3 * T + 1; }

__global__ void parent(int *Sums, float *Scaled) {
  int T = blockIdx.x * blockDim.x + threadIdx.x, Block = 32 + T % 3 * 7;
  int Count = countOf(T) % Most;
  if (adds(T)) {
    Sums[T * Most] = 1000; // The grid sees what its launcher wrote before.
    add<<<(Count + Block - 1) / Block, Block, Block * sizeof(int)>>>(
        Sums + T * Most, Count, char(-T), {2.5 * T, char(T % 2 ? -1 : 1)},
        short(T * 100));
  }
  if (T % 64 == 63)
    scale<<<1, 4>>>(Scaled + 4 * blockIdx.x, T);
}

int main() {
  const int All = Ctas * Threads;
  int *Sums;
  float *Scaled;
  cudaMalloc(&Sums, All * Most * sizeof(int));
  cudaMalloc(&Scaled, Ctas * 4 * sizeof(float));
  cudaMemset(Sums, 0, All * Most * sizeof(int));
  std::vector<float> Ones(Ctas * 4, 1.5f);
  cudaMemcpy(Scaled, Ones.data(), Ctas * 4 * sizeof(float),
             cudaMemcpyHostToDevice);
  parent<<<Ctas, Threads>>>(Sums, Scaled);
  std::vector<int> Got(All * Most);
  cudaMemcpy(Got.data(), Sums, All * Most * sizeof(int),
             cudaMemcpyDeviceToHost);
  int Wrong = 0, Grids = 0;
  for (int T = 0; T != All; ++T) {
    int Block = 32 + T % 3 * 7, Count = countOf(T) % Most;
    bool IsWrong = false;
    for (int I = 0; I != Most; ++I) {
      int Want = 0;
      if (adds(T) && I < Count)
        Want = I / Block * Block + (Block - 1 - I % Block) + (signed char)(-T) +
               (T % 2 ? -1 : 1) * int(2.5 * T) + short(T * 100);
      if (adds(T) && I == 0)
        Want += 1000;
      IsWrong |= Got[T * Most + I] != Want;
    }
    Grids += adds(T);
    Wrong += IsWrong;
  }
  printf("grids: %d wrong of %d\n", Wrong, Grids);
  cudaMemcpy(Ones.data(), Scaled, Ctas * 4 * sizeof(float),
             cudaMemcpyDeviceToHost);
  Wrong = 0;
  for (int I = 0; I != Ctas * 4; ++I)
    Wrong += Ones[I] != 1.5f * (I / 4 * 64 + 63);
  printf("scaled: %d wrong of %d\n", Wrong, Ctas * 4);
}
