//===- srad.cu - Speckle reduction by diffusion -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Anisotropic diffusion that removes speckle from an image but keeps edges.
/// Each iteration reduces the image to its mean and variance, computes the
/// diffusion coefficient of every pixel, and diffuses.
///
/// usage: srad [ROWS [COLUMNS [ITERATIONS]]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <utility>

static constexpr int Tile = 16;
static constexpr int Threads = 256;
static constexpr float Lambda = 0.5f;

/// Partial sums of the pixels and of their squares, one pair a CTA.
__global__ void reduceKernel(const float *Image, int Count, float *Sums,
                             float *Squares) {
  __shared__ float Sum[Threads], Square[Threads];
  int T = threadIdx.x;
  float MySum = 0.0f, MySquare = 0.0f;
  for (int I = blockIdx.x * Threads + T; I < Count; I += gridDim.x * Threads) {
    MySum += Image[I];
    MySquare += Image[I] * Image[I];
  }
  Sum[T] = MySum;
  Square[T] = MySquare;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half) {
      Sum[T] += Sum[T + Half];
      Square[T] += Square[T + Half];
    }
    __syncthreads();
  }
  if (T == 0) {
    Sums[blockIdx.x] = Sum[0];
    Squares[blockIdx.x] = Square[0];
  }
}

/// The diffusion coefficient of a pixel from its value, the differences to its
/// four neighbours and the speckle scale of the image.
__host__ __device__ inline float coefficient(float Value, float North,
                                             float South, float West,
                                             float East, float Scale) {
  float Gradient = (North * North + South * South + West * West + East * East) /
                   (Value * Value);
  float Laplacian = (North + South + West + East) / Value;
  float Numerator = 0.5f * Gradient - 0.0625f * Laplacian * Laplacian;
  float Denominator = 1.0f + 0.25f * Laplacian;
  float Variation = Numerator / (Denominator * Denominator);
  float C = 1.0f / (1.0f + (Variation - Scale) / (Scale * (1.0f + Scale)));
  return C < 0.0f ? 0.0f : C > 1.0f ? 1.0f : C;
}

__global__ void coefficientKernel(const float *Image, float *Coefficients,
                                  int Rows, int Columns, float Scale) {
  __shared__ float Pixel[Tile + 2][Tile + 2];
  int TX = threadIdx.x, TY = threadIdx.y;
  int X = blockIdx.x * Tile + TX, Y = blockIdx.y * Tile + TY;
  int CX = min(X, Columns - 1), CY = min(Y, Rows - 1);
  Pixel[TY + 1][TX + 1] = Image[CY * Columns + CX];
  if (TY == 0)
    Pixel[0][TX + 1] = Image[max(CY - 1, 0) * Columns + CX];
  if (TY == Tile - 1)
    Pixel[Tile + 1][TX + 1] = Image[min(CY + 1, Rows - 1) * Columns + CX];
  if (TX == 0)
    Pixel[TY + 1][0] = Image[CY * Columns + max(CX - 1, 0)];
  if (TX == Tile - 1)
    Pixel[TY + 1][Tile + 1] = Image[CY * Columns + min(CX + 1, Columns - 1)];
  __syncthreads();
  if (X >= Columns || Y >= Rows)
    return;
  float Here = Pixel[TY + 1][TX + 1];
  Coefficients[Y * Columns + X] = coefficient(
      Here, Pixel[TY][TX + 1] - Here, Pixel[TY + 2][TX + 1] - Here,
      Pixel[TY + 1][TX] - Here, Pixel[TY + 1][TX + 2] - Here, Scale);
}

__global__ void diffuseKernel(const float *Image, const float *Coefficients,
                              float *Result, int Rows, int Columns) {
  int X = blockIdx.x * Tile + threadIdx.x, Y = blockIdx.y * Tile + threadIdx.y;
  if (X >= Columns || Y >= Rows)
    return;
  int Here = Y * Columns + X;
  int South = min(Y + 1, Rows - 1) * Columns + X;
  int East = Y * Columns + min(X + 1, Columns - 1);
  int North = max(Y - 1, 0) * Columns + X, West = Y * Columns + max(X - 1, 0);
  float Value = Image[Here], C = Coefficients[Here];
  float Divergence = C * (Image[North] - Value) +
                     Coefficients[South] * (Image[South] - Value) +
                     C * (Image[West] - Value) +
                     Coefficients[East] * (Image[East] - Value);
  Result[Here] = Value + 0.25f * Lambda * Divergence;
}

