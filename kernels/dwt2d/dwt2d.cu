//===- dwt2d.cu - Wavelet transform of an image -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The discrete wavelet transform of an image that JPEG 2000 uses for lossy
/// compression (CDF 9/7), by lifting. A thread transforms a piece of a column
/// in registers; the rows follow in shared memory, with a barrier after each of
/// the four steps. The next level takes the quarter of low frequencies.
///
/// usage: dwt2d [WIDTH [HEIGHT [LEVELS]]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int Threads = 64; // columns of a CTA
static constexpr int Halo = 4;     // columns and rows that a result reaches
static constexpr int Columns = Threads - 2 * Halo; // results of a CTA
static constexpr int Rows = 16;
static constexpr int Column = Rows + 2 * Halo - 1; // what a thread loads

static constexpr int NumSteps = 4;
/// What low and high frequencies are scaled with.
static constexpr float LowScale = 0.812893066115961f;
static constexpr float HighScale = 1.230174104914001f;

/// What a step adds of the sum of a sample's neighbours: the first to the odd
/// samples, the second to the even ones, and so on.
__host__ __device__ constexpr float liftingStep(int Step) {
  return Step == 0   ? -1.586134342059924f
         : Step == 1 ? -0.052980118572961f
         : Step == 2 ? 0.882911075530934f
                     : 0.443506852043971f;
}

/// An image's place \p I beyond its ends, reflected; further beyond, any.
__host__ __device__ inline int reflected(int I, int Size) {
  I = I < 0 ? -I : I;
  I = I >= Size ? 2 * (Size - 1) - I : I;
  return I < 0 ? 0 : I;
}

/// The four quarters of a transformed image: low frequencies along both axes
/// go to \p Low, with rows of half the width, and the others to their places in
/// \p Bands.
__global__ void fdwt97Kernel(const float *Image, int Width, int Height,
                             float *Low, float *Bands, int Stride) {
  __shared__ float Tile[Rows][Threads];
  int T = threadIdx.x;
  int X = blockIdx.x * Columns + T - Halo, Y0 = blockIdx.y * Rows;
  const float *Source = Image + reflected(X, Width);
  float V[Column];
#pragma unroll
  for (int I = 0; I < Column; ++I)
    V[I] = Source[reflected(Y0 + I - Halo, Height) * Width];
#pragma unroll
  for (int Step = 0; Step < NumSteps; ++Step)
#pragma unroll
    for (int I = Step + 1; I < Column - 1 - Step; I += 2)
      V[I] += liftingStep(Step) * (V[I - 1] + V[I + 1]);
#pragma unroll
  for (int Row = 0; Row < Rows; ++Row)
    Tile[Row][T] = V[Halo + Row] * (Row % 2 ? HighScale : LowScale);

#pragma unroll
  for (int Step = 0; Step < NumSteps; ++Step) {
    __syncthreads();
    if (T % 2 == Step % 2 || T == 0 || T == Threads - 1)
      continue;
    for (int Row = 0; Row < Rows; ++Row)
      Tile[Row][T] += liftingStep(Step) * (Tile[Row][T - 1] + Tile[Row][T + 1]);
  }
  if (T < Halo || T >= Halo + Columns || X >= Width)
    return;
  int LowWidth = (Width + 1) / 2, LowHeight = (Height + 1) / 2;
  float Scale = X % 2 ? HighScale : LowScale;
  for (int Row = 0; Row < Rows && Y0 + Row < Height; ++Row) {
    int Y = Y0 + Row;
    float Value = Scale * Tile[Row][T];
    if (X % 2 == 0 && Y % 2 == 0)
      Low[Y / 2 * LowWidth + X / 2] = Value;
    else
      Bands[(Y / 2 + Y % 2 * LowHeight) * Stride + X / 2 + X % 2 * LowWidth] =
          Value;
  }
}

/// Transforms \p Count samples, \p Stride apart, in place: low frequencies
/// first.
static void hostTransform(double *Samples, int Count, int Stride) {
  std::vector<double> V(Count);
  for (int I = 0; I < Count; ++I)
    V[I] = Samples[I * Stride];
  for (int Step = 0; Step < NumSteps; ++Step)
    for (int I = 1 - Step % 2; I < Count; I += 2)
      V[I] += (double)liftingStep(Step) *
              (V[reflected(I - 1, Count)] + V[reflected(I + 1, Count)]);
  for (int I = 0; I < Count; ++I)
    Samples[(I / 2 + I % 2 * ((Count + 1) / 2)) * Stride] =
        V[I] * (I % 2 ? HighScale : LowScale);
}

/// High frequencies of a cubic polynomial are 0, and low ones of a constant the
/// constant, which few other steps and scales have in common with these.
static void checkSteps(Verifier &V) {
  constexpr int Count = 32;
  double Cubic[Count], Constant[Count];
  for (int I = 0; I < Count; ++I) {
    Cubic[I] = (I - 15.0) * (I - 8.0) * (I - 20.0);
    Constant[I] = 100.0;
  }
  hostTransform(Cubic, Count, 1);
  hostTransform(Constant, Count, 1);
  for (int I = 0; I < Count / 2; ++I)
    V.compare("of a constant", I, Constant[I], 100.0);
  // Where no result depends on the reflection at the ends.
  for (int I = Halo / 2; I < Count / 2 - Halo / 2; ++I)
    V.compare("of a cubic", I, Cubic[Count / 2 + I], 0.0);
}

int main(int ArgC, char **ArgV) {
  int Width = sizeArgument(ArgC, ArgV, 1, "WIDTH", 250, 16, 8192);
  int Height = sizeArgument(ArgC, ArgV, 2, "HEIGHT", 150, 16, 8192);
  int Levels = sizeArgument(ArgC, ArgV, 3, "LEVELS", 2, 1, 3);
  Random R(23);
  std::vector<float> Image(Width * Height);
  for (float &P : Image)
    P = R.uniform(-128.0f, 127.0f);

  DeviceArray<float> A(Image), B(Image.size()), Bands(Image.size());
  DeviceArray<float> *Source = &A, *Low = &B;
  std::vector<double> Expected(Image.begin(), Image.end());
  int W = Width, H = Height;
  for (int Level = 0; Level < Levels; ++Level) {
    fdwt97Kernel<<<dim3(divideUp(W, Columns), divideUp(H, Rows)), Threads>>>(
        Source->get(), W, H, Low->get(), Bands.get(), Width);
    std::swap(Source, Low);
    for (int X = 0; X < W; ++X)
      hostTransform(&Expected[X], H, Width);
    for (int Y = 0; Y < H; ++Y)
      hostTransform(&Expected[Y * Width], W, 1);
    W = (W + 1) / 2;
    H = (H + 1) / 2;
  }
  finishKernels();

  Verifier V(1e-5, 1e-3);
  checkSteps(V);
  std::vector<float> GotLow = Source->toHost(), GotBands = Bands.toHost();
  for (int I = 0; I < Width * Height; ++I) {
    int X = I % Width, Y = I / Width;
    bool IsLow = X < W && Y < H;
    V.compare("coefficient", I, IsLow ? GotLow[Y * W + X] : GotBands[I],
              Expected[I]);
  }
  return V.report();
}
