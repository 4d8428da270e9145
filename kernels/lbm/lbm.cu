//===- lbm.cu - Lattice Boltzmann fluid -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Flow in a box whose top wall moves, by the lattice Boltzmann method with 19
/// velocities. A thread pulls its cell's 19 distributions from the neighbours,
/// relaxes them towards equilibrium and writes them to the other lattice.
///
/// usage: lbm [NX [NY [NZ [STEPS]]]]    (each side counts its two walls)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <utility>

static constexpr int NumDirections = 19;
static constexpr float Relaxation = 1.3f;
static constexpr float LidVelocity = 0.05f;

/// Component of direction \p Q: two bits of a packed table, so that it folds to
/// a constant in device code too.
__host__ __device__ constexpr int unpack(unsigned long long Table, int Q) {
  return (int)(Table >> (2 * Q) & 3) - 1;
}
__host__ __device__ constexpr int directionX(int Q) {
  return unpack(0x1548889549ull, Q);
}
__host__ __device__ constexpr int directionY(int Q) {
  return unpack(0x895609495ull, Q);
}
__host__ __device__ constexpr int directionZ(int Q) {
  return unpack(0x20a0954955ull, Q);
}
/// Directions from 1 on come in pairs of opposites.
__host__ __device__ constexpr int opposite(int Q) {
  return Q == 0 ? 0 : ((Q - 1) ^ 1) + 1;
}
__host__ __device__ constexpr float weight(int Q) {
  return Q == 0 ? 1.0f / 3.0f : Q < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
}

struct Lattice {
  int NX, NY, NZ;
  __host__ __device__ int cells() const { return NX * NY * NZ; }
  __host__ __device__ int cell(int X, int Y, int Z) const {
    return (Z * NY + Y) * NX + X;
  }
  __host__ __device__ bool isWall(int X, int Y, int Z) const {
    return X == 0 || X == NX - 1 || Y == 0 || Y == NY - 1 || Z == 0 ||
           Z == NZ - 1;
  }
};

// Host compilers warn of a pragma that they do not know.
#if defined(__CUDA_ARCH__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/// One step of the cell at X, Y, Z, which is not a wall.
__host__ __device__ inline void stepCell(const Lattice &L, const float *Source,
                                         float *Target, int X, int Y, int Z) {
  int Cells = L.cells(), Cell = L.cell(X, Y, Z);
  float F[NumDirections];
  float Density = 0.0f, UX = 0.0f, UY = 0.0f, UZ = 0.0f;
  UNROLL
  for (int Q = 0; Q < NumDirections; ++Q) {
    int FX = X - directionX(Q), FY = Y - directionY(Q), FZ = Z - directionZ(Q);
    if (L.isWall(FX, FY, FZ)) {
      // What was sent into the wall comes back, pushed along by the lid.
      float Push = FZ == L.NZ - 1
                       ? 6.0f * weight(Q) * directionX(Q) * LidVelocity
                       : 0.0f;
      F[Q] = Source[opposite(Q) * Cells + Cell] + Push;
    } else {
      F[Q] = Source[Q * Cells + L.cell(FX, FY, FZ)];
    }
    Density += F[Q];
    UX += directionX(Q) * F[Q];
    UY += directionY(Q) * F[Q];
    UZ += directionZ(Q) * F[Q];
  }
  UX /= Density;
  UY /= Density;
  UZ /= Density;
  float Base = 1.0f - 1.5f * (UX * UX + UY * UY + UZ * UZ);
  UNROLL
  for (int Q = 0; Q < NumDirections; ++Q) {
    float Along = directionX(Q) * UX + directionY(Q) * UY + directionZ(Q) * UZ;
    float Equilibrium =
        weight(Q) * Density * (Base + 3.0f * Along + 4.5f * Along * Along);
    Target[Q * Cells + Cell] = F[Q] + Relaxation * (Equilibrium - F[Q]);
  }
}

__global__ void stepKernel(Lattice L, const float *Source, float *Target) {
  int X = threadIdx.x + 1, Y = blockIdx.x + 1, Z = blockIdx.y + 1;
  if (X < L.NX - 1)
    stepCell(L, Source, Target, X, Y, Z);
}

int main(int ArgC, char **ArgV) {
  Lattice L;
  L.NX = sizeArgument(ArgC, ArgV, 1, "NX", 34, 5, 480);
  L.NY = sizeArgument(ArgC, ArgV, 2, "NY", 14, 5, 480);
  L.NZ = sizeArgument(ArgC, ArgV, 3, "NZ", 12, 5, 480);
  int Steps = sizeArgument(ArgC, ArgV, 4, "STEPS", 4, 1, 10000);
  std::vector<float> Start((size_t)NumDirections * L.cells());
  for (int Q = 0; Q < NumDirections; ++Q)
    for (int Cell = 0; Cell < L.cells(); ++Cell)
      Start[Q * L.cells() + Cell] = weight(Q);

  DeviceArray<float> A(Start), B(Start);
  DeviceArray<float> *Source = &A, *Target = &B;
  for (int Step = 0; Step < Steps; ++Step) {
    stepKernel<<<dim3(L.NY - 2, L.NZ - 2), divideUp(L.NX - 2, 32) * 32>>>(
        L, Source->get(), Target->get());
    std::swap(Source, Target);
  }
  finishKernels();

  std::vector<float> Expected = Start, Scratch = Start;
  for (int Step = 0; Step < Steps; ++Step) {
    for (int Z = 1; Z < L.NZ - 1; ++Z)
      for (int Y = 1; Y < L.NY - 1; ++Y)
        for (int X = 1; X < L.NX - 1; ++X)
          stepCell(L, Expected.data(), Scratch.data(), X, Y, Z);
    Expected.swap(Scratch);
  }
  std::vector<float> Got = Source->toHost();
  double Moved = 0.0, Mass = 0.0;
  int Fluid = 0;
  for (int Z = 1; Z < L.NZ - 1; ++Z)
    for (int Y = 1; Y < L.NY - 1; ++Y)
      for (int X = 1; X < L.NX - 1; ++X, ++Fluid)
        for (int Q = 0; Q < NumDirections; ++Q) {
          float F = Got[Q * L.cells() + L.cell(X, Y, Z)];
          Mass += F;
          Moved += directionX(Q) * F;
        }
  Verifier V(1e-4, 1e-6);
  V.compareAll("distribution", Got, Expected);
  // The box is closed, so mass stays; the lid drags the fluid along.
  V.compare("mass", 0, Mass, Fluid);
  V.compare("flow along the lid", 0, Moved > 0.0, true);
  return V.report();
}