/// The speckle scale: the image's variance over its squared mean.
static float speckleScale(double Sum, double Squares, double Count) {
  double Mean = Sum / Count;
  return (float)((Squares / Count - Mean * Mean) / (Mean * Mean));
}

static void hostIteration(std::vector<float> &Image, int Rows, int Columns) {
  double Sum = 0.0, Squares = 0.0;
  for (float P : Image) {
    Sum += P;
    Squares += (double)P * P;
  }
  float Scale = speckleScale(Sum, Squares, (double)Image.size());
  auto At = [&](const std::vector<float> &From, int Y, int X) {
    Y = std::clamp(Y, 0, Rows - 1);
    X = std::clamp(X, 0, Columns - 1);
    return From[Y * Columns + X];
  };
  std::vector<float> C(Image.size()), Result(Image.size());
  for (int Y = 0; Y < Rows; ++Y)
    for (int X = 0; X < Columns; ++X) {
      float Here = At(Image, Y, X);
      C[Y * Columns + X] = coefficient(
          Here, At(Image, Y - 1, X) - Here, At(Image, Y + 1, X) - Here,
          At(Image, Y, X - 1) - Here, At(Image, Y, X + 1) - Here, Scale);
    }
  for (int Y = 0; Y < Rows; ++Y)
    for (int X = 0; X < Columns; ++X) {
      float Here = At(Image, Y, X), MyC = At(C, Y, X);
      float Divergence = MyC * (At(Image, Y - 1, X) - Here) +
                         At(C, Y + 1, X) * (At(Image, Y + 1, X) - Here) +
                         MyC * (At(Image, Y, X - 1) - Here) +
                         At(C, Y, X + 1) * (At(Image, Y, X + 1) - Here);
      Result[Y * Columns + X] = Here + 0.25f * Lambda * Divergence;
    }
  Image = Result;
}

int main(int ArgC, char **ArgV) {
  int Rows = sizeArgument(ArgC, ArgV, 1, "ROWS", 100, 2, 8192);
  int Columns = sizeArgument(ArgC, ArgV, 2, "COLUMNS", 120, 2, 8192);
  int Iterations = sizeArgument(ArgC, ArgV, 3, "ITERATIONS", 2, 1, 1000);
  int Count = Rows * Columns;
  Random R(10);
  std::vector<float> Image(Count);
  for (float &P : Image)
    P = std::exp(R.uniform(0.0f, 1.0f));

  int Blocks = std::min(divideUp(Count, Threads), 8);
  DeviceArray<float> DeviceImage(Image), Coefficients(Count), Result(Count),
      Sums(Blocks), Squares(Blocks);
  DeviceArray<float> *Source = &DeviceImage, *Target = &Result;
  dim3 Grid(divideUp(Columns, Tile), divideUp(Rows, Tile)), Block(Tile, Tile);
  for (int I = 0; I < Iterations; ++I) {
    reduceKernel<<<Blocks, Threads>>>(Source->get(), Count, Sums.get(),
                                      Squares.get());
    finishKernels();
    double Sum = 0.0, Square = 0.0;
    for (float Partial : Sums.toHost())
      Sum += Partial;
    for (float Partial : Squares.toHost())
      Square += Partial;
    coefficientKernel<<<Grid, Block>>>(Source->get(), Coefficients.get(), Rows,
                                       Columns,
                                       speckleScale(Sum, Square, Count));
    diffuseKernel<<<Grid, Block>>>(Source->get(), Coefficients.get(),
                                   Target->get(), Rows, Columns);
    std::swap(Source, Target);
  }
  finishKernels();

  std::vector<float> Expected = Image;
  for (int I = 0; I < Iterations; ++I)
    hostIteration(Expected, Rows, Columns);
  Verifier V(1e-4, 1e-5);
  V.compareAll("pixel", Source->toHost(), Expected);
  return V.report();
}
