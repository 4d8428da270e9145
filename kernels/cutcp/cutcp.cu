//===- cutcp.cu - Coulomb potential with a cutoff -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The electric potential of charged atoms on a lattice of points, where atoms
/// beyond a cutoff do not count. Space is cut into bins; a CTA takes the points
/// of one, and brings the atoms of the bins around through shared memory, a few
/// bins at a time.
///
/// usage: cutcp [BINS]    (bins along each of the three axes)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int BinPoints = 8; // lattice points along a bin's side
static constexpr float Spacing = 0.5f, BinSide = BinPoints * Spacing;
static constexpr float Cutoff = 4.0f;
static constexpr int PerBin = 8; // atoms
static constexpr int BinsAtOnce = 8;
static constexpr int ThreadsX = 8, ThreadsY = 2, ThreadsZ = 8;
static constexpr int Threads = ThreadsX * ThreadsY * ThreadsZ;
static constexpr int PerThread = BinPoints / ThreadsY;
static constexpr int MaxNeighbours = 32;

/// An atom; the first without charge ends a bin.
struct Atom {
  float X, Y, Z, Charge;
};

/// Distances of bins in the array of bins.
__constant__ int Neighbours[MaxNeighbours];

/// \p Bins has a border of empty bins around the Side^3 that have points.
__global__ void latticeKernel(const Atom *Bins, float *Potential, int Side,
                              int NumNeighbours) {
  __shared__ Atom Near[BinsAtOnce * PerBin];
  int BX = blockIdx.x % Side, BY = blockIdx.x / Side, BZ = blockIdx.y;
  int Home = ((BZ + 1) * (Side + 2) + BY + 1) * (Side + 2) + BX + 1;
  int X = BX * BinPoints + threadIdx.x, Y = BY * BinPoints + threadIdx.y;
  int Z = BZ * BinPoints + threadIdx.z;
  int T = (threadIdx.z * ThreadsY + threadIdx.y) * ThreadsX + threadIdx.x;
  float PX = X * Spacing, PY = Y * Spacing, PZ = Z * Spacing;
  float Sum[PerThread] = {};

  for (int First = 0; First < NumNeighbours; First += BinsAtOnce) {
    int Count = min(BinsAtOnce, NumNeighbours - First);
    __syncthreads();
    for (int I = T; I < Count * PerBin; I += Threads) {
      int Bin = Home + Neighbours[First + I / PerBin];
      Near[I] = Bins[Bin * PerBin + I % PerBin];
    }
    __syncthreads();
    for (int Bin = 0; Bin < Count; ++Bin)
      for (int I = 0; I < PerBin; ++I) {
        Atom A = Near[Bin * PerBin + I];
        if (A.Charge == 0.0f)
          break;
        float DX = A.X - PX, DZ = A.Z - PZ, DY = A.Y - PY;
        float Flat = DX * DX + DZ * DZ;
#pragma unroll
        for (int P = 0; P < PerThread; ++P) {
          float Squared = DY * DY + Flat;
          if (Squared < Cutoff * Cutoff) {
            float Fading = 1.0f - Squared * (1.0f / (Cutoff * Cutoff));
            Sum[P] += A.Charge * rsqrtf(Squared) * Fading * Fading;
          }
          DY -= ThreadsY * Spacing;
        }
      }
  }
  int Points = Side * BinPoints;
#pragma unroll
  for (int P = 0; P < PerThread; ++P)
    Potential[(Z * Points + Y + P * ThreadsY) * Points + X] = Sum[P];
}

static std::vector<Atom> makeBins(Random &R, int Side) {
  int Padded = Side + 2;
  std::vector<Atom> Bins(Padded * Padded * Padded * PerBin,
                         {0.0f, 0.0f, 0.0f, 0.0f});
  for (int B = 0; B < Side * Side * Side; ++B) {
    int X = B % Side, Y = B / Side % Side, Z = B / (Side * Side);
    int Count = 3 + (int)R.below(PerBin - 2);
    for (int I = 0; I < Count; ++I)
      // Coordinates of the bin without the border; its points begin at a
      // corner.
      Bins[(((Z + 1) * Padded + Y + 1) * Padded + X + 1) * PerBin + I] = {
          (X + R.uniform(0.0f, 1.0f)) * BinSide,
          (Y + R.uniform(0.0f, 1.0f)) * BinSide,
          (Z + R.uniform(0.0f, 1.0f)) * BinSide,
          R.below(2) ? R.uniform(0.5f, 2.0f) : R.uniform(-2.0f, -0.5f)};
  }
  return Bins;
}

/// From atom to atom, without bins.
static double hostPotential(const std::vector<Atom> &Atoms, float X, float Y,
                            float Z) {
  double Sum = 0.0;
  for (const Atom &A : Atoms) {
    double DX = A.X - X, DY = A.Y - Y, DZ = A.Z - Z;
    double Squared = DX * DX + DY * DY + DZ * DZ;
    if (Squared >= Cutoff * Cutoff)
      continue;
    double Fading = 1.0 - Squared / (Cutoff * Cutoff);
    Sum += A.Charge / std::sqrt(Squared) * Fading * Fading;
  }
  return Sum;
}

int main(int ArgC, char **ArgV) {
  int Side = sizeArgument(ArgC, ArgV, 1, "BINS", 2, 1, 16);
  Random R(22);
  std::vector<Atom> Bins = makeBins(R, Side), Atoms;
  for (const Atom &A : Bins)
    if (A.Charge != 0.0f)
      Atoms.push_back(A);
  std::vector<int> Around;
  for (int Z = -1; Z <= 1; ++Z)
    for (int Y = -1; Y <= 1; ++Y)
      for (int X = -1; X <= 1; ++X)
        Around.push_back((Z * (Side + 2) + Y) * (Side + 2) + X);
  CHECK_CUDA(cudaMemcpyToSymbol(Neighbours, Around.data(),
                                Around.size() * sizeof(int)));

  int Points = Side * BinPoints;
  DeviceArray<Atom> DeviceBins(Bins);
  DeviceArray<float> Potential((size_t)Points * Points * Points);
  latticeKernel<<<dim3(Side * Side, Side),
                  dim3(ThreadsX, ThreadsY, ThreadsZ)>>>(
      DeviceBins.get(), Potential.get(), Side, (int)Around.size());
  finishKernels();

  Verifier V(1e-4, 2e-4);
  std::vector<float> Got = Potential.toHost();
  for (int I = 0; I < Points * Points * Points; ++I)
    V.compare("potential", I, Got[I],
              hostPotential(Atoms, I % Points * Spacing,
                            I / Points % Points * Spacing,
                            I / (Points * Points) * Spacing));
  return V.report();
}
