//===- particlefilter.cu - Tracking an object in a video -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows a bright disc through noisy images. Particles are guesses of where
/// it is: for each image they move at random, are weighted by how well the
/// pixels around them fit, and are drawn anew by their weights.
///
/// usage: particlefilter [PARTICLES [IMAGES]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int Threads = 128;
static constexpr int Side = 96; // of an image
static constexpr int Radius = 5;
static constexpr int MaxDisc = (2 * Radius + 1) * (2 * Radius + 1);
static constexpr float Background = 100.0f, Foreground = 228.0f;

/// The disc's pixels, from its center.
struct DiscPixels {
  int Count;
  int X[MaxDisc], Y[MaxDisc];
};

__constant__ DiscPixels Disc;

/// A number in (0, 1), never either of them.
__device__ inline float uniform(unsigned &Seed) {
  Seed = Seed * 1664525u + 1013904223u;
  return ((float)(Seed >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

__device__ inline float normal(unsigned &Seed) {
  float Length = sqrtf(-2.0f * logf(uniform(Seed)));
  return Length * cosf(6.2831853f * uniform(Seed));
}

/// How much likelier the pixels around a place are with the disc there.
__device__ inline float fit(const unsigned char *Image, float X, float Y) {
  int CenterX = (int)roundf(X), CenterY = (int)roundf(Y);
  float Sum = 0.0f;
  for (int I = 0; I < Disc.Count; ++I) {
    int AtX = min(max(CenterX + Disc.X[I], 0), Side - 1);
    int AtY = min(max(CenterY + Disc.Y[I], 0), Side - 1);
    float Pixel = (float)Image[AtY * Side + AtX];
    Sum += ((Pixel - Background) * (Pixel - Background) -
            (Pixel - Foreground) * (Pixel - Foreground)) /
           50.0f;
  }
  return Sum / (float)Disc.Count;
}

/// Moves and weights particles, and sums the weights of each CTA.
__global__ void likelihoodKernel(const unsigned char *Image, float *Xs,
                                 float *Ys, unsigned *Seeds, float *Weights,
                                 float *Sums, int Count) {
  __shared__ float Partial[Threads];
  int T = threadIdx.x, I = blockIdx.x * Threads + T;
  float Weight = 0.0f;
  if (I < Count) {
    unsigned Seed = Seeds[I];
    float X = Xs[I] + 1.0f + 2.0f * normal(Seed);
    float Y = Ys[I] - 2.0f + 2.0f * normal(Seed);
    // A fit is about 320 where the disc is.
    Weight = expf((fit(Image, X, Y) - 320.0f) * 0.02f);
    Xs[I] = X;
    Ys[I] = Y;
    Seeds[I] = Seed;
    Weights[I] = Weight;
  }
  Partial[T] = Weight;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half)
      Partial[T] += Partial[T + Half];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Partial[0];
}

/// Running sums of the weights, as parts of their sum. One CTA does it all.
__global__ void cumulateKernel(const float *Weights, const float *Sums,
                               int NumSums, float *Cumulated, int Count) {
  __shared__ float Running[Threads];
  __shared__ float Total, Before;
  int T = threadIdx.x;
  if (T == 0) {
    float Sum = 0.0f;
    for (int I = 0; I < NumSums; ++I)
      Sum += Sums[I];
    Total = Sum;
    Before = 0.0f;
  }
  __syncthreads();
  for (int First = 0; First < Count; First += Threads) {
    Running[T] = First + T < Count ? Weights[First + T] / Total : 0.0f;
    __syncthreads();
    for (int Distance = 1; Distance < Threads; Distance *= 2) {
      float Earlier = T >= Distance ? Running[T - Distance] : 0.0f;
      __syncthreads();
      Running[T] += Earlier;
      __syncthreads();
    }
    if (First + T < Count)
      Cumulated[First + T] = Before + Running[T];
    __syncthreads();
    if (T == Threads - 1)
      Before += Running[T];
    __syncthreads();
  }
}

/// Draws particles at even distances in the running sums: a search from the
/// first on, which is as long as the lane's place is late.
__global__ void findIndexKernel(const float *Cumulated, const float *Xs,
                                const float *Ys, float *NewXs, float *NewYs,
                                int *Indices, float Start, int Count) {
  int I = blockIdx.x * Threads + threadIdx.x;
  if (I >= Count)
    return;
  float Place = (Start + (float)I) / (float)Count;
  int Index = 0;
  while (Index < Count - 1 && Cumulated[Index] < Place)
    ++Index;
  NewXs[I] = Xs[Index];
  NewYs[I] = Ys[Index];
  Indices[I] = Index;
}

static DiscPixels makeDisc() {
  DiscPixels Made = {};
  for (int Y = -Radius; Y <= Radius; ++Y)
    for (int X = -Radius; X <= Radius; ++X)
      if (X * X + Y * Y <= Radius * Radius) {
        Made.X[Made.Count] = X;
        Made.Y[Made.Count++] = Y;
      }
  return Made;
}

static std::vector<unsigned char> makeImage(Random &R, int CenterX,
                                            int CenterY) {
  std::vector<unsigned char> Image(Side * Side);
  for (int I = 0; I < Side * Side; ++I) {
    int X = I % Side - CenterX, Y = I / Side - CenterY;
    bool InDisc = X * X + Y * Y <= Radius * Radius;
    Image[I] = (unsigned char)((InDisc ? Foreground : Background) +
                               R.uniform(-10.0f, 10.0f));
  }
  return Image;
}

struct Particles {
  std::vector<float> X, Y;
  std::vector<unsigned> Seeds;
};

static void hostMove(Particles &P) {
  auto Uniform = [](unsigned &Seed) {
    Seed = Seed * 1664525u + 1013904223u;
    return ((Seed >> 9) + 0.5) / 8388608.0;
  };
  auto Normal = [&](unsigned &Seed) {
    double Length = std::sqrt(-2.0 * std::log(Uniform(Seed)));
    return Length * std::cos(6.283185307179586 * Uniform(Seed));
  };
  for (size_t I = 0; I < P.X.size(); ++I) {
    P.X[I] = (float)(P.X[I] + 1.0 + 2.0 * Normal(P.Seeds[I]));
    P.Y[I] = (float)(P.Y[I] - 2.0 + 2.0 * Normal(P.Seeds[I]));
  }
}

static double hostWeight(const std::vector<unsigned char> &Image,
                         const DiscPixels &D, float X, float Y) {
  double Sum = 0.0;
  for (int I = 0; I < D.Count; ++I) {
    int AtX = std::clamp((int)std::round(X) + D.X[I], 0, Side - 1);
    int AtY = std::clamp((int)std::round(Y) + D.Y[I], 0, Side - 1);
    double Pixel = Image[AtY * Side + AtX];
    Sum += (std::pow(Pixel - Background, 2) - std::pow(Pixel - Foreground, 2)) /
           50.0;
  }
  return std::exp((Sum / D.Count - 320.0) * 0.02);
}

/// Each stage is compared for what the device's stage before it made: which
/// pixels a place has, and which sum is the first to reach another, are
/// decisions that the last bit can turn.
static void checkImage(Verifier &V, const Particles &Before,
                       const Particles &Moved, const Particles &Drawn,
                       const std::vector<unsigned char> &Image,
                       const DiscPixels &D, const std::vector<float> &Weights,
                       const std::vector<float> &Cumulated,
                       const std::vector<int> &Indices, float Start) {
  int Count = (int)Weights.size();
  Particles Expected = Before;
  hostMove(Expected);
  V.compareAll("x", Moved.X, Expected.X);
  V.compareAll("y", Moved.Y, Expected.Y);
  V.compareAll("seed", Moved.Seeds, Expected.Seeds);
  double Sum = 0.0, Running = 0.0;
  for (int I = 0; I < Count; ++I) {
    V.compare("weight", I, Weights[I],
              hostWeight(Image, D, Moved.X[I], Moved.Y[I]));
    Sum += Weights[I];
  }
  for (int I = 0; I < Count; ++I) {
    Running += Weights[I] / Sum;
    V.compare("running sum", I, Cumulated[I], Running);
    float Place = (Start + (float)I) / (float)Count;
    int Index = 0;
    while (Index < Count - 1 && Cumulated[Index] < Place)
      ++Index;
    V.compare("index", I, Indices[I], Index);
    V.compare("drawn x", I, Drawn.X[I], Moved.X[Index]);
    V.compare("drawn y", I, Drawn.Y[I], Moved.Y[Index]);
  }
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "PARTICLES", 500, 16, 1 << 20);
  int Images = sizeArgument(ArgC, ArgV, 2, "IMAGES", 2, 1, 16);
  Random R(24);
  DiscPixels D = makeDisc();
  CHECK_CUDA(cudaMemcpyToSymbol(Disc, &D, sizeof(D)));
  int CenterX = Side / 2, CenterY = Side / 2;
  Particles Now;
  Now.X.assign(Count, (float)CenterX);
  Now.Y.assign(Count, (float)CenterY);
  for (int I = 0; I < Count; ++I)
    Now.Seeds.push_back(R.next());

  int Blocks = divideUp(Count, Threads);
  DeviceArray<float> X(Now.X), Y(Now.Y), NewX(Count), NewY(Count),
      Weights(Count), Sums(Blocks), Cumulated(Count);
  DeviceArray<unsigned> Seeds(Now.Seeds);
  DeviceArray<int> Indices(Count);
  Verifier V(1e-4, 1e-5);
  for (int I = 0; I < Images; ++I) {
    std::vector<unsigned char> Image =
        makeImage(R, CenterX + I + 1, CenterY - 2 * (I + 1));
    DeviceArray<unsigned char> DeviceImage(Image);
    float Start = R.uniform(0.0f, 1.0f);
    likelihoodKernel<<<Blocks, Threads>>>(DeviceImage.get(), X.get(), Y.get(),
                                          Seeds.get(), Weights.get(),
                                          Sums.get(), Count);
    cumulateKernel<<<1, Threads>>>(Weights.get(), Sums.get(), Blocks,
                                   Cumulated.get(), Count);
    findIndexKernel<<<Blocks, Threads>>>(Cumulated.get(), X.get(), Y.get(),
                                         NewX.get(), NewY.get(), Indices.get(),
                                         Start, Count);
    finishKernels();
    Particles Moved = {X.toHost(), Y.toHost(), Seeds.toHost()};
    Particles Drawn = {NewX.toHost(), NewY.toHost(), Moved.Seeds};
    checkImage(V, Now, Moved, Drawn, Image, D, Weights.toHost(),
               Cumulated.toHost(), Indices.toHost(), Start);
    Now = Drawn;
    X.copyFrom(Now.X);
    Y.copyFrom(Now.Y);
  }
  double MeanX = 0.0, MeanY = 0.0;
  for (int I = 0; I < Count; ++I) {
    MeanX += Now.X[I] / Count;
    MeanY += Now.Y[I] / Count;
  }
  double Off =
      std::hypot(MeanX - (CenterX + Images), MeanY - (CenterY - 2 * Images));
  V.compare("found near the disc", 0, Off < 2.0, true);
  return V.report();
}
