//===- heartwall.cu - Tracking points of a heart's wall -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows points through images, as those on the wall of a beating heart: each
/// has a template, which is searched around its last place by normalised cross
/// correlation and then takes over a part of what was found. A CTA follows a
/// point, in a long kernel with its intermediate images in global memory.
///
/// usage: heartwall [POINTS [IMAGES]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int Threads = 256;
static constexpr int Half = 6, Side = 2 * Half + 1; // of a template
static constexpr int Reach = 4, Places = 2 * Reach + 1;
static constexpr int Window = Side + 2 * Reach; // what is searched
static constexpr float Keep = 0.88f;

/// What belongs to a point.
struct Track {
  int X, Y;
  float Template[Side * Side];
  // Scratch: the window, sums of pixels and of squares along columns, and the
  // correlation at each place.
  float Pixels[Window * Window];
  float ColumnSums[Places * Window], ColumnSquares[Places * Window];
  float Sums[Places * Places], Squares[Places * Places];
  float Correlation[Places * Places];
};

/// Sums and squares of \p Side pixels each, along columns and then along rows
/// of the window: a thread slides along one column or row, most threads wait.
__device__ inline void slidingSums(Track &P) {
  for (int X = threadIdx.x; X < Window; X += Threads) {
    float Sum = 0.0f, Square = 0.0f;
    for (int Y = 0; Y < Window; ++Y) {
      float New = P.Pixels[Y * Window + X];
      Sum += New;
      Square += New * New;
      if (Y < Side - 1)
        continue;
      int Top = Y - (Side - 1);
      P.ColumnSums[Top * Window + X] = Sum;
      P.ColumnSquares[Top * Window + X] = Square;
      float Old = P.Pixels[Top * Window + X];
      Sum -= Old;
      Square -= Old * Old;
    }
  }
  __syncthreads();
  for (int Y = threadIdx.x; Y < Places; Y += Threads) {
    float Sum = 0.0f, Square = 0.0f;
    for (int X = 0; X < Window; ++X) {
      Sum += P.ColumnSums[Y * Window + X];
      Square += P.ColumnSquares[Y * Window + X];
      if (X < Side - 1)
        continue;
      int Left = X - (Side - 1);
      P.Sums[Y * Places + Left] = Sum;
      P.Squares[Y * Places + Left] = Square;
      Sum -= P.ColumnSums[Y * Window + Left];
      Square -= P.ColumnSquares[Y * Window + Left];
    }
  }
}

/// The sums of the template's pixels and of their squares.
__device__ inline void templateSums(const Track &P, float *Shared, float &Sum,
                                    float &Square) {
  int T = threadIdx.x;
  float Value = T < Side * Side ? P.Template[T] : 0.0f;
  Shared[T] = Value;
  Shared[Threads + T] = Value * Value;
  __syncthreads();
  for (int Distance = Threads / 2; Distance > 0; Distance /= 2) {
    if (T < Distance) {
      Shared[T] += Shared[T + Distance];
      Shared[Threads + T] += Shared[Threads + T + Distance];
    }
    __syncthreads();
  }
  Sum = Shared[0];
  Square = Shared[Threads];
  __syncthreads();
}

/// The template's correlation with what is at each place of the window.
__device__ inline void correlate(Track &P, float Sum, float Square) {
  constexpr float Area = Side * Side;
  for (int I = threadIdx.x; I < Places * Places; I += Threads) {
    const float *Corner = P.Pixels + I / Places * Window + I % Places;
    float Product = 0.0f;
    for (int Y = 0; Y < Side; ++Y)
      for (int X = 0; X < Side; ++X)
        Product += P.Template[Y * Side + X] * Corner[Y * Window + X];
    float Theirs = P.Squares[I] - P.Sums[I] * P.Sums[I] / Area;
    float Mine = Square - Sum * Sum / Area;
    float Scale = sqrtf(fmaxf(Theirs * Mine, 1e-12f));
    P.Correlation[I] = (Product - Sum * P.Sums[I] / Area) / Scale;
  }
}

/// The place with the best correlation.
__device__ inline int bestPlace(const Track &P, float *Shared) {
  int *Where = (int *)(Shared + Threads);
  int T = threadIdx.x;
  Shared[T] = T < Places * Places ? P.Correlation[T] : -2.0f;
  Where[T] = T;
  __syncthreads();
  for (int Distance = Threads / 2; Distance > 0; Distance /= 2) {
    if (T < Distance && Shared[T + Distance] > Shared[T]) {
      Shared[T] = Shared[T + Distance];
      Where[T] = Where[T + Distance];
    }
    __syncthreads();
  }
  return Where[0];
}

