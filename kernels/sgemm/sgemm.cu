//===- sgemm.cu - Dense matrix product -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// C = alpha * A * B + beta * C in single precision, row-major. A CTA computes
/// a 64x64 tile from slices of A and B in shared memory; a thread keeps an 8x4
/// piece of it in registers.
///
/// usage: sgemm [M [N [K]]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int TileM = 64, TileN = 64, TileK = 8;
static constexpr int ThreadM = 8, ThreadN = 4;
static constexpr int ThreadsX = TileN / ThreadN;
static constexpr int Threads = ThreadsX * (TileM / ThreadM);

__global__ void __launch_bounds__(Threads)
    sgemmKernel(int M, int N, int K, float Alpha, const float *__restrict__ A,
                const float *__restrict__ B, float Beta, float *C) {
  // A's slice is transposed so that a thread's operands lie side by side; the
  // padding spreads the transposing stores over the banks.
  __shared__ float SliceA[TileK][TileM + 4];
  __shared__ float SliceB[TileK][TileN];

  int Thread = threadIdx.x;
  int Row0 = blockIdx.y * TileM, Column0 = blockIdx.x * TileN;
  int MyRow = Thread / ThreadsX * ThreadM;
  int MyColumn = Thread % ThreadsX * ThreadN;

  float Sum[ThreadM][ThreadN] = {};
  for (int K0 = 0; K0 < K; K0 += TileK) {
#pragma unroll
    for (int I = Thread; I < TileM * TileK; I += Threads) {
      int Row = Row0 + I / TileK, Column = K0 + I % TileK;
      SliceA[I % TileK][I / TileK] =
          Row < M && Column < K ? A[Row * K + Column] : 0.0f;
    }
#pragma unroll
    for (int I = Thread; I < TileK * TileN; I += Threads) {
      int Row = K0 + I / TileN, Column = Column0 + I % TileN;
      SliceB[I / TileN][I % TileN] =
          Row < K && Column < N ? B[Row * N + Column] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int Step = 0; Step < TileK; ++Step) {
      float FromA[ThreadM], FromB[ThreadN];
#pragma unroll
      for (int I = 0; I < ThreadM; ++I)
        FromA[I] = SliceA[Step][MyRow + I];
#pragma unroll
      for (int J = 0; J < ThreadN; ++J)
        FromB[J] = SliceB[Step][MyColumn + J];
#pragma unroll
      for (int I = 0; I < ThreadM; ++I)
#pragma unroll
        for (int J = 0; J < ThreadN; ++J)
          Sum[I][J] += FromA[I] * FromB[J];
    }
    __syncthreads();
  }

#pragma unroll
  for (int I = 0; I < ThreadM; ++I)
#pragma unroll
    for (int J = 0; J < ThreadN; ++J) {
      int Row = Row0 + MyRow + I, Column = Column0 + MyColumn + J;
      if (Row < M && Column < N)
        C[Row * N + Column] = Alpha * Sum[I][J] + Beta * C[Row * N + Column];
    }
}

int main(int ArgC, char **ArgV) {
  int M = sizeArgument(ArgC, ArgV, 1, "M", 250, 1, 8192);
  int N = sizeArgument(ArgC, ArgV, 2, "N", 192, 1, 8192);
  int K = sizeArgument(ArgC, ArgV, 3, "K", 68, 1, 8192);
  const float Alpha = 1.5f, Beta = -0.5f;
  Random R(2);
  std::vector<float> A(M * K), B(K * N), C(M * N);
  for (float &X : A)
    X = R.uniform(-1.0f, 1.0f);
  for (float &X : B)
    X = R.uniform(-1.0f, 1.0f);
  for (float &X : C)
    X = R.uniform(-1.0f, 1.0f);

  DeviceArray<float> DeviceA(A), DeviceB(B), DeviceC(C);
  dim3 Grid(divideUp(N, TileN), divideUp(M, TileM));
  sgemmKernel<<<Grid, Threads>>>(M, N, K, Alpha, DeviceA.get(), DeviceB.get(),
                                 Beta, DeviceC.get());
  finishKernels();

  Verifier V(1e-5, 1e-6 * K);
  std::vector<float> Result = DeviceC.toHost();
  for (int Row = 0; Row < M; ++Row)
    for (int Column = 0; Column < N; ++Column) {
      double Sum = 0.0;
      for (int I = 0; I < K; ++I)
        Sum += (double)A[Row * K + I] * B[I * N + Column];
      size_t Index = (size_t)Row * N + Column;
      V.compare("C", Index, Result[Index], Alpha * Sum + Beta * C[Index]);
    }
  return V.report();
}
