//===- radixsort.cu - Radix sort of keys and values -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sorts 32-bit keys with their values, stably, four bits a pass. A CTA sorts a
/// tile by these bits, one after the other, with four keys a thread in
/// registers; the digits are counted by tile, and scanned counts say where each
/// digit of a tile goes.
///
/// usage: radixsort [COUNT [BITS]]    (bits that keys differ in)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <numeric>
#include <utility>

static constexpr int Threads = 256, PerThread = 4;
static constexpr int Tile = Threads * PerThread;
static constexpr int DigitBits = 4, Digits = 1 << DigitBits;
static constexpr int WarpSize = 32;

/// The sum of \p Value over this lane and those before it in the warp. Each
/// warp has twice as many \p Cells as lanes, the first half of them 0.
__device__ inline unsigned scanWarp(unsigned *Cells, unsigned Value) {
  int Cell = 2 * threadIdx.x - (threadIdx.x & (WarpSize - 1));
  Cells[Cell] = 0;
  Cell += WarpSize;
  Cells[Cell] = Value;
  for (int Distance = 1; Distance < WarpSize; Distance *= 2) {
    __syncwarp();
    unsigned Earlier = Cells[Cell - Distance];
    __syncwarp();
    Cells[Cell] += Earlier;
  }
  return Cells[Cell];
}

/// The sum of \p Value over the threads before this one; \p Cells has two words
/// for each thread.
__device__ inline unsigned scanBlock(unsigned *Cells, unsigned Value) {
  int Warp = threadIdx.x / WarpSize;
  unsigned Inclusive = scanWarp(Cells, Value);
  __syncthreads();
  if (threadIdx.x % WarpSize == WarpSize - 1)
    Cells[Warp] = Inclusive;
  __syncthreads();
  unsigned Before = 0;
  for (int Other = 0; Other < Warp; ++Other)
    Before += Cells[Other];
  __syncthreads();
  return Before + Inclusive - Value;
}

/// Sorts each tile by the digit at \p Shift.
__global__ void sortTilesKernel(uint4 *Keys, uint4 *Values, int Shift) {
  __shared__ unsigned Cells[2 * Threads];
  __shared__ unsigned Key[Tile], Value[Tile];
  __shared__ unsigned Zeros;
  int T = threadIdx.x, I = blockIdx.x * Threads + T;
  uint4 K = Keys[I], V = Values[I];
  for (int Bit = Shift; Bit < Shift + DigitBits; ++Bit) {
    unsigned X = ~K.x >> Bit & 1, Y = ~K.y >> Bit & 1, Z = ~K.z >> Bit & 1,
             W = ~K.w >> Bit & 1;
    unsigned Before = scanBlock(Cells, X + Y + Z + W);
    if (T == Threads - 1)
      Zeros = Before + X + Y + Z + W;
    __syncthreads();
    // Keys with a 0 keep their order, and come before those with a 1.
    unsigned Ones = Zeros + T * PerThread - Before;
    unsigned PlaceX = X ? Before : Ones;
    unsigned PlaceY = Y ? Before + X : Ones + 1 - X;
    unsigned PlaceZ = Z ? Before + X + Y : Ones + 2 - X - Y;
    unsigned PlaceW = W ? Before + X + Y + Z : Ones + 3 - X - Y - Z;
    Key[PlaceX] = K.x;
    Key[PlaceY] = K.y;
    Key[PlaceZ] = K.z;
    Key[PlaceW] = K.w;
    Value[PlaceX] = V.x;
    Value[PlaceY] = V.y;
    Value[PlaceZ] = V.z;
    Value[PlaceW] = V.w;
    __syncthreads();
    int First = T * PerThread;
    K = make_uint4(Key[First], Key[First + 1], Key[First + 2], Key[First + 3]);
    V = make_uint4(Value[First], Value[First + 1], Value[First + 2],
                   Value[First + 3]);
    __syncthreads();
  }
  Keys[I] = K;
  Values[I] = V;
}