/// Follows each point from the last image to \p Image.
__global__ void trackKernel(const float *Image, int ImageSide, Track *Tracks) {
  __shared__ float Shared[2 * Threads];
  Track &P = Tracks[blockIdx.x];
  int T = threadIdx.x;
  int Left = P.X - Half - Reach, Top = P.Y - Half - Reach;
  for (int I = T; I < Window * Window; I += Threads)
    P.Pixels[I] = Image[(Top + I / Window) * ImageSide + Left + I % Window];
  __syncthreads();
  slidingSums(P);
  float Sum, Square;
  templateSums(P, Shared, Sum, Square);
  correlate(P, Sum, Square);
  __syncthreads();
  int Best = bestPlace(P, Shared);
  int DX = Best % Places, DY = Best / Places;
  for (int I = T; I < Side * Side; I += Threads)
    P.Template[I] =
        Keep * P.Template[I] +
        (1.0f - Keep) * P.Pixels[(DY + I / Side) * Window + DX + I % Side];
  if (T == 0) {
    P.X += DX - Reach;
    P.Y += DY - Reach;
  }
}

/// Smooth spots with some noise, moved by two pixels and by one an image.
struct Scene {
  int Side;
  std::vector<float> Texture;

  Scene(Random &R, int Images)
      : Side(64 + 2 * Images), Texture(4 * Side * Side) {
    for (float &T : Texture)
      T = R.uniform(0.0f, 1.0f);
  }
  std::vector<float> image(Random &R, int Number) const {
    std::vector<float> Made(Side * Side);
    for (int I = 0; I < Side * Side; ++I) {
      int X = I % Side - 2 * Number + Side / 2,
          Y = I / Side - Number + Side / 2;
      float Sum = 0.0f;
      for (int D = 0; D < 9; ++D)
        Sum += Texture[(Y + D / 3) * 2 * Side + X + D % 3];
      Made[I] = Sum / 9.0f + R.uniform(0.0f, 0.02f);
    }
    return Made;
  }
};

/// The correlation of a point's template with \p Image around \p X, \p Y.
static double hostCorrelation(const Track &P, const std::vector<float> &Image,
                              int ImageSide, int X, int Y) {
  double Mean[2] = {}, Product = 0.0, Squares[2] = {};
  auto Pixel = [&](int I) {
    return Image[(Y + I / Side - Half) * ImageSide + X + I % Side - Half];
  };
  for (int I = 0; I < Side * Side; ++I) {
    Mean[0] += P.Template[I] / (double)(Side * Side);
    Mean[1] += Pixel(I) / (double)(Side * Side);
  }
  for (int I = 0; I < Side * Side; ++I) {
    double A = P.Template[I] - Mean[0], B = Pixel(I) - Mean[1];
    Product += A * B;
    Squares[0] += A * A;
    Squares[1] += B * B;
  }
  return Product / std::sqrt(Squares[0] * Squares[1]);
}

/// Compares what the device made of a point with what should become of it.
static void checkTrack(Verifier &V, const Track &Before, const Track &After,
                       const std::vector<float> &Image, int ImageSide) {
  double Best = -2.0;
  int BestX = 0, BestY = 0;
  for (int I = 0; I < Places * Places; ++I) {
    int X = Before.X + I % Places - Reach, Y = Before.Y + I / Places - Reach;
    double Found = hostCorrelation(Before, Image, ImageSide, X, Y);
    V.compare("correlation", I, After.Correlation[I], Found);
    if (Found > Best) {
      Best = Found;
      BestX = X;
      BestY = Y;
    }
  }
  V.compare("x", 0, After.X, BestX);
  V.compare("y", 0, After.Y, BestY);
  for (int I = 0; I < Side * Side; ++I) {
    int At = (BestY + I / Side - Half) * ImageSide + BestX + I % Side - Half;
    V.compare("template", I, After.Template[I],
              Keep * Before.Template[I] + (1.0f - Keep) * Image[At]);
  }
}

int main(int ArgC, char **ArgV) {
  int NumPoints = sizeArgument(ArgC, ArgV, 1, "POINTS", 6, 1, 4096);
  int Images = sizeArgument(ArgC, ArgV, 2, "IMAGES", 2, 1, 12);
  Random R(32);
  Scene S(R, Images);
  std::vector<float> Image = S.image(R, 0);
  std::vector<Track> Tracks(NumPoints);
  int Margin = Half + Reach;
  for (Track &P : Tracks) {
    P = {};
    P.X = Margin + (int)R.below(S.Side - 2 * Margin - 2 * Images);
    P.Y = Margin + (int)R.below(S.Side - 2 * Margin - 2 * Images);
    for (int I = 0; I < Side * Side; ++I)
      P.Template[I] =
          Image[(P.Y + I / Side - Half) * S.Side + P.X + I % Side - Half];
  }

  DeviceArray<Track> DeviceTracks(Tracks);
  DeviceArray<float> DeviceImage(Image.size());
  Verifier V(1e-4, 1e-3);
  for (int Number = 1; Number <= Images; ++Number) {
    Image = S.image(R, Number);
    DeviceImage.copyFrom(Image);
    trackKernel<<<NumPoints, Threads>>>(DeviceImage.get(), S.Side,
                                        DeviceTracks.get());
    finishKernels();
    std::vector<Track> After = DeviceTracks.toHost();
    for (int I = 0; I < NumPoints; ++I) {
      checkTrack(V, Tracks[I], After[I], Image, S.Side);
      V.compare("moved along x", I, After[I].X, Tracks[I].X + 2);
      V.compare("moved along y", I, After[I].Y, Tracks[I].Y + 1);
    }
    Tracks = After;
  }
  return V.report();
}
