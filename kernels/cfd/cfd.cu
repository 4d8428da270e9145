//===- cfd.cu - Flow of a gas around a body -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The Euler equations of a compressible gas by finite volumes on an
/// unstructured mesh, with Runge-Kutta steps. Each element has four neighbours,
/// some of which may be the body's surface or the undisturbed gas far away.
///
/// usage: cfd [ELEMENTS [ITERATIONS]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <utility>

static constexpr int Threads = 192;
static constexpr int NumNeighbours = 4, NumVariables = 5;
static constexpr int RungeKuttaSteps = 3;
static constexpr int Surface = -1, FarField = -2; // in place of a neighbour
static constexpr float Gamma = 1.4f, Smoothing = 0.2f;

struct Vector {
  float X, Y, Z;
};

/// What is conserved, by volume.
struct State {
  float Density;
  Vector Momentum;
  float Energy;
};

/// How momentum flows along each axis, and energy.
struct Flux {
  Vector X, Y, Z, Energy;
};

__constant__ State DeviceFar;

__host__ __device__ inline float dot(const Vector &A, const Vector &B) {
  return A.X * B.X + A.Y * B.Y + A.Z * B.Z;
}

__host__ __device__ inline State load(const float *Variables, int Count,
                                      int I) {
  return {Variables[I],
          {Variables[Count + I], Variables[2 * Count + I],
           Variables[3 * Count + I]},
          Variables[4 * Count + I]};
}

/// What follows from a state.
struct Derived {
  Vector Velocity;
  float Speed, Pressure, Sound;

  __host__ __device__ explicit Derived(const State &S)
      : Velocity{S.Momentum.X / S.Density, S.Momentum.Y / S.Density,
                 S.Momentum.Z / S.Density} {
    float Squared = dot(Velocity, Velocity);
    Speed = sqrtf(Squared);
    Pressure = (Gamma - 1.0f) * (S.Energy - 0.5f * S.Density * Squared);
    Sound = sqrtf(Gamma * Pressure / S.Density);
  }
};

__host__ __device__ inline Flux flux(const State &S, const Derived &D) {
  const Vector &M = S.Momentum, &V = D.Velocity;
  float E = S.Energy + D.Pressure;
  return {{V.X * M.X + D.Pressure, V.X * M.Y, V.X * M.Z},
          {V.X * M.Y, V.Y * M.Y + D.Pressure, V.Y * M.Z},
          {V.X * M.Z, V.Y * M.Z, V.Z * M.Z + D.Pressure},
          {V.X * E, V.Y * E, V.Z * E}};
}

/// Adds to \p Sum a multiple of \p S.
__host__ __device__ inline void add(State &Sum, float Factor, const State &S) {
  Sum.Density += Factor * S.Density;
  Sum.Momentum.X += Factor * S.Momentum.X;
  Sum.Momentum.Y += Factor * S.Momentum.Y;
  Sum.Momentum.Z += Factor * S.Momentum.Z;
  Sum.Energy += Factor * S.Energy;
}

/// What flows through a face with this normal, half of it from each side.
__host__ __device__ inline State through(const Vector &Normal, const State &S,
                                         const Flux &F) {
  return {0.5f * dot(Normal, S.Momentum),
          {0.5f * dot(Normal, F.X), 0.5f * dot(Normal, F.Y),
           0.5f * dot(Normal, F.Z)},
          0.5f * dot(Normal, F.Energy)};
}

/// The sum of what flows through an element's faces.
__host__ __device__ inline State
elementFlux(const int *Neighbours, const float *Normals, const float *Variables,
            const State &Far, int Count, int I) {
  State Mine = load(Variables, Count, I), Sum = {};
  Derived MyDerived(Mine);
  Flux MyFlux = flux(Mine, MyDerived);
  for (int N = 0; N < NumNeighbours; ++N) {
    int Other = Neighbours[N * Count + I];
    const float *At = Normals + 3 * N * Count + I;
    Vector Normal = {At[0], At[Count], At[2 * Count]};
    if (Other == Surface) {
      Sum.Momentum.X += Normal.X * MyDerived.Pressure;
      Sum.Momentum.Y += Normal.Y * MyDerived.Pressure;
      Sum.Momentum.Z += Normal.Z * MyDerived.Pressure;
      continue;
    }
    State Theirs = Other == FarField ? Far : load(Variables, Count, Other);
    Derived TheirDerived(Theirs);
    if (Other != FarField) {
      // Viscosity that keeps the scheme stable.
      float Factor = 0.5f * Smoothing * sqrtf(dot(Normal, Normal)) *
                     (MyDerived.Speed + TheirDerived.Speed + MyDerived.Sound +
                      TheirDerived.Sound);
      add(Sum, Factor, Mine);
      add(Sum, -Factor, Theirs);
    }
    add(Sum, 1.0f, through(Normal, Theirs, flux(Theirs, TheirDerived)));
    add(Sum, 1.0f, through(Normal, Mine, MyFlux));
  }
  return Sum;
}

/// How long a step may be, over the element's volume.
__host__ __device__ inline float stepFactor(const State &S, float Area) {
  Derived D(S);
  return 0.5f / (sqrtf(Area) * (D.Speed + D.Sound));
}

__global__ void stepFactorKernel(const float *Variables, const float *Areas,
                                 float *Factors, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Factors[I] = stepFactor(load(Variables, Count, I), Areas[I]);
}

