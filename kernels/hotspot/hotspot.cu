//===- hotspot.cu - Heat diffusion on a chip -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The temperature of a chip's cells under a power map, by explicit time steps
/// of the heat equation. A CTA advances a tile by several steps in shared
/// memory before it writes back; its halo shrinks by one cell a step.
///
/// usage: hotspot [SIZE [STEPS]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <utility>

static constexpr int Tile = 16;
static constexpr int StepsPerLaunch = 2;
static constexpr int Output = Tile - 2 * StepsPerLaunch;

struct Coefficients {
  float StepOverCapacity;
  float PerRx, PerRy, PerRz;
  float Ambient;
};

__host__ __device__ inline float nextTemperature(float Center, float North,
                                                 float South, float West,
                                                 float East, float Power,
                                                 const Coefficients &C) {
  float Flow = Power + (South + North - 2.0f * Center) * C.PerRy +
               (East + West - 2.0f * Center) * C.PerRx +
               (C.Ambient - Center) * C.PerRz;
  return Center + C.StepOverCapacity * Flow;
}

__global__ void hotspotKernel(const float *Power, const float *Source,
                              float *Target, int Size, int Steps,
                              Coefficients C) {
  __shared__ float Now[Tile][Tile];
  __shared__ float Watts[Tile][Tile];
  __shared__ float Next[Tile][Tile];

  int TX = threadIdx.x, TY = threadIdx.y;
  int X = blockIdx.x * Output + TX - StepsPerLaunch;
  int Y = blockIdx.y * Output + TY - StepsPerLaunch;
  bool Inside = X >= 0 && X < Size && Y >= 0 && Y < Size;
  if (Inside) {
    Now[TY][TX] = Source[Y * Size + X];
    Watts[TY][TX] = Power[Y * Size + X];
  }
  __syncthreads();

  // At the chip's edge a cell is its own neighbour.
  int North = Y == 0 ? TY : TY - 1;
  int South = Y == Size - 1 ? TY : TY + 1;
  int West = X == 0 ? TX : TX - 1;
  int East = X == Size - 1 ? TX : TX + 1;

  bool Valid = false;
  for (int Step = 0; Step < Steps; ++Step) {
    int Margin = Step + 1;
    Valid = Inside && TX >= Margin && TX < Tile - Margin && TY >= Margin &&
            TY < Tile - Margin;
    if (Valid)
      Next[TY][TX] =
          nextTemperature(Now[TY][TX], Now[North][TX], Now[South][TX],
                          Now[TY][West], Now[TY][East], Watts[TY][TX], C);
    __syncthreads();
    if (Step == Steps - 1)
      break;
    if (Valid)
      Now[TY][TX] = Next[TY][TX];
    __syncthreads();
  }
  bool Owned = TX >= StepsPerLaunch && TX < Tile - StepsPerLaunch &&
               TY >= StepsPerLaunch && TY < Tile - StepsPerLaunch;
  if (Valid && Owned)
    Target[Y * Size + X] = Next[TY][TX];
}

static Coefficients coefficients(int Size) {
  const float ChipSide = 0.016f, Thickness = 0.0005f, Conductivity = 100.0f;
  const float HeatCapacity = 0.5f * 1.75e6f;
  float Cell = ChipSide / Size;
  float Capacity = HeatCapacity * Thickness * Cell * Cell;
  float Rx = Cell / (2.0f * Conductivity * Thickness * Cell);
  float Rz = Thickness / (Conductivity * Cell * Cell);
  // A step is stable if less than a quarter of a difference flows per edge.
  float Step = 0.15f * Capacity * Rx;
  return {Step / Capacity, 1.0f / Rx, 1.0f / Rx, 1.0f / Rz, 80.0f};
}

static void hostStep(const std::vector<float> &Power,
                     const std::vector<float> &Source,
                     std::vector<float> &Target, int Size,
                     const Coefficients &C) {
  auto At = [&](int Y, int X) { return Source[Y * Size + X]; };
  for (int Y = 0; Y < Size; ++Y)
    for (int X = 0; X < Size; ++X)
      Target[Y * Size + X] = nextTemperature(
          At(Y, X), At(Y == 0 ? Y : Y - 1, X), At(Y == Size - 1 ? Y : Y + 1, X),
          At(Y, X == 0 ? X : X - 1), At(Y, X == Size - 1 ? X : X + 1),
          Power[Y * Size + X], C);
}

int main(int ArgC, char **ArgV) {
  int Size = sizeArgument(ArgC, ArgV, 1, "SIZE", 96, 2, 8192);
  int Steps = sizeArgument(ArgC, ArgV, 2, "STEPS", 5, 1, 100000);
  Random R(1);
  std::vector<float> Power(Size * Size), Temperature(Size * Size);
  for (int I = 0; I < Size * Size; ++I) {
    Power[I] = R.uniform(0.0f, 1.0f);
    Temperature[I] = R.uniform(320.0f, 340.0f);
  }
  Coefficients C = coefficients(Size);

  DeviceArray<float> DevicePower(Power), A(Temperature), B(Size * Size);
  DeviceArray<float> *Source = &A, *Target = &B;
  int Blocks = divideUp(Size, Output);
  for (int Done = 0; Done < Steps; Done += StepsPerLaunch) {
    int Now = Steps - Done < StepsPerLaunch ? Steps - Done : StepsPerLaunch;
    hotspotKernel<<<dim3(Blocks, Blocks), dim3(Tile, Tile)>>>(
        DevicePower.get(), Source->get(), Target->get(), Size, Now, C);
    std::swap(Source, Target);
  }
  finishKernels();

  std::vector<float> Expected = Temperature, Scratch(Size * Size);
  for (int Step = 0; Step < Steps; ++Step) {
    hostStep(Power, Expected, Scratch, Size, C);
    Expected.swap(Scratch);
  }
  Verifier V(2e-6);
  V.compareAll("temperature", Source->toHost(), Expected);
  return V.report();
}
