//===- sad.cu - Sums of absolute differences -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The search for motion in a video encoder: how much each block of an image
/// differs from an earlier image, at every displacement within a range. A CTA
/// takes a block of 4x4 pixels, a thread some displacements; sums of larger
/// blocks, up to 16x16, are made of those of smaller ones.
///
/// usage: sad [WIDTH [HEIGHT]]    (in macroblocks of 16x16 pixels)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <cstdlib>

static constexpr int Range = 16;
static constexpr int SearchSide = 2 * Range + 1;
static constexpr int Displacements = SearchSide * SearchSide;
static constexpr int PerThread = 18;
static constexpr int Threads = (Displacements + PerThread - 1) / PerThread;
static constexpr int Small = 4, Macro = 16;

/// Sums of all displacements of a block are next to each other; blocks of a
/// size are in the order of rows.
__global__ void sadKernel(const unsigned char *Current,
                          const unsigned char *Earlier, unsigned short *Sums,
                          int Width, int Height) {
  __shared__ unsigned char Block[Small][Small];
  int X0 = blockIdx.x * Small, Y0 = blockIdx.y * Small;
  int T = threadIdx.x;
  if (T < Small * Small)
    Block[T / Small][T % Small] =
        Current[(Y0 + T / Small) * Width + X0 + T % Small];
  __syncthreads();
  Sums += (blockIdx.y * gridDim.x + blockIdx.x) * Displacements;
  int Last = min((T + 1) * PerThread, Displacements);
  for (int D = T * PerThread; D < Last; ++D) {
    int X = X0 + D % SearchSide - Range, Y = Y0 + D / SearchSide - Range;
    int Sum = 0;
#pragma unroll
    for (int J = 0; J < Small; ++J) {
      // Beyond its edges an image goes on as it ends there.
      const unsigned char *Row =
          Earlier + min(max(Y + J, 0), Height - 1) * Width;
#pragma unroll
      for (int I = 0; I < Small; ++I)
        Sum += abs(Block[J][I] - Row[min(max(X + I, 0), Width - 1)]);
    }
    Sums[D] = (unsigned short)Sum;
  }
}

/// Sums of pairs of blocks, above each other in \p Tall and side by side in
/// \p Wide, and of two by two blocks. Lanes go over the displacements; a row of
/// threads takes one of the \p PerMacro squared sums of a macroblock.
__device__ inline void merge(const unsigned short *From, int FromPerRow,
                             unsigned short *Tall, unsigned short *Wide,
                             unsigned short *Square, int X, int Y) {
  const unsigned short *A = From + (2 * Y * FromPerRow + 2 * X) * Displacements;
  const unsigned short *B = A + Displacements;
  const unsigned short *C = A + FromPerRow * Displacements;
  const unsigned short *D = C + Displacements;
  int PerRow = FromPerRow / 2;
  Square += (Y * PerRow + X) * Displacements;
  Tall += (Y * FromPerRow + 2 * X) * Displacements;
  Wide += (2 * Y * PerRow + X) * Displacements;
  for (int I = threadIdx.x; I < Displacements; I += blockDim.x) {
    int NW = A[I], NE = B[I], SW = C[I], SE = D[I];
    Tall[I] = (unsigned short)(NW + SW);
    Tall[Displacements + I] = (unsigned short)(NE + SE);
    Wide[I] = (unsigned short)(NW + NE);
    Wide[PerRow * Displacements + I] = (unsigned short)(SW + SE);
    Square[I] = (unsigned short)(NW + NE + SW + SE);
  }
}

/// Of a macroblock, the sums of 4x8, 8x4 and 8x8 pixels.
__global__ void larger8Kernel(const unsigned short *Sums4, unsigned short *Tall,
                              unsigned short *Wide, unsigned short *Sums8) {
  merge(Sums4, gridDim.x * 4, Tall, Wide, Sums8,
        blockIdx.x * 2 + threadIdx.y % 2, blockIdx.y * 2 + threadIdx.y / 2);
}