__global__ void fluxKernel(const int *Neighbours, const float *Normals,
                           const float *Variables, float *Fluxes, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  State Sum = elementFlux(Neighbours, Normals, Variables, DeviceFar, Count, I);
  Fluxes[I] = Sum.Density;
  Fluxes[Count + I] = Sum.Momentum.X;
  Fluxes[2 * Count + I] = Sum.Momentum.Y;
  Fluxes[3 * Count + I] = Sum.Momentum.Z;
  Fluxes[4 * Count + I] = Sum.Energy;
}

__global__ void timeStepKernel(const float *Old, float *Variables,
                               const float *Factors, const float *Fluxes,
                               int Count, float Share) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float Factor = Share * Factors[I];
  for (int V = 0; V < NumVariables; ++V)
    Variables[V * Count + I] =
        Old[V * Count + I] - Factor * Fluxes[V * Count + I];
}

/// The gas far away: it flows along the first axis at 0.6 times its speed of
/// sound.
static State farState() {
  float Speed = 0.6f;
  // With density Gamma and pressure 1 the speed of sound is 1.
  return {Gamma,
          {Gamma * Speed, 0.0f, 0.0f},
          1.0f / (Gamma - 1.0f) + 0.5f * Gamma * Speed * Speed};
}

/// Elements in rows around a body, numbered without order among those nearby.
struct Mesh {
  std::vector<int> Neighbours;
  std::vector<float> Normals, Areas, Variables;

  Mesh(Random &R, int Count) {
    int Nearby = 64, PerRow = 16,
        Directions[NumNeighbours] = {1, PerRow, -1, -PerRow};
    std::vector<int> Number(Count);
    for (int I = 0; I < Count; ++I) {
      Number[I] = I;
      std::swap(Number[I], Number[I - R.below(I % Nearby + 1)]);
    }
    Neighbours.resize(NumNeighbours * Count);
    Normals.resize(3 * NumNeighbours * Count);
    for (int I = 0; I < Count; ++I)
      for (int N = 0; N < NumNeighbours; ++N) {
        int Other = I + Directions[N];
        int Beyond = Other < 0 ? Surface : FarField;
        bool Inside = Other >= 0 && Other < Count;
        Neighbours[N * Count + Number[I]] = Inside ? Number[Other] : Beyond;
        float *Normal = &Normals[3 * N * Count + Number[I]];
        Normal[0] = (N == 0) - (N == 2) + R.uniform(-0.1f, 0.1f);
        Normal[Count] = (N == 1) - (N == 3) + R.uniform(-0.1f, 0.1f);
        Normal[2 * Count] = R.uniform(-0.1f, 0.1f);
      }
    State Far = farState();
    float Start[NumVariables] = {Far.Density, Far.Momentum.X, Far.Momentum.Y,
                                 Far.Momentum.Z, Far.Energy};
    for (int I = 0; I < Count; ++I)
      Areas.push_back(R.uniform(3.0f, 5.0f));
    for (int I = 0; I < NumVariables * Count; ++I)
      Variables.push_back(Start[I / Count] * R.uniform(0.98f, 1.02f));
  }
};

static void hostIteration(const Mesh &M, std::vector<float> &Variables,
                          int Count) {
  std::vector<float> Old = Variables, Factors(Count), Next(Variables.size());
  for (int I = 0; I < Count; ++I)
    Factors[I] = stepFactor(load(Old.data(), Count, I), M.Areas[I]);
  for (int Step = 1; Step <= RungeKuttaSteps; ++Step) {
    for (int I = 0; I < Count; ++I) {
      State F = elementFlux(M.Neighbours.data(), M.Normals.data(),
                            Variables.data(), farState(), Count, I);
      float All[NumVariables] = {F.Density, F.Momentum.X, F.Momentum.Y,
                                 F.Momentum.Z, F.Energy};
      for (int V = 0; V < NumVariables; ++V)
        Next[V * Count + I] =
            Old[V * Count + I] -
            Factors[I] / (float)(RungeKuttaSteps + 1 - Step) * All[V];
    }
    Variables.swap(Next);
  }
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "ELEMENTS", 1000, 32, 1 << 20);
  int Iterations = sizeArgument(ArgC, ArgV, 2, "ITERATIONS", 2, 1, 1000);
  Random R(31);
  Mesh M(R, Count);
  State Far = farState();
  CHECK_CUDA(cudaMemcpyToSymbol(DeviceFar, &Far, sizeof(Far)));
  DeviceArray<int> Neighbours(M.Neighbours);
  DeviceArray<float> Normals(M.Normals), Areas(M.Areas), Variables(M.Variables),
      Old(M.Variables.size()), Fluxes(M.Variables.size()), Factors(Count);
  int Blocks = divideUp(Count, Threads);
  for (int Iteration = 0; Iteration < Iterations; ++Iteration) {
    CHECK_CUDA(cudaMemcpy(Old.get(), Variables.get(),
                          Old.size() * sizeof(float),
                          cudaMemcpyDeviceToDevice));
    stepFactorKernel<<<Blocks, Threads>>>(Variables.get(), Areas.get(),
                                          Factors.get(), Count);
    for (int Step = 1; Step <= RungeKuttaSteps; ++Step) {
      fluxKernel<<<Blocks, Threads>>>(Neighbours.get(), Normals.get(),
                                      Variables.get(), Fluxes.get(), Count);
      timeStepKernel<<<Blocks, Threads>>>(
          Old.get(), Variables.get(), Factors.get(), Fluxes.get(), Count,
          1.0f / (float)(RungeKuttaSteps + 1 - Step));
    }
  }
  finishKernels();

  std::vector<float> Expected = M.Variables;
  for (int Iteration = 0; Iteration < Iterations; ++Iteration)
    hostIteration(M, Expected, Count);
  Verifier V(1e-4, 1e-4);
  V.compareAll("variable", Variables.toHost(), Expected);
  return V.report();
}