/// Where each digit begins in a sorted tile, and how often it is there.
__global__ void countDigitsKernel(const unsigned *Keys, unsigned *Starts,
                                  unsigned *Counts, int Shift) {
  __shared__ unsigned Digit[Tile];
  __shared__ unsigned Start[Digits], End[Digits];
  int T = threadIdx.x;
  if (T < Digits)
    Start[T] = End[T] = 0;
  for (int I = T; I < Tile; I += Threads)
    Digit[I] = Keys[blockIdx.x * Tile + I] >> Shift & (Digits - 1);
  __syncthreads();
  for (int I = T; I < Tile; I += Threads) {
    if (I == 0 || Digit[I - 1] != Digit[I])
      Start[Digit[I]] = I;
    if (I == Tile - 1 || Digit[I + 1] != Digit[I])
      End[Digit[I]] = I + 1;
  }
  __syncthreads();
  if (T < Digits) {
    Starts[blockIdx.x * Digits + T] = Start[T];
    Counts[T * gridDim.x + blockIdx.x] = End[T] - Start[T];
  }
}

/// Replaces counts by sums of those before them. One CTA does it all.
__global__ void scanKernel(unsigned *Counts, int Count) {
  __shared__ unsigned Cells[2 * Threads];
  __shared__ unsigned Sum;
  unsigned Before = 0;
  for (int First = 0; First < Count; First += Threads) {
    int I = First + threadIdx.x;
    unsigned Value = I < Count ? Counts[I] : 0;
    unsigned Exclusive = scanBlock(Cells, Value);
    if (I < Count)
      Counts[I] = Before + Exclusive;
    if (threadIdx.x == Threads - 1)
      Sum = Exclusive + Value;
    __syncthreads();
    Before += Sum;
  }
}

__global__ void reorderKernel(const unsigned *Keys, const unsigned *Values,
                              const unsigned *Starts, const unsigned *Offsets,
                              unsigned *OutKeys, unsigned *OutValues,
                              int Shift) {
  __shared__ unsigned Start[Digits], Offset[Digits];
  int T = threadIdx.x;
  if (T < Digits) {
    Start[T] = Starts[blockIdx.x * Digits + T];
    Offset[T] = Offsets[T * gridDim.x + blockIdx.x];
  }
  __syncthreads();
  for (int I = T; I < Tile; I += Threads) {
    unsigned Key = Keys[blockIdx.x * Tile + I];
    unsigned Digit = Key >> Shift & (Digits - 1);
    unsigned Place = Offset[Digit] + I - Start[Digit];
    OutKeys[Place] = Key;
    OutValues[Place] = Values[blockIdx.x * Tile + I];
  }
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "COUNT", 17000, 1, 1 << 24);
  int Bits = sizeArgument(ArgC, ArgV, 2, "BITS", 8, 1, 32);
  Random R(25);
  // The last tile is filled up with keys that stay where they are.
  int Tiles = divideUp(Count, Tile);
  std::vector<unsigned> Keys(Tiles * Tile, ~0u), Values(Tiles * Tile, ~0u);
  for (int I = 0; I < Count; ++I) {
    Keys[I] = (R.next() << 16 ^ R.next()) & (~0u >> (32 - Bits));
    Values[I] = I;
  }

  DeviceArray<unsigned> KeysA(Keys), ValuesA(Values), KeysB(Keys),
      ValuesB(Values), Starts(Tiles * Digits), Counts(Tiles * Digits);
  std::pair<unsigned *, unsigned *> From(KeysA.get(), ValuesA.get()),
      To(KeysB.get(), ValuesB.get());
  for (int Shift = 0; Shift < Bits; Shift += DigitBits) {
    sortTilesKernel<<<Tiles, Threads>>>((uint4 *)From.first,
                                        (uint4 *)From.second, Shift);
    countDigitsKernel<<<Tiles, Threads>>>(From.first, Starts.get(),
                                          Counts.get(), Shift);
    scanKernel<<<1, Threads>>>(Counts.get(), Tiles * Digits);
    reorderKernel<<<Tiles, Threads>>>(From.first, From.second, Starts.get(),
                                      Counts.get(), To.first, To.second, Shift);
    std::swap(From, To);
  }
  finishKernels();

  std::vector<unsigned> Expected(Count);
  std::iota(Expected.begin(), Expected.end(), 0u);
  std::sort(Expected.begin(), Expected.end(), [&](unsigned A, unsigned B) {
    return std::make_pair(Keys[A], A) < std::make_pair(Keys[B], B);
  });
  bool InA = From.first == KeysA.get();
  std::vector<unsigned> GotKeys = (InA ? KeysA : KeysB).toHost();
  std::vector<unsigned> GotValues = (InA ? ValuesA : ValuesB).toHost();
  Verifier V;
  for (int I = 0; I < Count; ++I) {
    V.compare("key", I, GotKeys[I], Keys[Expected[I]]);
    V.compare("value", I, GotValues[I], Expected[I]);
  }
  return V.report();
}
