//===- gaussian.cu - Gaussian elimination -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Solves a system of linear equations by Gaussian elimination without
/// pivoting. For each column one kernel computes the multipliers of the rows
/// below, and another subtracts; the host substitutes backwards.
///
/// usage: gaussian [SIZE]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int Fan1Threads = 512;
static constexpr int Fan2Tile = 4;

/// The multipliers of the rows below row \p Pivot.
__global__ void fan1Kernel(float *Multipliers, const float *Matrix, int Size,
                           int Pivot) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Size - 1 - Pivot)
    return;
  int Row = Pivot + 1 + I;
  Multipliers[Row * Size + Pivot] =
      Matrix[Row * Size + Pivot] / Matrix[Pivot * Size + Pivot];
}

/// Subtracts multiples of row \p Pivot from those below, on both sides of the
/// equations. Most CTAs of the last columns have nothing to do.
__global__ void fan2Kernel(const float *Multipliers, float *Matrix,
                           float *Right, int Size, int Pivot) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Size - 1 - Pivot || Y >= Size - Pivot)
    return;
  int Row = Pivot + 1 + X, Column = Pivot + Y;
  float Multiplier = Multipliers[Row * Size + Pivot];
  Matrix[Row * Size + Column] -= Multiplier * Matrix[Pivot * Size + Column];
  if (Y == 0)
    Right[Row] -= Multiplier * Right[Pivot];
}

/// Solves a triangular system, whose matrix has nothing below its diagonal.
static std::vector<double> substitute(const std::vector<float> &Matrix,
                                      const std::vector<float> &Right) {
  int Size = (int)Right.size();
  std::vector<double> Solution(Size);
  for (int Row = Size - 1; Row >= 0; --Row) {
    double Sum = Right[Row];
    for (int Column = Row + 1; Column < Size; ++Column)
      Sum -= Matrix[Row * Size + Column] * Solution[Column];
    Solution[Row] = Sum / Matrix[Row * Size + Row];
  }
  return Solution;
}

int main(int ArgC, char **ArgV) {
  int Size = sizeArgument(ArgC, ArgV, 1, "SIZE", 30, 2, 2048);
  Random R(18);
  std::vector<float> Matrix(Size * Size), Right(Size, 0.0f), Known(Size);
  for (float &K : Known)
    K = R.uniform(-2.0f, 2.0f);
  for (int Row = 0; Row < Size; ++Row)
    for (int Column = 0; Column < Size; ++Column) {
      // A strong diagonal, for which no pivoting is needed.
      float Strong = Row == Column ? (float)Size : 0.0f;
      float Value = R.uniform(-1.0f, 1.0f) + Strong;
      Matrix[Row * Size + Column] = Value;
      Right[Row] += Value * Known[Column];
    }

  DeviceArray<float> DeviceMatrix(Matrix), DeviceRight(Right),
      Multipliers(Matrix.size());
  Multipliers.fillBytes(0);
  dim3 Tiles(divideUp(Size, Fan2Tile), divideUp(Size, Fan2Tile));
  for (int Pivot = 0; Pivot < Size - 1; ++Pivot) {
    fan1Kernel<<<divideUp(Size, Fan1Threads), Fan1Threads>>>(
        Multipliers.get(), DeviceMatrix.get(), Size, Pivot);
    fan2Kernel<<<Tiles, dim3(Fan2Tile, Fan2Tile)>>>(
        Multipliers.get(), DeviceMatrix.get(), DeviceRight.get(), Size, Pivot);
  }
  finishKernels();

  Verifier V(1e-4, 1e-4);
  std::vector<float> Upper = DeviceMatrix.toHost();
  for (int Row = 1; Row < Size; ++Row)
    for (int Column = 0; Column < Row; ++Column)
      V.compare("below the diagonal", Row * Size + Column,
                Upper[Row * Size + Column], 0.0);
  std::vector<double> Solution = substitute(Upper, DeviceRight.toHost());
  for (int I = 0; I < Size; ++I)
    V.compare("solution", I, Solution[I], Known[I]);
  return V.report();
}