/// Of a macroblock, the sums of 8x16, 16x8 and 16x16 pixels.
__global__ void larger16Kernel(const unsigned short *Sums8,
                               unsigned short *Tall, unsigned short *Wide,
                               unsigned short *Sums16) {
  merge(Sums8, gridDim.x * 2, Tall, Wide, Sums16, blockIdx.x, blockIdx.y);
}

/// Two images of a size.
struct Images {
  int Width, Height;
  std::vector<unsigned char> Current, Earlier;

  /// The sum of a block of I x J pixels at X, Y, displaced by DX, DY.
  int sum(int X, int Y, int I, int J, int DX, int DY) const {
    int Sum = 0;
    for (int P = 0; P < I * J; ++P) {
      int AtX = X + P % I, AtY = Y + P / I;
      int FromX = std::clamp(AtX + DX, 0, Width - 1);
      int FromY = std::clamp(AtY + DY, 0, Height - 1);
      Sum +=
          std::abs(Current[AtY * Width + AtX] - Earlier[FromY * Width + FromX]);
    }
    return Sum;
  }
};

/// Compares the sums of all blocks of I x J pixels.
static void check(Verifier &V, const char *What, const Images &Both,
                  const DeviceArray<unsigned short> &Device, int I, int J) {
  std::vector<unsigned short> Got = Device.toHost();
  size_t At = 0;
  for (int Y = 0; Y < Both.Height; Y += J)
    for (int X = 0; X < Both.Width; X += I)
      for (int D = 0; D < Displacements; ++D, ++At)
        V.compare(What, At, Got[At],
                  Both.sum(X, Y, I, J, D % SearchSide - Range,
                           D / SearchSide - Range));
}

int main(int ArgC, char **ArgV) {
  int MacroX = sizeArgument(ArgC, ArgV, 1, "WIDTH", 2, 1, 120);
  int MacroY = sizeArgument(ArgC, ArgV, 2, "HEIGHT", 1, 1, 120);
  Random R(26);
  Images Both = {MacroX * Macro, MacroY * Macro, {}, {}};
  for (int I = 0; I < Both.Width * Both.Height; ++I) {
    Both.Current.push_back((unsigned char)R.below(256));
    Both.Earlier.push_back((unsigned char)R.below(256));
  }

  size_t Count = (size_t)MacroX * MacroY * Displacements;
  DeviceArray<unsigned char> Current(Both.Current), Earlier(Both.Earlier);
  DeviceArray<unsigned short> S4x4(16 * Count), S4x8(8 * Count),
      S8x4(8 * Count), S8x8(4 * Count), S8x16(2 * Count), S16x8(2 * Count),
      S16x16(Count);
  sadKernel<<<dim3(Both.Width / Small, Both.Height / Small), Threads>>>(
      Current.get(), Earlier.get(), S4x4.get(), Both.Width, Both.Height);
  dim3 Macroblocks(MacroX, MacroY);
  larger8Kernel<<<Macroblocks, dim3(32, 4)>>>(S4x4.get(), S4x8.get(),
                                              S8x4.get(), S8x8.get());
  larger16Kernel<<<Macroblocks, dim3(32, 1)>>>(S8x8.get(), S8x16.get(),
                                               S16x8.get(), S16x16.get());
  finishKernels();

  Verifier V;
  check(V, "sum of 4x4", Both, S4x4, 4, 4);
  check(V, "sum of 4x8", Both, S4x8, 4, 8);
  check(V, "sum of 8x4", Both, S8x4, 8, 4);
  check(V, "sum of 8x8", Both, S8x8, 8, 8);
  check(V, "sum of 8x16", Both, S8x16, 8, 16);
  check(V, "sum of 16x8", Both, S16x8, 16, 8);
  check(V, "sum of 16x16", Both, S16x16, 16, 16);
  return V.report();
}
