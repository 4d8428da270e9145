//===- leukocyte.cu - White blood cells in an image -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Detects round cells: for every pixel the score GICOV, the squared mean of
/// the gradient along a circle around it over its variance, largest over
/// circles of several radii; and then the largest score within a disc. A CTA
/// takes a column of the image.
///
/// usage: leukocyte [ROWS [COLUMNS]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int NumCircles = 7, NumPoints = 24;
static constexpr int SmallestRadius = 3, RadiusStep = 1;
static constexpr int Margin =
    SmallestRadius + (NumCircles - 1) * RadiusStep + 2;
static constexpr int DiscRadius = 3, DiscSide = 2 * DiscRadius + 1;
static constexpr int DilateThreads = 176;

struct Circles {
  float Sine[NumPoints], Cosine[NumPoints];
  int OffsetX[NumCircles][NumPoints], OffsetY[NumCircles][NumPoints];
};

__constant__ Circles DeviceCircles;
__constant__ unsigned char Disc[DiscSide * DiscSide];

/// The image's pixels further than Margin from its edges; others have no score.
__global__ void gicovKernel(const float *GradientX, const float *GradientY,
                            float *Scores, int Rows) {
  int X = blockIdx.x + Margin, Y = threadIdx.x + Margin;
  float Best = 0.0f;
  for (int C = 0; C < NumCircles; ++C) {
    float Sum = 0.0f, Mean = 0.0f, Squares = 0.0f;
    for (int P = 0; P < NumPoints; ++P) {
      int At = (X + DeviceCircles.OffsetX[C][P]) * Rows + Y +
               DeviceCircles.OffsetY[C][P];
      float Outward = GradientX[At] * DeviceCircles.Cosine[P] +
                      GradientY[At] * DeviceCircles.Sine[P];
      Sum += Outward;
      // Welford's sums of squares, which do not cancel.
      float Delta = Outward - Mean;
      Mean += Delta / (float)(P + 1);
      Squares += Delta * (Outward - Mean);
    }
    Mean = Sum / (float)NumPoints;
    float Variance = Squares / (float)(NumPoints - 1);
    Best = fmaxf(Best, Mean * Mean / Variance);
  }
  Scores[X * Rows + Y] = Best;
}

__global__ void dilateKernel(const float *Scores, float *Dilated, int Rows,
                             int Columns) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Rows * Columns)
    return;
  int X = I / Rows, Y = I % Rows;
  float Largest = 0.0f;
  for (int DX = 0; DX < DiscSide; ++DX) {
    int AtX = X + DX - DiscRadius;
    if (AtX < 0 || AtX >= Columns)
      continue;
    for (int DY = 0; DY < DiscSide; ++DY) {
      int AtY = Y + DY - DiscRadius;
      if (AtY >= 0 && AtY < Rows && Disc[DX * DiscSide + DY])
        Largest = fmaxf(Largest, Scores[AtX * Rows + AtY]);
    }
  }
  Dilated[I] = Largest;
}

static Circles makeCircles() {
  Circles Made;
  for (int P = 0; P < NumPoints; ++P) {
    double Angle = 6.283185307179586 * P / NumPoints;
    Made.Sine[P] = (float)std::sin(Angle);
    Made.Cosine[P] = (float)std::cos(Angle);
    for (int C = 0; C < NumCircles; ++C) {
      int Radius = SmallestRadius + C * RadiusStep;
      Made.OffsetX[C][P] = (int)std::lround(Radius * std::cos(Angle));
      Made.OffsetY[C][P] = (int)std::lround(Radius * std::sin(Angle));
    }
  }
  return Made;
}

static double hostScore(const std::vector<float> &GradientX,
                        const std::vector<float> &GradientY, const Circles &C,
                        int Rows, int X, int Y) {
  double Best = 0.0;
  for (int Circle = 0; Circle < NumCircles; ++Circle) {
    double Outward[NumPoints], Mean = 0.0, Variance = 0.0;
    for (int P = 0; P < NumPoints; ++P) {
      int At = (X + C.OffsetX[Circle][P]) * Rows + Y + C.OffsetY[Circle][P];
      Outward[P] = (double)GradientX[At] * C.Cosine[P] +
                   (double)GradientY[At] * C.Sine[P];
      Mean += Outward[P] / NumPoints;
    }
    for (double Value : Outward)
      Variance += (Value - Mean) * (Value - Mean) / (NumPoints - 1);
    Best = std::max(Best, Mean * Mean / Variance);
  }
  return Best;
}

static double hostDilated(const std::vector<float> &Scores, int Rows,
                          int Columns, int X, int Y) {
  float Largest = 0.0f;
  for (int DY = -DiscRadius; DY <= DiscRadius; ++DY)
    for (int DX = -DiscRadius; DX <= DiscRadius; ++DX) {
      int AtX = X + DX, AtY = Y + DY;
      bool Inside = AtX >= 0 && AtX < Columns && AtY >= 0 && AtY < Rows;
      if (Inside && DX * DX + DY * DY <= DiscRadius * DiscRadius)
        Largest = std::max(Largest, Scores[AtX * Rows + AtY]);
    }
  return Largest;
}

int main(int ArgC, char **ArgV) {
  int Rows = sizeArgument(ArgC, ArgV, 1, "ROWS", 175 + 2 * Margin,
                          2 * Margin + 1, 1024 + 2 * Margin);
  int Columns = sizeArgument(ArgC, ArgV, 2, "COLUMNS", 6 + 2 * Margin,
                             2 * Margin + 1, 65535);
  Random R(20);
  std::vector<float> GradientX(Rows * Columns), GradientY(Rows * Columns);
  for (int I = 0; I < Rows * Columns; ++I) {
    GradientX[I] = R.uniform(-1.0f, 1.0f);
    GradientY[I] = R.uniform(-1.0f, 1.0f);
  }
  Circles Made = makeCircles();
  unsigned char HostDisc[DiscSide * DiscSide];
  for (int I = 0; I < DiscSide * DiscSide; ++I) {
    int DX = I % DiscSide - DiscRadius, DY = I / DiscSide - DiscRadius;
    HostDisc[I] = DX * DX + DY * DY <= DiscRadius * DiscRadius;
  }
  CHECK_CUDA(cudaMemcpyToSymbol(DeviceCircles, &Made, sizeof(Made)));
  CHECK_CUDA(cudaMemcpyToSymbol(Disc, HostDisc, sizeof(HostDisc)));

  DeviceArray<float> DeviceX(GradientX), DeviceY(GradientY),
      Scores(GradientX.size()), Dilated(GradientX.size());
  Scores.fillBytes(0);
  gicovKernel<<<Columns - 2 * Margin, Rows - 2 * Margin>>>(
      DeviceX.get(), DeviceY.get(), Scores.get(), Rows);
  dilateKernel<<<divideUp(Rows * Columns, DilateThreads), DilateThreads>>>(
      Scores.get(), Dilated.get(), Rows, Columns);
  finishKernels();

  Verifier V(1e-3, 1e-5);
  std::vector<float> GotScores = Scores.toHost(), GotDilated = Dilated.toHost();
  for (int X = Margin; X < Columns - Margin; ++X)
    for (int Y = Margin; Y < Rows - Margin; ++Y)
      V.compare("score", X * Rows + Y, GotScores[X * Rows + Y],
                hostScore(GradientX, GradientY, Made, Rows, X, Y));
  for (int I = 0; I < Rows * Columns; ++I)
    V.compare("dilated score", I, GotDilated[I],
              hostDilated(GotScores, Rows, Columns, I / Rows, I % Rows));
  return V.report();
}
