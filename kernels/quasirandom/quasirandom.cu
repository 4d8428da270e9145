//===- quasirandom.cu - Quasirandom normal variates -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Points of Sobol's low-discrepancy sequence in three dimensions, and normal
/// variates from them by an approximation of the inverse normal distribution.
///
/// usage: quasirandom [POINTS]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>

static constexpr int Dimensions = 3, Bits = 31;
static constexpr int GeneratorThreads = 128, InverseThreads = 128;
static constexpr int MaxBlocks = 128;

/// Direction numbers: what a bit of a point's index adds to the point.
__constant__ unsigned Table[Dimensions][Bits];

/// A CTA has a row of threads for each dimension.
__global__ void __launch_bounds__(GeneratorThreads *Dimensions)
    quasirandomGeneratorKernel(float *Points, int Count) {
  int Stride = gridDim.x * GeneratorThreads;
  for (int I = blockIdx.x * GeneratorThreads + threadIdx.x; I < Count;
       I += Stride) {
    unsigned Sum = 0, Index = I;
#pragma unroll
    for (int Bit = 0; Bit < Bits; ++Bit, Index >>= 1)
      if (Index & 1)
        Sum ^= Table[threadIdx.y][Bit];
    // In (0, 1]: 1 is what the largest round to.
    Points[threadIdx.y * Count + I] = (float)(Sum + 1) * (1.0f / 2147483648.0f);
  }
}

/// The inverse of the normal distribution: a quotient of polynomials in the
/// middle, and a polynomial of log(-log) in the tails (Moro 1995).
__device__ inline float inverseNormal(float P) {
  float Y = P - 0.5f;
  if (fabsf(Y) < 0.42f) {
    float Z = Y * Y;
    float Top =
        ((-25.44106049637f * Z + 41.39119773534f) * Z - 18.61500062529f) * Z +
        2.50662823884f;
    float Bottom =
        (((3.13082909833f * Z - 21.06224101826f) * Z + 23.08336743743f) * Z -
         8.47351093090f) *
            Z +
        1.0f;
    return Y * Top / Bottom;
  }
  const float C[] = {
      3.960315187e-7f,    2.888167364e-7f,     3.21767881768e-5f,
      3.951896511919e-4f, 3.8405729373609e-3f, 2.76438810333863e-2f,
      0.160797971491821f, 0.976169019091719f,  0.337475482272615f};
  float Z = logf(-logf(Y > 0.0f ? 1.0f - P : P));
  float Size = 0.0f;
#pragma unroll
  for (float Coefficient : C)
    Size = Size * Z + Coefficient;
  return Y > 0.0f ? Size : -Size;
}

__global__ void inverseNormalKernel(const float *Points, float *Normals,
                                    int Count) {
  int Stride = gridDim.x * blockDim.x;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count; I += Stride) {
    // The two ends, which have no inverse.
    float P = fminf(fmaxf(Points[I], 1e-7f), 1.0f - 1e-7f);
    Normals[I] = inverseNormal(P);
  }
}

/// Sobol's direction numbers: the first dimension reverses the index's bits,
/// the others follow the primitive polynomials x + 1 and x^2 + x + 1.
static std::vector<unsigned> directionNumbers() {
  std::vector<unsigned> Made(Dimensions * Bits);
  unsigned Second = 1, Third[2] = {1, 3};
  for (int Bit = 0; Bit < Bits; ++Bit) {
    int Shift = Bits - 1 - Bit;
    Made[Bit] = 1u << Shift;
    Made[Bits + Bit] = Second << Shift;
    Made[2 * Bits + Bit] = Third[0] << Shift;
    Second ^= 2 * Second;
    unsigned Next = 2 * Third[1] ^ 4 * Third[0] ^ Third[0];
    Third[0] = Third[1];
    Third[1] = Next;
  }
  return Made;
}

/// Of the first 2^k points of a dimension, each 2^k-th part of 0 to 1 has one.
static void checkStrata(Verifier &V, const float *Points, int Count) {
  int Strata = 1;
  while (2 * Strata <= Count && Strata < 1 << 20)
    Strata *= 2;
  std::vector<int> Found(Strata);
  for (int I = 0; I < Strata; ++I)
    ++Found[(int)(Points[I] * (double)Strata)];
  for (int I = 0; I < Strata; ++I)
    V.compare("points in a part", I, Found[I], 1);
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "POINTS", 3000, 1, 1 << 20);
  std::vector<unsigned> Directions = directionNumbers();
  CHECK_CUDA(cudaMemcpyToSymbol(Table, Directions.data(),
                                Directions.size() * sizeof(unsigned)));
  DeviceArray<float> Points((size_t)Dimensions * Count), Normals(Points.size());
  int Blocks = std::min(divideUp(Count, GeneratorThreads), MaxBlocks);
  quasirandomGeneratorKernel<<<Blocks, dim3(GeneratorThreads, Dimensions)>>>(
      Points.get(), Count);
  Blocks = std::min(divideUp(Dimensions * Count, InverseThreads), MaxBlocks);
  inverseNormalKernel<<<Blocks, InverseThreads>>>(Points.get(), Normals.get(),
                                                  Dimensions * Count);
  finishKernels();

  Verifier V(2e-4);
  std::vector<float> GotPoints = Points.toHost(), GotNormals = Normals.toHost();
  for (int D = 0; D < Dimensions; ++D) {
    checkStrata(V, &GotPoints[(size_t)D * Count], Count);
    unsigned Point = 0;
    for (int I = 0; I < Count; ++I) {
      // From the index before, all bits up to the lowest 1 have changed.
      for (int Bit = 0; I > 0 && Bit < Bits; ++Bit) {
        Point ^= Directions[D * Bits + Bit];
        if (I >> Bit & 1)
          break;
      }
      size_t At = (size_t)D * Count + I;
      V.compare("point", At, GotPoints[At], (Point + 1.0) / 2147483648.0);
      // Both tails as they are small.
      double P = std::fmin(std::fmax(GotPoints[At], 1e-7), 1.0 - 1e-7);
      double Tail = 0.5 * std::erfc(std::fabs(GotNormals[At]) / std::sqrt(2.0));
      V.compare("its tail", At, Tail, P > 0.5 ? 1.0 - P : P);
      V.compare("its sign", At, GotNormals[At] > 0.0f, P > 0.5);
    }
  }
  return V.report();
}
