//===- backprop.cu - Training step of a neural network -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One training step of a network with one hidden layer of 16 units. A CTA
/// multiplies 16 inputs with their weights and reduces the products in shared
/// memory; the host sums over CTAs and computes the errors; a second kernel
/// adjusts the weights, with momentum.
///
/// usage: backprop [INPUTS]    (a multiple of 16)
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int Hidden = 16;
static constexpr int Rows = 16;
static constexpr float LearningRate = 0.3f, Momentum = 0.3f;

// Weights[I * (Hidden + 1) + H] joins input I to hidden unit H; index 0 on
// either side is the bias.
__global__ void forwardKernel(const float *Input, const float *Weights,
                              float *PartialSums) {
  __shared__ float Values[Rows];
  __shared__ float Products[Rows][Hidden];
  int TX = threadIdx.x, TY = threadIdx.y;
  int Unit = blockIdx.x * Rows + TY + 1;
  if (TX == 0)
    Values[TY] = Input[Unit];
  __syncthreads();
  Products[TY][TX] = Weights[Unit * (Hidden + 1) + TX + 1] * Values[TY];
  __syncthreads();
  for (int Reach = 1; Reach < Rows; Reach *= 2) {
    if (TY % (2 * Reach) == 0)
      Products[TY][TX] += Products[TY + Reach][TX];
    __syncthreads();
  }
  if (TY == 0)
    PartialSums[blockIdx.x * Hidden + TX] = Products[0][TX];
}

__global__ void adjustKernel(const float *Delta, const float *Input,
                             float *Weights, float *Previous) {
  int Unit = blockIdx.x * Rows + threadIdx.y + 1;
  int H = threadIdx.x + 1;
  int Index = Unit * (Hidden + 1) + H;
  float Change =
      LearningRate * Delta[H] * Input[Unit] + Momentum * Previous[Index];
  Weights[Index] += Change;
  Previous[Index] = Change;
  // The bias row has one writer.
  if (blockIdx.x == 0 && threadIdx.y == 0) {
    float BiasChange = LearningRate * Delta[H] + Momentum * Previous[H];
    Weights[H] += BiasChange;
    Previous[H] = BiasChange;
  }
}

static float squash(float X) { return 1.0f / (1.0f + std::exp(-X)); }

/// The hidden layer's deltas, index 0 unused, from its sums without bias.
static std::vector<float> hiddenDeltas(const std::vector<float> &Sums,
                                       const std::vector<float> &Weights,
                                       const std::vector<float> &OutputWeights,
                                       float Target) {
  std::vector<float> Activation(Hidden + 1, 1.0f), Delta(Hidden + 1, 0.0f);
  float OutputSum = OutputWeights[0];
  for (int H = 1; H <= Hidden; ++H) {
    Activation[H] = squash(Sums[H - 1] + Weights[H]);
    OutputSum += OutputWeights[H] * Activation[H];
  }
  float Output = squash(OutputSum);
  float OutputDelta = Output * (1.0f - Output) * (Target - Output);
  for (int H = 1; H <= Hidden; ++H)
    Delta[H] =
        Activation[H] * (1.0f - Activation[H]) * OutputDelta * OutputWeights[H];
  return Delta;
}

int main(int ArgC, char **ArgV) {
  int Inputs = sizeArgument(ArgC, ArgV, 1, "INPUTS", 2048, Rows, 1 << 20);
  if (Inputs % Rows != 0) {
    std::fprintf(stderr, "INPUTS must be a multiple of %d\n", Rows);
    return 1;
  }
  int Blocks = Inputs / Rows;
  size_t NumWeights = (size_t)(Inputs + 1) * (Hidden + 1);
  Random R(4);
  std::vector<float> Input(Inputs + 1), Weights(NumWeights),
      Previous(NumWeights), OutputWeights(Hidden + 1);
  for (float &X : Input)
    X = R.uniform(0.0f, 1.0f);
  float Spread = 1.0f / std::sqrt((float)Inputs);
  for (float &X : Weights)
    X = R.uniform(-Spread, Spread);
  for (float &X : Previous)
    X = R.uniform(-0.001f, 0.001f);
  for (float &X : OutputWeights)
    X = R.uniform(-1.0f, 1.0f);

  DeviceArray<float> DeviceInput(Input), DeviceWeights(Weights),
      DevicePrevious(Previous), PartialSums(Blocks * Hidden);
  dim3 Threads(Hidden, Rows);
  forwardKernel<<<Blocks, Threads>>>(DeviceInput.get(), DeviceWeights.get(),
                                     PartialSums.get());
  finishKernels();
  std::vector<float> Partial = PartialSums.toHost(), Sums(Hidden);
  for (int Block = 0; Block < Blocks; ++Block)
    for (int H = 0; H < Hidden; ++H)
      Sums[H] += Partial[Block * Hidden + H];
  std::vector<float> Delta = hiddenDeltas(Sums, Weights, OutputWeights, 0.1f);
  DeviceArray<float> DeviceDelta(Delta);
  adjustKernel<<<Blocks, Threads>>>(DeviceDelta.get(), DeviceInput.get(),
                                    DeviceWeights.get(), DevicePrevious.get());
  finishKernels();

  std::vector<float> HostSums(Hidden);
  for (int H = 0; H < Hidden; ++H) {
    double Sum = 0.0;
    for (int I = 1; I <= Inputs; ++I)
      Sum += (double)Weights[I * (Hidden + 1) + H + 1] * Input[I];
    HostSums[H] = (float)Sum;
  }
  std::vector<float> HostDelta =
      hiddenDeltas(HostSums, Weights, OutputWeights, 0.1f);
  for (int I = 0; I <= Inputs; ++I)
    for (int H = 1; H <= Hidden; ++H) {
      size_t Index = (size_t)I * (Hidden + 1) + H;
      float Value = I == 0 ? 1.0f : Input[I];
      Previous[Index] =
          LearningRate * HostDelta[H] * Value + Momentum * Previous[Index];
      Weights[Index] += Previous[Index];
    }
  Verifier V(1e-4, 1e-6);
  V.compareAll("sum", Sums, HostSums);
  V.compareAll("weight", DeviceWeights.toHost(), Weights);
  V.compareAll("change", DevicePrevious.toHost(), Previous);
  return V.report();
}
