//===- kmeans.cu - Clusters of points -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lloyd's algorithm: each point joins the cluster whose center is nearest, and
/// centers move to the means of their points. The device turns the points
/// around, feature by feature, and finds each one's cluster; the host computes
/// the means.
///
/// usage: kmeans [POINTS [CLUSTERS [FEATURES]]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int Threads = 256;
static constexpr int MaxIterations = 3;
static constexpr int MaxCenters = 4096; // clusters times features

__constant__ float Centers[MaxCenters];

__global__ void invertMappingKernel(const float *Points, float *Inverted,
                                    int Count, int Features) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  for (int F = 0; F < Features; ++F)
    Inverted[F * Count + I] = Points[I * Features + F];
}

__global__ void kmeansPointKernel(const float *Inverted, int Count,
                                  int Features, int Clusters, int *Membership) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  int Nearest = -1;
  float Least = 3.4e38f;
  for (int C = 0; C < Clusters; ++C) {
    float Squared = 0.0f;
    for (int F = 0; F < Features; ++F) {
      // Decides who is nearest: rounded as on the host.
      float Off = Inverted[F * Count + I] - Centers[C * Features + F];
      Squared = fmaf(Off, Off, Squared);
    }
    if (Squared < Least) {
      Least = Squared;
      Nearest = C;
    }
  }
  Membership[I] = Nearest;
}

static int hostNearest(const float *Point, const std::vector<float> &Means,
                       int Clusters, int Features) {
  int Nearest = -1;
  float Least = 3.4e38f;
  for (int C = 0; C < Clusters; ++C) {
    float Squared = 0.0f;
    for (int F = 0; F < Features; ++F) {
      float Off = Point[F] - Means[C * Features + F];
      Squared = std::fma(Off, Off, Squared);
    }
    if (Squared < Least) {
      Least = Squared;
      Nearest = C;
    }
  }
  return Nearest;
}

/// The means of the clusters' points; a cluster without any stays.
static void moveCenters(std::vector<float> &Means,
                        const std::vector<float> &Points,
                        const std::vector<int> &Membership, int Clusters,
                        int Features) {
  std::vector<double> Sums(Means.size());
  std::vector<int> Sizes(Clusters);
  for (size_t I = 0; I < Membership.size(); ++I) {
    ++Sizes[Membership[I]];
    for (int F = 0; F < Features; ++F)
      Sums[Membership[I] * Features + F] += Points[I * Features + F];
  }
  for (size_t I = 0; I < Means.size(); ++I)
    if (int Size = Sizes[I / Features])
      Means[I] = (float)(Sums[I] / Size);
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "POINTS", 1500, 1, 1 << 20);
  int Clusters = sizeArgument(ArgC, ArgV, 2, "CLUSTERS", 5, 1, 64);
  int Features = sizeArgument(ArgC, ArgV, 3, "FEATURES", 16, 1, 64);
  Random R(30);
  std::vector<float> Points((size_t)Count * Features);
  for (int I = 0; I < Count; ++I) {
    // Around one of the places on the diagonal, with some overlap.
    float Place = (float)R.below(Clusters);
    for (int F = 0; F < Features; ++F)
      Points[(size_t)I * Features + F] = Place + R.uniform(-2.0f, 2.0f);
  }
  std::vector<float> Means(Clusters * Features);
  for (size_t I = 0; I < Means.size(); ++I)
    Means[I] = Points[I % Points.size()];

  DeviceArray<float> DevicePoints(Points), Inverted(Points.size());
  DeviceArray<int> Membership(Count);
  int Blocks = divideUp(Count, Threads);
  invertMappingKernel<<<Blocks, Threads>>>(DevicePoints.get(), Inverted.get(),
                                           Count, Features);
  Verifier V;
  std::vector<int> Before, Now;
  for (int Iteration = 0; Iteration < MaxIterations; ++Iteration) {
    CHECK_CUDA(cudaMemcpyToSymbol(Centers, Means.data(),
                                  Means.size() * sizeof(float)));
    kmeansPointKernel<<<Blocks, Threads>>>(Inverted.get(), Count, Features,
                                           Clusters, Membership.get());
    finishKernels();
    Before = Now;
    Now = Membership.toHost();
    for (int I = 0; I < Count; ++I)
      V.compare("cluster", I, Now[I],
                hostNearest(&Points[(size_t)I * Features], Means, Clusters,
                            Features));
    if (Before == Now)
      break;
    moveCenters(Means, Points, Now, Clusters, Features);
  }
  return V.report();
}
