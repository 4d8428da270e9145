//===- attention.cu - Attention by warpgroups with roles -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// O = softmax(Q * K') * V in single precision, of one head of 80 dimensions.
/// One warpgroup brings blocks of keys and values into shared memory, ahead of
/// two others, whose threads have a query and its output in registers each, and
/// keep the sum and the largest score of the keys so far.
///
/// usage: attention [CTAs of 256 queries [keys in blocks of 8]]
///
//===----------------------------------------------------------------------===//

#include "../sm90.h"

static constexpr int Dim = 80, Block = 8, Stages = 4, Consumers = 2;
static constexpr int Queries = Consumers * GroupThreads;
static constexpr int Threads = Queries + GroupThreads;

struct Stage {
  float Keys[Block][Dim], Values[Block][Dim];
};

__device__ static void produce(const float *Keys, const float *Values,
                               int Blocks, Stage *In, Barrier *Full,
                               Barrier *Empty) {
  if (threadIdx.x != 0)
    return;
  for (int B = 0; B < Blocks; ++B) {
    int S = B % Stages;
    if (B >= Stages)
      Empty[S].wait((B / Stages - 1) % 2);
    Full[S].arriveAndExpect(sizeof(Stage));
    copyBulk(In[S].Keys, Keys + (size_t)B * Block * Dim, sizeof(In[S].Keys),
             Full[S]);
    copyBulk(In[S].Values, Values + (size_t)B * Block * Dim,
             sizeof(In[S].Values), Full[S]);
  }
}

/// What a thread knows of its query.
struct Row {
  float Query[Dim], Out[Dim];
  float Largest, Sum;

  __device__ void add(const Stage &In) {
    float Scores[Block];
    float Most = Largest;
#pragma unroll
    for (int K = 0; K < Block; ++K) {
      float Dot = 0;
#pragma unroll
      for (int D = 0; D < Dim; ++D)
        Dot = fmaf(Query[D], In.Keys[K][D], Dot);
      Scores[K] = Dot;
      Most = fmaxf(Most, Dot);
    }
    float Shrink = expf(Largest - Most);
    Largest = Most;
    Sum *= Shrink;
#pragma unroll
    for (int D = 0; D < Dim; ++D)
      Out[D] *= Shrink;
#pragma unroll
    for (int K = 0; K < Block; ++K) {
      float Weight = expf(Scores[K] - Largest);
      Sum += Weight;
#pragma unroll
      for (int D = 0; D < Dim; ++D)
        Out[D] = fmaf(Weight, In.Values[K][D], Out[D]);
    }
  }
};

__device__ static void consume(const float *Q, float *O, int Blocks,
                               const Stage *In, Barrier *Full, Barrier *Empty) {
  size_t Mine =
      ((size_t)blockIdx.x * Queries + threadIdx.x - GroupThreads) * Dim;
  Row R;
  R.Largest = -1e30f;
  R.Sum = 0;
#pragma unroll
  for (int D = 0; D < Dim; ++D) {
    R.Query[D] = Q[Mine + D];
    R.Out[D] = 0;
  }
  for (int B = 0; B < Blocks; ++B) {
    int S = B % Stages;
    Full[S].wait(B / Stages % 2);
    R.add(In[S]);
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      Empty[S].arrive();
  }
#pragma unroll
  for (int D = 0; D < Dim; ++D)
    O[Mine + D] = R.Out[D] / R.Sum;
}

__global__ void LAUNCH_BOUNDS(Threads, 1)
    attentionKernel(const float *Q, const float *K, const float *V, float *O,
                    int Blocks) {
  __shared__ alignas(128) Stage In[Stages];
  __shared__ Barrier Full[Stages], Empty[Stages];
  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
      Full[S].init(1);
      Empty[S].init(Queries / 32);
    }
    fenceBarriers();
  }
  __syncthreads();
  if (warpgroup() == 0) {
    giveUpRegisters<24>();
    produce(K, V, Blocks, In, Full, Empty);
  } else {
    getRegisters<240>();
    consume(Q, O, Blocks, In, Full, Empty);
  }
}

static std::vector<float> randomRows(size_t Count, Random &Numbers) {
  std::vector<float> Rows(Count * Dim);
  for (float &X : Rows)
    X = Numbers.uniform(-0.5f, 0.5f);
  return Rows;
}

int main(int ArgC, char **ArgV) {
  int CTAs = sizeArgument(ArgC, ArgV, 1, "CTAs", 1, 1, 4096);
  int Blocks = sizeArgument(ArgC, ArgV, 2, "blocks", 8, 1, 4096);
  int NumQueries = CTAs * Queries, NumKeys = Blocks * Block;
  Random Numbers(1);
  std::vector<float> Q = randomRows(NumQueries, Numbers);
  std::vector<float> K = randomRows(NumKeys, Numbers);
  std::vector<float> V = randomRows(NumKeys, Numbers);

  DeviceArray<float> OnDeviceQ(Q), OnDeviceK(K), OnDeviceV(V), O(Q.size());
  O.fillBytes(0xff);
  attentionKernel<<<CTAs, Threads>>>(OnDeviceQ.get(), OnDeviceK.get(),
                                     OnDeviceV.get(), O.get(), Blocks);
  finishKernels();

  // All scores first, in double precision.
  std::vector<float> Actual = O.toHost();
  Verifier Check(1e-4, 1e-5);
  for (int I = 0; I < NumQueries; ++I) {
    std::vector<double> Weights(NumKeys), Out(Dim);
    double Sum = 0;
    for (int J = 0; J < NumKeys; ++J) {
      double Dot = 0;
      for (int D = 0; D < Dim; ++D)
        Dot += (double)Q[(size_t)I * Dim + D] * K[(size_t)J * Dim + D];
      Sum += Weights[J] = std::exp(Dot);
    }
    for (int J = 0; J < NumKeys; ++J)
      for (int D = 0; D < Dim; ++D)
        Out[D] += Weights[J] / Sum * V[(size_t)J * Dim + D];
    for (int D = 0; D < Dim; ++D)
      Check.compare("O", (size_t)I * Dim + D, Actual[(size_t)I * Dim + D],
                    Out[D]);
  }
  return Check.report();
}
