//===- hotspot3D.cu - Heat diffusion in a stack of chips -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The temperature of stacked chips under a power map, by explicit time steps
/// of the heat equation. A thread takes a column of cells and goes up through
/// the layers, with the cells below, here and above in registers.
///
/// usage: hotspot3D [SIZE [LAYERS [STEPS]]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <utility>

static constexpr int ThreadsX = 64, ThreadsY = 4;
static constexpr float Ambient = 80.0f;

/// What part of the difference to a neighbour flows in a step; Center is what
/// is left of the cell's own temperature.
struct Coefficients {
  float Center, X, Y, Z;
  float StepOverCapacity;
};

__global__ void heatKernel(const float *Power, const float *Source,
                           float *Target, int Size, int Layers,
                           Coefficients C) {
  int X = blockIdx.x * ThreadsX + threadIdx.x;
  int Y = blockIdx.y * ThreadsY + threadIdx.y;
  if (X >= Size || Y >= Size)
    return;
  // At the stack's surface a cell is its own neighbour.
  int Here = Y * Size + X, Layer = Size * Size;
  int West = X == 0 ? Here : Here - 1, East = X == Size - 1 ? Here : Here + 1;
  int North = Y == 0 ? Here : Here - Size;
  int South = Y == Size - 1 ? Here : Here + Size;
  float Below = Source[Here], Now = Below;
  for (int Z = 0; Z < Layers; ++Z) {
    float Above = Z == Layers - 1 ? Now : Source[Here + Layer];
    Target[Here] = C.Center * Now + C.X * (Source[West] + Source[East]) +
                   C.Y * (Source[North] + Source[South]) +
                   C.Z * (Below + Above + Ambient) +
                   C.StepOverCapacity * Power[Here];
    Below = Now;
    Now = Above;
    Here += Layer;
    West += Layer;
    East += Layer;
    North += Layer;
    South += Layer;
  }
}

static Coefficients coefficients(int Size, int Layers) {
  const float ChipSide = 0.016f, Thickness = 0.0005f, Conductivity = 100.0f;
  const float HeatCapacity = 0.5f * 1.75e6f;
  float Cell = ChipSide / Size, High = Thickness / Layers;
  float Capacity = HeatCapacity * High * Cell * Cell;
  float Rx = 1.0f / (2.0f * Conductivity * High);
  float Rz = High / (Conductivity * Cell * Cell);
  // A step is stable if less than everything flows away.
  float Step = 0.5f * Capacity / (4.0f / Rx + 3.0f / Rz);
  float X = Step / (Capacity * Rx), Z = Step / (Capacity * Rz);
  return {1.0f - (4.0f * X + 3.0f * Z), X, X, Z, Step / Capacity};
}

static void hostStep(const std::vector<float> &Power,
                     const std::vector<float> &Source,
                     std::vector<float> &Target, int Size, int Layers,
                     const Coefficients &C) {
  auto At = [&](int X, int Y, int Z) {
    X = std::clamp(X, 0, Size - 1);
    Y = std::clamp(Y, 0, Size - 1);
    return Source[(std::clamp(Z, 0, Layers - 1) * Size + Y) * Size + X];
  };
  for (int I = 0; I < Layers * Size * Size; ++I) {
    int X = I % Size, Y = I / Size % Size, Z = I / (Size * Size);
    Target[I] = C.Center * Source[I] +
                C.X * (At(X - 1, Y, Z) + At(X + 1, Y, Z)) +
                C.Y * (At(X, Y - 1, Z) + At(X, Y + 1, Z)) +
                C.Z * (At(X, Y, Z - 1) + At(X, Y, Z + 1) + Ambient) +
                C.StepOverCapacity * Power[I];
  }
}

int main(int ArgC, char **ArgV) {
  int Size = sizeArgument(ArgC, ArgV, 1, "SIZE", 72, 2, 1024);
  int Layers = sizeArgument(ArgC, ArgV, 2, "LAYERS", 8, 1, 256);
  int Steps = sizeArgument(ArgC, ArgV, 3, "STEPS", 3, 1, 10000);
  Random R(19);
  std::vector<float> Power((size_t)Layers * Size * Size),
      Temperature(Power.size());
  for (size_t I = 0; I < Power.size(); ++I) {
    Power[I] = R.uniform(0.0f, 0.01f);
    Temperature[I] = R.uniform(320.0f, 340.0f);
  }
  Coefficients C = coefficients(Size, Layers);

  DeviceArray<float> DevicePower(Power), A(Temperature), B(Power.size());
  DeviceArray<float> *Source = &A, *Target = &B;
  dim3 Blocks(divideUp(Size, ThreadsX), divideUp(Size, ThreadsY));
  for (int Step = 0; Step < Steps; ++Step) {
    heatKernel<<<Blocks, dim3(ThreadsX, ThreadsY)>>>(
        DevicePower.get(), Source->get(), Target->get(), Size, Layers, C);
    std::swap(Source, Target);
  }
  finishKernels();

  std::vector<float> Expected = Temperature, Scratch(Power.size());
  for (int Step = 0; Step < Steps; ++Step) {
    hostStep(Power, Expected, Scratch, Size, Layers, C);
    Expected.swap(Scratch);
  }
  Verifier V(2e-6);
  V.compareAll("temperature", Source->toHost(), Expected);
  return V.report();
}
