//===- stencil.cu - 7-point stencil in three dimensions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Jacobi iterations of a 7-point stencil. A CTA owns a column of the grid and
/// walks it plane by plane: the plane's tile is in shared memory, the cells
/// below and above are in registers.
///
/// usage: stencil [NX [NY [NZ [ITERATIONS]]]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <utility>

static constexpr int TileX = 32, TileY = 4;

__global__ void stencilKernel(const float *__restrict__ Source,
                              float *__restrict__ Target, int NX, int NY,
                              int NZ, float Self, float Neighbour) {
  __shared__ float Plane[TileY][TileX];
  int TX = threadIdx.x, TY = threadIdx.y;
  int X = blockIdx.x * TileX + TX, Y = blockIdx.y * TileY + TY;
  int Stride = NX * NY, Cell = Y * NX + X;
  bool Inside = X < NX && Y < NY;
  bool Interior = X > 0 && X < NX - 1 && Y > 0 && Y < NY - 1;

  float Below = Inside ? Source[Cell] : 0.0f;
  float Center = Inside ? Source[Cell + Stride] : 0.0f;
  for (int Z = 1; Z < NZ - 1; ++Z) {
    int Here = Cell + Z * Stride;
    float Above = Inside ? Source[Here + Stride] : 0.0f;
    Plane[TY][TX] = Center;
    __syncthreads();
    if (Interior) {
      // Only threads on the tile's rim go to memory for a neighbour.
      float West = TX > 0 ? Plane[TY][TX - 1] : Source[Here - 1];
      float East = TX < TileX - 1 ? Plane[TY][TX + 1] : Source[Here + 1];
      float North = TY > 0 ? Plane[TY - 1][TX] : Source[Here - NX];
      float South = TY < TileY - 1 ? Plane[TY + 1][TX] : Source[Here + NX];
      Target[Here] = Neighbour * (West + East + North + South + Below + Above) -
                     Self * Center;
    }
    __syncthreads();
    Below = Center;
    Center = Above;
  }
}

static void hostStep(const std::vector<float> &Source,
                     std::vector<float> &Target, int NX, int NY, int NZ,
                     float Self, float Neighbour) {
  auto At = [&](int Z, int Y, int X) { return Source[(Z * NY + Y) * NX + X]; };
  for (int Z = 1; Z < NZ - 1; ++Z)
    for (int Y = 1; Y < NY - 1; ++Y)
      for (int X = 1; X < NX - 1; ++X)
        Target[(Z * NY + Y) * NX + X] =
            Neighbour * (At(Z, Y, X - 1) + At(Z, Y, X + 1) + At(Z, Y - 1, X) +
                         At(Z, Y + 1, X) + At(Z - 1, Y, X) + At(Z + 1, Y, X)) -
            Self * At(Z, Y, X);
}

int main(int ArgC, char **ArgV) {
  int NX = sizeArgument(ArgC, ArgV, 1, "NX", 70, 3, 1024);
  int NY = sizeArgument(ArgC, ArgV, 2, "NY", 50, 3, 1024);
  int NZ = sizeArgument(ArgC, ArgV, 3, "NZ", 16, 3, 1024);
  int Iterations = sizeArgument(ArgC, ArgV, 4, "ITERATIONS", 4, 1, 10000);
  const float Self = 1.0f / 6.0f, Neighbour = 1.0f / 36.0f;
  Random R(3);
  std::vector<float> Grid((size_t)NX * NY * NZ);
  for (float &X : Grid)
    X = R.uniform(0.0f, 1.0f);

  DeviceArray<float> A(Grid), B(Grid);
  DeviceArray<float> *Source = &A, *Target = &B;
  for (int I = 0; I < Iterations; ++I) {
    stencilKernel<<<dim3(divideUp(NX, TileX), divideUp(NY, TileY)),
                    dim3(TileX, TileY)>>>(Source->get(), Target->get(), NX, NY,
                                          NZ, Self, Neighbour);
    std::swap(Source, Target);
  }
  finishKernels();

  std::vector<float> Expected = Grid, Scratch = Grid;
  for (int I = 0; I < Iterations; ++I) {
    hostStep(Expected, Scratch, NX, NY, NZ, Self, Neighbour);
    Expected.swap(Scratch);
  }
  Verifier V(1e-5, 1e-6);
  V.compareAll("cell", Source->toHost(), Expected);
  return V.report();
}
