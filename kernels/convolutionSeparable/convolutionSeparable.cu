//===- convolutionSeparable.cu - Separable convolution -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Convolution of an image with a separable filter: along rows, then along
/// columns. A thread computes several pixels of a strip that its CTA has in
/// shared memory; the filter is in constant memory.
///
/// usage: convolutionSeparable [WIDTH [HEIGHT]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int Radius = 8;
static constexpr int FilterSize = 2 * Radius + 1;
static constexpr int PerThread = 4;
static constexpr int RowThreadsX = 16, RowThreadsY = 8;
static constexpr int ColumnThreadsX = 16, ColumnThreadsY = 8;

__constant__ float Filter[FilterSize];

__global__ void rowKernel(const float *Source, float *Target, int Width,
                          int Height) {
  constexpr int Strip = RowThreadsX * PerThread;
  __shared__ float Pixels[RowThreadsY][Strip + 2 * Radius];
  int TX = threadIdx.x, TY = threadIdx.y;
  int X0 = blockIdx.x * Strip, Y = blockIdx.y * RowThreadsY + TY;
  for (int I = TX; I < Strip + 2 * Radius; I += RowThreadsX) {
    int X = X0 + I - Radius;
    bool Inside = X >= 0 && X < Width && Y < Height;
    Pixels[TY][I] = Inside ? Source[Y * Width + X] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int P = 0; P < PerThread; ++P) {
    int Column = P * RowThreadsX + TX;
    float Sum = 0.0f;
#pragma unroll
    for (int K = 0; K < FilterSize; ++K)
      Sum += Filter[K] * Pixels[TY][Column + K];
    if (X0 + Column < Width && Y < Height)
      Target[Y * Width + X0 + Column] = Sum;
  }
}

__global__ void columnKernel(const float *Source, float *Target, int Width,
                             int Height) {
  constexpr int Strip = ColumnThreadsY * PerThread;
  // One more row than needed, so that a warp's two rows use different banks.
  __shared__ float Pixels[ColumnThreadsX][Strip + 2 * Radius + 1];
  int TX = threadIdx.x, TY = threadIdx.y;
  int X = blockIdx.x * ColumnThreadsX + TX, Y0 = blockIdx.y * Strip;
  for (int I = TY; I < Strip + 2 * Radius; I += ColumnThreadsY) {
    int Y = Y0 + I - Radius;
    bool Inside = Y >= 0 && Y < Height && X < Width;
    Pixels[TX][I] = Inside ? Source[Y * Width + X] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int P = 0; P < PerThread; ++P) {
    int Row = P * ColumnThreadsY + TY;
    float Sum = 0.0f;
#pragma unroll
    for (int K = 0; K < FilterSize; ++K)
      Sum += Filter[K] * Pixels[TX][Row + K];
    if (X < Width && Y0 + Row < Height)
      Target[(Y0 + Row) * Width + X] = Sum;
  }
}

static std::vector<float> hostPass(const std::vector<float> &Source, int Width,
                                   int Height, const std::vector<float> &Taps,
                                   int StepX, int StepY) {
  std::vector<float> Target(Source.size());
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      double Sum = 0.0;
      for (int K = -Radius; K <= Radius; ++K) {
        int FromX = X + K * StepX, FromY = Y + K * StepY;
        if (FromX >= 0 && FromX < Width && FromY >= 0 && FromY < Height)
          Sum += (double)Taps[K + Radius] * Source[FromY * Width + FromX];
      }
      Target[Y * Width + X] = (float)Sum;
    }
  return Target;
}

int main(int ArgC, char **ArgV) {
  int Width = sizeArgument(ArgC, ArgV, 1, "WIDTH", 200, 1, 8192);
  int Height = sizeArgument(ArgC, ArgV, 2, "HEIGHT", 150, 1, 8192);
  Random R(11);
  std::vector<float> Image(Width * Height), Taps(FilterSize);
  for (float &P : Image)
    P = R.uniform(0.0f, 16.0f);
  for (float &T : Taps)
    T = R.uniform(0.0f, 1.0f);

  DeviceArray<float> Source(Image), Rows(Image.size()), Result(Image.size());
  CHECK_CUDA(
      cudaMemcpyToSymbol(Filter, Taps.data(), FilterSize * sizeof(float)));
  rowKernel<<<dim3(divideUp(Width, RowThreadsX * PerThread),
                   divideUp(Height, RowThreadsY)),
              dim3(RowThreadsX, RowThreadsY)>>>(Source.get(), Rows.get(), Width,
                                                Height);
  columnKernel<<<dim3(divideUp(Width, ColumnThreadsX),
                      divideUp(Height, ColumnThreadsY * PerThread)),
                 dim3(ColumnThreadsX, ColumnThreadsY)>>>(
      Rows.get(), Result.get(), Width, Height);
  finishKernels();

  std::vector<float> Expected = hostPass(Image, Width, Height, Taps, 1, 0);
  Expected = hostPass(Expected, Width, Height, Taps, 0, 1);
  Verifier V(1e-5);
  V.compareAll("pixel", Result.toHost(), Expected);
  return V.report();
}
