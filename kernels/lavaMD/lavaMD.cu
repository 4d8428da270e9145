//===- lavaMD.cu - Forces between particles in boxes -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Potential and forces of particles under a short-range interaction. Space is
/// cut into boxes; a CTA works on one box, and brings the particles of that box
/// and its up to 26 neighbours through shared memory.
///
/// usage: lavaMD [BOXES]    (boxes along each of the three axes)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int PerBox = 50;
static constexpr int Threads = 64;
static constexpr float Alpha = 0.5f;
static constexpr float TwoAlphaSquared = 2.0f * Alpha * Alpha;

/// A position, and as W half of its squared length.
struct Particle {
  float W, X, Y, Z;
};

struct Box {
  int First;
  int NumNeighbours;
  int Neighbours[26];
};

__host__ __device__ inline float dot(const Particle &A, const Particle &B) {
  return A.X * B.X + A.Y * B.Y + A.Z * B.Z;
}

__global__ void __launch_bounds__(Threads)
    forceKernel(const Box *Boxes, const Particle *Particles,
                const float *Charges, Particle *Forces) {
  __shared__ Particle Mine[PerBox];
  __shared__ Particle Theirs[PerBox];
  __shared__ float TheirCharges[PerBox];
  const Box &Home = Boxes[blockIdx.x];
  int T = threadIdx.x;
  for (int I = T; I < PerBox; I += Threads)
    Mine[I] = Particles[Home.First + I];

  for (int N = -1; N < Home.NumNeighbours; ++N) {
    int First = N < 0 ? Home.First : Boxes[Home.Neighbours[N]].First;
    for (int I = T; I < PerBox; I += Threads) {
      Theirs[I] = Particles[First + I];
      TheirCharges[I] = Charges[First + I];
    }
    __syncthreads();
    for (int I = T; I < PerBox; I += Threads) {
      Particle P = Mine[I], Force = Forces[Home.First + I];
      for (int J = 0; J < PerBox; ++J) {
        const Particle &Q = Theirs[J];
        float Squared = P.W + Q.W - dot(P, Q);
        float Potential = expf(-TwoAlphaSquared * Squared);
        float Strength = 2.0f * Potential * TheirCharges[J];
        Force.W += TheirCharges[J] * Potential;
        Force.X += Strength * (P.X - Q.X);
        Force.Y += Strength * (P.Y - Q.Y);
        Force.Z += Strength * (P.Z - Q.Z);
      }
      Forces[Home.First + I] = Force;
    }
    __syncthreads();
  }
}

static std::vector<Box> makeBoxes(int Side) {
  std::vector<Box> Boxes(Side * Side * Side);
  auto Inside = [&](int X) { return X >= 0 && X < Side; };
  for (int I = 0; I < Side * Side * Side; ++I) {
    int X = I % Side, Y = I / Side % Side, Z = I / (Side * Side);
    Boxes[I].First = I * PerBox;
    Boxes[I].NumNeighbours = 0;
    for (int D = 0; D < 27; ++D) {
      int NX = X + D % 3 - 1, NY = Y + D / 3 % 3 - 1, NZ = Z + D / 9 - 1;
      int Other = (NZ * Side + NY) * Side + NX;
      if (Inside(NX) && Inside(NY) && Inside(NZ) && Other != I)
        Boxes[I].Neighbours[Boxes[I].NumNeighbours++] = Other;
    }
  }
  return Boxes;
}

static void hostForces(const std::vector<Box> &Boxes,
                       const std::vector<Particle> &Particles,
                       const std::vector<float> &Charges, Verifier &V,
                       const std::vector<Particle> &Got) {
  for (const Box &Home : Boxes)
    for (int I = Home.First; I < Home.First + PerBox; ++I) {
      double W = 0.0, X = 0.0, Y = 0.0, Z = 0.0;
      const Particle &P = Particles[I];
      for (int N = -1; N < Home.NumNeighbours; ++N) {
        int First = N < 0 ? Home.First : Boxes[Home.Neighbours[N]].First;
        for (int J = First; J < First + PerBox; ++J) {
          const Particle &Q = Particles[J];
          double Squared = (double)P.W + Q.W - dot(P, Q);
          double Potential = std::exp(-TwoAlphaSquared * Squared);
          double Strength = 2.0 * Potential * Charges[J];
          W += Charges[J] * Potential;
          X += Strength * (P.X - Q.X);
          Y += Strength * (P.Y - Q.Y);
          Z += Strength * (P.Z - Q.Z);
        }
      }
      V.compare("potential", I, Got[I].W, W);
      V.compare("x force", I, Got[I].X, X);
      V.compare("y force", I, Got[I].Y, Y);
      V.compare("z force", I, Got[I].Z, Z);
    }
}

int main(int ArgC, char **ArgV) {
  int Side = sizeArgument(ArgC, ArgV, 1, "BOXES", 2, 1, 64);
  std::vector<Box> Boxes = makeBoxes(Side);
  Random R(7);
  std::vector<Particle> Particles(Boxes.size() * PerBox);
  std::vector<float> Charges(Particles.size());
  for (size_t I = 0; I < Particles.size(); ++I) {
    Particle &P = Particles[I];
    P.X = R.uniform(0.1f, 1.0f);
    P.Y = R.uniform(0.1f, 1.0f);
    P.Z = R.uniform(0.1f, 1.0f);
    P.W = 0.5f * dot(P, P);
    Charges[I] = R.uniform(0.1f, 1.0f);
  }

  DeviceArray<Box> DeviceBoxes(Boxes);
  DeviceArray<Particle> DeviceParticles(Particles), Forces(Particles.size());
  DeviceArray<float> DeviceCharges(Charges);
  Forces.fillBytes(0);
  forceKernel<<<(unsigned)Boxes.size(), Threads>>>(
      DeviceBoxes.get(), DeviceParticles.get(), DeviceCharges.get(),
      Forces.get());
  finishKernels();

  Verifier V(1e-4, 1e-3);
  hostForces(Boxes, Particles, Charges, V, Forces.toHost());
  return V.report();
}
