//===- gemm.cu - Matrix product by warpgroups with roles -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// C = A * B in single precision; A is stored by columns, B and C by rows. One
/// warpgroup brings slices of A and B into shared memory, ahead of the other,
/// which keeps a tile of C of 128x128 in registers, 16x8 a thread.
///
/// usage: gemm [tiles along M [tiles along N [K in slices of 8]]]
///
//===----------------------------------------------------------------------===//

#include "../sm90.h"

static constexpr int Tile = 128, TileK = 8, Stages = 4;
static constexpr int ThreadM = 8, ThreadN = 16, Quads = ThreadN / 4;
static constexpr int ThreadsX = Tile / ThreadN;
static constexpr int Threads = 2 * GroupThreads;

struct Stage {
  float A[TileK][Tile], B[TileK][Tile];
};

__device__ static void produce(const float *A, const float *B, int M, int N,
                               int Slices, Stage *In, Barrier *Full,
                               Barrier *Empty) {
  int Row = threadIdx.x % TileK;
  bool IsA = threadIdx.x < TileK;
  if (threadIdx.x >= 2 * TileK)
    return;
  const float *From = IsA ? A + (size_t)Row * M + blockIdx.y * Tile
                          : B + (size_t)Row * N + blockIdx.x * Tile;
  size_t Step = (size_t)TileK * (IsA ? M : N);
  for (int Slice = 0; Slice < Slices; ++Slice, From += Step) {
    int S = Slice % Stages;
    if (Slice >= Stages)
      Empty[S].wait((Slice / Stages - 1) % 2);
    if (threadIdx.x == 0)
      Full[S].arriveAndExpect(sizeof(Stage));
    __syncwarp((1u << 2 * TileK) - 1);
    copyBulk(IsA ? In[S].A[Row] : In[S].B[Row], From, Tile * sizeof(float),
             Full[S]);
  }
}

__device__ static void consume(float *C, int N, int Slices, const Stage *In,
                               Barrier *Full, Barrier *Empty) {
  int Thread = threadIdx.x % GroupThreads;
  int MyRow = Thread / ThreadsX * ThreadM, MyQuad = Thread % ThreadsX * 4;
  float Sum[ThreadM][ThreadN] = {};
  for (int Slice = 0; Slice < Slices; ++Slice) {
    int S = Slice % Stages;
    Full[S].wait(Slice / Stages % 2);
#pragma unroll
    for (int K = 0; K < TileK; ++K) {
      float FromA[ThreadM], FromB[ThreadN];
#pragma unroll
      for (int I = 0; I < ThreadM; ++I)
        FromA[I] = In[S].A[K][MyRow + I];
#pragma unroll
      for (int Q = 0; Q < Quads; ++Q)
#pragma unroll
        for (int I = 0; I < 4; ++I)
          FromB[4 * Q + I] = In[S].B[K][Q * Tile / Quads + MyQuad + I];
#pragma unroll
      for (int I = 0; I < ThreadM; ++I)
#pragma unroll
        for (int J = 0; J < ThreadN; ++J)
          Sum[I][J] = fmaf(FromA[I], FromB[J], Sum[I][J]);
    }
    __syncwarp();
    if (Thread % 32 == 0)
      Empty[S].arrive();
  }
  float *Out =
      C + (size_t)(blockIdx.y * Tile + MyRow) * N + blockIdx.x * Tile + MyQuad;
#pragma unroll
  for (int I = 0; I < ThreadM; ++I)
#pragma unroll
    for (int J = 0; J < ThreadN; ++J)
      Out[(size_t)I * N + J / 4 * (Tile / Quads) + J % 4] = Sum[I][J];
}

__global__ void LAUNCH_BOUNDS(Threads, 2)
    gemmKernel(const float *A, const float *B, float *C, int M, int N,
               int Slices) {
  __shared__ alignas(128) Stage In[Stages];
  __shared__ Barrier Full[Stages], Empty[Stages];
  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
      Full[S].init(1);
      Empty[S].init(GroupThreads / 32);
    }
    fenceBarriers();
  }
  __syncthreads();
  if (warpgroup() == 0) {
    giveUpRegisters<40>();
    produce(A, B, M, N, Slices, In, Full, Empty);
  } else {
    getRegisters<216>();
    consume(C, N, Slices, In, Full, Empty);
  }
}

int main(int ArgC, char **ArgV) {
  int M = Tile * sizeArgument(ArgC, ArgV, 1, "tiles along M", 2, 1, 64);
  int N = Tile * sizeArgument(ArgC, ArgV, 2, "tiles along N", 2, 1, 64);
  int Slices = sizeArgument(ArgC, ArgV, 3, "slices", 8, 1, 1024);
  int K = Slices * TileK;
  Random Numbers(1);
  std::vector<float> A((size_t)K * M), B((size_t)K * N);
  for (float &X : A)
    X = Numbers.uniform(-1, 1);
  for (float &X : B)
    X = Numbers.uniform(-1, 1);

  DeviceArray<float> OnDeviceA(A), OnDeviceB(B), C((size_t)M * N);
  C.fillBytes(0xff);
  gemmKernel<<<dim3(N / Tile, M / Tile), Threads>>>(
      OnDeviceA.get(), OnDeviceB.get(), C.get(), M, N, Slices);
  finishKernels();

  // In the same order, so that nothing but contraction could differ.
  std::vector<float> Actual = C.toHost(), Row(N);
  Verifier Check(1e-5, 1e-5);
  for (int I = 0; I < M; ++I) {
    std::fill(Row.begin(), Row.end(), 0.0f);
    for (int L = 0; L < K; ++L)
      for (int J = 0; J < N; ++J)
        Row[J] = std::fmaf(A[(size_t)L * M + I], B[(size_t)L * N + J], Row[J]);
    for (int J = 0; J < N; ++J)
      Check.compare("C", (size_t)I * N + J, Actual[(size_t)I * N + J], Row[J]);
  }
  return Check.report();
}
