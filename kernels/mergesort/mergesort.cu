//===- mergesort.cu - Merge sort of keys and values -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sorts 32-bit keys with their values, stably. A CTA sorts a chunk in shared
/// memory by merging; passes over the whole array then merge runs pairwise,
/// each element finding its place by binary search in the other run.
///
/// usage: mergesort [COUNT]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"
#include <algorithm>
#include <numeric>
#include <utility>

static constexpr int Chunk = 512;
static constexpr int Threads = 256;

/// How many of the \p Count sorted keys go before \p Key; equal ones do if
/// \p EqualFirst.
__device__ inline int rankIn(const unsigned *Keys, int Count, unsigned Key,
                             bool EqualFirst) {
  int Low = 0, High = Count;
  while (Low < High) {
    int Middle = (Low + High) / 2;
    bool Before = EqualFirst ? Keys[Middle] <= Key : Keys[Middle] < Key;
    if (Before)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

/// Where element \p I goes when the sorted runs of length \p Run are merged
/// pairwise in an array of \p Count elements.
__device__ inline int mergedPlace(const unsigned *Keys, int Count, int Run,
                                  int I) {
  int Pair = I / (2 * Run) * (2 * Run);
  int Middle = min(Pair + Run, Count), End = min(Pair + 2 * Run, Count);
  if (I < Middle)
    return I + rankIn(Keys + Middle, End - Middle, Keys[I], false);
  return I - (Middle - Pair) +
         rankIn(Keys + Pair, Middle - Pair, Keys[I], true);
}

__global__ void sortChunksKernel(unsigned *Keys, unsigned *Values, int Count) {
  __shared__ unsigned Key[Chunk], Value[Chunk];
  int First = blockIdx.x * Chunk;
  int Size = min(Chunk, Count - First);
  for (int I = threadIdx.x; I < Size; I += Threads) {
    Key[I] = Keys[First + I];
    Value[I] = Values[First + I];
  }
  __syncthreads();
  for (int Run = 1; Run < Size; Run *= 2) {
    constexpr int PerThread = Chunk / Threads;
    unsigned MyKey[PerThread], MyValue[PerThread];
    int Place[PerThread];
#pragma unroll
    for (int P = 0; P < PerThread; ++P) {
      int I = P * Threads + threadIdx.x;
      if (I >= Size)
        continue;
      MyKey[P] = Key[I];
      MyValue[P] = Value[I];
      Place[P] = mergedPlace(Key, Size, Run, I);
    }
    __syncthreads();
#pragma unroll
    for (int P = 0; P < PerThread; ++P) {
      if (P * Threads + (int)threadIdx.x >= Size)
        continue;
      Key[Place[P]] = MyKey[P];
      Value[Place[P]] = MyValue[P];
    }
    __syncthreads();
  }
  for (int I = threadIdx.x; I < Size; I += Threads) {
    Keys[First + I] = Key[I];
    Values[First + I] = Value[I];
  }
}

__global__ void mergeRunsKernel(const unsigned *Keys, const unsigned *Values,
                                unsigned *OutKeys, unsigned *OutValues,
                                int Count, int Run) {
  int I = blockIdx.x * Threads + threadIdx.x;
  if (I >= Count)
    return;
  int Place = mergedPlace(Keys, Count, Run, I);
  OutKeys[Place] = Keys[I];
  OutValues[Place] = Values[I];
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "COUNT", 5000, 1, 1 << 24);
  Random R(12);
  std::vector<unsigned> Keys(Count), Values(Count);
  for (unsigned &K : Keys)
    K = R.below(Count); // with repetitions, to see that the order is stable
  std::iota(Values.begin(), Values.end(), 0u);

  DeviceArray<unsigned> KeysA(Keys), ValuesA(Values), KeysB(Count),
      ValuesB(Count);
  std::pair<unsigned *, unsigned *> From(KeysA.get(), ValuesA.get()),
      To(KeysB.get(), ValuesB.get());
  sortChunksKernel<<<divideUp(Count, Chunk), Threads>>>(From.first, From.second,
                                                        Count);
  for (int Run = Chunk; Run < Count; Run *= 2) {
    mergeRunsKernel<<<divideUp(Count, Threads), Threads>>>(
        From.first, From.second, To.first, To.second, Count, Run);
    std::swap(From, To);
  }
  finishKernels();

  std::vector<unsigned> Expected = Values;
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
