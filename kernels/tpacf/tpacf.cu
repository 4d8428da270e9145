//===- tpacf.cu - Angular correlation of galaxies -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two-point angular correlation function: histograms of the angles between
/// the points of an observed set, between those of random sets, and between the
/// observed and each random one. A CTA makes one histogram; its warps have
/// their own in shared memory, which are added up in the end.
///
/// usage: tpacf [POINTS [SETS]]    (random sets)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int Threads = 256, WarpSize = 32;
static constexpr int NumWarps = Threads / WarpSize;
static constexpr int NumBins = 20;

/// A point of the unit sphere.
struct Point {
  float X, Y, Z;
};

/// Cosines of the angles between bins, and two that no pair is beyond.
__constant__ float Bounds[NumBins + 1];

/// Decides which bin a pair is in: the same on host and device.
__host__ __device__ inline float cosine(const Point &A, const Point &B) {
  return fmaf(A.X, B.X, fmaf(A.Y, B.Y, A.Z * B.Z));
}

/// Set 0 is the observed one. The first CTAs compare a set with itself, the
/// others the observed set with a random one.
__global__ void histogramKernel(const Point *Points, int Count, int NumSets,
                                unsigned *Histograms) {
  __shared__ Point Tile[Threads];
  __shared__ unsigned Bins[NumWarps][NumBins];
  int T = threadIdx.x, Warp = T / WarpSize;
  for (int I = T; I < NumWarps * NumBins; I += Threads)
    Bins[I / NumBins][I % NumBins] = 0;
  bool Self = (int)blockIdx.x < NumSets;
  const Point *From = Points + (Self ? blockIdx.x * Count : 0);
  const Point *To = Self ? From : Points + (blockIdx.x - NumSets + 1) * Count;

  for (int First = 0; First < Count; First += Threads) {
    __syncthreads();
    if (First + T < Count)
      Tile[T] = From[First + T];
    __syncthreads();
    int Size = min(Threads, Count - First);
    for (int J = T; J < Count; J += Threads) {
      Point Mine = To[J];
      for (int I = 0; I < Size; ++I) {
        // A pair of a set counts once, a point with itself never.
        if (Self && First + I >= J)
          break;
        float Cosine = cosine(Tile[I], Mine);
        int Low = 0, High = NumBins;
        while (High > Low + 1) {
          int Middle = (Low + High) / 2;
          if (Cosine >= Bounds[Middle])
            High = Middle;
          else
            Low = Middle;
        }
        atomicAdd(&Bins[Warp][Low], 1u);
      }
    }
  }
  __syncthreads();
  if (T < NumBins) {
    unsigned Sum = 0;
    for (int W = 0; W < NumWarps; ++W)
      Sum += Bins[W][T];
    Histograms[blockIdx.x * NumBins + T] = Sum;
  }
}

static std::vector<unsigned> hostHistogram(const Point *From, const Point *To,
                                           int Count,
                                           const std::vector<float> &Limits) {
  std::vector<unsigned> Bins(NumBins);
  for (int I = 0; I < Count; ++I)
    for (int J = From == To ? I + 1 : 0; J < Count; ++J) {
      float Cosine = cosine(From[I], To[J]);
      // The first bin whose lower bound the pair reaches.
      auto Bin = std::find_if(Limits.begin() + 1, Limits.end() - 1,
                              [&](float Limit) { return Cosine >= Limit; });
      ++Bins[Bin - Limits.begin() - 1];
    }
  return Bins;
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "POINTS", 260, 2, 1 << 14);
  int Sets = sizeArgument(ArgC, ArgV, 2, "SETS", 1, 1, 4096);
  Random R(29);
  std::vector<Point> Points((size_t)Count * (Sets + 1));
  for (Point &P : Points) {
    float Length;
    do {
      P = {R.uniform(-1.0f, 1.0f), R.uniform(-1.0f, 1.0f),
           R.uniform(-1.0f, 1.0f)};
      Length = std::sqrt(P.X * P.X + P.Y * P.Y + P.Z * P.Z);
    } while (Length < 0.1f || Length > 1.0f);
    P = {P.X / Length, P.Y / Length, P.Z / Length};
  }
  // Smaller angles have narrower bins: each is 1.3 times as wide as the last.
  std::vector<float> Limits(NumBins + 1);
  Limits[0] = 2.0f;
  for (int Bin = 1; Bin < NumBins; ++Bin)
    Limits[Bin] = (float)std::cos(3.14159265 * std::pow(1.3, Bin - NumBins));
  Limits[NumBins] = -2.0f;

  CHECK_CUDA(
      cudaMemcpyToSymbol(Bounds, Limits.data(), Limits.size() * sizeof(float)));
  DeviceArray<Point> DevicePoints(Points);
  int NumHistograms = 2 * Sets + 1;
  DeviceArray<unsigned> Histograms((size_t)NumHistograms * NumBins);
  histogramKernel<<<NumHistograms, Threads>>>(DevicePoints.get(), Count,
                                              Sets + 1, Histograms.get());
  finishKernels();

  Verifier V;
  std::vector<unsigned> Got = Histograms.toHost();
  for (int H = 0; H < NumHistograms; ++H) {
    bool Self = H <= Sets;
    const Point *From = &Points[Self ? (size_t)H * Count : 0];
    const Point *To = Self ? From : &Points[(size_t)(H - Sets) * Count];
    std::vector<unsigned> Expected = hostHistogram(From, To, Count, Limits);
    for (int Bin = 0; Bin < NumBins; ++Bin)
      V.compare("pairs", H * NumBins + Bin, Got[H * NumBins + Bin],
                Expected[Bin]);
  }
  return V.report();
}
